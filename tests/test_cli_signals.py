"""The verbs that say whether plain text is still enough: what they print, write and exit with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.cli import main


@pytest.fixture
def cli(monkeypatch, small_suite, no_pictures):
    """Run the command line in the folder that holds store/ and queries/."""
    monkeypatch.chdir(small_suite.parent.parent)
    runner = CliRunner()

    def run(*args: str):
        return runner.invoke(main, [str(arg) for arg in args], catch_exceptions=False)

    return run


def test_retries_tell_what_was_measured_on_what(cli):
    """One block a suite, its first line the question; exit 0 whatever the quality."""
    result = cli("retries", "-v", "article", "-v", "bm25")
    assert result.exit_code == 0, result.output
    first = result.stdout.splitlines()[0]
    assert first.startswith("shop · 6 files · 3 needs that can be found · wordings as given · an agent stops")
    assert "article: left out: 1 need with nothing stored" in result.output


def test_retries_as_json_name_the_needs(cli):
    """Every share lists the needs it counts, and the same run gives the same bytes."""
    text = cli("retries", "-v", "article", "--json", "-").stdout
    data = json.loads(text)
    (one,) = data["retries"]
    whole = one["groups"][0]
    assert (one["variant"], whole["label"], whole["needs"]) == ("article", "all", 3)
    assert whole["never_found"]["count"] == len(whole["never_found"]["needs"])
    assert whole["never_found"]["value"] == whole["never_found"]["count"] / 3
    assert cli("retries", "-v", "article", "--json", "-").stdout == text
    assert cli("retries", "-v", "article", "--json", "r.json").exit_code == 0
    assert Path("r.json").read_text(encoding="utf-8") == text


def test_an_agent_that_reads_files_in_order(cli):
    """`--read` changes the question, and says so."""
    assert "an agent reads the first file shown" in cli("retries", "-v", "article", "--read", "1").stdout
    assert "an agent reads the first 3 shown" in cli("retries", "-v", "article", "--read", "3").stdout


def test_retries_over_paraphrase_groups(cli):
    """Groups are asked over the corpus that is named for them; without one they cannot be."""
    Path("pairs.jsonl").write_text(
        json.dumps(
            {"queries": ["redis port", "host 6380"], "expected": ["projects/shop-1a2b3c4d/notes/redis-deploy.md"]}
        ),
        encoding="utf-8",
    )
    result = cli("retries", "pairs.jsonl", "--corpus", "store", "-v", "article")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("pairs · 6 files · 1 need that can be found")
    refused = cli("retries", "pairs.jsonl", "-v", "article")
    assert refused.exit_code == 2
    assert "--corpus" in refused.output
    idle = cli("retries", "queries", "--corpus", "store")
    assert idle.exit_code == 2
    assert "leave it out" in idle.output


def test_retries_that_cannot_be_graded_exit_with_2(cli, monkeypatch):
    """A variant that breaks is the harness's trouble."""
    from memeval.retrieval.base import Variant

    def break_down(documents, settings):
        raise RuntimeError("no index")

    broken = Variant(name="article", description="", source="", build=break_down)
    monkeypatch.setattr("memeval.retrieval.recipes.VARIANTS", (broken,))
    result = cli("retries", "-v", "article")
    assert result.exit_code == 2
    assert "no need that could be found" in result.output
    assert "ungradable" in result.output
