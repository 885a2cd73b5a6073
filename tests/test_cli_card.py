"""`memeval corpus card`: what it prints, writes and refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.cli import main


def call(*arguments: object):
    """The result of the command line."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def store(small_suite, monkeypatch) -> Path:
    """The corpus of the small suite, whose name is that of the suite file, seen from the folder above."""
    root = small_suite.parents[1] / "shop"
    (small_suite.parents[1] / "store").rename(root)
    text = small_suite.read_text(encoding="utf-8").replace("corpus: ../store", "corpus: ../shop")
    small_suite.write_text(text, encoding="utf-8")
    (root / "corpus.yaml").write_text("name: shop\n", encoding="utf-8")
    monkeypatch.chdir(small_suite.parents[1])
    return root


def test_the_suite_of_the_corpus_is_found_by_its_name(store):
    """Printed, not written; the suite below queries/ that has the folder's name is counted."""
    result = call("corpus", "card", "shop")
    assert result.exit_code == 0
    assert result.stdout.startswith("<!-- corpus card: ")
    assert "| needs | 4 |" in result.stdout
    assert result.stderr == ""
    assert not (store / "README.md").exists()


def test_written_cards_are_named(store):
    """--write saves what would have been printed and says where; a second time nothing changes."""
    printed = call("corpus", "card", "shop").stdout
    for _ in range(2):
        result = call("corpus", "card", "shop", "--write")
        assert (result.exit_code, result.stdout) == (0, f"{Path('shop') / 'README.md'}\n")
        assert (store / "README.md").read_text(encoding="utf-8") == printed


def test_a_missing_suite_is_told(store, small_suite):
    """A card without needs comes with a line on stderr; --suite names one of another name."""
    other = small_suite.rename(small_suite.with_name("other.recall.yaml"))
    result = call("corpus", "card", "shop")
    assert (result.exit_code, "No suite asks this corpus." in result.stdout) == (0, True)
    assert result.stderr == "shop: no suite below queries/ has its name and asks it; name one with --suite\n"
    assert "| needs | 4 |" in call("corpus", "card", "shop", "--suite", other).stdout


def test_bad_input_exits_2(store, small_suite, tmp_path):
    """No corpus.yaml, a suite on another corpus, and a README that belongs to the store."""
    (tmp_path / "empty").mkdir()
    assert call("corpus", "card", "empty").exit_code == 2
    assert call("corpus", "card").exit_code == 2
    (tmp_path / "twin").mkdir()
    for name in ("corpus.yaml", "MEMORY.md"):
        (tmp_path / "twin" / name).write_bytes((store / name).read_bytes())
    result = call("corpus", "card", "twin", "--suite", small_suite)
    assert (result.exit_code, "is no corpus of this card" in result.stderr) == (2, True)
    (store / "README.md").write_text("mine", encoding="utf-8")
    assert call("corpus", "card", "shop", "--write").exit_code == 2
    assert (store / "README.md").read_text(encoding="utf-8") == "mine"
