"""docs/external.md: its programs, its package and its commands work as they stand there."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.cli import main
from memeval.retrieval.external.registry import SYSTEMS
from memeval.retrieval.recipes import VARIANTS

PAGE = Path(__file__).parents[3] / "docs" / "external.md"
TEXT = PAGE.read_text(encoding="utf-8")
PACKAGE, FROM_PYTHON, PROGRAM, FROM_PROGRAM, SERVER, FROM_SERVER = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
(ENTRY,) = re.findall(r"```toml\n\[project.entry-points.\"memeval.retrievers\"\]\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = re.findall(r"^    memeval (run .*)$", TEXT, re.MULTILINE)


@pytest.fixture
def place(monkeypatch, small_suite, no_pictures, tmp_path):
    """The folder above store/ and queries/, with the files of the page, and the package installed."""
    folder = small_suite.parent.parent
    monkeypatch.chdir(folder)
    Path("search.py").write_text(PROGRAM, encoding="utf-8")
    Path("server.py").write_text(SERVER, encoding="utf-8")
    site = tmp_path / "site"
    (site / "mysearch-1.0.dist-info").mkdir(parents=True)
    (site / "mysearch-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: mysearch\nVersion: 1.0\n")
    (site / "mysearch-1.0.dist-info" / "entry_points.txt").write_text(f"[memeval.retrievers]\n{ENTRY}".replace('"', ""))
    (site / "mysearch.py").write_text(PACKAGE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delitem(sys.modules, "mysearch", raising=False)
    return folder


@pytest.mark.parametrize("command", COMMANDS, ids=[re.sub(r"\W+", "-", command[12:40]) for command in COMMANDS])
def test_a_command_of_the_page_runs(place, command):
    """What it brings is measured; nothing is ungradable, and what can be found is."""
    if "grep " in command and shutil.which("grep") is None:
        pytest.skip("there is no grep here")
    words = [word.replace("=python ", f"={shlex.quote(sys.executable)} ") for word in shlex.split(command)]
    result = CliRunner().invoke(main, [*words, "--no-page"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    record = json.loads(Path("reports/latest/evaluation.json").read_text(encoding="utf-8"))
    names = {word.partition("=")[0] for word in words if "=" in word and " " in word} or {"word-count"}
    measured = {variant["name"]: variant["queries"] for variant in record["suites"][0]["variants"]}
    assert names <= set(measured)
    for name in names - {"gnu-grep"}:
        assert {query["text"] for query in measured[name] if query["verdict"] == "hit"} >= {
            "port conflict",
            "監控 設定",
        }


@pytest.mark.parametrize(
    "code", [PACKAGE + FROM_PYTHON, FROM_PROGRAM, FROM_SERVER], ids=["package", "program", "server"]
)
def test_the_python_of_the_page_runs(place, code):
    """Each gives an evaluation of the system and of bm25."""
    code = code.replace('"python ', f'"{shlex.quote(sys.executable)} ')
    names: dict = {"memeval": __import__("memeval")}
    exec(code.replace('"queries"', '"queries/shop.recall.yaml"'), names)
    first, second = names["evaluation"].suites[0].variants
    assert second.name == "bm25"
    assert "hit" in {query.verdict for query in first.queries}
    assert "ungradable" not in {query.verdict for query in first.queries}


def test_the_table_names_every_system():
    """Those of the registry, and those of Python itself."""
    named = set(re.findall(r"`([\w-]+)`", TEXT.split("## Systems that memeval knows by name")[1].split("\n\n`all`")[0]))
    own = {variant.name for variant in VARIANTS if variant.name.startswith("fts5-")}
    assert named >= own | {system.variant.name for system in SYSTEMS}
