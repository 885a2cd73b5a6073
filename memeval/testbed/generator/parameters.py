"""What a generated world is asked to be: the numbers, and which of them cannot be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, timedelta

from memeval.errors import CorpusError
from memeval.testbed.generator.lexicon import LANGUAGES
from memeval.testbed.generator.streams import count_share, exact
from memeval.testbed.suitefile import is_valid_id

FIRST_DAY = date(2026, 1, 5)
MAX_OVERHEAD = 0.6
"""Of the files, the most that may be noise, duplicates and superseded together. It bounds how many files hold one word,
so that what a literal search matches fits under the cap of the engine's article profile."""

_RANGES = {
    "documents": (10, 100_000),
    "needs": (1, 20_000),
    "max_wordings": (1, 6),
    "sessions": (0, 100_000),
    "days": (10, 3_650),
}
_SHARES = (
    "vocabulary_gap",
    "noise",
    "duplicates",
    "stale",
    "aliases",
    "unreachable",
    "unspaced",
    "unanswerable",
    "shared_files",
    "overlap",
    "correlation",
    "abandonment",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """The numbers of a world. Raises CorpusError for one that cannot be.

    Shares of files and needs are kept exactly, as the whole part of share * total (for needs: within each language).
    What is said to be drawn is drawn for each wording or need, with the share as its probability, and counted in the
    truth.
    """

    documents: int
    """Files a search sees, `MEMORY.md` included."""
    needs: int
    languages: tuple[str, ...] = ("en",)
    """Of `en`, `zh` (Traditional), `ja`, `ko`; files and needs go round them in this order."""
    vocabulary_gap: float = 0.2
    """Probability that a wording of an answerable need holds no form that its file holds."""
    noise: float = 0.1
    """Share of the files that are captured chatter: no fact, but words that people ask with."""
    duplicates: float = 0.05
    """Share of the files that are a near-duplicate of another: the same facts, some lines in other words."""
    stale: float = 0.05
    """Share of the files that hold an older value of a fact of another file."""
    aliases: float = 0.5
    """Probability that the missing forms stand among the aliases of the file."""
    unreachable: float = 0.0
    """Probability that the missing forms mean something else, so that not even an embedding leads to the file."""
    unspaced: float = 0.0
    """Probability that a first wording without a gap is written as one run; in `zh`, `ja` and `ko` only."""
    unanswerable: float = 0.1
    """Share of the needs with nothing stored."""
    shared_files: float = 0.2
    """Share of the answerable needs whose file another need asks for too; they come in twos."""
    max_wordings: int = 5
    """Wordings of a need: 1 to this many, each as likely."""
    overlap: float = 0.3
    """Probability that a wording after a first one with a gap repeats one of its two words."""
    correlation: float = 0.3
    """Correlation of failing at the first wording, between two needs of one file and two of one session."""
    sessions: int = 100
    abandonment: float = 0.2
    """Probability that the agent gives up after a failed search though it has another wording."""
    days: int = 120
    """The span of the files' dates. There is at most one log a day, and at most three in ten files are logs."""
    name: str = "generated"

    def __post_init__(self) -> None:
        for key, (least, most) in _RANGES.items():
            value = getattr(self, key)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise _refuse(key, value, f"a whole number from {least:,} to {most:,} is needed")
        for key in _SHARES:
            value = getattr(self, key)
            if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
                raise _refuse(key, value, "a number from 0 to 1 is needed")
        if not isinstance(self.name, str) or not is_valid_id(self.name):
            raise _refuse("name", self.name, "use letters, digits, _ - and . only, beginning with a letter or digit")
        self._check_languages()
        self._check_sums()
        self._check_room()

    @property
    def noise_files(self) -> int:
        """Files of chatter."""
        return count_share(self.noise, self.documents)

    @property
    def duplicate_files(self) -> int:
        """Near-duplicates."""
        return count_share(self.duplicates, self.documents)

    @property
    def stale_files(self) -> int:
        """Files with an older value."""
        return count_share(self.stale, self.documents)

    @property
    def fact_files(self) -> int:
        """Files that hold facts first: all others but `MEMORY.md`."""
        return self.documents - 1 - self.noise_files - self.duplicate_files - self.stale_files

    @property
    def needed_files(self) -> int:
        """Files that the answerable needs ask for."""
        total = 0
        for number in range(len(self.languages)):
            needs = len(range(number, self.needs, len(self.languages)))
            answerable = needs - count_share(self.unanswerable, needs)
            total += answerable - int(exact(self.shared_files) / 2 * answerable)
        return total

    @property
    def daily_files(self) -> int:
        """Daily logs."""
        return min((self.documents - 1) * 3 // 10, self.days - 1)

    @property
    def agreement(self) -> float:
        """Probability that a need takes the common draw of its file or session: two of them do so with its square."""
        return math.sqrt(self.correlation)

    def day(self, number: int) -> str:
        """A day of the span by its number, from 0, as `YYYY-MM-DD`."""
        return (FIRST_DAY + timedelta(days=number)).isoformat()

    def as_dict(self) -> Mapping[str, object]:
        """The numbers by name."""
        return {**asdict(self), "languages": list(self.languages)}

    def _check_languages(self) -> None:
        known = ", ".join(LANGUAGES)
        if not isinstance(self.languages, tuple) or not self.languages:
            raise _refuse("languages", self.languages, f"a tuple of at least one of {known} is needed")
        for language in self.languages:
            if language not in LANGUAGES:
                raise _refuse("languages", self.languages, f"{language!r} is not known; known: {known}")
        if len(set(self.languages)) < len(self.languages):
            raise _refuse("languages", self.languages, "one stands twice; name each once")

    def _check_sums(self) -> None:
        overhead = self.noise + self.duplicates + self.stale
        if overhead > MAX_OVERHEAD + 1e-9:
            raise CorpusError(
                f"noise, duplicates and stale are {overhead:g} of the files together; at most {MAX_OVERHEAD:g} leaves "
                "enough files with facts of their own"
            )
        if self.aliases + self.unreachable > 1 + 1e-9:
            raise CorpusError(
                f"aliases {self.aliases:g} and unreachable {self.unreachable:g} are shares of the same wordings with a "
                "gap; together they may be 1 at most"
            )

    def _check_room(self) -> None:
        if self.needed_files > self.fact_files:
            raise CorpusError(
                f"{self.needs:,} needs ask for {self.needed_files:,} files, but of {self.documents:,} documents only "
                f"{self.fact_files:,} hold facts of their own; raise documents, or lower needs, noise, duplicates or "
                "stale"
            )


def _refuse(key: str, value: object, allowed: str) -> CorpusError:
    return CorpusError(f"cannot generate a corpus with {key} {value!r}: {allowed}")
