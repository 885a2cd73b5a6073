"""Every variant, each a recipe of stages and numbers. To add one, add an entry to VARIANTS."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memeval.errors import UnknownNameError
from memeval.memory.document import Document
from memeval.retrieval.base import Rank, Retriever, Settings, Variant
from memeval.retrieval.controls import rank_by_answers, rank_by_filename, rank_by_recency, rank_randomly
from memeval.retrieval.cut import MAX_EXCERPT_BYTES, Cut, Pipeline
from memeval.retrieval.engines import ENGINE_STAGES, ENGINES
from memeval.retrieval.external.registry import External, find_external, survey_external
from memeval.retrieval.external.sqlite import FTS5
from memeval.retrieval.hybrid import HYBRIDS
from memeval.retrieval.lexical import BM25_B, BM25_K1, Bm25Ranking, LiteralRanking, LiteralTerms
from memeval.retrieval.peers.basic_memory import BASIC_MEMORY
from memeval.retrieval.peers.claude import CLAUDE
from memeval.retrieval.peers.context_tree import CONTEXT_TREE
from memeval.retrieval.peers.files_or_vectors import FILES_OR_VECTORS
from memeval.retrieval.peers.ghost import GHOST
from memeval.retrieval.peers.journal_knowledge import JOURNAL_KNOWLEDGE
from memeval.retrieval.peers.lancedb_pro import LANCEDB_PRO
from memeval.retrieval.peers.load_all import LOAD_ALL
from memeval.retrieval.peers.memsearch import MEMSEARCH
from memeval.retrieval.peers.mnemopi import MNEMOPI
from memeval.retrieval.peers.omp_summary import OMP_SUMMARY
from memeval.retrieval.peers.openclaw import OPENCLAW
from memeval.retrieval.peers.openclaw_inject import OPENCLAW_INJECT
from memeval.retrieval.peers.opencode import OPENCODE
from memeval.retrieval.peers.qmd import QMD
from memeval.retrieval.tokens import TokenTerms


def build_grep(documents: Sequence[Document], settings: Settings) -> Retriever:
    """One literal over lines."""
    return Pipeline(LiteralRanking(documents).rank, Cut(documents, LiteralTerms(), settings.budget_bytes))


def build_bm25(documents: Sequence[Document], settings: Settings) -> Retriever:
    """BM25 over tokens."""
    return _cut_by_tokens(Bm25Ranking(documents).rank, documents, settings)


def build_random(documents: Sequence[Document], settings: Settings) -> Retriever:
    """A shuffle per query."""
    return _cut_by_tokens(rank_randomly(documents, settings.seed), documents, settings)


def build_recency(documents: Sequence[Document], settings: Settings) -> Retriever:
    """The newest first, whatever is asked."""
    return _cut_by_tokens(rank_by_recency(documents), documents, settings)


def build_filename(documents: Sequence[Document], settings: Settings) -> Retriever:
    """File names alone."""
    return _cut_by_tokens(rank_by_filename(documents), documents, settings)


def build_oracle(documents: Sequence[Document], settings: Settings) -> Retriever:
    """The answers themselves."""
    return _cut_by_tokens(rank_by_answers(documents, settings.answers), documents, settings)


def _cut_by_tokens(rank: Rank, documents: Sequence[Document], settings: Settings) -> Pipeline:
    return Pipeline(rank, Cut(documents, TokenTerms(), settings.budget_bytes))


VARIANTS: tuple[Variant, ...] = (
    *ENGINES,
    Variant(
        name="grep",
        description="the whole query as one literal, by matching lines",
        source="grep -i -F",
        build=build_grep,
        configuration={"case": "simple folding", "max_excerpt_bytes": MAX_EXCERPT_BYTES},
        default=True,
    ),
    Variant(
        name="bm25",
        description="BM25 over words, and over character pairs of Han, kana and Hangul",
        source="bm25s; Kamphuis et al., ECIR 2020",
        build=build_bm25,
        configuration={
            "method": "lucene",
            "k1": BM25_K1,
            "b": BM25_B,
            "tokens": "words and CJK pairs",
            "max_excerpt_bytes": MAX_EXCERPT_BYTES,
        },
        default=True,
    ),
    *FTS5,
    *ENGINE_STAGES,
    *HYBRIDS,
    *CLAUDE,
    *OMP_SUMMARY,
    *MEMSEARCH,
    *OPENCODE,
    *GHOST,
    *OPENCLAW,
    *OPENCLAW_INJECT,
    *LOAD_ALL,
    *CONTEXT_TREE,
    *FILES_OR_VECTORS,
    *LANCEDB_PRO,
    *JOURNAL_KNOWLEDGE,
    *MNEMOPI,
    *BASIC_MEMORY,
    *QMD,
    Variant(
        name="random",
        description="all documents in an order drawn from the seed and the query: the floor",
        source="control",
        build=build_random,
        configuration={"max_excerpt_bytes": MAX_EXCERPT_BYTES},
        control=True,
    ),
    Variant(
        name="recency",
        description="all documents, newest daily log first: what no query at all would find",
        source="control",
        build=build_recency,
        configuration={"max_excerpt_bytes": MAX_EXCERPT_BYTES},
        control=True,
    ),
    Variant(
        name="filename",
        description="words of the query in the file name alone: what good names would do",
        source="control",
        build=build_filename,
        configuration={"tokens": "words and CJK pairs", "max_excerpt_bytes": MAX_EXCERPT_BYTES},
        control=True,
    ),
    Variant(
        name="oracle",
        description="the expected files themselves: the ceiling",
        source="control",
        build=build_oracle,
        configuration={"max_excerpt_bytes": MAX_EXCERPT_BYTES},
        control=True,
    ),
)
"""The registry of memeval's own, in the order tables show it; what is beside it is found when it is asked for."""

