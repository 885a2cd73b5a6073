"""Needs as one variant was asked for them: the first thought, then the rewordings, and where it was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memeval.bench.evaluation import QueryResult
from memeval.bench.shares import Misses, Share
from memeval.bench.summary import INTERVAL_DIGITS, UNGRADABLE, group_by_need
from memeval.metrics.mean import mean
from memeval.ruler import is_zero_overlap, ruler_terms
from memeval.statistics.intervals import Cluster, Interval, effective_size, rate_interval, wilson
from memeval.testbed.lint.words import UNSEEN_WORDS, compute_kinds
from memeval.testbed.needs import Suite
from memeval.testbed.scripts import OWN_SCRIPTS, base_language, count_scripts

FREE = "free"

_KANA = {"Hiragana": "Kana", "Katakana": "Kana"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedNeed:
    """A need with something stored, all of whose wordings could be graded."""

    id: str
    lang: str | None
    """Of its first wording: as the suite says, else as its script tells."""
    queries: tuple[QueryResult, ...]
    """The first thought first: the first free wording where wordings are labelled, the first as given elsewhere."""

    @property
    def first(self) -> QueryResult:
        """The first wording."""
        return self.queries[0]

    @property
    def is_missed(self) -> bool:
        """Whether the first wording shows no expected file (S1)."""
        return not self.first.found

    @property
    def is_trigger(self) -> bool:
        """Whether the first wording has no expected file even among the candidates at any depth (S1a)."""
        return self.is_missed and is_unmatched(self.first)

    @property
    def found_at(self) -> int | None:
        """The place, from 0, of the first wording that shows an expected file; None where none does."""
        return find_place(self.queries, lambda query: bool(query.found))

    @property
    def is_zero_overlap_retry(self) -> bool:
        """Whether a later wording finds it that shares no word with the first (S2)."""
        return is_apart(self.queries, self.found_at)

    @property
    def script(self) -> str:
        """The scripts of the first wording, as in `Han+Latin`; `none` without a letter."""
        found = dict.fromkeys(_KANA.get(script, script) for script in count_scripts(self.first.text))
        return "+".join(sorted(found)) or "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The needs of one variant on one suite."""

    needs: tuple[AskedNeed, ...]
    """Those that are findable: something is stored, and nothing is ungradable."""
    unstored: int
    ungradable: int
    """Needs left out because a wording could not be graded."""
    without_free: int
    """Needs left out because none of their wordings is labelled free, though others' are."""
    is_labelled: bool
    """Whether first wordings are free ones; else they are taken as given."""


def ask_needs(queries: Iterable[QueryResult]) -> Asked:
    """The findable needs among the results of one variant, in the order of the record, and what was left out."""
    grouped = group_by_need(queries)
    is_labelled = any(query.elicited == FREE for wordings in grouped.values() for query in wordings)
    needs = []
    unstored = ungradable = without_free = 0
    for need_id, wordings in grouped.items():
        first = next((query for query in wordings if query.elicited == FREE or not is_labelled), None)
        if any(query.verdict == UNGRADABLE for query in wordings):
            ungradable += 1
        elif wordings[0].found is None:
            unstored += 1
        elif first is None:
            without_free += 1
        else:
            later = tuple(query for query in wordings if query is not first)
            needs.append(AskedNeed(id=need_id, lang=_find_language(first), queries=(first, *later)))
    return Asked(
        needs=tuple(needs),
        unstored=unstored,
        ungradable=ungradable,
        without_free=without_free,
        is_labelled=is_labelled,
    )


def split_languages(queries: Iterable[QueryResult], usual: str | None) -> dict[str | None, list[QueryResult]]:
    """{language of a need's first free wording: the queries of those needs}, in the order of the record."""
    languages: dict[str | None, list[QueryResult]] = {}
    for wordings in group_by_need(queries).values():
        first = next((query for query in wordings if query.elicited == FREE), wordings[0])
        languages.setdefault(_find_language(first), []).extend(wordings)
    return languages or {usual: []}


def _find_language(query: QueryResult) -> str | None:
    return query.lang or tell_language(query.text, None)


def tell_language(text: str, usual: str | None) -> str | None:
    """The language of a wording by its script: the usual one where it has a letter of it.

    Else `ja` with kana, `ko` with Hangul, `zh` with Han, the usual language or `en` with Latin alone; the usual one
    where there is no letter at all.
    """
    scripts = set(count_scripts(text))
    if not scripts:
        return usual
    base = base_language(usual) if usual else None
    if base in ("zh", "ja", "ko") and scripts & OWN_SCRIPTS[base]:
        return usual
    for language in ("ja", "ko", "zh"):
        own = OWN_SCRIPTS[language] - ({"Han"} if language == "ja" else set())
        if scripts & own:
            return language
    return "en" if usual is None or base in ("zh", "ja", "ko") else usual


def is_unmatched(query: QueryResult) -> bool:
    """Whether no expected file is a candidate of a query at any depth."""
    return all(rank is None for rank in query.expected_ranks.values())


def find_place(queries: Sequence[QueryResult], is_reached: Callable[[QueryResult], bool]) -> int | None:
    """The place, from 0, of the first wording that reaches an expected file; None where none does."""
    return next((place for place, query in enumerate(queries) if is_reached(query)), None)


def is_apart(queries: Sequence[QueryResult], place: int | None) -> bool:
    """Whether the wording at `place` is a later one that shares no word with the first."""
    return bool(place) and is_zero_overlap(queries[0].text, queries[place or 0].text)


def share_needs(needs: Sequence[AskedNeed], is_counted: Callable[[AskedNeed], bool]) -> Share:
    """The share of these needs that the answer yes is for."""
    counted = tuple(need.id for need in needs if is_counted(need))
    interval = round_interval(wilson(len(counted), len(needs)))
    return Share(count=len(counted), n=len(needs), interval=interval, needs=counted)


def count_misses(kind: str, answers: Iterable[tuple[str, bool]]) -> Misses:
    """The misses among (need, whether a wording of it is missed)."""
    wordings: dict[str, list[bool]] = {}
    for need, is_missed in answers:
        wordings.setdefault(need, []).append(is_missed)
    clusters = [Cluster(sum(missed), len(missed)) for missed in wordings.values()]
    return Misses(
        kind=kind,
        misses=sum(cluster.successes for cluster in clusters),
        wordings=sum(cluster.n for cluster in clusters),
        needs=len(clusters),
        interval=round_interval(rate_interval(clusters)),
        effective=round(effective_size(clusters), INTERVAL_DIGITS),
    )


def find_kinds(suite: Suite) -> Mapping[str, str]:
    """{query id: `unseen-words` or `same-words`}, as the ruler finds, of every wording with a term and an answer."""
    worded = {query.id for query in suite.queries() if ruler_terms(query.wording.text)}
    return {query_id: kind for query_id, kind in compute_kinds(suite).items() if query_id in worded}


def is_unseen(query: QueryResult, kinds: Mapping[str, str]) -> bool:
    """Whether a wording shares no word with any expected file."""
    return kinds.get(query.id) == UNSEEN_WORDS


def mean_bytes(needs: Iterable[AskedNeed]) -> float | None:
    """The mean bytes that a search shows, over all wordings; None without any."""
    value = mean(query.bytes for need in needs for query in need.queries).value
    return None if value is None else round(value, 1)


def round_interval(interval: Interval | None) -> tuple[float, float] | None:
    """Both ends to as many decimals as a record keeps."""
    return interval and (round(interval.low, INTERVAL_DIGITS), round(interval.high, INTERVAL_DIGITS))
