"""The verbs that say whether plain text is still enough: what they print, write and exit with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.cli import main
from tests.embedding.tinymodel import write_model


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


def test_retries_with_a_model(cli, no_models):
    """A variant with an embedding model whose model is not to be had is an error before anything is asked."""
    result = cli("retries", "-v", "memeval+hybrid")
    assert result.exit_code == 2
    assert "no model multilingual-e5-small here" in result.stderr


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
    for options in ((), ("--corpus", "store"), ("queries",)):
        absent = cli("retries", "nofile.jsonl", *options)
        assert absent.exit_code == 2
        assert "nofile.jsonl: does not exist" in absent.output
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


def write_suite(needs: int, *, missed: int = 0, name: str = "many") -> Path:
    """A suite of so many needs over a store of their notes; the first of them ask with words that stand nowhere."""
    store = Path(name)
    store.mkdir()
    lines = [f"suite: {name}", f"corpus: {name}", "lang: en", "needs:"]
    for number in range(needs):
        (store / f"note-{number:03d}.md").write_text(f"# Note\nkettle{number:03d} boils\n", encoding="utf-8")
        word = f"missing{number:03d}" if number < missed else f"kettle{number:03d}"
        lines += [
            f"  - id: need-{number:03d}",
            f"    expect: [note-{number:03d}.md]",
            f"    ask: [{{text: {word}, elicited: free}}]",
        ]
    path = Path(f"{name}.recall.yaml")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_signals_exit_with_0_1_and_2(cli):
    """Quiet is 0, firing without a cure 1, too few needs 2; each says its verdict."""
    quiet = cli("signals", write_suite(45), "-v", "article")
    assert quiet.exit_code == 0, quiet.output
    assert quiet.stdout.splitlines()[0] == "many · 45 files · variant article · en 45 needs"
    assert "verdict en: stay" in quiet.stdout
    firing = cli("signals", write_suite(45, missed=20, name="lost"), "-v", "article")
    assert firing.exit_code == 1
    assert "FIRING" in firing.stdout
    assert "verdict en: NEITHER" in firing.stdout
    few = cli("signals", write_suite(5, name="few"), "-v", "article")
    assert few.exit_code == 2
    assert "insufficient data: 40 more needs would do" in few.stdout


def test_signals_as_json_hold_the_exit_code_and_the_needs(cli):
    """Machines read the verdict, and every figure leads to its needs; only timings differ between two runs."""
    path = write_suite(45, missed=20)
    result = cli("signals", path, "-v", "article", "--json", "-")
    data = json.loads(result.stdout)
    (verdict,) = data["signals"]
    assert (data["exit_code"], result.exit_code, verdict["decision"]) == (1, 1, "neither")
    assert verdict["not_matched"]["needs"] == [f"need-{number:03d}" for number in range(20)]
    assert {one["variant"]: one["not_run"] for one in verdict["stages"]}["article+aliases"] is not None
    again = json.loads(cli("signals", path, "-v", "article", "--json", "-").stdout)
    assert {key: data[key] for key in data if key != "timings"} == {
        key: again[key] for key in again if key != "timings"
    }


def test_signals_write_a_report(cli):
    """`--out` keeps the evaluation with its verdicts and a page that shows them."""
    result = cli("signals", write_suite(45), "-v", "article", "--out", "s")
    assert result.exit_code == 0, result.output
    assert "## Signals" in Path("s/report.md").read_text(encoding="utf-8")
    assert cli("report", "s/evaluation.json", "--out", "again").exit_code == 0
    assert Path("again/report.md").read_bytes() == Path("s/report.md").read_bytes()


def test_a_project_sets_the_threshold_and_the_variants(cli):
    """`[tool.memeval.signals]` of the nearest pyproject.toml; an unknown key is refused with its place."""
    path = write_suite(60, missed=6)
    Path("pyproject.toml").write_text(
        '[tool.memeval.signals]\nthreshold = 0.04\nvariants = ["current"]\n', encoding="utf-8"
    )
    strict = cli("signals", path)
    assert strict.exit_code == 2, "with a threshold of 4 % sixty needs are too few"
    assert "variant current" in strict.stdout
    assert "threshold 4 %" in strict.stdout
    Path("pyproject.toml").write_text("[tool.memeval.signals]\ntreshold = 0.04\n", encoding="utf-8")
    refused = cli("signals", path)
    assert refused.exit_code == 2
    assert "[tool.memeval.signals]: 'treshold' is no setting" in refused.output
    assert "Did you mean 'threshold'?" in refused.output
    Path("pyproject.toml").write_text("[tool.memeval]\nsignals = 3\n", encoding="utf-8")
    assert "a table of settings is needed" in cli("signals", path).output
    Path("pyproject.toml").write_text("[tool.memeval\n", encoding="utf-8")
    assert "is no TOML" in cli("signals", path).output
    Path("pyproject.toml").write_text("[tool.other]\nx = 1\n", encoding="utf-8")
    assert cli("signals", path, "-v", "article").exit_code == 0


def test_recorded_sessions_are_asked_again(cli):
    """Events in the neutral form over the same store: three triggers in a row are enough evidence."""
    path = write_suite(45)
    lines = []
    for number in range(50):
        word = f"missing{number:03d}" if number < 3 else f"kettle{number:03d}"
        common = {"session": f"s{number:03d}"}
        time = f"2026-07-01T{8 + number // 12:02d}:{number % 12 * 5:02d}"
        shown = [f"note-{number % 45:03d}.md"]
        lines += [
            {**common, "event": "search", "time": f"{time}:00Z", "query": word, "shown": []},
            {
                **common,
                "event": "search",
                "time": f"{time}:20Z",
                "query": f"{word} kettle{number % 45:03d}",
                "shown": shown,
            },
            {**common, "event": "read", "time": f"{time}:40Z", "file": shown[0]},
        ]
    Path("events.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    result = cli("signals", path, "-v", "article", "--sessions", "events.jsonl", "--json", "-")
    written, recorded = json.loads(result.stdout)["signals"]
    assert result.exit_code == 1
    assert (recorded["n"], recorded["fired_at"], recorded["decides"]) == (50, 3, True)
    assert (written["decides"], written["decision"]) == (False, "stay")
    assert "many: 50 recorded needs asked again" in result.stderr
    idle = cli("signals", path, "--recorded-at", "/elsewhere")
    assert idle.exit_code == 2
    assert "--sessions" in idle.output


def test_the_model_of_stage_2_is_named(cli, no_models):
    """One that is not to be had, and an option that would do nothing, are refused before anything is asked."""
    result = cli("signals", "-v", "article", "--embedder", "multilingual-e5-small")
    assert result.exit_code == 2
    assert "no model multilingual-e5-small here" in result.stderr
    idle = cli("signals", "-v", "article", "--download")
    assert idle.exit_code == 2
    assert "--download changes nothing: none of the variants has an embedding model" in idle.stderr


def test_stage_2_is_run_with_the_model_that_is_named(monkeypatch, tmp_path):
    """A store that fires gets the hybrid step measured, with the weights it was measured with."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    (tmp_path / "store" / "notes").mkdir(parents=True)
    needs = []
    for number in range(60):
        name = f"notes/n{number}.md"
        (tmp_path / "store" / name).write_text(f"# Fact {number}\n\nword{number}x stands here\n", encoding="utf-8")
        needs.append(f"  - {{id: need-{number}, expect: [{name}], ask: [elsewhere{number}y]}}\n")
    (tmp_path / "lost.recall.yaml").write_text(
        f"suite: lost\ncorpus: store\nlang: en\nneeds:\n{''.join(needs)}", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    folder = write_model(tmp_path / "tiny")
    arguments = ("signals", "lost.recall.yaml", "-v", "memeval", "--embedder", str(folder), "--json", "-")
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    (verdict,) = json.loads(result.stdout)["signals"]
    (step,) = (one for one in verdict["stages"] if one["variant"] == "memeval+hybrid")
    assert (verdict["state"], step["stage"], step["not_run"], step["refused"]) == ("firing", 2, None, None)
    assert step["model"].startswith("tiny graph:")


@pytest.mark.slow
def test_a_model_that_nothing_calls_for_is_told(cli, tmp_path):
    """Where no trigger fires, stderr says that the model of --embedder was not asked; where one does, or a variant
    under test takes the model, it is silent."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    folder = write_model(tmp_path / "tiny")
    note = f"memeval: note: --embedder {folder} was not asked: a model is asked where a trigger fires, and none does\n"
    quiet = write_suite(45)
    lost = write_suite(45, missed=45, name="lost")
    assert note in cli("signals", quiet, "-v", "article", "--embedder", folder).stderr
    assert "was not asked" not in cli("signals", quiet, "-v", "article").stderr
    assert "was not asked" not in cli("signals", quiet, "-v", "memeval+hybrid", "--embedder", folder).stderr
    assert "was not asked" not in cli("signals", lost, "-v", "article", "--embedder", folder).stderr


@pytest.mark.slow
def test_the_bundled_chinese_needs_end_in_stage_0():
    """The article profile fires on zh, the engine's own cures it, and says at which mix it would fire itself."""
    from memeval.bench.signals import measure_signals
    from memeval.bench.suite import bundled_folder, load_suite
    from memeval.report.signaltext import render_signals
    from memeval.retrieval.recipes import find_variant

    suite = load_suite(bundled_folder() / "ops-zh.recall.yaml")
    evaluation = measure_signals([suite], [find_variant("article")])
    (verdict,) = evaluation.signals
    assert (verdict.state, verdict.decision, verdict.chosen) == ("firing", "stage 0", "memeval")
    cure = next(one for one in verdict.stages if one.variant == "memeval")
    assert cure.state == "quiet"
    assert cure.mix.break_even > 0
    text = render_signals(evaluation)
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    shown = readme.split("<!-- signals -->\n")[1].split("<!-- /signals -->")[0]
    assert {line.removeprefix("    ") for line in shown.splitlines()} <= set(text.splitlines()), "the README says so"
    assert 'STAGE 0, take the profile "memeval"' in text
    assert "under it the trigger is quiet" in text
