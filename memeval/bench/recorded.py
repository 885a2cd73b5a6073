"""What recorded sessions show: how often agents had to ask again, with intervals, and the watch of it over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from memeval.ruler import is_unseen, ruler_terms
from memeval.sessions import Change, Event, Existence, RecordedNeed, Recording, Search, StoreHistory, UserTurn
from memeval.sessions.distill import find_document
from memeval.sessions.readers import count_kinds
from memeval.statistics.cusum import DEFAULT_DESIGN, CusumDesign
from memeval.statistics.intervals import Cluster, rate_interval
from memeval.statistics.watch import Observation, Watch, watch
from memeval.testbed.corpus import Corpus

_LAST = datetime.max.replace(tzinfo=timezone.utc)


@dataclass(frozen=True, slots=True)
class RecordedRate:
    """A share of needs or searches, with its 95 % interval, clustered by session."""

    successes: int
    n: int
    interval: tuple[float, float] | None
    """None without any case."""

    @property
    def value(self) -> float | None:
        """The share; None without any case."""
        return self.successes / self.n if self.n else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSummary:
    """Everything a report of recorded sessions says. Nothing in it gates."""

    sources: Mapping[str, int]
    """{reader: files and folders read}."""
    first: datetime | None
    last: datetime | None
    sessions: int
    agents: int
    """Sub-agents, and branches that were left."""
    kinds: Mapping[str, int]
    """{search, read, write, turn: events}."""
    tools: Mapping[str, int]
    """{tool: searches made with it}, most used first."""
    prompts: int
    """What a person typed; instructions written for the agent once are not counted."""
    orders: int
    """Prompts and instructions that order rewording."""
    needs: int
    """All of them, those asked of an empty store included."""
    needs_of_empty_store: int
    """Left out of the rates of needs: nothing could be found."""
    rates: Mapping[str, RecordedRate]
    """By name, in the order of NEED_RATES, then SEARCH_RATES."""
    unknown_existence: int
    """Needs found on a later wording of whose file nobody says whether it was there before."""
    evidence: Mapping[str, int]
    """{who says that it was: needs found on a later wording}."""
    changes: Mapping[Change, int]
    """Further searches of needs by what they are."""
    searches_per_need: float | None
    searches_per_session: float | None
    searches_per_prompt: float | None
    """None where no prompt is recorded."""
    watches: tuple[Watch, ...]
    """Of zero-overlap retries, one for each stretch of one ruler; the last is today's."""


NEED_RATES: Mapping[str, str] = {
    "reworded": "asked again in other words",
    "found_later": "found only on a later wording",
    "zero_overlap": "found without a word of the first (zero-overlap retry)",
    "zero_overlap_after_nothing": "the same, after a first search that showed nothing",
    "systematic": "of those found later: the file was there before",
    "systematic_zero_overlap": "of zero-overlap retries: the file was there before",
    "abandoned": "abandoned: nothing shown was read",
    "abandoned_after_nothing": "abandoned after a search that showed nothing",
    "zero_overlap_at_most": "zero-overlap retries, if all abandoned needs were misses",
    "ordered": "asked after a prompt that orders rewording",
    "unseen_first": "first query shares no word with the file finally read",
}
"""{rate of needs: what it says}. The two of files that were there before, the systematic misses, are of needs about
whose file somebody can tell; the last is of needs whose file is in the corpus that was given."""
SEARCH_RATES: Mapping[str, str] = {
    "zero_hit": "showed nothing",
    "empty_store": "met an empty store",
}
"""{rate of searches: what it says}; of those whose answer was recorded, or tells."""


def summarise_recording(
    recording: Recording,
    needs: Sequence[RecordedNeed],
    existence: Mapping[str, Existence],
    *,
    history: StoreHistory | None = None,
    corpus: Corpus | None = None,
    roots: Sequence[str] = (),
    design: CusumDesign = DEFAULT_DESIGN,
    restarts: Sequence[datetime] = (),
) -> RecordedSummary:
    """The figures of recorded sessions.

    Args:
        recording: what was read.
        needs: found in it.
        existence: what `judge_existence` says of them.
        history: of the stores that were searched; after its first file no search met an empty store.
        corpus: the store as it is now, for the share of first queries that share no word with the file.
        roots: where it lay, normalised.
        design: of the watch.
        restarts: when the ruler or the engine changed; the watch begins anew then.
    """
    filled = None if history is None else history.first()
    findable = [need for need in needs if not all(search.is_store_empty for search in list_searches(need))]
    searches = [event for event in recording.events if isinstance(event, Search)]
    prompts = sum(isinstance(event, UserTurn) and not event.is_instruction for event in recording.events)
    sessions = {event.stream[:2] for event in recording.events}
    times = [event.time for event in recording.events if event.time is not None]
    later = [need for need in findable if need.found_at]
    told = [existence[need.id] for need in later if need.id in existence]
    return RecordedSummary(
        sources=recording.sources,
        first=min(times, default=None),
        last=max(times, default=None),
        sessions=len(sessions),
        agents=len({event.stream for event in recording.events if event.agent is not None}),
        kinds=count_kinds(recording.events),
        tools=dict(Counter(search.tool for search in searches).most_common()),
        prompts=prompts,
        orders=sum(isinstance(event, UserTurn) and event.orders_rewording for event in recording.events),
        needs=len(needs),
        needs_of_empty_store=len(needs) - len(findable),
        rates={
            **_measure_needs(findable, existence),
            **_measure_unseen(findable, corpus, roots),
            **_measure_searches(searches, filled),
        },
        unknown_existence=len(later) - sum(one.value is not None for one in told),
        evidence=dict(Counter(one.evidence.value for one in told if one.value and one.evidence)),
        changes=dict(Counter(one.change for need in needs for one in need.attempts if one.change is not None)),
        searches_per_need=_divide(sum(need.searches for need in needs), len(needs)),
        searches_per_session=_divide(len(searches), len(sessions)),
        searches_per_prompt=_divide(len(searches), prompts),
        watches=watch(_observe(findable, restarts), design),
    )


