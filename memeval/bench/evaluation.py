"""The finished record of a run: what was asked, what came back, what it scored. It computes nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memeval.bench.signalrecord import SignalVerdict

if TYPE_CHECKING:
    import pandas

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Value:
    """A measured figure and the number of cases it stands on; None where it is undefined."""

    value: float | None
    n: int
    interval: tuple[float, float] | None = None
    """Both ends of the 95 % interval of a rate; None for what is no rate, and where it is undefined."""


Table = tuple[tuple[str, ...], ...]
"""Rows of text, the first of them the heading."""

Summary = Mapping[str, Value]
"""{metric name: its value}, in the order metrics are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissCause:
    """Why a wording is a miss, found out by asking again with one thing otherwise."""

    miss_class: str
    """One of `missclasses.MissClass`."""
    cure: str | None = None
    """The cheapest that works; None when nothing that was tried does."""
    cured_by: str | None = None
    """The counterfactual that is the cure; None where need or file have to be put right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryResult:
    """One wording asked of one variant."""

    id: str
    need: str
    wording: int
    """Place among the need's wordings, from 0."""
    text: str
    lang: str | None = None
    kind: str | None = None
    elicited: str | None = None
    tags: tuple[str, ...] = ()
    must_find: bool = False
    """A loss of this very wording is a regression."""
    need_must_find: bool = False
    """A loss of all wordings of the need is a regression."""
    expected: Mapping[str, int]
    expected_ranks: Mapping[str, int | None] = field(default_factory=dict)
    """{relevant doc_id: rank at any depth, None when it is no candidate}."""
    verdict: str
    """`hit`, `miss` or `ungradable`."""
    found: bool | None
    """A relevant document is shown; None when nothing is stored, or ungradable."""
    found_all: bool | None
    matched: int
    shown: tuple[str, ...]
    bytes: int
    evidence_shown: bool | None = None
    """The need's evidence stands in what is shown of a relevant document's text; None without evidence."""
    ranking: tuple[tuple[str, float], ...]
    reason: str | None = None
    """One line on why it is a miss or ungradable; None for a hit."""
    cause: MissCause | None = None
    """Of a miss of a stored need, where the run was asked to diagnose; else None, and no part of the record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The summary of the queries that share one label."""

    dimension: str
    """`lang`, `kind`, `tag`, `wording` or `elicited`."""
    label: str
    queries: int
    summary: Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantResult:
    """One variant on one suite."""

    name: str
    control: bool = False
    summary: Summary
    slices: tuple[Slice, ...] = ()
    recall_curve: tuple[tuple[int, Value], ...] = ()
    """(k, recall@k)."""
    found_by_wording: tuple[tuple[int, Value], ...] = ()
    """(j from 1, share of needs with a j-th wording that are found by one of their first j wordings)."""
    queries: tuple[QueryResult, ...]
    error: str | None = None
    """Why the whole variant is ungradable on this suite, e.g. it could not be built."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """Query ids that only one of two variants found."""

    first: str
    second: str
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteResult:
    """All variants on one suite."""

    name: str
    corpus: str
    kind: str
    lang: str | None = None
    documents: int
    needs: int
    wordings: int
    unstored: int = 0
    """Needs with nothing stored."""
    unjudged_queries: int = 0
    """Queries left out because nothing is judged for them."""
    unknown_documents: int = 0
    """Judgements left out because their document is not in the corpus."""
    licence: str = ""
    description: str = ""
    unanswering: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """{need: files judged 0 beside the suite}: part of what its queries expect, written down once for all of them."""
    variants: tuple[VariantResult, ...]
    contrasts: tuple[Contrast, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Everything a run measured, with the identity of what it measured."""

    manifest: Mapping[str, Any]
    """Digests of corpora and suites, variant configurations, budget, depth, ks, seed: equal inputs, equal manifest."""
    versions: Mapping[str, str] = field(default_factory=dict)
    timings: Mapping[str, Any] = field(default_factory=dict)
    """{suite: {variant: {"build_seconds", "p50_ms", "p95_ms", "max_ms", "queries"}}}; never compared."""
    suites: tuple[SuiteResult, ...]
    coverage: tuple[Table, ...] = ()
    """What the needs cover, a table for each coverage ledger of the folders that were run."""
    signals: tuple[SignalVerdict, ...] = ()
    """Whether plain text is still enough, where that was asked: a verdict for each suite, language and variant."""

    def to_json(self) -> str:
        """Its JSON text, ending in a newline; keys in a fixed order, no NaN, always to be written as UTF-8."""
        from memeval.bench.record import encode_evaluation, render_json

        text = render_json(encode_evaluation(self)) + "\n"
        # half a character, as in a folder's name that is not UTF-8, becomes the escape that JSON has for it
        return text.encode("utf-8", "backslashreplace").decode("utf-8")

    def to_frame(self) -> pandas.DataFrame:
        """One row per suite × variant × query (see bench/frames.py)."""
        from memeval.bench.frames import build_frame

        return build_frame(self)

    @classmethod
    def load(cls, path: Path | str, variants: Collection[str] = ()) -> Evaluation:
        """The evaluation stored at `path`; with names of variants, their results alone, and no contrasts.

        Raises:
            EvaluationFileError: the file cannot be read, or is not what `to_json` writes; it names the place.
        """
        from memeval.bench.record import load_evaluation

        return load_evaluation(path, variants)
