"""Episodes: which searches were made for one need, how each differed from those before, and how it ended.

Consecutive searches of one agent belong to one need until it is closed: by a read of a file they showed, by time, or by
a change of topic. Nobody says what an agent was looking for, so that these rules decide:

- A search that shares words with an open need is a further wording of it: two in five of those of the shorter query.
- One that does not is a further wording of the latest open need if it could be an answer to what that brought: it was
  not sent off together with it, it follows within `max_leap`, and nobody spoke and nothing was written in between.
  Where a recording has no prompts at all, so that nobody is known to be silent, that need must have shown nothing.
  Else the topic has changed, and the search begins a need of its own; the one before may still be closed by a read.
- Searches sent off together that share words are one attempt: parts or fallbacks of it, counted once. Those that do not
  are needs side by side until a read tells; what was never followed up of them is told apart and is no need.
- A repeat of an earlier wording is counted, but is no further wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from itertools import groupby

from memeval.sessions.events import Event, Read, Search, UserTurn, Write
from memeval.sessions.memoryfiles import is_same_file
from memeval.sessions.wordings import Asked, Change, classify_change, has_overlap, is_repeat, measure_closeness

TOGETHER = timedelta(seconds=2)
"""Where nobody says what was sent off together: nobody reads an answer and words it anew faster than this."""
MIN_CLOSENESS = 0.4
"""Of the words of the shorter query: one general word in three or four (file, rule) makes no common topic."""


class Closing(str, Enum):
    """What closed a need."""

    READ = "read"
    TIME = "time"
    TOPIC = "topic"
    END = "end"
    """Of the recording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRules:
    """The limits in time."""

    max_pause: timedelta = timedelta(minutes=10)
    """A need is closed when so long after its last search nothing followed."""
    max_leap: timedelta = timedelta(minutes=2)
    """A wording that shares no word with a need belongs to it no later than this after its last search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One time of asking: a search, and those sent off with it."""

    searches: tuple[Search, ...]
    change: Change | None
    """None for the first of a need."""

    @property
    def search(self) -> Search:
        """The first of its searches, whose words count."""
        return self.searches[0]

    @property
    def shown(self) -> tuple[str, ...] | None:
        """The files its searches showed, in order, each once; None where that was not recorded of any of them."""
        known = [search.shown for search in self.searches if search.shown is not None]
        return tuple(dict.fromkeys(file for shown in known for file in shown)) if known else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedNeed:
    """What one agent wanted back from memory, as far as a recording tells."""

    id: str
    """`<session>#<number>`; of a sub-agent `<session>/<agent>#<number>`."""
    attempts: tuple[Attempt, ...]
    """In order; at least one."""
    closing: Closing
    is_satisfied: bool
    """A file it showed was read; or, where the reader's format records no reads, its last search showed a file and no
    other followed. Everything else is abandoned."""
    reads: tuple[str, ...] = ()
    """The files read at its end that its searches had shown, in order."""
    unshown_reads: tuple[str, ...] = ()
    """Memory files read meanwhile that no search had shown."""
    asked_beside: tuple[Search, ...] = ()
    """Searches sent off together with one of these, without a word in common and never followed up."""
    is_ordered: bool = False
    """A prompt before it in its session tells the agent to search in several wordings."""

    @property
    def reader(self) -> str:
        """The reader of its events."""
        return self.attempts[0].search.reader

    @property
    def session(self) -> str:
        """The session, without its reader."""
        return self.attempts[0].search.session

    @property
    def answer(self) -> str | None:
        """The file finally read; None where none was."""
        return self.reads[-1] if self.reads else None

    @property
    def wordings(self) -> tuple[Attempt, ...]:
        """The attempts that are no repeat, the first thought first."""
        return tuple(attempt for attempt in self.attempts if attempt.change is not Change.REPEAT)

    @property
    def searches(self) -> int:
        """Every search made for it, parts and repeats included."""
        return sum(len(attempt.searches) for attempt in self.attempts) + len(self.asked_beside)

    @property
    def found_at(self) -> int | None:
        """The place among the wordings of the first that showed the file finally read; None where it was not found.

        The last one where no search of it recorded what it showed; of a need without an answer that is satisfied by
        what was shown, the last one, too.
        """
        if not self.is_satisfied:
            return None
        asked = [ask(attempt.search) for attempt in self.wordings]
        for attempt in self.attempts:
            if self.answer is not None and any(is_same_file(self.answer, file) for file in attempt.shown or ()):
                again = ask(attempt.search)
                return next(place for place, one in enumerate(asked) if one == again or is_repeat(one, again))
        return len(asked) - 1

    @property
    def is_zero_overlap(self) -> bool:
        """Whether it was found on a further wording that shares no word with the first."""
        place = self.found_at
        if not place:
            return False
        return has_overlap(ask(self.attempts[0].search), ask(self.wordings[place].search)) is False

    @property
    def missed_silently(self) -> bool:
        """Whether the first wording showed nothing: then a further one is surely one of the same need."""
        return self.attempts[0].shown == ()