def list_searches(need: RecordedNeed) -> tuple[Search, ...]:
    """Every search made for a need, in order, those that were asked beside it last."""
    return (*(search for attempt in need.attempts for search in attempt.searches), *need.asked_beside)


def _measure_needs(needs: Sequence[RecordedNeed], existence: Mapping[str, Existence]) -> dict[str, RecordedRate]:
    def existed(need: RecordedNeed) -> bool | None:
        return existence[need.id].value if need.id in existence else None

    tests: dict[str, Callable[[RecordedNeed], bool | None]] = {
        "reworded": lambda need: len(need.wordings) > 1,
        "found_later": lambda need: bool(need.found_at),
        "zero_overlap": lambda need: need.is_zero_overlap,
        "zero_overlap_after_nothing": lambda need: need.is_zero_overlap and need.missed_silently,
        "systematic": lambda need: existed(need) if need.found_at else None,
        "systematic_zero_overlap": lambda need: existed(need) if need.is_zero_overlap else None,
        "abandoned": lambda need: not need.is_satisfied,
        "abandoned_after_nothing": lambda need: not need.is_satisfied and need.attempts[-1].shown == (),
        "zero_overlap_at_most": lambda need: need.is_zero_overlap or not need.is_satisfied,
        "ordered": lambda need: need.is_ordered,
    }
    rates = {}
    for name, test in tests.items():
        answers = ((_session_of(need.attempts[0].search), test(need)) for need in needs)
        rates[name] = _rate((session, answer) for session, answer in answers if answer is not None)
    return rates


def _measure_unseen(
    needs: Iterable[RecordedNeed], corpus: Corpus | None, roots: Sequence[str]
) -> dict[str, RecordedRate]:
    """How many first queries share no word with the whole of the file finally read, as it is now."""
    if corpus is None:
        return {}
    answers: list[tuple[tuple[str, str], bool]] = []
    for need in needs:
        query, document = need.attempts[0].search.query, find_document(need, corpus, roots)
        if query is not None and not isinstance(document, str) and ruler_terms(query):
            answers.append((_session_of(need.attempts[0].search), is_unseen(query, document)))
    return {"unseen_first": _rate(answers)}


def _measure_searches(searches: Sequence[Search], filled: datetime | None) -> dict[str, RecordedRate]:
    known = [(search, _is_empty(search, filled)) for search in searches]
    return {
        "zero_hit": _rate((_session_of(one), one.shown == ()) for one in searches if one.shown is not None),
        "empty_store": _rate((_session_of(one), is_empty) for one, is_empty in known if is_empty is not None),
    }


def _is_empty(search: Search, filled: datetime | None) -> bool | None:
    """Whether there was nothing to search, as the answer says; a store that had a file by then was not empty."""
    if search.is_store_empty is not None:
        return search.is_store_empty
    is_filled = filled is not None and search.time is not None and filled <= search.time
    return False if search.shown or is_filled else None


def _rate(answers: Iterable[tuple[tuple[str, str], bool]]) -> RecordedRate:
    """The rate of (session, yes or no), with the interval of clusters."""
    clusters: dict[tuple[str, str], list[bool]] = {}
    for session, answer in answers:
        clusters.setdefault(session, []).append(answer)
    interval = rate_interval(Cluster(sum(group), len(group)) for group in clusters.values())
    return RecordedRate(
        sum(map(sum, clusters.values())),
        sum(map(len, clusters.values())),
        None if interval is None else (interval.low, interval.high),
    )


def _observe(needs: Iterable[RecordedNeed], restarts: Sequence[datetime]) -> list[Observation]:
    """The needs in order of time, those without one last, each with the number of restarts before it."""

    def moment(need: RecordedNeed) -> datetime:
        first = need.attempts[0].search
        return first.time or first.began or _LAST

    return [
        Observation(
            need.is_zero_overlap,
            " ".join(_session_of(need.attempts[0].search)),
            str(sum(restart <= moment(need) for restart in restarts)),
        )
        for need in sorted(needs, key=moment)
    ]


def _session_of(event: Event) -> tuple[str, str]:
    return event.reader, event.session


def _divide(total: int, parts: int) -> float | None:
    return total / parts if parts else None
