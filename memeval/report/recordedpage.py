"""What recorded sessions show, as a part of the page: rates, and the monitor of their watch. Finished values only."""

from __future__ import annotations

import html

from memeval.bench.recorded import NEED_RATES, SEARCH_RATES
from memeval.bench.recordedfile import ToldRate, ToldRecording, ToldWatch
from memeval.report.labels import BASE_FAMILY
from memeval.report.markup import render_table
from memeval.report.notation import UNDEFINED, add_interval, count, format_rate, make_visible
from memeval.report.pageplots import draw_monitor, dress_page, write_figure
from memeval.report.recorded import NOTE


def write_recording(recording: ToldRecording) -> str:
    """The blocks as HTML: what was recorded, a table of rates, a monitor for each stretch of one ruler."""
    days = dict.fromkeys(make_visible(moment[:10]) for moment in (recording.first, recording.last) if moment)
    when = f", {' to '.join(days)}" if days else ""
    said = f"{count(recording.sessions, 'session')}, {count(recording.needs, 'need')}{when}. {NOTE}"
    labels = {**NEED_RATES, **SEARCH_RATES}
    rows = [
        [html.escape(label), _write_rate(recording.rates[name]), _write_cases(recording.rates[name])]
        for name, label in labels.items()
        if name in recording.rates
    ]
    table = render_table(["share of needs or searches", "share [95 %]", "of"], rows, [False, True, True])
    with dress_page((BASE_FAMILY,)):
        monitors = [_write_monitor(watch, place, recording) for place, watch in enumerate(recording.watches, start=1)]
    return "\n".join([f"<p>{html.escape(said)}</p>", table, *filter(None, monitors)])


def _write_rate(rate: ToldRate) -> str:
    if rate.interval is None:
        return UNDEFINED
    return html.escape(add_interval(format_rate(rate.value), *map(format_rate, rate.interval)))


def _write_cases(rate: ToldRate) -> str:
    return f"{rate.successes:,} of {rate.n:,}"


def _write_monitor(watch: ToldWatch, place: int, recording: ToldRecording) -> str:
    stretch = f", stretch {place} of {len(recording.watches)}" if len(recording.watches) > 1 else ""
    title = f"Watch of zero-overlap retries{stretch}: {make_visible(watch.state)}"
    note = f"{watch.retries:,} of {count(watch.needs, 'need')}; tolerated {format_rate(watch.tolerated)}, dotted, and "
    return write_figure(draw_monitor(watch), title, f"{note}alarming {format_rate(watch.alarmed)}, dashed.")
