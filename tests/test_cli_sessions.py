"""`memeval sessions import|report|distill`: what they print, write and refuse."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval import load_suite
from memeval.cli import main

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "sessions" / "data"
DEVLOG = ROOT / "corpora" / "devlog"
BROKEN = (
    '{"event":"search","session":"s","time":"2026-07-03T10:00:00Z","query":"port\u2028clash","shown":["notes/redis.md"]}\n'
    '["x"]\n'
    '{"ts":"2026-07-03T10:00:05Z","tool":"memory_sea'
)


def call(*arguments: object):
    """The result of the command line."""
    return CliRunner().invoke(main, ["sessions", *map(str, arguments)])


@pytest.fixture
def broken(tmp_path) -> Path:
    """One event with a line separator in it, one list, one torn line."""
    path = tmp_path / "s.jsonl"
    path.write_text(BROKEN, encoding="utf-8")
    return path


def test_one_broken_line_costs_one_line(broken):
    """One event, two lines skipped with their numbers; damage in the middle is a warning, a torn end a note."""
    result = call("report", broken, "--json")
    assert result.exit_code == 0
    values = json.loads(result.stdout)
    assert values["events"] == {"search": 1, "read": 0, "write": 0, "turn": 0}
    assert values["recorded_needs"][0]["wordings"][0]["query"] == "port\u2028clash"
    assert result.stderr == (
        f"memeval: warning: {broken}:2: not a JSON object; skipped\n"
        f"memeval: note: {broken}:3: not a line of JSON (the end of the file: a writer was stopped); skipped\n"
    )
    assert values["problems"] == [
        line.split(": ", 2)[2].removesuffix("; skipped") for line in result.stderr.splitlines()
    ]


def test_strict_refuses_damage(broken, tmp_path):
    """It names the first line, exits with 2 and writes nothing."""
    out = tmp_path / "events.jsonl"
    result = call("import", broken, "--strict", "--out", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (f"memeval: {broken}:2: not a JSON object; 2 lines cannot be read, and --strict is given\n")
    assert not out.exists()


def test_events_say_the_same_as_their_recordings(tmp_path):
    """What is imported is reported like the recordings themselves, but for where they came from."""
    out = tmp_path / "events.jsonl"
    result = call("import", DATA / "claude-code", DATA / "codex", "--out", out)
    assert result.exit_code == 0
    first, *left, last = result.stdout.splitlines()
    assert first == "4 recordings: codex 2, claude-code 2"
    assert "  left out: 3 × copy of a line or call that is counted already" in left
    assert last == f"{out}: 10 searches, 5 reads, 2 writes, 7 prompts"
    whole = json.loads(call("report", DATA / "claude-code", DATA / "codex", "--json").stdout)
    again = json.loads(call("report", out, "--json").stdout)
    for key in ("rates", "recorded_needs", "watches", "tools"):
        assert again[key] == whole[key]


def test_the_report_is_for_reading(tmp_path):
    """The projects's own log: what was measured, rates with intervals, the watch, the needs when asked for."""
    result = call("report", DEVLOG / "searchlog.jsonl", "--corpus", DEVLOG, "--needs")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "1 recording (search-log 1), 2026-11-30"
    assert any(line.startswith("first query shares no word with the file finally read") for line in lines)
    assert any(line.startswith("watch of zero-overlap retries: not enough data yet") for line in lines)
    assert sum("searchlog.jsonl:" in line for line in lines) == 30


def test_a_restart_begins_the_watch_anew():
    """A day or a time; anything else is refused."""
    result = call("report", DEVLOG / "searchlog.jsonl", "--restart", "2026-11-30T08:38:00Z", "--json")
    first, second = json.loads(result.stdout)["watches"]
    assert (first["needs"] > 0, second["needs"] > 0) == (True, True)
    assert (
        len(
            json.loads(call("report", DEVLOG / "searchlog.jsonl", "--restart", "2026-11-30", "--json").stdout)[
                "watches"
            ]
        )
        == 1
    )
    result = call("report", DEVLOG / "searchlog.jsonl", "--restart", "soon")
    assert result.exit_code == 2
    assert "'soon' is no time" in result.stderr


