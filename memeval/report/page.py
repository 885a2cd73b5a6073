"""The report as one page of HTML that needs nothing else: no network, no other file, no third-party script.

What was measured stands in it as escaped text and as JSON that cannot end its element; a content security policy
forbids the page to load anything and to run anything but its own script.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from memeval.bench.diagnosisfile import MissKey, ToldMiss
from memeval.bench.duels import Duel, fight_duels
from memeval.bench.evaluation import Evaluation, SuiteResult
from memeval.bench.front import find_front
from memeval.bench.recordedfile import ToldRecording
from memeval.bench.scripts import share_scripts
from memeval.bench.slopes import SlopeCell, trace_slopes
from memeval.memory.disk import replace_file
from memeval.report import gaps, sections, signals
from memeval.report.arrangement import MAX_NAMED_SUITES, SMALL_NEEDS, arrange
from memeval.report.csvtables import write_tables
from memeval.report.glossary import GLOSSARY
from memeval.report.identity import write_identity, write_timings
from memeval.report.markdown import write_overview, write_title
from memeval.report.markup import render_blocks, render_inline, render_table
from memeval.report.notation import count, format_rate, make_visible, quote_code
from memeval.report.pagedata import render_data
from memeval.report.pageplots import PagePlotter, write_figure
from memeval.report.recordedpage import write_recording
from memeval.report.signaltext import name_language, write_state
from memeval.report.signaltext import write_verdict as write_signal_verdict
from memeval.report.tables import headline_series, mark_control, render_headline_table, write_caption
from memeval.report.verdict import write_tally, write_verdict

PAGE_FILE = "report.html"
MAX_SLOPE_PLOTS = 12
UNDRAWN = f"<p>No plot: only the {MAX_SLOPE_PLOTS} with most change are drawn.</p>"
BAND_NOTE = "Bands are 95 % intervals, the wordings of a need taken together; controls have none."
FRONT_NOTE = "A faint mark is of a variant that another one beats in found, KiB or time, and equals in the rest."
DUEL_NOTE = (
    "▲ better and ▼ worse: the exact paired test of found, every need counting one, has p ≤ 0.05 after Holm over all "
    "variants compared with the base. A change counts only where no order of equal scores would undo it. Found, less "
    "base, by need, is the mean over needs of what each gains, its wordings sharing it, with its 95 % interval; the "
    "column found counts wordings, so that two of its figures may differ by another amount."
)


def write_page(
    evaluation: Evaluation,
    folder: Path | str,
    *,
    base: Evaluation | None = None,
    diagnoses: Mapping[MissKey, ToldMiss] | None = None,
    recording: ToldRecording | None = None,
) -> list[Path]:
    """The paths written into `folder`, which is made where it is missing: report.html, then its tables as CSV.

    Args:
        evaluation: what is reported.
        folder: where report.html goes.
        base: an earlier run, need by need, against which it is drawn.
        diagnoses: why wordings missed, where that was asked.
        recording: what recorded sessions show, where that is to stand beside it.

    Raises:
        OSError: the folder or a file in it cannot be written.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    path = place / PAGE_FILE
    replace_file(path, render_page(evaluation, base=base, diagnoses=diagnoses, recording=recording), str(path))
    return [path, *write_tables(evaluation, place, diagnoses)]