ALL = "all"
"""The name that stands for every variant."""


def default_variants() -> tuple[Variant, ...]:
    """The variants that run when none is named."""
    return tuple(variant for variant in VARIANTS if variant.default)


def look_beside() -> External:
    """The variants that are no recipes: other systems, and what installed packages bring."""
    return survey_external({variant.name for variant in VARIANTS})


def find_variant(name: str) -> Variant:
    """The variant of that name.

    Raises:
        UnknownNameError: there is none.
        NotInstalledError: it is another system, which is not on this machine.
        ExternalSystemError: an installed package brings it and is broken.
    """
    own = {variant.name: variant for variant in VARIANTS}
    found = own.get(name) or find_external(name, own)
    if found is None:
        beside = look_beside()
        others = (*beside.variants, *(variant for variant, _ in beside.lacking))
        note = "Each variant is named on its own: --variant a --variant b." if "," in name else None
        known = [*own, *(variant.name for variant in others)]
        raise UnknownNameError("variant", name, known, note, listing="memeval list variants")
    return found


def select_variants(
    chosen: Sequence[Variant | str],
    *,
    has_embedder: bool = False,
    models: Collection[str] = (),
    has_reranker: bool = False,
) -> tuple[Variant, ...]:
    """The variants chosen, each once, in the order given; none chosen means the default ones.

    `all` means every one that can be built, those of other systems and packages that are installed too: without an
    embedder none of those that need one, the same for a reranker, and of those that bring a model of their own the ones
    whose model is among `models`.

    Raises:
        UnknownNameError: a name that is neither a variant's nor `all`.
        NotInstalledError: it is another system, which is not on this machine.
        ExternalSystemError: an installed package brings it and is broken.
    """
    beside = look_beside().variants if ALL in chosen else ()
    buildable = tuple(
        variant
        for variant in (*VARIANTS, *beside)
        if (has_embedder or not variant.needs_embedder)
        and (has_reranker or not variant.needs_reranker)
        and (variant.model is None or variant.model in models)
    )
    selected: dict[str, Variant] = {}
    for choice in chosen:
        found = buildable if choice == ALL else (choice if isinstance(choice, Variant) else find_variant(choice),)
        for variant in found:
            selected.setdefault(variant.name, variant)
    return tuple(selected.values()) or default_variants()
