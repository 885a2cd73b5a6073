"""The plugin as a project meets it: collection, selection, gate, expected failures, errors, fixtures, xdist."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest

import memeval
from memeval import pytest_plugin
from memeval.bench.gate import find_losses
from memeval.retrieval import recipes
from memeval.retrieval.base import Answer, Variant
from tests.embedding.tinymodel import write_model

GATED = "memeval_variants = article grep\nmemeval_gate_variants = article\n"
GREP_GATED = "memeval_variants = grep\nmemeval_gate_variants = grep\n"


@pytest.fixture(scope="module", autouse=True)
def all_is_loaded():
    """Whatever a run loads is loaded before: pytester forgets what comes while it is up, and numpy loads only once."""
    for name in ("cli_server", "embedding.sources", "pytest_baseline", "pytest_models", "pytest_summary", "report"):
        import_module(f"memeval.{name}")
    memeval.evaluate(Path(__file__).parents[1] / "queries" / "stories" / "port-conflict.recall.yaml", ["all"])


@pytest.fixture
def run_here(pytester, monkeypatch):
    """pytest in this process, with this plugin alone: no other one that is installed takes part, or time."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run(*options: str):
        return pytester.runpytest_inprocess(*options, plugins=[pytest_plugin])

    return run


@pytest.fixture
def project(pytester, run_here, small_suite, monkeypatch):
    """A project with store/ and queries/shop.recall.yaml, run with the given ini lines, options and node ids.

    In this process; `process=True` is for what needs processes of its own.
    """
    root = small_suite.parent.parent
    monkeypatch.chdir(root)

    def run(*options: str, ini: str = GATED, process: bool = False):
        (root / "pytest.ini").write_text("[pytest]\n" + ini, encoding="utf-8")
        given = options if any("::" in option for option in options) else ("queries", *options)
        if process:
            return pytester.runpytest_subprocess("-p", "memeval.pytest_plugin", *given)
        return run_here(*given)

    return run


@pytest.fixture
def lost_last(small_suite):
    """The suite's path, changed so that grep finds all that is promised but the need `監控設定`, the last but one."""
    text = small_suite.read_text(encoding="utf-8")
    text = text.replace("    must_find: true\n", "").replace("id: monitoring\n", "id: 監控設定\n    must_find: true\n")
    small_suite.write_text(text, encoding="utf-8")
    return small_suite


def test_pytest_loads_the_plugin_by_itself():
    """The package declares it, so that a project needs no line of its own."""
    (declared,) = entry_points(group="pytest11", name="memeval")
    assert declared.load() is pytest_plugin


def test_one_test_per_need_wording_and_variant(project):
    """Hits pass, misses are expected failures with their reason, and lost needs of other variants only inform."""
    result = project("-rx", "-v")
    result.assert_outcomes(passed=4 + 3, xfailed=3 + 4)
    result.stdout.fnmatch_lines(
        [
            "*shop.recall.yaml::redis-port[[]0-article[]] PASSED*",
            "*shop.recall.yaml::redis-port[[]1-grep[]] *XFAIL*",
            "shop · article (under test): 4 of 7 wordings found or rightly silent",
            "shop · grep (informs): * of 7 wordings found or rightly silent*",
            "XFAIL *redis-port[[]1-grep[]]*must-find need lost*",
        ]
    )
    assert result.ret == 0


def test_selecting_a_need_by_name(project):
    """`-k redis-port-clash` picks the need's wordings."""
    project("-k", "redis-port and article").assert_outcomes(passed=1, xfailed=1, deselected=12)


def test_node_ids_that_were_shown_select_again(project, lost_last):
    """What stands behind FAILED can be pasted, in any script; without the bracket it is every wording of the need."""
    shown = [line.split()[1] for line in project(ini=GREP_GATED).outlines if line.startswith("FAILED ")]
    assert shown == [f"queries/shop.recall.yaml::監控設定[{index}-grep]" for index in (0, 1)]
    project(shown[1], ini=GREP_GATED).assert_outcomes(failed=1)
    project("queries/shop.recall.yaml::監控設定", ini=GREP_GATED).assert_outcomes(failed=2)
    project("-k", "監控設定", ini=GREP_GATED).assert_outcomes(failed=2, deselected=5)


