"""The finished record of a verdict: every signal, what was run, and which needs stand behind each figure."""

from __future__ import annotations

from dataclasses import dataclass

from memeval.bench.shares import Misses, Mix, Share

WRITTEN, RECORDED = "written", "recorded"
"""Whose needs: a suite's, or those of recorded sessions."""

BY_COUNT, BY_MIX, BY_EVIDENCE = "count", "mix", "evidence"
"""What the state stands on: the triggers counted, the rate at the recorded mix, or the evidence need by need."""

STAY, WATCH, INSUFFICIENT, NEITHER = "stay", "stay, watch", "insufficient data", "neither"
STAGES = ("stage 0", "stage 1", "stage 2")
"""The verdicts; those of STAGES name a variant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """How large the store is, and how much of it fits: counted, so that nothing has an interval (S6)."""

    files: int
    bytes: int
    cut_share: float | None
    """Of the bytes for a session's context block, those beyond its cap; None for a store that is not the engine's."""
    consistency: float | None
    """Median over needs of the share of a first wording's terms that the expected files hold; None without a term."""
    notes: tuple[str, ...]
    """What lies beyond its limit, each in a few words. It informs and decides nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptDifference:
    """What the first wordings of the same needs find in another suite's language, less here (S3)."""

    suite: str
    value: float
    n: int
    interval: tuple[float, float]
    low: float
    """It is larger with 95 % confidence."""
    fires: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOutcome:
    """What a stage of the ladder makes of the same needs, and what it costs."""

    variant: str
    stage: int
    """0: another profile or tokeniser; 1: aliases; 2: a local embedding."""
    not_run: str | None = None
    """Why it was not run; then nothing else is known of it, and it is not recommended."""
    refused: str | None = None
    """Why it may not be recommended whatever it finds."""
    left: Share | None = None
    """Needs that trigger under it, new ones counted."""
    new: tuple[str, ...] = ()
    """Those of them that did not before."""
    others: int = 0
    """Wordings other than the first ones that triggered."""
    lost: tuple[str, ...] = ()
    """Ids of those that fall out of the first five."""
    won: tuple[str, ...] = ()
    """Ids of those that come in."""
    false_hits: tuple[str, ...] = ()
    """Ids of wordings for which it shows something though nothing is stored."""
    false_hits_before: int = 0
    """How many there were without it."""
    unstored_wordings: int = 0
    """Wordings for which nothing is stored."""
    helps: bool = False
    cures: bool = False
    state: str | None = None
    """The state of the trigger under it."""
    mix: Mix | None = None
    packages: tuple[str, ...] = ()
    """What has to be installed beside memeval."""
    model: str | None = None
    """The embedding model it was run with."""
    store_bytes: int = 0
    """Bytes that its aliases add to the store."""
    bytes_shown: float | None = None
    """Mean bytes a search shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalVerdict:
    """One verdict: of one suite, in one language, for one variant, on written or on recorded needs."""

    suite: str
    lang: str | None
    variant: str
    basis: str
    decides: bool
    """Whether the verdict is this one; the other basis explains."""
    is_labelled: bool
    """Whether first wordings are free ones; else the order is as given."""
    n: int
    """Findable needs: the denominator of all shares."""
    unstored: int
    ungradable: int
    without_free: int
    missed_first: Share
    """S1: the first wording shows no expected file."""
    not_matched: Share
    """S1a, the trigger: no expected file is a candidate at any depth."""
    not_shown: Share
    """S1b: matched, and beyond what is shown."""
    zero_overlap: Share
    """S2: missed first, and found by a wording without a word of the first."""
    abandoned: int | None = None
    """Recorded needs that ended without a read; None for written ones."""
    zero_overlap_most: float | None = None
    """S2 if every abandoned need were one."""
    script: ScriptDifference | None = None
    aliases_remove: float | None = None
    """S4: share of the triggers that aliases remove; None where they were not run, or nothing triggers."""
    aliases_net: int | None = None
    """Other wordings that aliases bring into the first five, less those they push out."""
    embedding_removes: float | None = None
    """S5: share of the triggers that aliases leave and the embedding removes; None as above."""
    census: Census
    threshold: float
    low: float | None
    """The trigger's rate lies above it with 95 % confidence."""
    high: float | None
    """It lies below it with 95 % confidence."""
    fires_from: int | None
    """Triggers of n needs at which it fires."""
    quiet_up_to: int | None
    needs_to_decide: int | None
    """More needs at this rate until it is firing or quiet."""
    evidence: float | None = None
    """For recorded needs: the evidence that the rate is above the threshold, after the last of them."""
    evidence_peak: float | None = None
    fired_at: int | None = None
    """The number of the recorded need with which it fired, from 1."""
    state: str
    """`firing`, `quiet`, `watch` or `insufficient`."""
    state_by: str
    kinds: tuple[Misses, ...]
    """Unmatched wordings by the kind that a writer was asked for."""
    mix: Mix
    bytes_shown: float | None
    """Mean bytes a search shows."""
    stages: tuple[StageOutcome, ...] = ()
    """The ladder, where the trigger fires, the cheapest first."""
    decision: str
    """A verdict as above."""
    chosen: str | None = None
    """The variant that is recommended."""
