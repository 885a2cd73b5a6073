"""The coverage ledger: which kinds of memory, in which scripts, are put to which failure modes, and which are not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from yaml.nodes import Node, SequenceNode

from memeval.errors import SuiteFileError
from memeval.ruler import ruler_terms, shared_terms
from memeval.testbed.needs import Need, Suite
from memeval.testbed.scripts import base_language
from memeval.testbed.yamlfile import YamlFile, read_yaml

COVERED, UNCOVERED, EXCLUDED = STATUSES = ("covered", "uncovered", "excluded")
"""Some need is there; none is and one is wanted; none is and none is wanted."""
LEDGER_FILE = "coverage.yaml"
ALL = "all"
LATE_LINE = 100
"""From this line on, counted from 1, an answer stands late in its file."""

Cell = tuple[str, str, str]
"""(kind of memory, script, failure mode)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """A kind of memory or a failure mode, and the needs that belong to it: those that any of its rules takes."""

    name: str
    what: str
    tags: tuple[str, ...] = ()
    """Needs with one of these tags, in any suite that has the id."""
    needs: tuple[str, ...] = ()
    """Needs with these ids."""
    kinds: tuple[str, ...] = ()
    """Needs with a wording of one of these kinds."""
    shape: str | None = None
    """Needs of a form that is measured: a key of SHAPES."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What the ledger says of every cell in a block: each of its memories in each of its scripts."""

    failure: str
    memories: tuple[str, ...]
    scripts: tuple[str, ...]
    status: str
    """One of STATUSES."""
    needs: tuple[str, ...] = ()
    """For a covered block: needs of which every cell has one at least."""
    why: str = ""
    """For the others."""
    line: int = 0

    def cells(self) -> Iterator[Cell]:
        """Its cells."""
        return product(self.memories, self.scripts, (self.failure,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """A coverage file: the axes, the suites it speaks of, and a row for every cell."""

    path: str
    memories: tuple[Selector, ...]
    scripts: Mapping[str, str]
    """{script: base language of its suites}."""
    failures: tuple[Selector, ...]
    control_kinds: tuple[str, ...]
    """Kinds of wordings that are no failure mode."""
    control_tags: tuple[str, ...]
    """Tags of needs that show the opposite of a failure mode, and so belong to none."""
    suites: tuple[str, ...]
    """Paths relative to the ledger's folder."""
    left_out: Mapping[str, str]
    """{path of a suite that is not counted: why}."""
    rows: tuple[Row, ...]


def load_coverage(path: Path | str) -> Ledger:
    """The ledger in a file, in which every cell stands exactly once.

    Raises:
        SuiteFileError: the first thing that is wrong, as `path:line: …`.
    """
    return _Reader(read_yaml(Path(path), error=SuiteFileError)).read()


def find_cells(ledger: Ledger, suites: Iterable[Suite]) -> dict[Cell, tuple[str, ...]]:
    """{cell: the ids of the needs that belong to it, in suite order} for the cells that have any.

    An id means the same need in every suite, so that its tags are pooled; wordings and files are each suite's own. A
    need with a control tag belongs to no cell.
    """
    loaded = tuple(suites)
    tags: dict[str, set[str]] = defaultdict(set)
    for suite in loaded:
        for need in suite.needs:
            tags[need.id].update(need.tags)
    script_of = {language: script for script, language in ledger.scripts.items()}
    cells: dict[Cell, dict[str, None]] = defaultdict(dict)
    for suite in loaded:
        for need in suite.needs:
            script = script_of.get(base_language(need.lang or suite.lang or ""))
            if script is None or not tags[need.id].isdisjoint(ledger.control_tags):
                continue
            for failure in ledger.failures:
                if not _selects(failure, suite, need, tags[need.id]):
                    continue
                for memory in ledger.memories:
                    if _selects(memory, suite, need, tags[need.id]):
                        cells[memory.name, script, failure.name][need.id] = None
    return {cell: tuple(ids) for cell, ids in cells.items()}


def check_coverage(ledger: Ledger, suites: Mapping[str, Suite]) -> tuple[str, ...]:
    """What the ledger and the suites say differently, as `path:line: …`; () when they agree.

    Args:
        ledger: the ledger.
        suites: {path relative to the ledger's folder: suite} of every suite file there is below that folder.
    """
    return tuple(f"{ledger.path}:{line}: {message}" for line, message in _find_differences(ledger, suites))


def tabulate_coverage(ledger: Ledger, suites: Iterable[Suite]) -> list[list[str]]:
    """A table with a heading row: failure modes down, scripts across; in each cell needs and kinds of memory.

    `12 (5 of 8)` is twelve needs, of five of the eight kinds of memory; `–` is a failure mode excluded for the script;
    `0 (0 of 6)` has two kinds excluded.
    """
    cells = find_cells(ledger, suites)
    status = {cell: row.status for row in ledger.rows for cell in row.cells()}
    table = [["failure mode", *ledger.scripts]]
    for failure in ledger.failures:
        line = [failure.name]
        for script in ledger.scripts:
            wanted = [
                memory.name for memory in ledger.memories if status[memory.name, script, failure.name] != EXCLUDED
            ]
            held = [cells.get((memory, script, failure.name), ()) for memory in wanted]
            needs = {need_id for ids in held for need_id in ids}
            line.append(f"{len(needs)} ({sum(map(bool, held))} of {len(wanted)})" if wanted else "–")
        table.append(line)
    return table


def _find_differences(ledger: Ledger, suites: Mapping[str, Suite]) -> Iterator[tuple[int, str]]:
    for path in sorted(set(suites) - set(ledger.suites) - set(ledger.left_out)):
        yield 1, f"suite {path!r} is in neither `suites` nor `left_out`"
    for path in sorted({*ledger.suites, *ledger.left_out} - set(suites)):
        yield 1, f"suite {path!r} does not exist"
    counted = [suites[path] for path in ledger.suites if path in suites]
    cells = find_cells(ledger, counted)
    known = {need.id for suite in counted for need in suite.needs}
    for row in ledger.rows:
        for need_id in row.needs:
            if need_id not in known:
                yield row.line, f"need {need_id!r} is in none of the suites"
            elif not any(need_id in cells.get(cell, ()) for cell in row.cells()):
                yield row.line, f"need {need_id!r} belongs to no cell of this row"
        for cell in row.cells():
            held = cells.get(cell, ())
            if row.status == COVERED and not set(held) & set(row.needs):
                hint = f"name one of {', '.join(held[:3])}" if held else "the suites have none"
                yield row.line, f"{_describe(cell)}: covered by no need named here; {hint}"
            if row.status != COVERED and held:
                yield row.line, f"{_describe(cell)}: {row.status}, but the suites have {', '.join(held[:3])}"
    placed = {need_id for memory in ledger.memories for need_id in _select_all(memory, counted)}
    for suite in counted:
        for need in suite.needs:
            if need.id not in placed:
                yield 1, f"need {need.id!r} of {suite.name} is of no kind of memory; give it to one of `memories`"
    named = {*ledger.control_kinds, *(kind for failure in ledger.failures for kind in failure.kinds)}
    kinds = {wording.kind for suite in counted for need in suite.needs for wording in need.wordings} - {None}
    for kind in sorted(kinds - named, key=str):
        yield 1, f"kind {kind!r} of wordings is in no failure mode and not among the controls"
    for selector in (*ledger.memories, *ledger.failures):
        for need_id in selector.needs:
            if need_id not in known:
                yield 1, f"{selector.name!r} names need {need_id!r}, which is in none of the suites"


def _select_all(selector: Selector, suites: Iterable[Suite]) -> set[str]:
    return {need.id for suite in suites for need in suite.needs if _selects(selector, suite, need, set(need.tags))}


def _selects(selector: Selector, suite: Suite, need: Need, tags: set[str]) -> bool:
    return (
        need.id in selector.needs
        or not tags.isdisjoint(selector.tags)
        or any(wording.kind in selector.kinds for wording in need.wordings)
        or (selector.shape is not None and SHAPES[selector.shape](suite, need))
    )


def _describe(cell: Cell) -> str:
    return " × ".join(cell)


def _stands_late(suite: Suite, need: Need) -> bool:
    """Whether the evidence first stands at LATE_LINE or below in an expected file."""
    if need.evidence is None:
        return False
    texts = (document.text for document in suite.corpus.documents if document.doc_id in need.relevant)
    return any(text[: text.find(need.evidence)].count("\n") + 1 >= LATE_LINE for text in texts if need.evidence in text)


def _meets_names_only(suite: Suite, need: Need) -> bool:
    """Whether a wording shares a term with the name of an expected file, and none with the text of any."""
    files = [document for document in suite.corpus.documents if document.doc_id in need.relevant]
    return any(
        any(shared_terms(wording.text, document.name.rpartition(".")[0]) for document in files)
        and not any(shared_terms(wording.text, document.text) for document in files)
        for wording in need.wordings
    )


SHAPES: Mapping[str, Callable[[Suite, Need], bool]] = {
    "several-files": lambda suite, need: len(need.relevant) > 1,
    "nothing-stored": lambda suite, need: not need.relevant,
    "late-answer": _stands_late,
    "name-only": _meets_names_only,
    "no-terms": lambda suite, need: any(not ruler_terms(wording.text) for wording in need.wordings),
}
"""Forms of needs that are measured in the suite and its corpus, not written down."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads a ledger from a YAML file."""

    file: YamlFile

    def read(self) -> Ledger:
        keys = ("memories", "scripts", "failures", "controls", "suites", "left_out", "rows")
        fields = self.file.as_fields(self.file.root, "the ledger", keys, required=keys)
        entries = self.file.as_entries(fields["scripts"], "'scripts'")
        left_out = self.file.as_entries(fields["left_out"], "'left_out'")
        controls = {
            key: self.file.as_texts(node, f"{key!r}")
            for key, node in self.file.as_fields(fields["controls"], "'controls'", ("kinds", "tags")).items()
        }
        axes = Ledger(
            path=self.file.path,
            memories=self._read_selectors(fields["memories"], "'memories'"),
            scripts={name: self.file.as_text(node, f"the language of {name!r}") for name, _, node in entries},
            failures=self._read_selectors(fields["failures"], "'failures'"),
            control_kinds=controls.get("kinds", ()),
            control_tags=controls.get("tags", ()),
            suites=self.file.as_texts(fields["suites"], "'suites'"),
            left_out={path: self.file.as_text(node, f"why {path!r} is left out") for path, _, node in left_out},
            rows=(),
        )
        return replace(axes, rows=self._read_rows(fields["rows"], axes))

    def _read_selectors(self, node: Node, what: str) -> tuple[Selector, ...]:
        keys = ("what", "tags", "needs", "kinds", "shape")
        selectors = []
        for name, _, value in self.file.as_entries(node, what):
            fields = self.file.as_fields(value, f"{name!r}", keys, required=("what",))
            lists = {
                key: self.file.as_texts(fields[key], f"{key!r}") if key in fields else ()
                for key in ("tags", "needs", "kinds")
            }
            shape = self.file.as_text(fields["shape"], "'shape'") if "shape" in fields else None
            if shape is not None and shape not in SHAPES:
                self.file.fail(fields["shape"], f"shape {shape!r} does not exist; known: {', '.join(SHAPES)}")
            if shape is None and not any(lists.values()):
                self.file.fail(value, f"{name!r} selects nothing; give it one of {', '.join(keys[1:])}")
            what_it_is = self.file.as_text(fields["what"], "'what'")
            selectors.append(Selector(name=name, what=what_it_is, shape=shape, **lists))
        return tuple(selectors)

    def _read_rows(self, node: Node, axes: Ledger) -> tuple[Row, ...]:
        memories = [memory.name for memory in axes.memories]
        failures = [failure.name for failure in axes.failures]
        rows = []
        lines: dict[Cell, int] = {}
        for item in self.file.as_items(node, "'rows'"):
            fields = self.file.as_fields(
                item, "a row", ("failure", "memory", "script", *STATUSES), required=("failure", "memory", "script")
            )
            status = [key for key in STATUSES if key in fields]
            if len(status) != 1:
                self.file.fail(item, f"a row has one of {', '.join(STATUSES)}; this one has {len(status)}")
            verdict = fields[status[0]]
            row = Row(
                failure=self._read_names(fields["failure"], "'failure'", failures)[0],
                memories=self._read_names(fields["memory"], "'memory'", memories),
                scripts=self._read_names(fields["script"], "'script'", list(axes.scripts)),
                status=status[0],
                needs=self.file.as_texts(verdict, "'covered'") if status[0] == COVERED else (),
                why="" if status[0] == COVERED else self.file.as_text(verdict, f"{status[0]!r}"),
                line=self.file.line(item),
            )
            for cell in row.cells():
                if cell in lines:
                    self.file.fail(item, f"{_describe(cell)} stands twice; the first is in line {lines[cell]}")
                lines[cell] = row.line
            rows.append(row)
        missing = [cell for cell in product(memories, axes.scripts, failures) if cell not in lines]
        if missing:
            self.file.fail(node, f"{len(missing)} cells have no row, the first is {_describe(missing[0])}")
        return tuple(rows)

    def _read_names(self, node: Node, what: str, known: Sequence[str]) -> tuple[str, ...]:
        """One name, a list of names, or `all`."""
        is_list = isinstance(node, SequenceNode)
        names = self.file.as_texts(node, what) if is_list else (self.file.as_text(node, what),)
        if names == (ALL,) and what != "'failure'":
            return tuple(known)
        if not names:
            self.file.fail(node, f"{what} is empty; write a name, a list of names, or {ALL}")
        for name in names:
            if name not in known:
                self.file.fail(node, f"{what} names {name!r}; known: {', '.join(known)}")
        return names