def ask(search: Search) -> Asked:
    """A search as it is compared with others."""
    return Asked(search.query, search.term_hashes, search.where)


def find_needs(events: Iterable[Event], rules: EpisodeRules | None = None) -> tuple[RecordedNeed, ...]:
    """The needs behind the events, by stream as the events stand, within it in order of their first search."""
    events = tuple(events)
    with_reads = frozenset(event.reader for event in events if isinstance(event, Read))
    with_turns = frozenset(event.reader for event in events if isinstance(event, UserTurn))
    needs: list[RecordedNeed] = []
    for stream, group in groupby(events, lambda event: event.stream):
        reader, session, agent = stream
        episodes = _Stream(rules or EpisodeRules(), reader in with_reads, reader in with_turns)
        for event in group:
            episodes.add(event)
        name = f"{session}/{agent}" if agent else session
        found = episodes.finish()
        needs += [replace(need, id=f"{name}#{number}") for number, need in enumerate(found, start=1)]
    return tuple(needs)


@dataclass(slots=True, eq=False)
class _Open:
    """A need that may go on."""

    attempts: list[list[Search]]
    is_ordered: bool
    closing: Closing = Closing.END
    reads: list[str] = field(default_factory=list)
    unshown_reads: list[str] = field(default_factory=list)
    beside: list[Search] = field(default_factory=list)
    siblings: set[int] = field(default_factory=set)
    """Numbers of the needs that were begun together with it."""

    @property
    def searches(self) -> list[Search]:
        return [search for attempt in self.attempts for search in attempt]

    @property
    def latest(self) -> Search:
        return self.attempts[-1][-1]

    def rank(self, file: str) -> int:
        """The best place at which a search of it showed the file, from 0."""
        shown = [files for search in self.searches if (files := search.shown)]
        return min(place for files in shown for place, other in enumerate(files) if is_same_file(file, other))

    def shows(self, file: str) -> bool | None:
        """Whether one of its searches showed the file; None where none of them says."""
        shown = [search.shown for search in self.searches]
        if any(is_same_file(file, other) for files in shown for other in files or ()):
            return True
        return None if None in shown else False


