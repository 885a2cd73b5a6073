"""What a suite of n needs can see of a loss, told before anything is lost."""

from __future__ import annotations

import math

from memeval.statistics.differences import mcnemar_p

DEFAULT_ALPHA = 0.05
DEFAULT_POWER = 0.8
_MOST_LOSSES = 10_000


def fewest_losses(budget: int, *, gains: int = 0, alpha: float | None = None) -> int:
    """The fewest needs, net, whose loss fails a gate: one more than the budget, or more where it has to be significant.

    Args:
        budget: needs, net, that may be lost.
        gains: needs won at the same time, with `alpha`: they make a net loss harder to tell.
        alpha: the two-sided level that the exact paired test has to reach as well; None = the budget alone decides.

    Raises:
        ValueError: a budget or gains below 0, an alpha outside (0, 1).
    """
    if min(budget, gains) < 0:
        raise ValueError(f"a budget of {budget} needs with {gains} won: neither may be below 0")
    if alpha is None:
        return budget + 1
    _check_level(alpha)
    net = budget + 1
    while mcnemar_p(gains + net, gains) > alpha:
        net += 1
        if net > _MOST_LOSSES:
            raise ValueError(f"alpha {alpha}: no loss below {_MOST_LOSSES} needs reaches it")
    return net


def detectable_loss(
    n: int, gain_rate: float, *, alpha: float = DEFAULT_ALPHA, power: float = DEFAULT_POWER
) -> int | None:
    """The smallest net loss, in needs of n, that the exact paired test would call one with this power.

    New needs are won at `gain_rate` and lost at that rate plus the loss: the churn stays, the loss comes on top. None
    where no loss of the n needs is seen that often: with five needs there is none, whatever happens to them.

    Args:
        n: needs.
        gain_rate: share of the needs that are won, in [0, 1]: the churn as it was observed.
        alpha: two-sided level.
        power: how often the loss is to be seen, in (0, 1).

    Raises:
        ValueError: a number that none of these can be.
    """
    _check_level(alpha)
    if n < 0 or not 0 <= gain_rate <= 1 or not 0 < power < 1:
        raise ValueError(f"{n} needs, gain rate {gain_rate}, power {power}: no suite has these")
    most = math.floor(n * (1 - 2 * gain_rate) + 1e-9)  # what is left beside as many gains and losses
    if most < 1 or paired_power(n, gain_rate + most / n, gain_rate, alpha=alpha) < power:
        return None
    low, high = 1, most
    while low < high:  # a larger loss is never seen less often
        middle = (low + high) // 2
        if paired_power(n, gain_rate + middle / n, gain_rate, alpha=alpha) >= power:
            high = middle
        else:
            low = middle + 1
    return low


def visible_gap(
    rate: float, first: int, second: int, *, alpha: float = DEFAULT_ALPHA, power: float = DEFAULT_POWER
) -> float | None:
    """The smallest rise of a rate, between different cases, that a two-sided test would call one with this power.

    In (0, 1 - rate]; None where no rise is seen that often, as with no cases at all.

    Args:
        rate: of the first, in [0, 1].
        first: cases of it.
        second: cases of the other.
        alpha: two-sided level.
        power: in (0, 1).

    Raises:
        ValueError: a number that none of these can be.

    Source: the normal approximation with unequal groups, Fleiss, Levin and Paik, Statistical Methods for Rates and
    Proportions (2003), section 4.5, without the correction for continuity.
    """
    from scipy.special import ndtri

    _check_level(alpha)
    if min(first, second) < 0 or not 0 <= rate <= 1 or not 0 < power < 1:
        raise ValueError(f"rate {rate} of {first} cases against {second}, power {power}: no comparison has these")
    if not first or not second:
        return None
    level, reach = float(ndtri(1 - alpha / 2)), float(ndtri(power))

    def is_seen(gap: float) -> bool:
        other = rate + gap
        pooled = (first * rate + second * other) / (first + second)
        even = math.sqrt(pooled * (1 - pooled) * (1 / first + 1 / second))
        apart = math.sqrt(rate * (1 - rate) / first + other * (1 - other) / second)
        return gap >= level * even + reach * apart

    low, high = 0.0, 1 - rate
    if high <= 0 or not is_seen(high):
        return None
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if is_seen(middle) else (middle, high)
    return high


def paired_power(n: int, loss_rate: float, gain_rate: float, *, alpha: float = DEFAULT_ALPHA) -> float:
    """How often the exact two-sided paired test calls a loss a loss, for n needs lost and won at these rates. Exact.

    Raises:
        ValueError: rates that leave less than nothing to the needs that do not change.
    """
    _check_level(alpha)
    changing = loss_rate + gain_rate
    if n < 0 or min(loss_rate, gain_rate) < 0 or changing > 1 + 1e-9:
        raise ValueError(f"{n} needs, of which {loss_rate} are lost and {gain_rate} won: no run has these")
    if changing == 0:
        return 0.0
    from scipy.special import bdtr, bdtrc

    changing = min(changing, 1.0)
    share = min(1.0, loss_rate / changing)
    terms = []
    threshold, below = 0, 0.0
    for changed in range(n + 1):
        # the fewest losses of that many changes that are significant: it rises by 0 or 1 from one number to the next
        while threshold <= changed and 2 * (bdtrc(threshold - 1, changed, 0.5) if threshold else 1.0) > alpha:
            threshold += 1
        up_to = float(bdtr(changed, n, changing))
        if threshold <= changed:
            terms.append((up_to - below) * float(bdtrc(threshold - 1, changed, share)))
        below = up_to
    return math.fsum(terms)


def _check_level(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha {alpha}: allowed is what lies between 0 and 1, such as 0.05")
