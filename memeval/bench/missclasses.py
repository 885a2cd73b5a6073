"""The kinds of misses, and the table of rules that says which one a miss is: by what cures it, and a few facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from memeval.bench.counterfactuals import (
    ALONE,
    BEST,
    CAP,
    FILLERS,
    INSIDE,
    NOTE_WIDTH,
    PAIRS,
    PROFILE,
    PROJECTS,
    QUERY_SCRIPT,
    QUERY_WIDTH,
    SCRIPTS,
    SPACED,
    STEMS,
    TWINS,
)
from memeval.bench.missground import Miss
from memeval.bench.rewordings import has_runs

_SCRIPT_OPEN = "the other script of Chinese was not tried, for want of OpenCC (extra opencc, variant memeval+opencc)"


class MissClass(str, Enum):
    """Why a file was missed."""

    UNREADABLE = "unreadable file"
    OUT_OF_SCOPE = "not in scope"
    MISLABELLED = "mislabelled need"
    TWIN = "outranked by a twin"
    WIDTH = "width"
    SCRIPT = "script"
    SEGMENTATION = "CJK segmentation"
    FILLER_FLOOD = "filler flood"
    INSIDE_WORD = "inside-word hit"
    WORD_FORM = "word form"
    VOCABULARY = "vocabulary gap"
    VOCABULARY_OR_SCRIPT = "vocabulary gap or script"
    CAP = "cut by the cap"
    OUTRANKED = "outranked"
    PHRASE = "not as one phrase"
    UNREACHED = "out of reach of the variant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What is known of a miss once its counterfactuals have run."""

    miss: Miss
    cured: frozenset[str] = frozenset()
    """Names of the counterfactuals that find the file."""
    matched: frozenset[str] = frozenset()
    """Names of those under which it is a candidate, found or not."""
    unreadable: tuple[str, ...] = ()
    """Expected files that cannot be read, with the reason."""
    in_scope: bool = True
    """One of the expected files is among the documents searched."""
    has_evidence: bool = True
    """The evidence stands in an expected file; True where the need names none."""
    has_words: bool = True
    """An expected file has words that a query could hold."""
    holder: str | None = None
    """A file shown that holds the evidence and that nobody judged for this need."""
    shared: tuple[str, ...] = ()
    """Terms of the query, by the ruler, that stand in an expected file."""
    is_script_open: bool = False
    """Traditional or Simplified characters may be the cause, and that was not tried: OpenCC is not installed."""

    @property
    def is_candidate(self) -> bool:
        """An expected file stands in the ranking of the search that missed."""
        return self.miss.rank is not None

    def is_cured_by(self, *names: str) -> bool:
        """Whether one of these counterfactuals finds the file."""
        return not self.cured.isdisjoint(names)


@dataclass(frozen=True, slots=True)
class Rule:
    """When a miss is of a class."""

    miss_class: MissClass
    when: str
    """The rule in words."""
    holds: Callable[[Findings], bool]


RULES: tuple[Rule, ...] = (
    Rule(
        MissClass.UNREADABLE,
        "an expected file cannot be read",
        lambda found: bool(found.unreadable),
    ),
    Rule(
        MissClass.OUT_OF_SCOPE,
        "no expected file is searched, or the evidence stands only in another project, whose files find it",
        lambda found: (not found.in_scope or not found.has_evidence) and found.is_cured_by(PROJECTS),
    ),
    Rule(
        MissClass.MISLABELLED,
        "no expected file is in the store, or none holds the evidence",
        lambda found: not found.in_scope or not found.has_evidence,
    ),
    Rule(
        MissClass.TWIN,
        "the file is a candidate, and `twins removed` cures",
        lambda found: found.is_candidate and found.is_cured_by(TWINS),
    ),
    Rule(
        MissClass.MISLABELLED,
        "a file is shown that holds the evidence and that nobody judged",
        lambda found: found.holder is not None,
    ),
    Rule(
        MissClass.WIDTH,
        "`query in NFKC` or `all in NFKC` cures",
        lambda found: found.is_cured_by(QUERY_WIDTH, NOTE_WIDTH),
    ),
    Rule(
        MissClass.SCRIPT,
        "`other script` cures, or `scripts as one` does and `profile memeval` does not",
        lambda found: (
            found.is_cured_by(QUERY_SCRIPT) or (found.is_cured_by(SCRIPTS) and not found.is_cured_by(PROFILE))
        ),
    ),
    Rule(
        MissClass.SEGMENTATION,
        "a telling word of the query stands in the file, and `with spaces` or `character pairs` cures; or "
        "`fillers dropped`, where it makes the file a candidate by cutting a run",
        lambda found: (
            bool(found.shared)
            and has_runs(found.miss.query)
            and (found.is_cured_by(SPACED, PAIRS) or (not found.is_candidate and found.is_cured_by(FILLERS)))
        ),
    ),
    Rule(
        MissClass.FILLER_FLOOD,
        "the file is a candidate, and `fillers dropped` cures",
        lambda found: found.is_candidate and found.is_cured_by(FILLERS),
    ),
    Rule(
        MissClass.INSIDE_WORD,
        "the file is a candidate, and `no inside hits` cures",
        lambda found: found.is_candidate and found.is_cured_by(INSIDE),
    ),
    Rule(
        MissClass.WORD_FORM,
        "a telling word of the query stands in the file, in whatever form, and `stems` cures",
        lambda found: bool(found.shared) and found.is_cured_by(STEMS),
    ),
    Rule(
        MissClass.VOCABULARY_OR_SCRIPT,
        f"no telling word of the query stands in the file as written, which `best words` finds; {_SCRIPT_OPEN}",
        lambda found: found.is_script_open and not found.shared and found.is_cured_by(BEST),
    ),
    Rule(
        MissClass.VOCABULARY,
        "no telling word of the query stands in the file, which `best words` finds",
        lambda found: not found.shared and found.is_cured_by(BEST),
    ),
    Rule(
        MissClass.CAP,
        "the file is a candidate, and `larger cap` cures",
        lambda found: found.is_candidate and found.is_cured_by(CAP),
    ),
    Rule(
        MissClass.OUTRANKED,
        "the file is a candidate below others",
        lambda found: found.is_candidate,
    ),
    Rule(
        MissClass.PHRASE,
        "the file is no candidate, and `fillers dropped` or `one term alone` cures",
        lambda found: found.is_cured_by(FILLERS, ALONE),
    ),
    Rule(
        MissClass.WORD_FORM,
        "the file is no candidate, but by `best words`; a telling word of the query stands in it, and not as written: "
        "`profile memeval`, which reads its forms as one, cures",
        lambda found: (
            bool(found.shared)
            and BEST in found.matched
            and found.is_cured_by(PROFILE)
            and not has_runs(found.miss.query)
        ),
    ),
    Rule(
        MissClass.VOCABULARY_OR_SCRIPT,
        f"the file is no candidate, and `best words` makes it one; {_SCRIPT_OPEN}",
        lambda found: found.is_script_open and BEST in found.matched,
    ),
    Rule(
        MissClass.VOCABULARY,
        "the file is no candidate, and `best words` makes it one",
        lambda found: BEST in found.matched,
    ),
    Rule(
        MissClass.UNREACHED,
        "the file has words, and not even they make it a candidate",
        lambda found: found.has_words,
    ),
    Rule(
        MissClass.MISLABELLED,
        "the file has no words that could find it",
        lambda found: True,
    ),
)
"""The first rule that holds decides; the last one always does."""


def classify(found: Findings) -> Rule:
    """The rule that decides of which class a miss is."""
    return next(rule for rule in RULES if rule.holds(found))
