"""The command line's lists."""

from __future__ import annotations

from click.testing import CliRunner

from memeval.cli import main
from memeval.retrieval.recipes import VARIANTS


def read_list(*arguments):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_every_variant_is_listed_in_one_line_with_its_source():
    """In the order of the registry; the short form says the same."""
    lines = read_list("list", "variants")
    assert [line.split()[0] for line in lines] == [variant.name for variant in VARIANTS]
    for line, variant in zip(lines, VARIANTS, strict=True):
        assert line.endswith(f"{variant.description} ({variant.source})")
    assert read_list("variants") == lines


def test_what_needs_an_embedder_is_marked():
    """So are defaults and controls; a variant without a mark can be run and is not run unasked."""
    marks = {line.split()[0]: line.split()[1] for line in read_list("list", "variants")}
    assert marks["memsearch"] == marks["opencode-journal"] == "embedder"
    assert marks["bm25"] == "default"
    assert marks["random"] == "control"
    assert marks["claude-grep"] not in {"embedder", "default", "control"}