def test_last_failed_runs_what_failed(project, lost_last):
    """`--lf` takes the failed wordings alone, `--ff` takes them first."""
    project(ini=GREP_GATED).assert_outcomes(failed=2, passed=3, xfailed=2)
    project("--lf", ini=GREP_GATED).assert_outcomes(failed=2)
    result = project("--ff", "-v", ini=GREP_GATED)
    result.assert_outcomes(failed=2, passed=3, xfailed=2)
    result.stdout.fnmatch_lines(
        [
            "*::監控設定[[]0-grep[]] FAILED*",
            "*::監控設定[[]1-grep[]] FAILED*",
            "*::redis-port[[]0-grep[]] XFAIL*",
        ]
    )


def test_stepwise_goes_on_where_it_stopped(project, lost_last):
    """`--sw` stops at a failure and begins there the next time."""
    project("--sw", ini=GREP_GATED).assert_outcomes(failed=1, passed=1, xfailed=2)
    project("--sw", ini=GREP_GATED).assert_outcomes(failed=1, deselected=3)


def test_junit_names_are_the_names_shown(project, lost_last):
    """A report in JUnit's form tells need, wording and variant, so its histories go on from run to run."""
    project("--junitxml=report.xml", "-k", "監控設定 or vacation-days")
    cases = ElementTree.parse("report.xml").iter("testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        ("queries.shop.recall.yaml", f"{need}[{index}-{variant}]")
        for need in ("監控設定", "vacation-days")
        for index in (0, 1)
        for variant in ("article", "grep")
    ]


def test_a_lost_must_find_fails_for_the_variant_under_test(project):
    """The failure shows what was asked, expected and shown instead."""
    result = project(ini=GREP_GATED)
    assert result.ret == 1
    result.assert_outcomes(failed=2, passed=3, xfailed=2)
    result.stdout.fnmatch_lines(
        [
            "must-find need lost: 'port conflict' [[]grep[]]",
            "*expected: projects/shop-1a2b3c4d/notes/redis-deploy.md",
            "*shown:    nothing",
            "*why:      *port* stands in the file*",
        ]
    )


def test_no_miss_is_expected_under_runxfail(project):
    """`--runxfail` makes every miss a failure that says what was shown."""
    result = project("--runxfail")
    assert result.ret == 1
    result.assert_outcomes(passed=4 + 3, failed=3 + 4)
    result.stdout.fnmatch_lines(["miss: 'cache container will not start' [[]article[]]", "*shown:    nothing"])


@pytest.mark.parametrize("broken", [(), ("port conflict",), ("cache container will not start",)])
def test_plugin_and_gate_call_the_same_needs_lost(project, small_suite, monkeypatch, broken):
    """A wording that cannot be graded is an error, and the need's other wording an expected failure, not a loss."""

    class Blind:
        def search(self, query: str) -> Answer:
            if query in broken:
                raise ValueError("cannot be asked")
            return Answer((), (), "")

    blind = Variant(name="blind", description="", source="this test", build=lambda documents, settings: Blind())
    monkeypatch.setattr(recipes, "VARIANTS", (*recipes.VARIANTS, blind))
    losses = find_losses(memeval.evaluate(small_suite, [blind]), ["blind"])
    result = project("-k", "redis-port", ini="memeval_variants = blind\nmemeval_gate_variants = blind\n")
    assert result.ret == 1
    if broken:
        assert losses == ()
        result.assert_outcomes(failed=1, xfailed=1, deselected=5)
        result.stdout.fnmatch_lines(["redis-port[[]?-blind[]] ungradable: ValueError: cannot be asked"])
        result.stdout.no_fnmatch_line("*must-find need*lost*")
    else:
        assert len(losses) == 1
        result.assert_outcomes(failed=2, deselected=5)


def test_no_variant_is_under_test_by_itself(project):
    """Without memeval_gate_variants nothing fails, and the summary says so."""
    result = project(ini="memeval_variants = grep\n")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*no variant is under test*memeval_gate_variants*"])


def test_a_gate_on_a_variant_that_is_not_asked_is_an_error(project):
    """Two settings that contradict each other never pass quietly."""
    result = project(ini="memeval_variants = grep\nmemeval_gate_variants = article\n")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*memeval_gate_variants names article*name the same variants in both*"])


def test_a_gate_that_the_command_line_passes_by_is_told(project):
    """Asking another variant for once is allowed, and seen."""
    result = project("--memeval-variant", "grep")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["not asked in this run, though under test: article"])


def test_variants_from_the_command_line(project):
    """`--memeval-variant` overrides the ini."""
    result = project("--memeval-variant", "oracle", "--memeval-variant", "filename")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["shop · filename*", "shop · oracle (informs): 7 of 7 wordings found or rightly silent"]
    )


