"""Retries on a terminal: found by which wording, after how many searches, by kind of wording. Finished values only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memeval.bench.retries import UNLABELLED, RetryFigures, VariantRetries
from memeval.bench.shares import Misses, Mix, Share
from memeval.report.legend import INTERVAL, Word, write_legend
from memeval.report.notation import (
    UNDEFINED,
    add_interval,
    count,
    format_rate,
    make_visible,
    measure_width,
    pad,
    shorten,
)
from memeval.report.tables import write_estimate

MAX_WORDINGS = 6
"""Columns of the curve."""
MAX_NAME = 40
GROUPS = {"lang": "language", "script": "script of the first wording", "first wording": "first wording"}
ALL = "all"
LEGEND = (
    Word("found by wording", "found by wording j", "share of the needs that one of their first j wordings finds"),
    Word(
        "worst of 3",
        "worst of 3",
        "found whichever of three of its wordings one takes; needs with three wordings alone",
    ),
    Word("[", "[low, high]", INTERVAL),
    Word("  mean  ", "mean", "searches until found; never found within N counts as N + 1"),
    Word("]?", "?", "hardly any need differs from the others, so that the interval is too narrow"),
    Word("paraphrase retry", "paraphrase retry", "the first wording misses, a later one finds"),
    Word("zero overlap", "zero overlap", "those of them found by a wording that shares no word with the first"),
    Word("never found", "never found", "by none of its wordings"),
    Word("same-words", "same-words", "the first wording shares a word with the file that answers"),
    Word("unseen-words", "unseen-words", "it shares none"),
    Word(f"\n{UNLABELLED} ", UNLABELLED, "wordings whose suite names no kind"),
    Word(
        "missed, by kind",
        "kind of wording",
        "what its writer was asked for, as the suite says; free: whatever came to mind",
    ),
    Word(
        "mix: unmatched",
        "mix: unmatched",
        "no file that answers is even a candidate; above that rate `memeval signals` calls for more than plain text",
    ),
)


def render_retries(suite: str, documents: int, policy: str, measured: Sequence[VariantRetries]) -> str:
    """The text for one suite, the first line saying what was measured on what; without a final newline."""
    name = shorten(make_visible(suite), MAX_NAME)
    wholes = [(one, one.groups[0]) for one in measured if one.groups]
    if not wholes:
        why = ", ".join(write_left_out(one) for one in measured if write_left_out(one))
        return f"{name} · {count(documents, 'file')} · no need that could be found{f' ({why})' if why else ''}"
    needs = ", ".join(dict.fromkeys(count(whole.needs, "need") for _, whole in wholes))
    order = "the first free wording first" if all(one.is_free for one, _ in wholes) else "wordings as given"
    lines = [f"{name} · {count(documents, 'file')} · {needs} that can be found · {order} · an agent {policy}"]
    lines += _render_wholes(wholes)
    for dimension, title in GROUPS.items():
        lines += _render_groups(title, [(one, _pick(one.groups, dimension)) for one, _ in wholes])
    lines += _render_kinds([one for one, _ in wholes])
    lines += _render_mixes([one for one, _ in wholes])
    for one in measured:
        left_out = write_left_out(one)
        if left_out:
            lines.append(f"{_name(one)}: {left_out}")
    return "\n".join([*lines, *write_legend("\n".join(lines), LEGEND)])


def write_left_out(one: VariantRetries) -> str:
    """The needs that no figure counts; empty where there are none."""
    parts = (
        (one.unstored, "with nothing stored"),
        (one.ungradable, "ungradable"),
        (one.without_free, "without a free wording"),
    )
    told = [f"{count(number, 'need')} {why}" for number, why in parts if number]
    return f"left out: {', '.join(told)}" if told else ""


def write_mix(mix: Mix) -> str:
    """At which mix of first searches the trigger fires, in a sentence without its full stop."""
    threshold = write_percent(mix.threshold)
    if not _has_both(mix):
        missing = "without a word of the file" if not mix.unseen.wordings else "with a word of the file to begin with"
        return f"mix: no wording here is {missing}, so that none can be told"
    first = mix.unseen_first
    among = ""
    if 0 < first.wordings < mix.unseen.wordings:
        among = f" ({write_percent(first.value)} of the {first.wordings:,} first ones)"
    told = (
        f"mix: unmatched {_write_misses(mix.unseen)} without a word of the file{among}, "
        f"{write_share(mix.other)} of {mix.other.wordings:,} first ones with one"
    )
    if mix.fires_at_any_mix:
        return f"{told}: above {threshold} at any mix"
    if mix.is_quiet_at_any_mix:
        return f"{told}: not above {threshold} at any mix"
    return f"{told}: above {threshold} if more than {write_percent(mix.break_even)} of first searches have none"


def write_percent(value: float | None) -> str:
    """A share in whole per cent, `<1 %` and `>99 %` where that would say none or all; `–` when undefined."""
    if value is None:
        return UNDEFINED
    if 0 < value < 0.005:
        return "<1 %"
    if 0.995 <= value < 1:
        return ">99 %"
    return f"{100 * value:.0f} %"


def write_share(share: Share | Misses) -> str:
    """A share with its interval: `18 % [12, 26]`."""
    if share.value is None or share.interval is None:
        return write_percent(share.value)
    low, high = (f"{100 * end:.0f}" for end in share.interval)
    return f"{write_percent(share.value)} [{low}, {high}]"


def _write_misses(misses: Misses) -> str:
    return f"{write_share(misses)} of {count(misses.wordings, 'wording')}"


def align_rows(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as lines, the first column to the left, the others to the right, by the width a terminal gives them."""
    widths = [max(measure_width(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        head = pad(row[0], widths[0])
        cells = (" " * (width - measure_width(cell)) + cell for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append("  ".join((head, *cells)).rstrip())
    return lines


def _render_wholes(wholes: Sequence[tuple[VariantRetries, RetryFigures]]) -> list[str]:
    longest = min(max(len(whole.curve) for _, whole in wholes), MAX_WORDINGS)
    has_orbit = any(whole.orbit.value is not None for _, whole in wholes)
    head = ["found by wording", *(f"{place}" for place in range(1, longest + 1)), *["worst of 3"] * has_orbit]
    rows = [head]
    for one, whole in wholes:
        points = [write_rate_interval(row.share, row.interval) for row in whole.curve[:longest]]
        points += [UNDEFINED] * (longest - len(points))
        rows.append([_name(one), *points, *[write_estimate(whole.orbit, format_rate)] * has_orbit])
    if not any(_is_ever_missed(whole) for _, whole in wholes):
        return [*align_rows(rows), "every need is found by its first wording"]
    budgets = dict.fromkeys(whole.budget for _, whole in wholes)
    more = [
        [f"searches, at most {'/'.join(map(str, budgets))}", "mean", "paraphrase retry", "zero overlap", "never found"]
    ]
    more += [
        [
            _name(one),
            write_estimate(whole.searches, _write_searches)
            + "?" * (whole.is_coarse and whole.searches.interval is not None),
            *map(write_share, (whole.paraphrase_retries, whole.zero_overlap_retries, whole.never_found)),
        ]
        for one, whole in wholes
    ]
    return [*align_rows(rows), *align_rows(more)]


def _render_groups(title: str, groups: Sequence[tuple[VariantRetries, Sequence[RetryFigures]]]) -> list[str]:
    labels = dict.fromkeys(figures.label for _, found in groups for figures in found)
    if len(labels) < 2 or not any(_is_ever_missed(figures) for _, found in groups for figures in found):
        return []
    rows = [[f"by {title}", "needs", "first wording", "searches", "zero overlap", "never found"]]
    rows += [
        [
            f"{label} · {_name(one)}",
            f"{figures.needs:,}",
            write_rate_interval(figures.curve[0].share, figures.curve[0].interval),
            write_estimate(figures.searches, _write_searches),
            write_share(figures.zero_overlap_retries),
            write_share(figures.never_found),
        ]
        for label in labels
        for one, found in groups
        for figures in found
        if figures.label == label
    ]
    return align_rows(rows)


def _render_kinds(measured: Sequence[VariantRetries]) -> list[str]:
    kinds = dict.fromkeys(kind.kind for one in measured for kind in one.kinds)
    if not any(kind.misses for one in measured for kind in one.kinds):
        return []
    rows = [["missed, by kind of wording", "n", *map(_name, measured)]]
    for kind in kinds:
        found = [next((each for each in one.kinds if each.kind == kind), None) for one in measured]
        counts = dict.fromkeys(f"{each.wordings:,}" for each in found if each)
        cells = [UNDEFINED if each is None else write_share(each) for each in found]
        rows.append([make_visible(kind), "/".join(counts), *cells])
    return align_rows(rows)


def _render_mixes(measured: Sequence[VariantRetries]) -> list[str]:
    """A line a variant, and one for all that leave nothing unmatched."""
    clean = [one for one in measured if _has_both(one.mix) and not one.mix.unseen.misses and not one.mix.other.misses]
    lines = [f"{_name(one)}: {write_mix(one.mix)}" for one in measured if one not in clean]
    return [*lines, f"{', '.join(map(_name, clean))}: no wording is unmatched"] if clean else lines


def _has_both(mix: Mix) -> bool:
    return bool(mix.unseen.wordings and mix.other.wordings)


def _is_ever_missed(figures: RetryFigures) -> bool:
    """Whether any need of the group takes more than its first wording."""
    return figures.curve[0].share < 1 or bool(figures.never_found.count)


def write_rate_interval(value: float, interval: tuple[float, float]) -> str:
    """A rate with its interval: `0.59 [0.52, 0.66]`."""
    return add_interval(format_rate(value), *map(format_rate, interval))


def _write_searches(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.2f}"


def _pick(groups: Iterable[RetryFigures], dimension: str) -> list[RetryFigures]:
    return [figures for figures in groups if figures.dimension == dimension]


def _name(one: VariantRetries) -> str:
    return shorten(make_visible(one.variant), MAX_NAME)
