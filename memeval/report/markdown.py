"""The written report: an evaluation as one Markdown page, with its plots beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memeval.bench.evaluation import Evaluation, SuiteResult, Value
from memeval.report import gaps, sections, signals
from memeval.report.arrangement import MAX_NAMED_SUITES, SMALL_NEEDS, arrange
from memeval.report.glossary import GLOSSARY
from memeval.report.identity import write_identity, write_timings
from memeval.report.labels import list_keys
from memeval.report.notation import count, escape_prose, format_rate, list_names, quote_code, quote_html
from memeval.report.plots import Plot, is_plot_name, write_plots
from memeval.report.tables import Series, fold_away, read_metric, render_grid, write_caption
from memeval.report.verdict import write_tally, write_verdict

REPORT_FILE = "report.md"


def write_report(evaluation: Evaluation, folder: Path | str) -> list[Path]:
    """The paths written into `folder`: report.md, then its plots.

    The folder is made where it is missing. Files of the same names are replaced, and plots that only the report that
    stood there before shows are removed; nothing else in it is touched.

    Raises:
        OSError: the folder or a file in it cannot be written.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    report = place / REPORT_FILE
    before = _list_plots(report)
    plots = write_plots(arrange(evaluation).main, place)
    for old in before - {place / plot.file for plot in plots}:
        old.unlink()
    report.write_text(render_report(evaluation, plots), encoding="utf-8", newline="\n")
    return [report, *(place / plot.file for plot in plots)]


def _list_plots(report: Path) -> set[Path]:
    """The files beside a report that it shows as a plot: an image on a line of its own, named as plots are."""
    if not report.is_file():
        return set()
    text = report.read_text(encoding="utf-8", errors="replace")  # someone else's file of that name must not fail a run
    names = re.findall(r"^!\[[^\]\n]*\]\(([^)\n]+)\)$", text, re.MULTILINE)
    return {path for path in map(report.with_name, filter(is_plot_name, names)) if path.is_file()}


