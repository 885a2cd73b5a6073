"""The coverage ledger: read strictly, held against the suites both ways."""

from pathlib import Path

import pytest

from memeval.errors import SuiteFileError
from memeval.testbed import load_suite
from memeval.testbed.coverage import LATE_LINE, check_coverage, find_cells, load_coverage, tabulate_coverage

QUERIES = Path(__file__).parents[2] / "queries"

LEDGER = """\
memories:
  fact: {what: a value, tags: [fact]}
  rule: {what: a rule, needs: [naming]}
scripts: {Latin: en, Han: zh}
failures:
  gap: {what: other words, kinds: [unseen-words]}
  late: {what: late answers, shape: late-answer}
controls: {kinds: [same-words], tags: [control]}
suites: [ops.recall.yaml]
left_out: {old.recall.yaml: superseded}
rows:
  - {failure: gap, memory: fact, script: Latin, covered: [ports]}
  - {failure: gap, memory: rule, script: Latin, uncovered: not yet}
  - {failure: late, memory: fact, script: Latin, covered: [ports]}
  - {failure: late, memory: rule, script: Latin, uncovered: not yet}
  - {failure: [gap], memory: all, script: Han, excluded: no such store}
  - {failure: late, memory: [fact, rule], script: Han, excluded: no such store}
"""
NEEDS = """\
  - id: ports
    expect: [projects/shop-1/notes/late.md]
    ask: [{text: sockets, kind: unseen-words}, {text: port, kind: same-words}]
    evidence: port 6380
    tags: [fact]
  - {id: naming, expect: [MEMORY.md], ask: [deploys], evidence: need a ticket}
  - {id: shown, expect: [MEMORY.md], ask: [{text: rollout, kind: unseen-words}], tags: [control, fact]}
"""


@pytest.fixture
def ledger(tmp_path):
    """A function: the ledger in this text, with replacements."""

    def load(*replacements, text=LEDGER):
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "coverage.yaml"
        path.write_text(text, encoding="utf-8")
        return load_coverage(path)

    return load


@pytest.fixture
def suites(store, write_suite, write_files):
    """A function: {path: suite} of these needs and of a suite that is left out."""

    def load(needs=NEEDS):
        late = "\n" * (LATE_LINE - 1) + "port 6380"
        write_files(store, {"projects/shop-1/notes/late.md": late})
        suite = load_suite(write_suite(needs))
        return {"ops.recall.yaml": suite, "old.recall.yaml": suite}

    return load


def test_ledger_and_suites_agree(ledger, suites):
    """A true ledger has no finding."""
    assert check_coverage(ledger(), suites()) == ()


def test_cells_are_found_by_rule(ledger, suites):
    """Tags, ids, kinds of wordings and measured forms select; a control belongs nowhere."""
    cells = find_cells(ledger(), [suites()["ops.recall.yaml"]])
    assert cells == {("fact", "Latin", "gap"): ("ports",), ("fact", "Latin", "late"): ("ports",)}


