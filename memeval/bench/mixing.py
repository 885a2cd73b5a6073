"""Written suites do not know the mix: what is missed with and without a common word, and what that means in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memeval.bench.asked import AskedNeed, count_misses, is_unmatched, is_unseen, share_needs
from memeval.bench.shares import Misses, Mix, Share
from memeval.bench.summary import INTERVAL_DIGITS
from memeval.statistics.mix import Counts, find_break_even, mix_rate
from memeval.statistics.trigger import DEFAULT_THRESHOLD
from memeval.testbed.lint.words import SAME_WORDS, UNSEEN_WORDS


def measure_mix(
    needs: Sequence[AskedNeed],
    kinds: Mapping[str, str],
    *,
    threshold: float = DEFAULT_THRESHOLD,
    recorded: Share | None = None,
    seed: int = 0,
) -> Mix:
    """What is missed of each sort of wording, and at which mix that is too much.

    Args:
        needs: those of one language, asked of one variant.
        kinds: {query id: `unseen-words` or `same-words`} as the ruler finds.
        threshold: the tolerated rate.
        recorded: the share of recorded first searches that are unseen-words, if there are any.
        seed: of the draws behind the bounds.
    """
    unseen = count_misses(
        UNSEEN_WORDS,
        ((need.id, is_unmatched(query)) for need in needs for query in need.queries if is_unseen(query, kinds)),
    )
    other = count_misses(
        SAME_WORDS, ((need.id, need.is_trigger) for need in needs if kinds.get(need.first.id) == SAME_WORDS)
    )
    worded = [need for need in needs if need.first.id in kinds]
    unseen_first = count_misses(
        UNSEEN_WORDS, ((need.id, need.is_trigger) for need in needs if is_unseen(need.first, kinds))
    )
    first_unseen = share_needs(worded, lambda need: is_unseen(need.first, kinds))
    if unseen.value is None or other.value is None:
        return Mix(
            threshold=threshold,
            unseen=unseen,
            unseen_first=unseen_first,
            other=other,
            first_unseen=first_unseen,
            break_even=None,
            fires_at_any_mix=False,
            is_quiet_at_any_mix=False,
            recorded=recorded,
        )
    found = find_break_even(unseen.value, other.value, threshold)
    mixed = None
    if recorded is not None and recorded.n:
        mixed = mix_rate(Counts(recorded.count, recorded.n), _count(unseen), _count(other), seed=seed)
    return Mix(
        threshold=threshold,
        unseen=unseen,
        unseen_first=unseen_first,
        other=other,
        first_unseen=first_unseen,
        break_even=None if found.share is None else round(found.share, INTERVAL_DIGITS),
        fires_at_any_mix=found.fires_at_any_mix,
        is_quiet_at_any_mix=found.is_quiet_at_any_mix,
        recorded=recorded,
        rate=mixed and round(mixed.value, INTERVAL_DIGITS),
        low=mixed and round(mixed.low, INTERVAL_DIGITS),
        high=mixed and round(mixed.high, INTERVAL_DIGITS),
    )


def _count(misses: Misses) -> Counts:
    """The misses on the effective number of needs."""
    return Counts(min((misses.value or 0.0) * misses.effective, misses.effective), misses.effective)
