"""The plugin as a project meets it: collection, selection, gate, expected failures, errors, fixtures, xdist."""

from __future__ import annotations

import pytest

GATED = "memeval_variants = article grep\nmemeval_gate_variants = article\n"


@pytest.fixture
def project(pytester, small_suite):
    """A project with store/ and queries/shop.recall.yaml, run in a subprocess with the given ini lines and options."""

    def run(*options: str, ini: str = GATED):
        (small_suite.parent.parent / "pytest.ini").write_text("[pytest]\n" + ini, encoding="utf-8")
        plugin = () if is_installed() else ("-p", "memeval.pytest_plugin")
        return pytester.runpytest_subprocess(
            *plugin, "-p", "no:cacheprovider", "--rootdir", small_suite.parent.parent, small_suite.parent, *options
        )

    return run


def is_installed() -> bool:
    """Whether the plugin is loaded by its entry point already."""
    from importlib.metadata import entry_points

    return any(entry.value == "memeval.pytest_plugin" for entry in entry_points(group="pytest11"))


def test_one_test_per_need_wording_and_variant(project):
    """Hits pass, misses are expected failures with their reason, and lost needs of other variants only inform."""
    result = project("-rx", "-v")
    result.assert_outcomes(passed=4 + 3, xfailed=3 + 4)
    result.stdout.fnmatch_lines(
        [
            "*shop.recall.yaml::redis-port[[]0[]][[]article[]] PASSED*",
            "*shop.recall.yaml::redis-port[[]1[]][[]grep[]] *XFAIL*",
            "shop · article (under test): 4 of 7 wordings found or rightly silent",
            "shop · grep (informs): * of 7 wordings found or rightly silent*",
            "XFAIL *redis-port[[]1[]][[]grep[]]*must-find need lost*",
        ]
    )
    assert result.ret == 0


def test_selecting_a_need_by_name(project):
    """`-k redis-port-clash` picks the need's wordings."""
    project("-k", "redis-port and article").assert_outcomes(passed=1, xfailed=1, deselected=12)


def test_a_lost_must_find_fails_for_the_variant_under_test(project):
    """The failure shows what was asked, expected and shown instead."""
    result = project(ini="memeval_variants = grep\nmemeval_gate_variants = grep\n")
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
    result = project("-n", "2")
    result.assert_outcomes(passed=7, xfailed=7)
    result.stdout.fnmatch_lines(["shop · article (under test): 4 of 7 wordings found or rightly silent"])


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


def test_fixtures_say_what_was_shown(pytester):
    """`recall` fails with the files that came back and those that are stored."""
    pytester.makepyfile(FIXTURE_TESTS)
    plugin = () if is_installed() else ("-p", "memeval.pytest_plugin")
    result = pytester.runpytest_subprocess(*plugin, "-p", "no:cacheprovider")
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