def render_report(evaluation: Evaluation, plots: Sequence[Plot] = ()) -> str:
    """The report as Markdown, ending in a newline; `plots` are the pictures that lie beside it.

    The same evaluation gives the same text on every machine. Of many suites those with most needs come first, and small
    ones share one section; `plots` are of `arrange(evaluation).main`.
    """
    main, small = arrange(evaluation)
    gathered = [
        *_gather_signals(evaluation),
        *_gather_evidence(main, plots, whole=evaluation),
        *_gather_small(small),
        *_gather_background(evaluation),
    ]
    several = len(main.suites) > 1
    blocks = [
        write_title(evaluation),
        sections.write_ungradable(evaluation),
        *_write_summary(main),
        _tell_small(small),
        _write_contents(gathered) if several else "",
        *(block for section in gathered for block in _write_section(section, headed=several)),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def write_title(evaluation: Evaluation) -> str:
    """The heading of the first level: how many variants on which suites."""
    controls = [*{v.name: v.control for suite in evaluation.suites for v in suite.variants}.values()]
    kinds = ((controls.count(False), "variant"), (controls.count(True), "control"))
    asked = [count(number, kind) for number, kind in kinds if number] or ["no variant"]
    suites = evaluation.suites
    if len(suites) > MAX_NAMED_SUITES or not suites:
        place = count(len(suites), "suite")
    else:
        place = list_names([quote_code(suite.name) for suite in suites])
    return f"# What {list_names(asked)} {'find' if len(controls) > 1 else 'finds'} on {place}"


def _write_summary(evaluation: Evaluation) -> list[str]:
    """The verdict in words; with several suites also how often each variant leads, and one table of found."""
    suites = evaluation.suites
    if not suites:
        return ["The evaluation holds no suite."]
    if len(suites) == 1:
        return [
            write_caption(suites[0], evaluation, quote_code(suites[0].name), quote_code),
            _write_list(write_verdict(suites[0])),
        ]
    lines = []
    for place, suite in enumerate(suites, start=1):
        sentences = write_verdict(suite)
        shown = sentences if len(suites) <= MAX_NAMED_SUITES else sentences[:1]
        lines.append(f"- {write_caption(suite, evaluation, _link_suite(place, suite, 'results'), quote_code)}")
        lines += [f"  - {sentence}" for sentence in shown]
    return [write_tally(evaluation), "\n".join(lines), write_overview(evaluation)]


def _tell_small(small: Sequence[SuiteResult]) -> str:
    if not small:
        return ""
    return f"Beside them {count(len(small), 'suite')} of fewer than {SMALL_NEEDS} needs each: [small suites](#small)."


def _write_list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _link_suite(place: int, suite: SuiteResult, anchor: str) -> str:
    """The suite's name, leading to its part of a section."""
    return f"[{quote_code(suite.name)}](#{anchor}-{place})"


def write_overview(evaluation: Evaluation) -> str:
    """One table of found: a row a suite, a column a variant."""
    labels = [_link_suite(place, suite, "results") for place, suite in enumerate(evaluation.suites, start=1)]
    return _write_found(evaluation.suites, labels)


def _write_found(suites: Sequence[SuiteResult], labels: Sequence[str]) -> str:
    names = list(dict.fromkeys(variant.name for suite in suites for variant in suite.variants))
    rows = []
    for suite, label in zip(suites, labels, strict=True):
        asked = {variant.name: read_metric(variant, "found") for variant in suite.variants}
        values = tuple(asked.get(name, Value(None, 0)) for name in names)
        rows.append(Series(label, values, format_rate, with_intervals=True))
    return render_grid("found", names, rows)


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the page: blocks that hold for all suites, then those of each suite that has any."""

    title: str
    anchor: str
    intro: tuple[str, ...]
    suites: tuple[tuple[int, SuiteResult, list[str]], ...] = ()


def _gather_signals(evaluation: Evaluation) -> list[_Section]:
    """Whether plain text is still enough, where that was asked."""
    blocks = signals.write_signals(evaluation)
    return [_Section("Signals", "signals", tuple(blocks))] if blocks else []


def _gather_evidence(evaluation: Evaluation, plots: Sequence[Plot], *, whole: Evaluation) -> list[_Section]:
    """The sections that have something to show, in the order of the page, their lists no longer than all suites allow.

    `evaluation` has the suites with a part of their own, `whole` every suite of the page.
    """
    suites = list(enumerate(evaluation.suites, start=1))
    suite_keys, variant_keys = list_keys(evaluation)
    needs, pairs = sections.share_out_misses(whole), sections.share_out_pairs(whole)

    def gather(title: str, anchor: str, write: Callable[[int, SuiteResult], list[str]], *intro: str) -> _Section:
        parts = ((place, suite, write(place, suite)) for place, suite in suites)
        return _Section(title, anchor, tuple(filter(None, intro)), tuple(part for part in parts if part[2]))

    def fold(suite: SuiteResult, what: str, blocks: list[str], beyond: int = 1) -> list[str]:
        if not blocks or len(suites) <= beyond:
            return blocks
        return [fold_away(f"{what} {quote_html(suite.name)}", blocks)]

    def show_results(place: int, suite: SuiteResult) -> list[str]:
        blocks = sections.write_results(suite)
        if len(suites) > 1:
            blocks.insert(0, write_caption(suite, evaluation, quote_code(suite.name), quote_code))
        if len(suites) > MAX_NAMED_SUITES:
            blocks.append(_write_list(write_verdict(suite)))
        return blocks

    def show_pictures(place: int, suite: SuiteResult) -> list[str]:
        pictures = sections.write_pictures(plot for plot in plots if plot.suite == place - 1)
        return fold(suite, "Plots of", pictures, MAX_NAMED_SUITES)

    overall = [plot for plot in plots if plot.suite is None]
    script_gaps = gaps.write_script_gaps(evaluation)
    kind_gaps = {place: gaps.write_kind_gaps(suite) for place, suite in suites}
    kind_note = gaps.KIND_NOTE * any(kind_gaps.values())
    found = [
        gather("Results", "results", show_results),
        gather(
            "Plots",
            "plots",
            show_pictures,
            sections.write_key([*suite_keys, *variant_keys]),
            *sections.write_pictures(overall),
        ),
        gather("Slices", "slices", lambda place, suite: fold(suite, "Slices of", sections.write_slices(suite))),
        gather("Gaps", "gaps", lambda place, suite: kind_gaps[place], *script_gaps, kind_note),
        gather(
            "What only one of two found",
            "alone",
            lambda place, suite: sections.write_contrasts(suite, pairs),
        ),
        gather(
            "Misses and false hits",
            "misses",
            lambda place, suite: sections.write_misses(suite, needs),
            "Lost must-find needs first, then needs that no wording finds; false hits last. Controls are left out.",
        ),
    ]
    alone = {"plots": overall, "gaps": script_gaps}
    return [section for section in found if section.suites or alone.get(section.anchor)]


def _gather_small(small: Sequence[SuiteResult]) -> list[_Section]:
    """The suites of few needs: a line each, and what is missed folded away."""
    if not small:
        return []
    table = _write_found(small, [quote_code(suite.name) for suite in small])
    misses = [
        fold_away(
            f"Misses and false hits on {quote_html(suite.name)}",
            [escape_prose(suite.description), *sections.write_misses(suite, SMALL_NEEDS)],
        )
        for suite in small
    ]
    intro = f"Each has fewer than {SMALL_NEEDS} needs and shows one thing; its rates say little about other needs."
    return [_Section("Small suites", "small", (intro, table, *misses))]


def _gather_background(evaluation: Evaluation) -> list[_Section]:
    """What the needs cover, where there is a ledger, and what every page has: words, identity, timings."""
    identity = fold_away("Settings, digests, variant configurations, versions", write_identity(evaluation))
    words = _write_list(f"**{word}**: {meaning}" for word, meaning in GLOSSARY)
    coverage = sections.write_coverage(evaluation)
    return [
        *([_Section("What the needs cover", "coverage", tuple(coverage))] if coverage else []),
        _Section("How to read the words", "words", (words,)),
        _Section("What exactly was measured", "identity", (identity,)),
        _Section("Timings", "timings", tuple(write_timings(evaluation))),
    ]


def _write_contents(gathered: Sequence[_Section]) -> str:
    """Links to every section and, within it, to every suite."""
    lines = []
    for section in gathered:
        links = [_link_suite(place, suite, section.anchor) for place, suite, _ in section.suites]
        lines.append(f"- [{section.title}](#{section.anchor}): {' · '.join(links)}".removesuffix(": "))
    return "\n".join(lines)


def _write_section(section: _Section, *, headed: bool) -> list[str]:
    """The blocks of a section; a heading per suite where there are several."""
    blocks = [*_write_heading(2, section.title, section.anchor), *section.intro]
    for place, suite, content in section.suites:
        if headed:
            blocks += _write_heading(3, quote_code(suite.name), f"{section.anchor}-{place}")
        blocks += content
    return blocks


def _write_heading(level: int, title: str, anchor: str) -> list[str]:
    """A heading with an anchor of its own: what a page makes of a heading's text depends on the reader."""
    return [f'<a id="{anchor}"></a>', f"{'#' * level} {title}"]
