"""The verbs of aliases: what they print, write, refuse and exit with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.cli import main
from memeval.testbed.aliaspatch import load_patch

PROJECT = "shop-1a2b3c4d"
REDIS = f"projects/{PROJECT}/notes/redis-deploy.md"
LOG = f"""\
{{"event": "search", "session": "s1", "time": "2026-07-03T10:00:05Z", "query": "auth socket", "shown": []}}
{{"event": "search", "session": "s1", "time": "2026-07-03T10:00:25Z", "query": "redis", "shown": ["{REDIS}"]}}
{{"event": "read", "session": "s1", "time": "2026-07-03T10:00:40Z", "file": "{REDIS}"}}
"""
TWO_WRITERS = """\
suite: two
corpus: ../store
needs:
  - id: redis
    expect: [{redis}]
    ask:
      - {{text: cache socket, kind: unseen-words, writer: b}}
      - {{text: which socket, kind: unseen-words, writer: c}}
"""


@pytest.fixture
def cli(monkeypatch, small_suite):
    """Run the command line in the folder that holds store/ and queries/."""
    monkeypatch.chdir(small_suite.parent.parent)
    runner = CliRunner()

    def run(*args: str):
        return runner.invoke(main, [str(arg) for arg in args])

    return run


def accept(path: Path, *aliases: str) -> None:
    """Write `accept: true` at these aliases of a patch."""
    text = path.read_text(encoding="utf-8")
    for alias in aliases:
        before = f"- alias: {alias}\n      accept: null"
        assert before in text
        text = text.replace(before, f"- alias: {alias}\n      accept: true")
    path.write_text(text, encoding="utf-8")


def test_a_log_teaches_a_person_decides_the_store_is_written(cli):
    """From a recording to an alias in the note: nothing is written before it is accepted, and once is enough."""
    Path("log.jsonl").write_text(LOG, encoding="utf-8")
    before = (Path("store") / REDIS).read_text(encoding="utf-8")
    result = cli("aliases", "suggest", "log.jsonl", "--corpus", "store", "--out", "p.yaml")
    assert result.exit_code == 0, result.output
    assert "1 alias proposed for 1 file, learned from 1 need asked in vain" in result.stderr
    assert "memeval aliases apply p.yaml --root store" in result.stdout
    (entry,) = load_patch("p.yaml").entries
    assert (entry.doc_id, entry.alias, entry.accept) == (REDIS, "auth socket", None)
    assert "{need: 's1#1', asked: auth socket, day: '2026-07-03'}" in Path("p.yaml").read_text(encoding="utf-8")

    undecided = cli("aliases", "apply", "p.yaml", "--root", "store")
    assert undecided.exit_code == 0
    assert "nothing is accepted (1 undecided); write `accept: true`" in undecided.stdout
    accept(Path("p.yaml"), "auth socket")
    trial = cli("aliases", "apply", "p.yaml", "--root", "store", "--dry-run")
    assert "1 alias would be added" in trial.stdout
    assert (Path("store") / REDIS).read_text(encoding="utf-8") == before
    applied = cli("aliases", "apply", "p.yaml", "--root", "store")
    assert applied.exit_code == 0, applied.output
    assert "+ auth socket" in applied.stdout
    assert "1 alias added" in applied.stdout
    assert "fitted" not in result.output + applied.output
    assert (Path("store") / REDIS).read_text(encoding="utf-8") == f"{before}aliases: auth socket\n"
    again = cli("aliases", "apply", "p.yaml", "--root", "store")
    assert "auth socket is there already" in again.stdout
    assert "0 aliases added" in again.stdout


def test_a_suite_teaches_offline(cli):
    """Without --out the patch is printed, and nothing else on standard output."""
    result = cli("aliases", "suggest", "queries/shop.recall.yaml", "-v", "article")
    assert result.exit_code == 0, result.output
    Path("p.yaml").write_text(result.stdout, encoding="utf-8")
    kept = cli("aliases", "suggest", "queries/shop.recall.yaml", "-v", "article", "--out", "q.yaml")
    assert "memeval aliases apply q.yaml --root store" in kept.stdout
    assert Path("q.yaml").read_text(encoding="utf-8") == result.stdout
    assert [entry.alias for entry in load_patch("p.yaml").entries] == ["cache container", "start"]


def test_what_a_suite_teaches_is_fitted_to_it(cli):
    """Said where it is proposed, where it is written, and by the ledger of that suite; the honest test is named."""
    result = cli("aliases", "suggest", "queries/shop.recall.yaml", "-v", "article", "--out", "p.yaml")
    assert "fitted to the wordings of the suite shop; a rise on it after they are applied says nothing" in result.stderr
    assert "`memeval aliases learn queries/shop.recall.yaml`" in result.stderr
    accept(Path("p.yaml"), "cache container")
    applied = cli("aliases", "apply", "p.yaml", "--root", "store")
    assert "fitted to the wordings of the suite shop" in applied.stderr
    assert "\nfitted: " in cli("aliases", "ledger", "queries/shop.recall.yaml").stdout


def test_a_variant_that_breaks_teaches_nothing(cli, monkeypatch):
    """What could not be asked was not asked in vain: exit 2, with what broke."""

    def refuse(*_):
        raise ValueError("no index")

    monkeypatch.setattr("memeval.retrieval.engine.EngineRetriever.search", refuse)
    result = cli("aliases", "suggest", "queries/shop.recall.yaml")
    assert result.exit_code == 2
    assert "memeval cannot say what is asked in vain; redis-port[0]: ValueError: no index" in result.stderr


def test_what_cannot_be_meant_is_refused(cli):
    """A missing store, one that the suite names itself, several suites, a patch that would be overwritten."""
    Path("log.jsonl").write_text(LOG, encoding="utf-8")
    suite = "queries/shop.recall.yaml"
    for arguments, said in (
        (["log.jsonl"], "--corpus is missing"),
        ([suite, "--corpus", "store"], "names its own store"),
        ([suite, "log.jsonl"], "by itself"),
        ([suite, "--out", "log.jsonl"], "--force"),
    ):
        result = cli("aliases", "suggest", *arguments)
        assert result.exit_code == 2
        assert said in result.output
    assert cli("aliases", "ledger", suite, "-v", "memeval+aliases").exit_code == 2


def test_nonsense_in_a_patch_is_told_with_its_line(cli):
    """Exit 2, `path:line`, and the store is as it was."""
    Path("p.yaml").write_text(f"patch: aliases\nfiles:\n  {REDIS}:\n    - {{alias: x, accept: maybe}}\n")
    result = cli("aliases", "apply", "p.yaml", "--root", "store")
    assert result.exit_code == 2
    assert "p.yaml:4: accept is maybe" in result.output


def test_the_ledger_is_printed_and_kept_as_json(cli):
    """The same figures in both, each alias with its standing; the same bytes each time."""
    (Path("store") / "aliases.yaml").write_text(f"{REDIS}: [cache container, zebra]\n", encoding="utf-8")
    suite = "queries/shop.recall.yaml"
    printed = cli("aliases", "ledger", suite)
    assert printed.exit_code == 0, printed.output
    assert printed.stdout.startswith("shop · variant memeval · 2 aliases of 1 file · 7 wordings")
    text = cli("aliases", "ledger", suite, "--json", "-").stdout
    (ledger,) = json.loads(text)["ledgers"]
    assert [(entry["alias"], entry["standing"]) for entry in ledger["entries"]] == [
        ("cache container", "gains"),
        ("zebra", "unasked"),
    ]
    assert cli("aliases", "ledger", suite, "--json", "l.json").exit_code == 0
    assert Path("l.json").read_text(encoding="utf-8") == text


def test_the_trial_exits_by_what_is_demanded(cli, monkeypatch):
    """0 where all that is within reach is found, 1 where less is, 2 where nothing can be tried."""
    Path("queries/two.recall.yaml").write_text(TWO_WRITERS.format(redis=REDIS), encoding="utf-8")
    result = cli("aliases", "learn", "queries/two.recall.yaml")
    assert result.exit_code == 0, result.output
    assert "2 of 2 misses, 100 %" in result.stdout
    (trial,) = json.loads(cli("aliases", "learn", "queries/two.recall.yaml", "--json", "-").stdout)["trials"]
    assert trial["reached"]["count"] == 2
    assert trial["failures"] == []
    monkeypatch.setattr("memeval.bench.aliastrial.TARGET_SHARE", 1.1)
    assert cli("aliases", "learn", "queries/two.recall.yaml").exit_code == 1
    assert cli("aliases", "learn", "queries/shop.recall.yaml").exit_code == 2


def test_paraphrase_groups_are_tried_over_a_corpus(cli):
    """Each place in a group stands for a writer; the groups and their corpus belong together."""
    groups = {"queries": ["cache socket", "which socket"], "expected": [REDIS]}
    Path("pairs.jsonl").write_text(json.dumps(groups) + "\n", encoding="utf-8")
    result = cli("aliases", "learn", "pairs.jsonl", "--corpus", "store")
    assert result.exit_code == 0, result.output
    assert "1 need with paraphrases, by place" in result.stdout
    assert "2 of 2 misses, 100 %" in result.stdout
    assert cli("aliases", "learn", "pairs.jsonl").exit_code == 2
    assert cli("aliases", "learn", "queries/shop.recall.yaml", "--corpus", "store").exit_code == 2


@pytest.mark.parametrize("verb", ["suggest", "ledger", "learn"])
@pytest.mark.parametrize("variant", ["memeval+hybrid", "memeval+minilm", "memeval+rerank"])
def test_variants_with_a_model_are_refused_with_the_reason(cli, verb, variant):
    """Before anything is asked: near to an alias is everything, in a search by meaning."""
    result = cli("aliases", verb, "queries/shop.recall.yaml", "-v", variant)
    assert result.exit_code == 2
    assert f"--variant {variant} needs a model, and none is given here: aliases are words" in result.stderr
    assert result.stdout == ""