def test_an_unknown_variant_is_an_error(project):
    """A typing error stops the run with the names there are."""
    result = project("--memeval-variant", "artcle")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*unknown variant 'artcle'*Did you mean 'article'*"])


def test_a_broken_suite_is_an_error_not_a_miss(project, small_suite):
    """The file and line are named, and the run is not green."""
    text = small_suite.read_text(encoding="utf-8").replace("id: naming-rules", "id: redis-port")
    small_suite.write_text(text, encoding="utf-8")
    result = project()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*shop.recall.yaml:*redis-port*"])


@pytest.mark.slow
def test_xdist_gives_the_same_verdicts(project):
    """Two workers, one summary."""
    result = project("-p", "xdist", "-n", "2", process=True)
    result.assert_outcomes(passed=7, xfailed=7)
    result.stdout.fnmatch_lines(["shop · article (under test): 4 of 7 wordings found or rightly silent"])


HYBRID = "memeval_variants = memeval+hybrid\nmemeval_gate_variants = memeval+hybrid\n"


def test_a_variant_with_a_model_can_be_gated(project, tmp_path, monkeypatch):
    """The model by its name or folder, typed or in the ini file, where a path is one below the root of the project."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    write_model(tmp_path / "models" / "mine")
    monkeypatch.setenv("MEMEVAL_MODELS", "models")
    for options, ini in (
        (("--memeval-embedder", "multilingual-e5-small=models/mine"), ""),
        ((), "memeval_embedder = models/mine\n"),
    ):
        result = project(*options, ini=HYBRID + ini)
        counts = result.parseoutcomes()
        assert sum(counts.values()) == 7
        assert "errors" not in counts
        result.stdout.fnmatch_lines(["shop · memeval+hybrid (under test): * of 7 wordings found or rightly silent*"])


@pytest.mark.parametrize(
    ("options", "ini", "told"),
    [
        ((), HYBRID, "*no model multilingual-e5-small here*"),
        ((), "memeval_variants = memeval+rerank\n", "*memeval+rerank needs a reranker: give --memeval-reranker *"),
        (("--memeval-embedder", "mine"), "", "*--memeval-embedder changes nothing: none of the variants takes one*"),
        (("--memeval-reranker", "mine"), HYBRID, "*--memeval-reranker changes nothing: none of the variants takes*"),
    ],
)
def test_models_that_are_missing_or_idle_are_an_error(project, no_models, options, ini, told):
    """One that says what to do, instead of wordings that cannot be graded."""
    result = project(*options, ini=ini or "memeval_variants = article\n")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([told])


def test_a_model_in_the_ini_file_is_not_looked_for_in_vain(project, no_models):
    """A run of other variants does without."""
    ini = GATED + "memeval_embedder = mine\nmemeval_reranker = other\n"
    project(ini=ini).assert_outcomes(passed=7, xfailed=7)


def test_what_may_vanish_needs_a_baseline(project):
    """Without one nothing is held against the suite, and the option would do nothing."""
    result = project("--memeval-allow", "need:redis-port")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*--memeval-allow changes nothing without --memeval-baseline*"])


FIXTURE_TESTS = """
def test_found(memory_store, recall):
    memory_store.write("note", "docker-compose port mapping", name="redis-deploy")
    recall.assert_found("port conflict", "notes/redis-deploy.md")
    recall.assert_silent("holiday")

def test_lost(memory_store, recall):
    memory_store.write("note", "docker-compose port mapping", name="redis-deploy")
    memory_store.write("note", "the cache is warm", name="cache")
    recall.assert_found("cache conflict", "notes/redis-deploy.md")

def test_not_silent(memory_store, recall):
    memory_store.write("daily", "- standup moved")
    recall.assert_silent("standup")

def test_day(memory_store):
    memory_store.write("daily", "- x")
    assert memory_store.list() == ["projects/test-00000000/daily/2026-01-15.md"]
"""


def test_fixtures_say_what_was_shown(pytester, run_here):
    """`recall` fails with the files that came back and those that are stored."""
    pytester.makepyfile(FIXTURE_TESTS)
    result = run_here()
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        [
            "'cache conflict' does not show notes/redis-deploy.md",
            "*shown:  projects/test-00000000/notes/cache.md",
            "*stored: *redis-deploy.md*",
            "*terms:  cache(*) conflict(0)",
            "'standup' should find nothing",
        ]
    )
