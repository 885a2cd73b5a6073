"""The ruler: what counts as a shared word, between a wording and a file and between two wordings."""

from memeval.ruler.sharing import (
    NamedText,
    cut_passage,
    file_terms,
    is_unseen,
    is_zero_overlap,
    shared_terms,
    shares_with_file,
)
from memeval.ruler.terms import (
    FREQUENT_SHARE,
    TermPlace,
    find_frequent_pairs,
    locate_stopped,
    locate_terms,
    render_frequent_pairs,
    ruler_terms,
)

__all__ = [
    "FREQUENT_SHARE",
    "NamedText",
    "TermPlace",
    "cut_passage",
    "file_terms",
    "find_frequent_pairs",
    "is_unseen",
    "is_zero_overlap",
    "locate_stopped",
    "locate_terms",
    "render_frequent_pairs",
    "ruler_terms",
    "shared_terms",
    "shares_with_file",
]
