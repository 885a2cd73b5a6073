"""The picture of a watch: drawn the same again, alarms marked, stretches apart."""

from __future__ import annotations

from memeval.report.plots import write_png
from memeval.report.watchplot import draw_watches
from memeval.statistics.watch import Observation, watch


def observe(*answers, ruler="1"):
    """Needs of as many sessions."""
    return [Observation(bool(answer), str(place), ruler) for place, answer in enumerate(answers)]


def test_an_alarm_is_marked():
    """At the need where the score reached it, with the state in the title."""
    (one,) = watch(observe(*[0] * 20, *[1] * 6))
    figure = draw_watches([one])
    score, eye = figure.axes
    assert one.alarms == (25,)
    marked = [line for line in score.lines if line.get_marker() == "v"]
    assert [list(line.get_xdata()) for line in marked] == [[25]]
    assert score.get_title(loc="left").startswith("Zero-overlap retries, need by need: alarm")
    assert eye.get_xlabel() == "needs, in order of time"


def test_stretches_follow_one_another():
    """A new ruler begins anew behind a line; nothing is drawn without a need."""
    stretches = watch([*observe(0, 1, 0), *observe(0, 0, ruler="2")])
    score = draw_watches(stretches).axes[0]
    assert [list(line.get_xdata()) for line in score.lines if line.get_color() == "#777777"] == [[3.5, 3.5]]
    assert score.get_xlim() == (0.5, 5.5)
    assert draw_watches(()) is None


def test_equal_watches_are_equal_files(tmp_path):
    """No date, no name of a program."""
    for name in ("a.png", "b.png"):
        write_png(draw_watches(watch(observe(0, 1, 0, 0))), tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
