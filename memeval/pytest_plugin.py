"""The pytest plugin: `*.recall.yaml` files are collected as tests, one per need, wording and variant.

Every pytest run of an environment loads this module, so its top level imports pytest and the standard library alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from memeval.bench.evaluation import QueryResult
    from memeval.bench.held import Change, Held
    from memeval.bench.run import SuiteRunner
    from memeval.cli_models import Models
    from memeval.memory import Memory
    from memeval.pytest_baseline import Baseline
    from memeval.pytest_recall import Recall

SUITE_ENDING = ".recall.yaml"
OUTCOME_PROPERTY = "memeval"
"""Key of the user property that carries (suite, variant, verdict, lost, is compared) to the summary."""
CHANGE_PROPERTY = "memeval-change"
"""Key of the user property that carries what a need lost or won against the baseline."""
BASELINE = pytest.StashKey["Baseline"]()
MODELS = pytest.StashKey["Models"]()
FIXED_DAY = "2026-01-15"
FIXED_TIME = "09:00"
FIXED_PROJECT = "test-00000000"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and ini settings."""
    group = parser.getgroup("memeval", "recall of agent memory (*.recall.yaml)")
    group.addoption(
        "--memeval-variant",
        action="append",
        default=[],
        metavar="NAME",
        help="Variant to ask, repeatable, or 'all'. Default: the ini setting memeval_variants, else 'memeval'.",
    )
    for kind, what in (
        ("embedder", "Embedding model of the variants that take one"),
        ("reranker", "Reranker of those"),
    ):
        group.addoption(
            f"--memeval-{kind}",
            metavar="NAME|FOLDER",
            help=f"{what}: by name, the folder that holds it, or NAME=FOLDER. Default: the ini setting memeval_{kind}"
            + (", else multilingual-e5-small." if kind == "embedder" else "."),
        )
        parser.addini(f"memeval_{kind}", f"As --memeval-{kind}, where a variant takes one.", default="")
    group.addoption(
        "--memeval-baseline",
        metavar="ADDRESS",
        help="Fail where a need is lost that this saved evaluation had: 'baseline' for reports/baseline, a number, "
        "name, branch or commit as in `memeval compare`, or a file. Judged are the variants under test, or all where "
        "none is.",
    )
    group.addoption(
        "--memeval-allow",
        action="append",
        default=[],
        metavar="KIND:NAME",
        help="What the suites may no longer ask for though the baseline does: need:, wording: or promise:. Repeatable.",
    )
    parser.addini(
        "memeval_baseline_metrics",
        "What a need may not be lost by against --memeval-baseline, as in success@5.",
        type="args",
        default=["found", "success@5"],
    )
    parser.addini(
        "memeval_variants",
        "Variants that *.recall.yaml files are asked of.",
        type="args",
        default=["memeval"],
    )
    parser.addini(
        "memeval_gate_variants",
        "Variants under test: a must-find need lost by one of them fails. Never implied.",
        type="args",
        default=[],
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SuiteFile | None:
    """The collector of a suite file."""
    if file_path.name.endswith(SUITE_ENDING):
        return SuiteFile.from_parent(parent, path=file_path)
    return None


def variant_names(config: pytest.Config) -> tuple[str, ...]:
    """The variants to ask: the command line's, else the ini's."""
    return tuple(config.getoption("--memeval-variant") or config.getini("memeval_variants"))


class SuiteFile(pytest.File):
    """One suite: loaded once, each variant built once."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test per wording and variant, in file order."""
        from memeval.bench.run import SuiteRunner, build_settings
        from memeval.bench.suite import load_suite
        from memeval.errors import MemevalError
        from memeval.retrieval.recipes import find_variant, select_variants

        gate = tuple(self.config.getini("memeval_gate_variants"))
        try:
            models = find_models(self.config)
            chosen = select_variants(
                variant_names(self.config),
                has_embedder=models.embedder is not None,
                models=models.own,
                has_reranker=models.reranker is not None,
            )
            for name in gate:
                find_variant(name)
            asked = {variant.name for variant in chosen}
            if not asked.issuperset(gate) and not self.config.getoption("--memeval-variant"):
                raise self.CollectError(
                    f"memeval_gate_variants names {', '.join(sorted(set(gate) - asked))}, which memeval_variants "
                    f"does not ask ({', '.join(sorted(asked))}); name the same variants in both"
                )
            suite = load_suite(self.path)
        except MemevalError as error:
            raise self.CollectError(str(error)) from error
        settings = build_settings(suite, embedder=models.embedder, models=models.own, reranker=models.reranker)
        runners = {variant.name: SuiteRunner(suite, variant, settings=settings) for variant in chosen}
        held = self._hold_baseline(runners)
        for query in suite.queries():
            for name, runner in runners.items():
                item_name = f"{query.need.id}[{query.index}-{name}]"
                yield WordingItem.from_parent(
                    self,
                    name=item_name,
                    # Of a name alone pytest 9.2 takes the bracket for no parameter, and then --lf, --ff and --sw do not
                    # find the item again. One bracket, so that `file::need` without it selects all wordings.
                    nodeid=f"{self.nodeid}::{item_name}",
                    runner=runner,
                    query_id=query.id,
                    gated=name in gate,
                    held=held.get(name),
                    held_gated=name in gate or not gate,
                )

    def _hold_baseline(self, runners: dict[str, SuiteRunner]) -> dict[str, Held]:
        """{variant: what the baseline says of it}; {} without `--memeval-baseline`."""
        from memeval.errors import MemevalError

        if self.config.getoption("--memeval-baseline") is None:
            if self.config.getoption("--memeval-allow"):
                raise self.CollectError("--memeval-allow changes nothing without --memeval-baseline; add that")
            return {}
        if not runners:
            return {}
        try:
            baseline = open_baseline(self.config, runners)
            suite = next(iter(runners.values())).suite
            held = baseline.hold(suite, [runner.variant for runner in runners.values()])
            vanished = {name: baseline.find_vanished(one, runners[name]) for name, one in held.items()}
        except MemevalError as error:
            raise self.CollectError(f"--memeval-baseline: {error}") from error
        if parts := tuple(dict.fromkeys(part for found in vanished.values() for part in found)):
            from memeval.pytest_baseline import describe_vanished

            raise self.CollectError(describe_vanished(parts, baseline.label))
        return held


def find_models(config: pytest.Config) -> Models:
    """The models of the run, found once a process.

    Raises:
        MemevalError: a variant that there is not, or one whose model is not to be had.
    """
    from memeval.pytest_models import ModelChoice, open_models_of

    if MODELS not in config.stash:
        embedder, reranker = (
            ModelChoice(config.getoption(f"--memeval-{kind}"), config.getini(f"memeval_{kind}"))
            for kind in ("embedder", "reranker")
        )
        config.stash[MODELS] = open_models_of(variant_names(config), embedder, reranker, config.rootpath)
    return config.stash[MODELS]


def open_baseline(config: pytest.Config, variants: Collection[str]) -> Baseline:
    """The baseline of the run, read once a process, as far as it is of these variants: all suites ask the same.

    Raises:
        UnknownNameError: the address means nothing.
        EvaluationFileError: what it means cannot be read.
    """
    from memeval.pytest_baseline import Baseline

    if BASELINE not in config.stash:
        config.stash[BASELINE] = Baseline(
            config.getoption("--memeval-baseline"),
            config.rootpath,
            config.getini("memeval_baseline_metrics"),
            config.getoption("--memeval-allow"),
            variants,
        )
    return config.stash[BASELINE]


class MissError(Exception):
    """A miss that fails: a variant under test has lost a must-find need, or one that the baseline had.

    Or --runxfail takes no failure as expected.
    """


class UngradableError(Exception):
    """The variant or its answer is broken, so nothing can be said of the need."""


class WordingItem(pytest.Item):
    """One wording asked of one variant."""

    def __init__(
        self,
        *,
        runner: SuiteRunner,
        query_id: str,
        gated: bool,
        held: Held | None,
        held_gated: bool,
        **rest: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(**rest)
        self.runner = runner
        self.query_id = query_id
        self.gated = gated
        self.held = held
        self.held_gated = held_gated

    def runtest(self) -> None:
        """Pass on a hit; fail on a lost must-find; an expected failure on any other miss."""
        from memeval.bench.gate import is_need_lost, is_wording_lost

        runner, variant = self.runner, self.runner.variant.name
        result = runner.run_query(self.query_id)
        wordings = (runner.run_query(query_id) for query_id in runner.query_ids_of(result.need))
        lost = is_wording_lost(result) or is_need_lost(wordings)
        outcome = (runner.suite.name, variant, result.verdict, lost, self.held is not None)
        self.user_properties.append((OUTCOME_PROPERTY, outcome))
        if result.verdict == "ungradable":
            raise UngradableError(f"{self.name} ungradable: {result.reason}")
        known = self._compare_with_baseline(result)
        if result.verdict == "miss":
            reason = describe_miss(result, variant, lost=lost) + known
            # under --runxfail pytest turns `xfail` into a call that does nothing, and the miss would pass
            if (lost and self.gated) or self.config.getoption("runxfail", default=False):
                raise MissError(reason)
            pytest.xfail(reason.replace("\n", "; "))

    def _compare_with_baseline(self, result: QueryResult) -> str:
        """A line on what the baseline knows of a miss, "" without one; MissError where it had the need."""
        if self.held is None:
            return ""
        from memeval.pytest_baseline import describe_loss, note_change

        runner, label = self.runner, self.held.label
        change: Change = self.held.compare_need(map(runner.run_query, runner.query_ids_of(result.need)))
        if change.lost or change.won:
            self.user_properties.append((CHANGE_PROPERTY, tuple(note_change(runner, result.need, change))))
        if change.lost and self.held_gated and result.id in change.lost_wordings:
            raise MissError(describe_loss(change, label, result.text, runner.variant.name))
        if result.id in change.known:
            return f"\n  known:    {label} misses it, too"
        if result.id in change.lost_wordings:
            kept = "another wording has the need" if not change.lost else "informs"
            return f"\n  new:      {label} had it ({kept})"
        return ""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401
        """Our own failures as their message alone; others as pytest shows them.

        An expected failure too: its traceback says nothing, and to render it takes fifty times the search.
        """
        if isinstance(excinfo.value, MissError | UngradableError | pytest.xfail.Exception):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The suite file, the line of the need, the test's name."""
        line = self.runner.line_of(self.query_id)
        return self.path, None if line is None else line - 1, self.name


def describe_miss(result: QueryResult, variant: str, *, lost: bool) -> str:
    """Why a wording is a miss, what was expected, and what was shown instead."""
    from memeval.pytest_recall import describe_shown

    head = "must-find need lost" if lost else "miss"
    expected = ", ".join(path for path, grade in result.expected.items() if grade >= 1) or "nothing (silence)"
    return "\n".join(
        [
            f"{head}: {result.text!r} [{variant}]",
            f"  expected: {expected}",
            f"  shown:    {describe_shown(result.shown)}",
            f"  why:      {result.reason}",
        ]
    )


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:  # noqa: ANN401 - pytest's reporter
    """Say per suite and variant how many wordings were found and what was lost; a build server's page gets it, too."""
    from memeval.pytest_summary import describe_rows, gather_rows, render_rows

    reports = (report for found in terminalreporter.stats.values() for report in found)
    rows = gather_rows(reports, OUTCOME_PROPERTY, CHANGE_PROPERTY)
    if not rows:
        return
    from memeval.cli_server import append_step_summary  # which loads the engine: not for a run without suites

    baseline = config.getoption("--memeval-baseline")
    terminalreporter.section("memeval")
    for line in describe_rows(rows, tuple(config.getini("memeval_gate_variants")), baseline):
        terminalreporter.line(line)
    problem = append_step_summary(render_rows(rows, baseline))
    if problem is not None:
        terminalreporter.line(problem)


@pytest.fixture
def memory_store(tmp_path: Path) -> Memory:
    """A fresh engine in tmp_path, with a project and a day and time that never change."""
    from memeval.memory import Memory

    return Memory(tmp_path / "memory", project=FIXED_PROJECT, today=FIXED_DAY, now=lambda: FIXED_TIME)


@pytest.fixture
def recall(memory_store: Memory) -> Recall:
    """Assertions on `memory_store`: recall.assert_found("port conflict", "notes/redis-deploy.md")."""
    from memeval.pytest_recall import Recall

    return Recall(memory_store)
