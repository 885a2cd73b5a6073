"""The pytest plugin: `*.recall.yaml` files are collected as tests, one per need, wording and variant.

Every pytest run of an environment loads this module, so its top level imports pytest and the standard library alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from memeval.bench.evaluation import QueryResult
    from memeval.bench.run import SuiteRunner
    from memeval.memory import Memory

SUITE_ENDING = ".recall.yaml"
OUTCOME_PROPERTY = "memeval"
"""Key of the user property that carries (suite, variant, verdict, lost) from an xdist worker to the summary."""
FIXED_DAY = "2026-01-15"
FIXED_TIME = "09:00"
FIXED_PROJECT = "test-00000000"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--memeval-variant` and the two ini settings."""
    group = parser.getgroup("memeval", "recall of agent memory (*.recall.yaml)")
    group.addoption(
        "--memeval-variant",
        action="append",
        default=[],
        metavar="NAME",
        help="Variant to ask, repeatable, or 'all'. Default: the ini setting memeval_variants, else 'memeval'.",
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
        from memeval.bench.run import SuiteRunner
        from memeval.bench.suite import load_suite
        from memeval.errors import MemevalError
        from memeval.retrieval.recipes import find_variant, select_variants

        gate = tuple(self.config.getini("memeval_gate_variants"))
        try:
            chosen = select_variants(variant_names(self.config))
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
        runners = {variant.name: SuiteRunner(suite, variant) for variant in chosen}
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
                )


class MissError(Exception):
    """A miss that fails: a variant under test has lost a must-find need, or --runxfail takes no failure as expected."""


class UngradableError(Exception):
    """The variant or its answer is broken, so nothing can be said of the need."""


class WordingItem(pytest.Item):
    """One wording asked of one variant."""

    def __init__(self, *, runner: SuiteRunner, query_id: str, gated: bool, **rest: Any) -> None:  # noqa: ANN401
        super().__init__(**rest)
        self.runner = runner
        self.query_id = query_id
        self.gated = gated

    def runtest(self) -> None:
        """Pass on a hit; fail on a lost must-find; an expected failure on any other miss."""
        from memeval.bench.gate import is_need_lost, is_wording_lost

        runner, variant = self.runner, self.runner.variant.name
        result = runner.run_query(self.query_id)
        wordings = (runner.run_query(query_id) for query_id in runner.query_ids_of(result.need))
        lost = is_wording_lost(result) or is_need_lost(wordings)
        self.user_properties.append((OUTCOME_PROPERTY, (runner.suite.name, variant, result.verdict, lost)))
        if result.verdict == "ungradable":
            raise UngradableError(f"{self.name} ungradable: {result.reason}")
        if result.verdict == "miss":
            reason = describe_miss(result, variant, lost=lost)
            # under --runxfail pytest turns `xfail` into a call that does nothing, and the miss would pass
            if (lost and self.gated) or self.config.getoption("runxfail", default=False):
                raise MissError(reason)
            pytest.xfail(reason.replace("\n", "; "))

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


def describe_shown(shown: tuple[str, ...], limit: int = 5) -> str:
    """The first files shown, and how many more."""
    if not shown:
        return "nothing"
    more = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return ", ".join(shown[:limit]) + more


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:  # noqa: ANN401 - pytest's reporter
    """Say per suite and variant how many wordings were found and what was lost."""
    from memeval.text import count

    counts: dict[tuple[str, str], dict[str, int]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) != "call":
                continue
            for name, outcome in getattr(report, "user_properties", ()):
                if name == OUTCOME_PROPERTY:
                    suite, variant, verdict, lost = outcome
                    row = counts.setdefault((suite, variant), {"hit": 0, "miss": 0, "ungradable": 0, "lost": 0})
                    row[verdict] += 1
                    row["lost"] += int(lost)
    if not counts:
        return
    gate = tuple(config.getini("memeval_gate_variants"))
    terminalreporter.section("memeval")
    for (suite, variant), row in sorted(counts.items()):
        asked = row["hit"] + row["miss"] + row["ungradable"]
        extra = f", {row['ungradable']} ungradable" if row["ungradable"] else ""
        extra += f", {count(row['lost'], 'wording')} of lost must-find needs" if row["lost"] else ""
        mark = "under test" if variant in gate else "informs"
        terminalreporter.line(
            f"{suite} · {variant} ({mark}): {row['hit']} of {count(asked, 'wording')} found or rightly silent{extra}"
        )
    unasked = sorted(set(gate) - {variant for _, variant in counts})
    if unasked:
        terminalreporter.line(f"not asked in this run, though under test: {', '.join(unasked)}")
    if not gate:
        terminalreporter.line(
            "no variant is under test: name it in memeval_gate_variants to make lost must-find needs fail"
        )


@pytest.fixture
def memory_store(tmp_path: Path) -> Memory:
    """A fresh engine in tmp_path, with a project and a day and time that never change."""
    from memeval.memory import Memory

    return Memory(tmp_path / "memory", project=FIXED_PROJECT, today=FIXED_DAY, now=lambda: FIXED_TIME)


@dataclass(frozen=True)
class Recall:
    """Assertions on what a store's search shows."""

    store: Memory

    def shown(self, query: str) -> tuple[str, ...]:
        """The files a search displays under the store's cap."""
        return tuple(doc_id for doc_id, _ in self.store.search(query).display().blocks)

    def assert_found(self, query: str, *paths: str) -> None:
        """Fail unless each of `paths` is shown; a path may leave out the folders before it (`notes/redis.md`)."""
        __tracebackhide__ = True
        if not paths:
            raise ValueError("assert_found needs at least one path, e.g. 'notes/redis.md'")
        shown = self.shown(query)
        missing = [path for path in paths if not any(is_path_of(path, doc_id) for doc_id in shown)]
        if missing:
            pytest.fail(
                f"{query!r} does not show {', '.join(missing)}\n"
                f"  shown:  {describe_shown(shown)}\n"
                f"  stored: {describe_shown(tuple(self.store.list()), limit=20)}\n"
                f"  terms:  {describe_terms(self.store.search(query).terms)}",
                pytrace=False,
            )

    def assert_silent(self, query: str) -> None:
        """Fail if the search shows anything."""
        __tracebackhide__ = True
        shown = self.shown(query)
        if shown:
            pytest.fail(f"{query!r} should find nothing\n  shown: {describe_shown(shown)}", pytrace=False)


def is_path_of(path: str, doc_id: str) -> bool:
    """True where `path` is the doc_id or its last parts."""
    return doc_id == path or doc_id.endswith("/" + path)


def describe_terms(terms: Iterable[tuple[str, int]]) -> str:
    """Each term with the number of times it was met."""
    return " ".join(f"{term}({count})" for term, count in terms) or "none"


@pytest.fixture
def recall(memory_store: Memory) -> Recall:
    """Assertions on `memory_store`: recall.assert_found("port conflict", "notes/redis-deploy.md")."""
    return Recall(memory_store)
