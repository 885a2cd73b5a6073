"""Shares that can be traced: of needs with the ids counted, of wordings by kind, and of both at a mix."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share of needs, with those it counts, so that each can be looked at."""

    count: int
    n: int
    interval: tuple[float, float] | None
    """Wilson's at 95 %; None without any need."""
    needs: tuple[str, ...]
    """The ids of those counted, in the order of the record."""

    @property
    def value(self) -> float | None:
        """The share itself; None without any need."""
        return self.count / self.n if self.n else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Misses:
    """Wordings of one kind that are missed, the wordings of a need as one cluster."""

    kind: str
    misses: int
    wordings: int
    needs: int
    interval: tuple[float, float] | None
    """Korn-Graubard's at 95 %, or Wilson's where no need has two of the wordings."""
    effective: float
    """Needs that the wordings are worth: between needs and wordings."""

    @property
    def value(self) -> float | None:
        """The share that is missed; None without any wording."""
        return self.misses / self.wordings if self.wordings else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """Misses by whether a wording shares a word with the file, and the break-even share of those that share none.

    A miss is a wording without an expected file among its candidates.
    """

    threshold: float
    unseen: Misses
    """All wordings that share no word with the file, requested ones too: their rate is conditional on that."""
    unseen_first: Misses
    """First wordings among them: who is asked for other words finds some that are further away."""
    other: Misses
    """First wordings that share one: their mix is nobody's quota."""
    first_unseen: Share
    """First wordings that share none: the mix of whoever wrote them down."""
    break_even: float | None
    """The share of unseen-words first searches at which the rate passes the threshold; None at no mix, and where one of
    the two kinds is not there."""
    fires_at_any_mix: bool
    is_quiet_at_any_mix: bool
    recorded: Share | None = None
    """Recorded first searches that share no word with the file finally read; None without records."""
    rate: float | None = None
    """The miss rate at the recorded mix, with its one-sided 95 % bounds; None without records."""
    low: float | None = None
    high: float | None = None