def test_tags_are_pooled_over_suites(ledger, suites, write_suite):
    """An id means the same need everywhere: its tags in one suite hold in another."""
    first = suites()["ops.recall.yaml"]
    bare = NEEDS.replace("    tags: [fact]\n", "")
    second = load_suite(write_suite(bare))
    assert find_cells(ledger(), [second]) == {}
    assert ("fact", "Latin", "gap") in find_cells(ledger(), [second, first])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("gap, memory: fact, script: Latin, covered: [ports]", "gap, memory: fact, script: Latin, uncovered: never",
         "fact × Latin × gap: uncovered, but the suites have ports"),
        ("gap, memory: rule, script: Latin, uncovered: not yet", "gap, memory: rule, script: Latin, covered: [naming]",
         "rule × Latin × gap: covered by no need named here"),
        ("covered: [ports]", "covered: [ports, gone]", "need 'gone' is in none of the suites"),
        ("covered: [ports]", "covered: [ports, naming]", "need 'naming' belongs to no cell of this row"),
        ("left_out: {old.recall.yaml: superseded}", "left_out: {}", "'old.recall.yaml' is in neither"),
        ("suites: [ops.recall.yaml]", "suites: [ops.recall.yaml, new.recall.yaml]", "'new.recall.yaml' does not exist"),
        ("needs: [naming]", "tags: [rule]", "need 'naming' of ops is of no kind of memory"),
        ("needs: [naming]", "needs: [naming, gone]", "'rule' names need 'gone'"),
        ("kinds: [same-words]", "kinds: []", "kind 'same-words' of wordings is in no failure mode"),
    ],
)  # fmt: skip
def test_drift_is_told(ledger, suites, old, new, message):
    """Whatever the ledger says and the suites do not, or the other way round, is told with its line."""
    told = check_coverage(ledger((old, new)), suites())
    assert any(message in line for line in told), told
    assert all(line.split(":")[1].isdigit() for line in told)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("memory: rule, script: Latin", "memory: role, script: Latin", "names 'role'; known: fact, rule"),
        ("script: Han, excluded: no such store}\n", "script: Latin, excluded: not wanted}\n", "stands twice"),
        (
            "  - {failure: late, memory: [fact, rule], script: Han, excluded: no such store}\n",
            "",
            "2 cells have no row",
        ),
        ("covered: [ports]}", "covered: [ports], excluded: not wanted}", "this one has 2"),
        (", uncovered: not yet}", "}", "this one has 0"),
        ("uncovered: not yet", "uncovered: ''", "is empty"),
        ("shape: late-answer", "shape: later", "known: several-files"),
        ("{what: a value, tags: [fact]}", "{what: a value}", "selects nothing"),
        ("controls:", "control:", "control"),
        ("memory: [fact, rule]", "memory: []", "is empty"),
    ],
)
def test_broken_ledgers_are_refused(ledger, old, new, message):
    """An unknown name, a cell twice or never, no reason: refused at its line."""
    with pytest.raises(SuiteFileError, match=r"coverage\.yaml:[0-9]+: ") as caught:
        ledger((old, new))
    assert message in str(caught.value)


def test_table(ledger, suites):
    """Needs and kinds of memory by failure mode and script; a script that is left out has a dash."""
    assert tabulate_coverage(ledger(), [suites()["ops.recall.yaml"]]) == [
        ["failure mode", "Latin", "Han"],
        ["gap", "1 (1 of 2)", "–"],
        ["late", "1 (1 of 2)", "–"],
    ]


@pytest.mark.parametrize(
    ("shape", "needs", "ids"),
    [
        ("several-files", "  - {id: two, expect: [MEMORY.md, projects/shop-1/notes/sso.md], ask: [x]}\n", ["two"]),
        ("nothing-stored", "  - {id: nothing, expect: [], ask: [x]}\n", ["nothing"]),
        ("no-terms", "  - {id: empty, expect: [MEMORY.md], ask: [what is it]}\n", ["empty"]),
        ("name-only", "  - {id: name, expect: [projects/shop-1/notes/sso.md], ask: [sso rollout]}\n", ["name"]),
        ("name-only", "  - {id: both, expect: [projects/shop-1/notes/sso.md], ask: [sso callback]}\n", []),
        ("late-answer", "  - {id: early, expect: [MEMORY.md], ask: [x], evidence: ticket}\n", []),
    ],
)
def test_shapes(ledger, suites, shape, needs, ids):
    """Each measured form takes the needs that have it."""
    axes = ledger(
        ("tags: [fact]", "needs: [two, nothing, empty, name, both, early]"), ("shape: late-answer", f"shape: {shape}")
    )
    cells = find_cells(axes, [suites(needs)["ops.recall.yaml"]])
    assert list(cells.get(("fact", "Latin", "late"), ())) == ids


@pytest.mark.slow
def test_bundled_ledger_holds(bundled):
    """The ledger of the bundled suites and the suites agree, both ways."""
    found = {path.relative_to(QUERIES).as_posix(): suite for path, suite in bundled.items()}
    assert check_coverage(load_coverage(QUERIES / "coverage.yaml"), found) == ()
