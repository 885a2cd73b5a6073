"""`pytest --memeval-baseline`: what was found before and is lost fails, what was missed before stays expected."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import memeval
from memeval import pytest_plugin

ARTICLE = "memeval_variants = article\nmemeval_gate_variants = article\n"


@pytest.fixture(scope="module", autouse=True)
def all_is_loaded():
    """Whatever a run loads is loaded before: pytester forgets what comes while it is up, and numpy loads only once."""
    for name in ("cli_server", "pytest_baseline", "pytest_summary", "report"):
        import_module(f"memeval.{name}")
    memeval.evaluate(Path(__file__).parents[1] / "queries" / "stories" / "port-conflict.recall.yaml", ["article"])


@pytest.fixture
def project(pytester, small_suite, monkeypatch):
    """A project whose baseline was saved before its suite or engine changed; run with options and ini lines."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    root = small_suite.parent.parent
    monkeypatch.chdir(root)
    (root / "saved.json").write_text(memeval.evaluate(small_suite, ["article", "grep"]).to_json(), encoding="utf-8")

    def run(*options: str, ini: str = ARTICLE, address: str = "saved.json", process: bool = False):
        (root / "pytest.ini").write_text("[pytest]\n" + ini, encoding="utf-8")
        given = ("queries", "--memeval-baseline", address, *options)
        if process:
            return pytester.runpytest_subprocess("-p", "memeval.pytest_plugin", *given)
        return pytester.runpytest_inprocess(*given, plugins=[pytest_plugin])

    return run


def blind(monkeypatch, text: str):
    """Make the retriever of `article` find nothing for one wording."""
    from memeval.bench.run import SuiteRunner
    from memeval.retrieval.base import Answer

    build = SuiteRunner._build

    def build_blind(self):
        retriever = build(self)

        class Blind:
            def search(self, query):
                return Answer(hits=(), blocks=(), text="") if query == text else retriever.search(query)

        return Blind()

    monkeypatch.setattr(SuiteRunner, "_build", build_blind)


def test_nothing_lost_is_green(project):
    """Misses that the baseline knows are expected failures that say so."""
    result = project("-rx")
    result.assert_outcomes(passed=4, xfailed=3)
    result.stdout.fnmatch_lines(
        ["against saved.json: no need lost, none newly found", "XFAIL *known: *saved.json misses it, too*"]
    )
    assert result.ret == 0


def test_a_lost_need_fails_with_its_rank(project, monkeypatch):
    """Without must_find, too: the baseline is the promise; the summary names the need and the metrics."""
    blind(monkeypatch, "naming")
    result = project()
    result.assert_outcomes(failed=1, passed=3, xfailed=3)
    result.stdout.fnmatch_lines(
        [
            "lost: 'naming' [[]article[]] by found, success@5; saved.json had it",
            "*naming-rules[[]0[]]: the best expected file stood at rank 1, now no rank",
            "  against saved.json: 1 need lost (naming-rules by found, success@5), 0 needs newly found",
            "FAILED *::naming-rules[[]0-article[]]*",
        ]
    )


def test_other_variants_inform(project, monkeypatch):
    """Where a variant is under test, a loss of another is an expected failure that is told of; else each counts."""
    blind(monkeypatch, "naming")
    result = project("--memeval-variant", "grep")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*against saved.json: 1 need lost (naming-rules by*"])
    assert project(ini="memeval_variants = grep\n").ret == 1


def test_a_newly_found_need_is_a_note(project, small_suite):
    """It passes, and is named."""
    with pytest.MonkeyPatch.context() as earlier:
        blind(earlier, "naming")
        saved = memeval.evaluate(small_suite, ["article"])
    Path("saved.json").write_text(saved.to_json(), encoding="utf-8")
    result = project()
    result.assert_outcomes(passed=4, xfailed=3)
    result.stdout.fnmatch_lines(
        ["  against saved.json: 0 needs lost, 1 need newly found (naming-rules by found, success@5)"]
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("    ask: [naming]\n", "    ask: [names]\n", "wording naming-rules[0]: 'naming'"),
        ("    must_find: true\n", "", "promise redis-port:"),
        ("ask: [holiday allowance, vacation Tuesdays]", "ask: [holiday allowance]", "wording vacation-days[1]:"),
    ],
)
def test_what_is_no_longer_asked_is_an_error(project, small_suite, old, new, told):
    """To delete a failing query turns nothing green; --memeval-allow takes it on purpose."""
    text = small_suite.read_text(encoding="utf-8")
    assert old in text
    small_suite.write_text(text.replace(old, new), encoding="utf-8")
    result = project()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*{told.replace('[', '[[]')}*"])
    kind, name = told.partition(":")[0].split(" ")
    assert project("--memeval-allow", f"{kind}:{name}").ret == 0


def test_what_cannot_be_compared_is_an_error(project, small_suite):
    """Another store under the same needs, and an address that means nothing."""
    project(address="nowhere").assert_outcomes(errors=1)
    (small_suite.parent.parent / "store" / "MEMORY.md").write_text("# Other rules\n", encoding="utf-8")
    result = project()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*the corpus is another one*make the baseline anew in the same commit*baseline bless --why*"]
    )


@pytest.mark.parametrize("allowed", ["naming-rules", "need:", "suite:shop", "needs:naming-rules"])
def test_what_may_vanish_has_a_kind_and_a_name(project, allowed):
    """Anything else would allow nothing, without a word; the message says what can be written."""
    result = project("--memeval-allow", allowed)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [f"*--memeval-allow {allowed}: write one of need, wording, promise, a colon and a name*"]
    )


def test_new_needs_are_not_compared(project, small_suite):
    """A need that the baseline does not know is judged as without one."""
    with small_suite.open("a", encoding="utf-8") as file:
        file.write("  - id: new-need\n    expect: [MEMORY.md]\n    ask: [nothing that stands there]\n")
    result = project("-k", "new-need")
    result.assert_outcomes(xfailed=1, deselected=7)


def test_a_build_server_gets_a_table(project, monkeypatch, tmp_path):
    """Markdown with a row for each suite and variant, the lost needs in it."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    blind(monkeypatch, "naming")
    project()
    rows = (tmp_path / "summary.md").read_text(encoding="utf-8").splitlines()
    assert rows[4].startswith("| shop | article | 3 of 7 | 4 | 0 | 0 | naming-rules by found, success@5 |")


@pytest.mark.slow
def test_workers_tell_one_summary(project):
    """Under xdist the summary is that of one process."""
    alone = project(process=True)
    shared = project("-n", "2", "-p", "xdist", process=True)
    told = [[line for line in run.outlines if line.startswith(("shop · ", "against "))] for run in (alone, shared)]
    assert told[0] == told[1]
    assert len(told[0]) == 2
    assert Path("saved.json").is_file()


def test_what_was_not_compared_is_named(project, small_suite):
    """A renamed suite and a variant the baseline has not are no success against it."""
    text = small_suite.read_text(encoding="utf-8")
    small_suite.write_text(text.replace("suite: shop", "suite: store"), encoding="utf-8")
    result = project("--memeval-variant", "article")
    result.stdout.fnmatch_lines(["not in saved.json, so not compared: store · article"])
    result.stdout.no_fnmatch_line("*no need lost*")
