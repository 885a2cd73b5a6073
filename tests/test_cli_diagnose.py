"""`memeval diagnose`: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from memeval.cli import main


@pytest.fixture
def run(small_suite):
    """Run the verb on the small suite."""

    def invoke(*arguments):
        return CliRunner().invoke(main, ["diagnose", str(small_suite), *arguments])

    return invoke


def test_misses_are_told_and_the_exit_is_clean(run):
    """However much is missed, it is 0: a diagnosis is no gate."""
    result = run("--variant", "article")
    assert result.exit_code == 0, result.output
    assert "shop · article: 2 misses of 5 wordings" in result.stdout
    assert "cure:  write the query with spaces: “監控 設定”" in result.stdout
    assert "class           " in result.stdout


def test_needs_can_be_named(run):
    """Only their wordings are asked."""
    result = run("monitoring", "-v", "article")
    assert result.stdout.startswith("shop · article: 1 miss of 2 wordings")
    assert "redis-port" not in result.stdout


def test_json_holds_every_trial(run, tmp_path):
    """As a file beside the text, or on standard output instead of it; both are the same."""
    target = tmp_path / "why.json"
    assert run("-v", "article", "--json", str(target)).exit_code == 0
    printed = run("-v", "article", "--json", "-")
    assert json.loads(printed.stdout) == json.loads(target.read_text(encoding="utf-8"))
    (one,) = json.loads(printed.stdout)["diagnoses"]
    assert (one["suite"], one["variant"], one["wordings"], len(one["misses"])) == ("shop", "article", 5, 2)
    assert one["classes"] == {"CJK segmentation": 1, "vocabulary gap": 1}
    trial = next(trial for trial in one["misses"][1]["trials"] if trial["name"] == "with spaces")
    assert (trial["outcome"], trial["before"], trial["after"]) == ("cures", None, 1)


def test_the_first_k_can_be_asked_for(run):
    """A file that is shown, but not among the first, is a miss then."""
    plain = run("redis-port", "-v", "article")
    first = run("redis-port", "-v", "article", "--k", "1")
    assert len(first.stdout) >= len(plain.stdout)
    assert first.exit_code == 0


def test_a_variant_that_breaks_ends_with_2(run, monkeypatch):
    """As in a run: nothing can be said of its wordings, and it is built once alone."""
    from memeval.retrieval.base import Variant

    built = []

    def break_down(documents, settings):
        built.append(settings)
        raise RuntimeError("no index")

    broken = Variant(name="article", description="", source="", build=break_down)
    monkeypatch.setattr("memeval.retrieval.recipes.VARIANTS", (broken,))
    result = run("--variant", "article", "--json", "-")
    assert result.exit_code == 2
    assert result.stderr.endswith("memeval: some wordings are ungradable; exit 2\n")
    (one,) = json.loads(result.stdout)["diagnoses"]
    assert one["misses"] == []
    assert [each["id"] for each in one["ungraded"]][:2] == ["redis-port[0]", "redis-port[1]"]
    assert {each["reason"] for each in one["ungraded"]} == {"cannot be built: RuntimeError: no index"}
    assert len(built) == 1
    text = run("--variant", "article").stdout
    assert text.startswith("shop · article: 0 misses of 5 wordings, 5 ungradable\n\nungradable: redis-port[0], ")


def test_a_file_that_cannot_be_read_ends_with_2(run, small_suite):
    """A run cannot grade its needs; the cure is told all the same, and other needs are diagnosed."""
    note = small_suite.parent.parent / "store" / "projects" / "shop-1a2b3c4d" / "notes" / "redis-deploy.md"
    note.write_bytes(b"caf\xe9")
    result = run("--variant", "article")
    assert result.exit_code == 2
    assert "class: unreadable file" in result.stdout
    assert "class: CJK segmentation" in result.stdout
    assert "ungradable: redis-port[0], redis-port[1]: cannot read what answers it: " in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["redis-prot"], "Did you mean 'redis-port'?"),
        (["--variant", "nope"], "unknown variant 'nope'"),
        (["--k", "0"], "--k"),
        (["--split", "test"], "--split"),
    ],
)
def test_unusable_input_ends_with_2(run, arguments, message):
    """A need, variant or option that there is not; nothing is printed."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_two_suites_of_one_name_end_with_2(small_suite):
    """Their misses could not be told apart, as in a run; both files are named."""
    (small_suite.parent / "again.recall.yaml").write_text(small_suite.read_text(encoding="utf-8"), encoding="utf-8")
    result = CliRunner().invoke(main, ["diagnose", str(small_suite.parent)])
    assert result.exit_code == 2
    assert "the suite is called 'shop', as " in result.stderr
    assert result.stderr.count(".recall.yaml") == 2


def test_a_suite_that_is_not_there_ends_with_2(tmp_path):
    """The message names the path."""
    result = CliRunner().invoke(main, ["diagnose", str(tmp_path / "gone.recall.yaml")])
    assert result.exit_code == 2
    assert "gone.recall.yaml" in result.stderr
