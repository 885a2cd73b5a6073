"""Variants of installed packages: found, named, run; a broken package is told and stops nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval import evaluate
from memeval.cli import main
from memeval.errors import ExternalSystemError, UnknownNameError
from memeval.retrieval.base import Settings, check_answer
from memeval.retrieval.external.installed import ENTRY_POINT_GROUP, load_installed
from memeval.retrieval.recipes import default_variants, find_variant, select_variants

EXAMPLE = Path(__file__).parents[1] / "example_retriever"
ENTRIES = {"example-titles": "example_retriever:build_titles", "example-tuned": "example_retriever:VARIANTS"}
NAMES = ["example-titles", "example-titles-2", "example-titles-3"]


@pytest.fixture
def install(tmp_path, monkeypatch):
    """(package, entries, code) -> None: a package as pip leaves it behind, code and metadata, for this test alone."""
    site = tmp_path / "site"
    monkeypatch.syspath_prepend(str(site))
    modules = set(sys.modules)

    def install(package, entries, code="", version="1.0"):
        folder = site / f"{package}-{version}.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
        lines = [f"{name} = {value}\n" for name, value in entries.items()]
        (folder / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\n{''.join(lines)}")
        (site / f"{package.replace('-', '_')}.py").write_text(code, encoding="utf-8")

    yield install
    for name in set(sys.modules) - modules:
        if str(site) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture
def example(install):
    """The package of the documentation, installed."""
    install("example-retriever", ENTRIES, (EXAMPLE / "example_retriever.py").read_text(encoding="utf-8"))


def invoke(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


def test_the_variants_of_a_package_can_be_named_and_are_in_all(example, small_suite):
    """By the name of the entry point for something callable, by their own otherwise; none is a default."""
    assert [find_variant(name).name for name in NAMES] == NAMES
    assert [variant.name for variant in select_variants(["all"])][-3:] == NAMES
    assert not {variant.name for variant in default_variants()} & set(NAMES)
    (measured,) = evaluate(small_suite, "example-titles").suites[0].variants
    assert {query.text for query in measured.queries if query.verdict == "hit"} >= {"naming"}


def test_they_keep_the_contract(example, documents):
    """What the documentation shows can be copied."""
    for name in NAMES:
        answer = find_variant(name).build(documents, Settings()).search("redis rules")
        check_answer(answer, {document.doc_id for document in documents})
        assert set(answer.shown) == {"MEMORY.md", "projects/shop/notes/redis-deploy.md"} | (
            {"projects/shop/daily/2026-03-28.md"} if name != "example-titles" else set()
        )


def test_the_list_tells_where_they_come_from(example):
    """A description from the docstring, and the package with its version."""
    (line,) = (line for line in invoke("list", "variants").stdout.splitlines() if line.startswith("example-titles "))
    assert line.endswith("Words of the query in the first line of a file (example-retriever 1.0)")


def test_the_example_declares_what_the_tests_install():
    """Its pyproject.toml has the same entry points, under the group that is looked at."""
    text = (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")
    section = text.split(f'[project.entry-points."{ENTRY_POINT_GROUP}"]\n')[1].split("\n\n")[0]
    assert section.splitlines() == [f'{name} = "{value}"' for name, value in ENTRIES.items()]


BROKEN = {
    "missing": ("broken:nothing", "", "AttributeError"),
    "raising": ("broken:x", "raise RuntimeError('no licence\\nhere')", "RuntimeError: no licence here"),
    "leaving": ("broken:x", "import sys; sys.exit(3)", "SystemExit: 3"),
    "number": ("broken:x", "x = 7", "broken:x is neither a Variant, nor several, nor callable"),
    "nothing": ("broken:x", "x = ()", "is neither a Variant"),
    "narrow": ("broken:x", "def x(documents): ...", "is to be called with documents and settings: too many positional"),
    "taken": (
        "broken:x",
        "from memeval.retrieval.recipes import find_variant; x = find_variant('bm25')",
        "there is a variant 'bm25' already",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_package_is_named_where_it_is_asked_for_and_harmless_elsewhere(install, kind):
    """An error for its name; the list and the other variants are as before, with one line on stderr."""
    value, code, reason = BROKEN[kind]
    install("broken", {"theirs": value}, code, version="2.1")
    whole = "the variant theirs of the package broken 2.1 is broken: "
    with pytest.raises(ExternalSystemError) as caught:
        find_variant("theirs")
    assert str(caught.value).startswith(whole)
    assert reason in str(caught.value)
    assert find_variant("bm25").source.startswith("bm25s")
    result = invoke("list", "variants")
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"memeval: warning: {whole}")


def test_of_two_packages_with_one_name_the_first_has_it(install):
    """By the name of the package; the other is told. An unknown name stays unknown."""
    code = "def build(documents, settings):\n    '''Of {}.'''\n"
    for package in ("two", "one"):
        install(package, {"mine": f"{package}:build"}, code.format(package))
    installed = load_installed(())
    assert [(variant.name, variant.source) for variant in installed.variants] == [("mine", "one 1.0")]
    assert [entry.reason for entry in installed.broken] == [
        "mine of the package two 1.0 is broken: there is a variant 'mine' already"
    ]
    with pytest.raises(UnknownNameError):
        find_variant("yours")


@pytest.mark.slow
def test_a_run_over_all_warns_and_a_named_broken_one_is_an_error(
    install, small_suite, no_models, no_pictures, tmp_path
):
    """Exit 2 with one line and no report for the name; for `all` the others are measured."""
    install("broken", {"theirs": "broken:x"}, "raise RuntimeError('no licence')")
    result = invoke("run", small_suite, "-v", "theirs", "-o", tmp_path / "named")
    assert result.exit_code == 2
    assert "the variant theirs of the package broken 1.0 is broken" in result.stderr.splitlines()[-1]
    assert not (tmp_path / "named").exists()
    result = invoke("run", small_suite, "-v", "all", "-o", tmp_path / "all")
    assert "memeval: warning: the variant theirs of the package broken 1.0 is broken: RuntimeError: no licence" in (
        result.stderr.splitlines()
    )
    record = json.loads((tmp_path / "all" / "evaluation.json").read_text(encoding="utf-8"))
    assert "bm25" in [variant["name"] for variant in record["suites"][0]["variants"]]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling, which builds it, is not installed")
def test_the_example_can_be_installed(tmp_path):
    """pip builds and installs it as it is, without the network; its wheel holds the entry points."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-q"]
    source = shutil.copytree(EXAMPLE, tmp_path / "source")
    subprocess.run([*command, "-w", tmp_path, source], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert archive.read(name).decode().splitlines()[0] == f"[{ENTRY_POINT_GROUP}]"
        assert "example_retriever.py" in archive.namelist()
