"""The command line's lists."""

from __future__ import annotations

from click.testing import CliRunner

from memeval.cli import main
from memeval.retrieval.recipes import VARIANTS, look_beside


def read_list(*arguments):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_every_variant_is_listed_in_one_line_with_its_source():
    """In the order of the registry; the short form says the same."""
    lines = read_list("list", "variants")
    beside = look_beside()
    names = [variant.name for variant in (*VARIANTS, *beside.variants, *(variant for variant, _ in beside.lacking))]
    assert [line.split()[0] for line in lines] == names
    for line, variant in zip(lines, VARIANTS, strict=False):
        assert line.endswith(f"{variant.description} ({variant.source})")
    assert read_list("variants") == lines


def test_what_needs_an_embedder_is_marked():
    """So are defaults and controls; a variant without a mark can be run and is not run unasked."""
    marks = {line.split()[0]: line.split()[1] for line in read_list("list", "variants")}
    assert marks["memsearch"] == marks["opencode-journal"] == "embedder"
    assert marks["memeval+rerank"] == "reranker"
    assert marks["bm25"] == "default"
    assert marks["random"] == "control"
    assert marks["claude-grep"] not in {"embedder", "default", "control"}


def test_a_system_that_is_not_installed_is_listed_with_how_to_get_it(monkeypatch):
    """Its line says so; where it is installed, it is a variant like any other."""
    monkeypatch.setattr("memeval.retrieval.external.ripgrep.shutil.which", lambda _: None)
    (line,) = (line for line in read_list("list", "variants") if line.startswith("ripgrep "))
    assert line.split()[1] == "absent"
    assert "; there is no program rg: https://" in line
    monkeypatch.setattr("memeval.retrieval.external.ripgrep.shutil.which", lambda _: "/bin/rg")
    (line,) = (line for line in read_list("list", "variants") if line.startswith("ripgrep "))
    assert "absent" not in line