class _Stream:
    """The needs of one agent in one session, event by event."""

    def __init__(self, rules: EpisodeRules, has_reads: bool, has_turns: bool) -> None:
        self._rules = rules
        self._has_reads = has_reads
        self._has_turns = has_turns
        self._needs: list[_Open] = []
        self._open: list[_Open] = []
        """The one asked for last stands last."""
        self._left: list[_Open] = []
        """Closed by a change of topic, not by time: what they showed may still be read."""
        self._last: Search | None = None
        self._just_read: _Open | None = None
        self._is_interrupted = False
        self._is_ordered = False

    def add(self, event: Event) -> None:
        if isinstance(event, Search):
            self._add_search(event)
        elif isinstance(event, Read):
            self._add_read(event)
        else:
            self._is_interrupted |= isinstance(event, Write) or (
                isinstance(event, UserTurn) and not event.is_instruction
            )
            self._is_ordered |= isinstance(event, UserTurn) and event.orders_rewording

    def finish(self) -> list[RecordedNeed]:
        return [_conclude(need, self._has_reads) for need in self._fold_siblings()]

    def _add_search(self, search: Search) -> None:
        self._expire(search.time)
        is_together = self._last is not None and _are_together(self._last, search)
        asked = ask(search)
        near = [(max(measure_closeness(ask(one), asked) for one in need.searches), need) for need in self._open]
        nearest = max((closeness for closeness, _ in near), default=0.0)
        need = next((need for closeness, need in reversed(near) if closeness == nearest >= MIN_CLOSENESS), None)
        siblings: set[int] = set()
        if need is None and self._open:
            latest = self._open[-1]
            if is_together:
                siblings = {self._needs.index(latest), *latest.siblings}
            elif self._may_follow(latest, search):
                need = latest
            else:
                self._close(list(self._open), Closing.TOPIC)
        if need is None:
            need = _Open([[search]], self._is_ordered, siblings=siblings)
            self._needs.append(need)
        else:
            self._open.remove(need)
            if _are_together(need.latest, search):
                need.attempts[-1].append(search)
            else:
                need.attempts.append([search])
        self._open.append(need)
        self._last, self._just_read, self._is_interrupted = search, None, False

    def _may_follow(self, need: _Open, search: Search) -> bool:
        """Whether a search without a word in common could be a further wording of an open need."""
        if self._is_interrupted or _is_later(need.latest.time, search.time, self._rules.max_leap):
            return False
        return self._has_turns or all(one.shown == () for one in need.searches)

    def _add_read(self, read: Read) -> None:
        self._expire(read.time)
        if self._just_read is not None and self._just_read.shows(read.file):
            self._just_read.reads.append(read.file)
            return
        need = self._find_reader(read.file)
        if need is None:
            if self._open:
                self._open[-1].unshown_reads.append(read.file)
            return
        need.reads.append(read.file)
        self._close([need], Closing.READ)
        self._just_read = need

    def _find_reader(self, file: str) -> _Open | None:
        """The need a file is read for: the latest that showed it, of those begun together the one that showed it first;
        else the latest that may have."""
        alive = [*self._left, *self._open]
        showing = [need for need in alive if need.shows(file)]
        if not showing:
            return next((need for need in reversed(alive) if need.shows(file) is None), None)
        beside = {self._needs.index(showing[-1]), *showing[-1].siblings}
        rivals = [need for need in reversed(showing) if beside & {self._needs.index(need), *need.siblings}]
        return min(rivals, key=lambda need: need.rank(file))

    def _expire(self, now: datetime | None) -> None:
        pause = self._rules.max_pause
        self._close([need for need in self._open if _is_later(need.latest.time, now, pause)], Closing.TIME)
        self._left = [need for need in self._left if not _is_later(need.latest.time, now, pause)]
        if self._just_read is not None and _is_later(self._just_read.latest.time, now, pause):
            self._just_read = None

    def _close(self, needs: Sequence[_Open], closing: Closing) -> None:
        for need in needs:
            need.closing = closing
            if need in self._open:
                self._open.remove(need)
                self._left += [need] if closing is Closing.TOPIC else []
            else:
                self._left.remove(need)

    def _fold_siblings(self) -> list[_Open]:
        """The needs, without those of one attempt that were begun together with another and never followed up."""
        kept: list[_Open] = []
        for number, need in enumerate(self._needs):
            group = [number, *need.siblings, *(n for n, one in enumerate(self._needs) if number in one.siblings)]
            others = [self._needs[other] for other in group if other != number]
            followed = [other for other in others if other.reads or len(other.attempts) > 1]
            if not others or need.reads or len(need.attempts) > 1:
                kept.append(need)
            elif followed:
                followed[0].beside += need.searches
            elif number == min(group):  # none was followed up: they count as one
                need.beside += [search for other in others for search in other.searches]
                kept.append(need)
        return kept


def _conclude(need: _Open, has_reads: bool) -> RecordedNeed:
    attempts: list[Attempt] = []
    for searches in need.attempts:
        earlier = [ask(attempt.search) for attempt in attempts]
        change = classify_change(earlier, ask(searches[0])) if earlier else None
        attempts.append(Attempt(searches=tuple(searches), change=change))
    is_shown = bool(attempts[-1].shown) and not has_reads
    return RecordedNeed(
        id="",
        attempts=tuple(attempts),
        closing=need.closing,
        is_satisfied=bool(need.reads) or is_shown,
        reads=tuple(need.reads),
        unshown_reads=tuple(need.unshown_reads),
        asked_beside=tuple(need.beside),
        is_ordered=need.is_ordered,
    )


def _are_together(earlier: Search, later: Search) -> bool:
    """Whether two searches were sent off together: as the recording says, else by their times."""
    if earlier.batch is not None and later.batch is not None:
        return earlier.batch == later.batch
    return earlier.time is not None and later.time is not None and later.time - earlier.time <= TOGETHER


def _is_later(time: datetime | None, now: datetime | None, limit: timedelta) -> bool:
    return time is not None and now is not None and now - time > limit