def test_the_tolerated_rate_makes_the_design():
    """Another rate, other steps; the spacing stays what it is asked to be."""
    values = json.loads(call("report", DEVLOG / "searchlog.jsonl", "--tolerated", "0.1", "--json").stdout)
    (watch,) = values["watches"]
    assert (watch["tolerated"], watch["alarmed"], watch["up"]) == (0.1, 0.2, 24)
    assert watch["spacing"] >= 2_000


def test_a_folder_of_any_name_can_be_memory(tmp_path):
    """--store says so; without it a grep there is a grep of something else."""
    store = tmp_path / "wissen"
    store.mkdir()
    (store / "redis.md").write_text("6380", encoding="utf-8")
    lines = [
        {"type": "session", "id": "s", "cwd": "/w"},
        {"type": "message", "id": "a", "parentId": None, "message": {"role": "assistant", "content": [
            {"type": "toolCall", "id": "t", "name": "grep", "arguments": {"pattern": "6380", "path": str(store)}}]}},
        {"type": "message", "id": "b", "parentId": "a", "message": {"role": "toolResult", "toolCallId": "t",
            "content": [{"type": "text", "text": f"{store}/redis.md:1:6380"}]}},
    ]  # fmt: skip
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert json.loads(call("report", path, "--json").stdout)["events"]["search"] == 0
    values = json.loads(call("report", path, "--store", store, "--json").stdout)
    assert [wording["shown"] for need in values["recorded_needs"] for wording in need["wordings"]] == [
        [f"{store}/redis.md"]
    ]


def test_recorded_needs_become_a_suite(tmp_path):
    """It loads with the strict loader, every need tagged, none promised; an existing file is kept without --force."""
    out = tmp_path / "devlog.recall.yaml"
    result = call("distill", DEVLOG / "searchlog.jsonl", "--corpus", DEVLOG, "--name", "devlog-recorded", "--out", out)
    assert (result.exit_code, result.stderr) == (0, "")
    suite = load_suite(out)
    assert result.stdout.startswith(f"{out}: {len(suite.needs)} needs, ")
    assert {(need.tags, need.must_find) for need in suite.needs} == {(("recorded",), False)}
    assert call("distill", DEVLOG / "searchlog.jsonl", "--corpus", DEVLOG, "--out", out).exit_code == 2
    assert call("distill", DEVLOG / "searchlog.jsonl", "--corpus", DEVLOG, "--out", out, "--force").exit_code == 0


def test_a_store_that_moved_is_found_again(tmp_path, small_suite):
    """Absolute paths of another machine count where --recorded-at says so."""
    store = small_suite.parents[1] / "store"
    path = tmp_path / "events.jsonl"
    file = "projects/shop-1a2b3c4d/notes/redis-deploy.md"
    lines = [
        {"event": "search", "session": "s", "query": "redis", "shown": [f"/srv/mem/{file}"]},
        {"event": "read", "session": "s", "file": f"/srv/mem/{file}"},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = tmp_path / "moved.recall.yaml"
    result = call("distill", path, "--corpus", store, "--out", out)
    assert result.exit_code == 2
    assert "no recorded need ended in a read of one of its 6 files" in result.stderr
    assert call("distill", path, "--corpus", store, "--recorded-at", "/srv/mem", "--out", out).exit_code == 0
    assert [list(need.expected) for need in load_suite(out).needs] == [[file]]


def test_bad_input_exits_2(tmp_path):
    """Nothing recorded, an unknown reader, a suite of another ending, a project without a corpus."""
    (tmp_path / "empty").mkdir()
    odd = tmp_path / "odd.json"
    shutil.copy(ROOT / "pyproject.toml", odd)
    log = DEVLOG / "searchlog.jsonl"
    for arguments, named in (
        (("report", tmp_path / "empty"), "nothing in it is a recorded session"),
        (("report", odd), "no reader takes it"),
        (("report", log, "--reader", "clod"), "unknown reader 'clod'"),
        (("report", log, "--project", "x"), "picks a project of --corpus"),
        (("report", log, "--minutes", "0"), "--minutes"),
        (("distill", log, "--corpus", DEVLOG, "--out", tmp_path / "x.yaml"), "a suite file ends in .recall.yaml"),
        (("import", log, "--out", tmp_path), "is a directory"),
        (("report",), "PATHS"),
    ):
        result = call(*arguments)
        assert (result.exit_code, result.stdout) == (2, ""), arguments
        assert named in result.stderr
