"""The picture of a watch: the score with its alarm, and beside it what the eye follows. Finished values only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memeval.report.labels import BASE_FAMILY
from memeval.report.notation import format_rate
from memeval.report.plots import COLOURS, DPI
from memeval.statistics.watch import Watch

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SCORE, _ALARM, _EYE = COLOURS[0], COLOURS[1], COLOURS[2]


def draw_watches(watches: Sequence[Watch]) -> Figure | None:
    """The stretches one behind the other, a line between where the ruler or the engine changed; None without a need.

    Above the score and its alarm, each alarm marked; below the exponentially weighted share of retries between the
    tolerated rate and the alarmed one, with the 95 % interval of each stretch.
    """
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    stretches = [one for one in watches if one.n]
    if not stretches:
        return None
    with style.context(["default", {"font.family": [BASE_FAMILY], "text.parse_math": False}]):
        figure = Figure(figsize=(7.6, 5.2), dpi=DPI, layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
        FigureCanvasAgg(figure)
        score, eye = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        begin = 0
        for place, one in enumerate(stretches):
            last = place == len(stretches) - 1
            numbers = [begin + point.number for point in one.points]
            ends = [begin + 0.5, begin + one.n + 0.5]
            score.step(numbers, [point.score for point in one.points], where="mid", color=_SCORE, linewidth=1.2)
            score.plot(ends, [one.design.alarm] * 2, color=_ALARM, linestyle="--", linewidth=1)
            rung = [(begin + point.number, point.score) for point in one.points if point.is_alarm]
            if rung:
                score.plot(*zip(*rung, strict=True), "v", color=_ALARM, markersize=8)
            eye.fill_between(ends, one.interval.low, one.interval.high, color=_EYE, alpha=0.15, linewidth=0)
            eye.plot(numbers, [point.ewma for point in one.points], color=_EYE, linewidth=1.4)
            for rate, line in ((one.design.tolerated, ":"), (one.design.alarmed, "--")):
                eye.plot(ends, [rate] * 2, color=_ALARM, linestyle=line, linewidth=1)
            begin += one.n
            if not last:
                for axes in (score, eye):
                    axes.axvline(begin + 0.5, color="#777777", linewidth=1)
        design = stretches[-1].design
        score.set_title(
            f"Zero-overlap retries, need by need: {stretches[-1].state}\n"
            f"tolerated {format_rate(design.tolerated)}, alarmed {format_rate(design.alarmed)}",
            loc="left",
        )
        score.set_ylabel("score (CUSUM; ▼ alarm)")
        score.set_ylim(0, 1.1 * max(design.alarm, *(point.score for one in stretches for point in one.points)))
        eye.set_ylabel("share of retries\n(weighted; band: 95 %)")
        eye.set_xlabel("needs, in order of time")
        eye.set_ylim(0, 1.05 * max(max(one.interval.high, one.design.alarmed) for one in stretches))
        eye.set_xlim(0.5, begin + 0.5)
    return figure
