"""What is known of a generated world because it was made so. Values and counts only; nothing is searched here.

Rates hold for a search by literal words, and no file that such a search matches is lost to a cap: so few files hold one
word that the engine's article profile shows them all. A need missed at first is one whose first wording matches no file
that answers it (S1a); needs that are matched but not shown (S1b) do not occur.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum

from memeval.testbed.generator.parameters import Parameters


class Reach(str, Enum):
    """The least that leads from a wording to a file that answers it."""

    LITERAL = "literal"
    """A word of it stands in the file and is compared as it is."""
    PAIRS = "pairs"
    """Its words stand in the file, but it is written without spaces: pairs of characters have to be compared."""
    ALIASES = "aliases"
    """None of its words stands in the file, one among the file's aliases."""
    EMBEDDING = "embedding"
    """Neither; a word of it is another form of what the file is about."""
    NONE = "none"
    """Not even that."""

    @property
    def stage(self) -> int | None:
        """The stage of the engine that it takes; None when no stage is enough."""
        return _STAGES[self]


_ORDER = tuple(Reach)
_STAGES = {Reach.LITERAL: 0, Reach.PAIRS: 0, Reach.ALIASES: 1, Reach.EMBEDDING: 2, Reach.NONE: None}


def nearest(reaches: Iterable[Reach]) -> Reach:
    """The one that takes least."""
    return min(reaches, key=_ORDER.index)


@dataclass(frozen=True, slots=True)
class FormTruth:
    """One form of what a need is about."""

    text: str
    concept: str | None
    """The concept it is a form of; None when it only looks like one."""
    reach: Reach
    """`LITERAL`: the file holds it. With nothing stored, `NONE`."""


@dataclass(frozen=True, slots=True)
class WordingTruth:
    """One wording of a need."""

    reach: Reach | None
    """None when nothing is stored."""
    matched: tuple[str, ...]
    """Every file a literal search matches, sorted."""
    bridge: tuple[FormTruth, ...]
    """Its words that the file does not hold: forms to be bridged. Empty with nothing stored."""
    overlaps_first: bool
    """Whether it shares a word with the first wording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedTruth:
    """One need."""

    id: str
    language: str
    file: str | None
    """The doc_id of the file that holds the fact; None when nothing is stored."""
    shares_file_with: str | None
    """The need before it that asks for the same file, if any."""
    twin: str | None
    """With nothing stored: the answerable need about the same subject, if any."""
    forms: tuple[FormTruth, ...]
    wordings: tuple[WordingTruth, ...]

    @property
    def found_at(self) -> int | None:
        """The place, from 0, of the first wording that a literal search answers; None when there is none."""
        return next((place for place, truth in enumerate(self.wordings) if truth.reach is Reach.LITERAL), None)

    @property
    def is_missed_first(self) -> bool:
        """Whether something is stored and the first wording does not lead to it."""
        return self.file is not None and self.wordings[0].reach is not Reach.LITERAL

    @property
    def is_zero_overlap_retry(self) -> bool:
        """Whether it is missed first, and found by a wording that shares no word with the first."""
        place = self.found_at
        return self.is_missed_first and place is not None and not self.wordings[place].overlaps_first


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Counts over needs, each worded in its order until found."""

    needs: int
    """Answerable ones: the denominator of all rates."""
    unanswerable: int
    wordings: int
    """Of answerable needs."""
    gap_wordings: int
    """Those that hold no form that their file holds."""
    first: Mapping[Reach, int]
    """Needs by the reach of their first wording; for another stage, what lies beyond it is missed."""
    found_later: int
    """Missed at first, found by a later wording: retries."""
    zero_overlap: int
    """Those of them found by a wording that shares no word with the first."""

    @property
    def missed_first(self) -> int:
        """Needs whose first wording matches no file that answers them."""
        return self.needs - self.first[Reach.LITERAL]

    @property
    def never_found(self) -> int:
        """Needs that no wording finds."""
        return self.missed_first - self.found_later

    def as_dict(self) -> dict[str, object]:
        """Counts, and rates over answerable needs (None without any)."""
        counts = {
            "missed_first": self.missed_first,
            "found_later": self.found_later,
            "zero_overlap": self.zero_overlap,
            "never_found": self.never_found,
        }
        return {
            "needs": self.needs,
            "unanswerable": self.unanswerable,
            "wordings": self.wordings,
            "gap_wordings": self.gap_wordings,
            "first": {reach.value: count for reach, count in self.first.items()},
            **counts,
            "rates": {key: count / self.needs if self.needs else None for key, count in counts.items()},
        }


def count_rates(needs: Sequence[NeedTruth]) -> Rates:
    """The counts over these needs."""
    stored = [need for need in needs if need.file is not None]
    wordings = [truth for need in stored for truth in need.wordings]
    first = Counter(need.wordings[0].reach for need in stored)
    beyond = {Reach.ALIASES, Reach.EMBEDDING, Reach.NONE}
    return Rates(
        needs=len(stored),
        unanswerable=len(needs) - len(stored),
        wordings=len(wordings),
        gap_wordings=sum(truth.reach in beyond for truth in wordings),
        first={reach: first[reach] for reach in Reach},
        found_later=sum(need.is_missed_first and need.found_at is not None for need in stored),
        zero_overlap=sum(need.is_zero_overlap_retry for need in stored),
    )


@dataclass(frozen=True, slots=True)
class CopyTruth:
    """A file made from another: a near-duplicate, or one whose fact the other supersedes."""

    file: str
    origin: str
    needs: tuple[str, ...]
    """The needs whose fact stands in both."""


@dataclass(frozen=True, slots=True)
class NoiseTruth:
    """A file without a fact."""

    file: str
    mentions: tuple[str, ...]
    """The forms of needs that stand in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRates:
    """What came of the needs in sessions, those with nothing stored left out: counts, or what to expect of one need."""

    asked: float
    """Times that a need was asked for; in an expectation 1, or 0 when nothing is stored for any."""
    missed_first: float
    found_later: float
    zero_overlap: float
    abandoned: float
    """Given up though there was another wording."""
    out_of_words: float
    """Missed by every wording."""

    def as_dict(self) -> dict[str, float]:
        """The numbers by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Everything known of a world."""

    parameters: Parameters
    seed: int
    needs: tuple[NeedTruth, ...]
    duplicates: tuple[CopyTruth, ...]
    superseded: tuple[CopyTruth, ...]
    noise: tuple[NoiseTruth, ...]
    aliases: Mapping[str, tuple[str, ...]]
    """{doc_id: aliases that a careful writer would have added}; the files hold none of them."""
    rates: Mapping[str, Rates]
    """By language, and under `all`."""
    session_counts: SessionRates
    """What happened."""
    session_expectation: SessionRates
    """What is to be expected each time a need is asked for: exact, whatever the number of sessions."""