def render_page(
    evaluation: Evaluation,
    *,
    base: Evaluation | None = None,
    diagnoses: Mapping[MissKey, ToldMiss] | None = None,
    recording: ToldRecording | None = None,
) -> str:
    """The page as text; the same evaluation gives the same page with the same matplotlib and fonts.

    Suites stand in the order of the report: of many, those with most needs first, and small ones last.
    """
    main, small = arrange(evaluation)
    evaluation = replace(evaluation, suites=(*main.suites, *small))
    style, script = read_asset("page.css"), read_asset("page.js")
    duels = [fight_duels(suite) for suite in evaluation.suites]
    title = render_inline(write_title(evaluation).removeprefix("# "))
    sections_of = [*_list_sections(evaluation, duels, base, len(main.suites)), *_list_background(evaluation, recording)]
    parts = [part for part in sections_of if part[2]]
    links = "".join(f'<li><a href="#{anchor}">{heading}</a></li>' for anchor, heading, _ in parts)
    body = "\n".join(
        f'<section id="{anchor}" aria-labelledby="h-{anchor}"><h2 id="h-{anchor}">{heading}</h2>\n{content}\n</section>'
        for anchor, heading, content in parts
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{write_policy(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>memeval: {_strip_tags(title)}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><h1>{title}</h1>
<nav aria-label="Parts of the page"><ul>{links}</ul></nav></header>
<main id="main" tabindex="-1">
{body}
</main>
<script type="application/json" id="data">{render_data(evaluation, duels, diagnoses)}</script>
<script>{script}</script>
</body>
</html>
"""


@cache
def read_asset(name: str) -> str:
    """The text of a file of the page that ships with the package."""
    return files("memeval.report").joinpath(name).read_text(encoding="utf-8")


def write_policy(style: str, script: str) -> str:
    """The content security policy: nothing is loaded, and only this style and this script count."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _strip_tags(markup: str) -> str:
    return markup.replace("<code>", "").replace("</code>", "")


def _list_sections(
    evaluation: Evaluation, duels: Sequence[Mapping[str, Sequence[Duel]]], base: Evaluation | None, plotted: int
) -> Iterator[tuple[str, str, str]]:
    """(anchor, heading, HTML) of every part; a part without content is empty."""
    yield "overview", "Overview", _write_overview(evaluation, plotted)
    yield "results", "Variants", _write_variants(evaluation, duels)
    yield "against", "Against the base run", "" if base is None else _write_slopes(evaluation, base)
    yield "needs", "Needs", _write_needs(evaluation)
    yield "plots", "Plots", write_plots(evaluation, plotted)
    yield "slices", "Slices", _fold_suites(evaluation, "Slices of", sections.write_slices)
    yield "gaps", "Gaps", _write_gaps(evaluation)
    yield "signals", "Signals", render_blocks(signals.write_signals(evaluation))


def _list_background(evaluation: Evaluation, recording: ToldRecording | None) -> Iterator[tuple[str, str, str]]:
    """The same of what stands behind the figures."""
    yield "recorded", "Recorded sessions", "" if recording is None else write_recording(recording)
    yield "coverage", "What the needs cover", render_blocks(sections.write_coverage(evaluation))
    words = "\n".join(f"- **{word}**: {meaning}" for word, meaning in GLOSSARY)
    yield "words", "How to read the words", _fold("Glossary", render_blocks([words]))
    identity = render_blocks(write_identity(evaluation))
    yield "identity", "What exactly was measured", _fold("Settings, digests, configurations, versions", identity)
    yield "timings", "Timings", render_blocks(write_timings(evaluation))


def _fold(summary: str, content: str, *, anchor: str = "", is_open: bool = False) -> str:
    """A part that opens on a click, and on paper; `summary` is HTML."""
    name = f' id="{anchor}"' if anchor else ""
    return f'<details class="suite print"{name}{" open" * is_open}><summary>{summary}</summary>\n{content}\n</details>'


def _quote(name: str) -> str:
    return f"<code>{html.escape(make_visible(name))}</code>"


def _fold_suites(evaluation: Evaluation, what: str, write: Callable[[SuiteResult], list[str]]) -> str:
    parts = ((suite, render_blocks(write(suite))) for suite in evaluation.suites)
    return "\n".join(_fold(f"{what} {_quote(suite.name)}", content) for suite, content in parts if content)


def _write_overview(evaluation: Evaluation, counted: int) -> str:
    """The verdicts, and with several suites one table; the tally is of the first ones, as in the report."""
    blocks = [f'<div class="verdict">{part}</div>' for part in _write_signal_verdicts(evaluation)]
    blocks.append(render_blocks(filter(None, [sections.write_ungradable(evaluation)])))
    if len(evaluation.suites) == 1:
        suite = evaluation.suites[0]
        lines = "\n".join(f"- {sentence}" for sentence in write_verdict(suite))
        blocks.append(render_blocks([write_caption(suite, evaluation, quote_code(suite.name), quote_code), lines]))
    elif evaluation.suites:
        tally = write_tally(replace(evaluation, suites=evaluation.suites[:counted]))
        blocks.append(render_blocks([tally + _tell_uncounted(evaluation.suites[counted:]), write_overview(evaluation)]))
    else:
        blocks.append("<p>The evaluation holds no suite.</p>")
    return "\n".join(filter(None, blocks))


def _tell_uncounted(small: Sequence[SuiteResult]) -> str:
    if not small:
        return ""
    return f" Not counted there and last here: {count(len(small), 'suite')} of fewer than {SMALL_NEEDS} needs each."


def _write_signal_verdicts(evaluation: Evaluation) -> Iterator[str]:
    for verdict in evaluation.signals:
        if verdict.decides:
            head = f"{_quote(verdict.suite)}, {html.escape(name_language(verdict))}, {_quote(verdict.variant)}"
            said, state = write_signal_verdict(verdict), write_state(verdict)
            yield (
                f"<p>{head}: <strong>{html.escape(make_visible(said))}</strong></p>"
                f'<p class="soft">{html.escape(make_visible(state))} · <a href="#signals">all signals</a></p>'
            )


def _write_variants(evaluation: Evaluation, duels: Sequence[Mapping[str, Sequence[Duel]]]) -> str:
    bases = list(dict.fromkeys(make_visible(base) for of_suite in duels for base, fought in of_suite.items() if fought))
    blocks = []
    if bases:
        options = "".join(f"<option>{html.escape(base)}</option>" for base in bases)
        blocks.append(
            f'<p class="base"><label for="base">Compare found with </label><select id="base">{options}</select></p>'
        )
        blocks.append(f'<p class="soft">{html.escape(DUEL_NOTE)}</p>')
    several = len(evaluation.suites) > 1
    for place, (suite, of_suite) in enumerate(zip(evaluation.suites, duels, strict=True)):
        content = _write_suite(place, suite, evaluation, of_suite)
        if several:
            is_open = len(evaluation.suites) <= MAX_NAMED_SUITES
            content = _fold(_quote(suite.name), content, anchor=f"results-{place + 1}", is_open=is_open)
        blocks.append(content)
    return "\n".join(blocks)


def _write_suite(place: int, suite: SuiteResult, evaluation: Evaluation, duels: Mapping[str, Sequence[Duel]]) -> str:
    """The suite's variants with their figures, each against a base, and every metric folded away."""
    blocks, headline = sections.write_results(suite), render_headline_table(suite)
    place_of_table = blocks.index(headline) if headline in blocks else len(blocks)
    provenance, others = blocks[:place_of_table], blocks[place_of_table + 1 :]
    verdict = "\n".join(f"- {sentence}" for sentence in write_verdict(suite))
    caption = (
        [] if len(evaluation.suites) == 1 else [write_caption(suite, evaluation, quote_code(suite.name), quote_code)]
    )
    shown = [*caption, *provenance, *([verdict] if len(evaluation.suites) > 1 else [])]
    return "\n".join([render_blocks(shown), _write_table(place, suite, any(duels.values())), render_blocks(others)])


def _write_table(place: int, suite: SuiteResult, has_duels: bool) -> str:
    """The headline figures, and cells for the duel with whatever base is chosen: the script fills them."""
    if not suite.variants:
        return ""
    columns = headline_series(suite)
    heads = [column.label if column.n is None else f"{column.label} (n\u00a0{column.n:,})" for column in columns]
    cells = list(zip(*(column.write_cells() for column in columns), strict=True))
    parts = ['<div class="scroll"><table class="variants"><thead><tr><th scope="col">variant</th>']
    parts += [f'<th scope="col" class="n">{html.escape(head)}</th>' for head in heads]
    parts += [f'<th scope="col">{head}</th>' for head in ("found, less base, by need", "needs", "test") if has_duels]
    parts.append("</tr></thead><tbody>")
    for variant, figures in zip(suite.variants, cells, strict=True):
        name = html.escape(make_visible(variant.name))
        parts.append(f'<tr data-suite="{place}" data-variant="{name}">')
        parts.append(f'<th scope="row">{mark_control(variant, f"<code>{name}</code>")}</th>')
        parts += [f'<td class="n">{html.escape(figure)}</td>' for figure in figures]
        parts += ["<td data-duel></td>"] * (3 * has_duels)
        parts.append("</tr>")
    return "".join([*parts, "</tbody></table></div>"])


def _write_needs(evaluation: Evaluation) -> str:
    if not any(variant.queries for suite in evaluation.suites for variant in suite.variants):
        return ""
    return (
        '<p class="soft">Words of the wording are marked where they stand in the path of a file.</p>\n'
        '<div id="needs-app"><noscript><p>The table of needs is made by a script; <code>needs.csv</code> beside this '
        "page has every row.</p></noscript></div>"
    )


def write_plots(evaluation: Evaluation, plotted: int) -> str:
    """The plots over all suites, then those of the first ones."""
    plotter, front = PagePlotter(evaluation), find_front(evaluation)
    title = "Found, per variant and script of the wording, all suites"
    with plotter.dress():
        blocks = [write_figure(plotter.draw_scripts(share_scripts(evaluation)), title)]
        for place, suite in enumerate(evaluation.suites[:plotted]):
            name = make_visible(suite.name)
            pictures = [
                write_figure(plotter.draw_recall_bands(place), f"Recall@k on {name}", BAND_NOTE),
                write_figure(plotter.draw_searches(place), f"Needs found over searches made, on {name}", BAND_NOTE),
                write_figure(
                    plotter.draw_front(place, front), f"Found against KiB shown per search, on {name}", FRONT_NOTE
                ),
            ]
            content = "\n".join(filter(None, pictures))
            if content:
                blocks.append(_fold(f"Plots of {_quote(suite.name)}", content, is_open=len(evaluation.suites) == 1))
    blocks.append(_write_plotless(evaluation.suites[plotted:]))
    return "\n".join(filter(None, blocks))


def _write_plotless(suites: Sequence[SuiteResult]) -> str:
    """In place of the plots of small suites, that there are none, and where their figures stand; empty without any."""
    if not suites:
        return ""
    names = ", ".join(_quote(suite.name) for suite in suites)
    few = f"{count(len(suites), 'suite')} with fewer than {SMALL_NEEDS} needs, for they would be a few steps each"
    return f'<p>No plots of {few}: {names}. What is found stands under <a href="#results">Variants</a>.</p>'


def _write_gaps(evaluation: Evaluation) -> str:
    kinds = _fold_suites(evaluation, "Words:", gaps.write_kind_gaps)
    note = render_blocks([gaps.KIND_NOTE]) if kinds else ""
    return "\n".join(filter(None, [render_blocks(gaps.write_script_gaps(evaluation)), note, kinds]))


def _write_slopes(evaluation: Evaluation, base: Evaluation) -> str:
    """What became of each need since the base run: a table of all that moved, and the slopes of the most moved."""
    cells = [cell for cell in trace_slopes(base, evaluation) if cell.moved]
    if not cells:
        return "<p>No need is found by another share of its wordings than in the base run.</p>"
    plotter = PagePlotter(evaluation)
    drawn = {(cell.suite, cell.variant) for cell in sorted(cells, key=lambda cell: -cell.change)[:MAX_SLOPE_PLOTS]}
    with plotter.dress():
        return "\n".join(
            _fold(
                f"{_quote(cell.suite)}, {_quote(cell.variant)}: {_write_moves(cell)}",
                (_draw_cell(plotter, cell) if (cell.suite, cell.variant) in drawn else UNDRAWN) + _write_moved(cell),
            )
            for cell in cells
        )


def _write_moves(cell: SlopeCell) -> str:
    fell = sum(one.head < one.base for one in cell.moved)
    return f"{count(fell, 'need')} found less, {count(len(cell.moved) - fell, 'need')} found more"


def _draw_cell(plotter: PagePlotter, cell: SlopeCell) -> str:
    title = f"Share of its wordings found, each need, {make_visible(cell.variant)} on {make_visible(cell.suite)}"
    note = "Falls are dashed; grey lines are needs that stayed."
    return write_figure(plotter.draw_slopes(cell), title, note)


def _write_moved(cell: SlopeCell) -> str:
    rows = [[_quote(one.need), f"{one.wordings}", format_rate(one.base), format_rate(one.head)] for one in cell.moved]
    return render_table(["need", "wordings", "base", "head"], rows, [False, True, True, True])
