"""Judgements beside a suite: grades join what the needs expect; whatever contradicts them is refused at its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import SuiteFileError
from memeval.metrics.ranking import judged_at
from memeval.testbed.judgements import add_judgements
from memeval.testbed.needs import Need, Wording
from memeval.testbed.suitefile import load_suite
from memeval.testbed.trec import write_qrels

REDIS = "projects/shop-1/notes/redis.md"
SSO = "projects/shop-1/notes/sso.md"
LOG = "projects/shop-1/daily/2026-05-30.md"

SUITE = f"""\
suite: ops
corpus: store
qrels: ops.qrels
judged: 2026-11-30
needs:
  - id: port
    expect: {{{REDIS}: 2}}
    ask: [port conflict]
    must_find: true
    evidence: Port 6380
  - id: wifi
    expect: []
    ask: [office wifi password]
"""


@pytest.fixture
def write_judged(write_suite, tmp_path):
    """A function: the path of a suite of the needs `port` and `wifi` that names a qrels file with this text."""

    def write(qrels: str, text: str = SUITE):
        (tmp_path / "ops.qrels").write_text(qrels, encoding="utf-8")
        return write_suite(text=text)

    return write


def refused(path) -> SuiteFileError:
    with pytest.raises(SuiteFileError) as caught:
        load_suite(path)
    return caught.value


def test_grades_join_the_expected_files(write_judged):
    """Relevant and zero grades are added, an equal one changes nothing; evidence, flags and wordings stay."""
    suite = load_suite(
        write_judged(f"port 0 {LOG} 1\nport 0 {SSO} 0\nport 0 {REDIS} 2\n\nwifi 0 {REDIS} 0\nwifi 0 ./{SSO} 0\n")
    )
    port, wifi = suite.needs
    assert port.expected == {REDIS: 2, LOG: 1, SSO: 0}
    assert port.relevant == {REDIS, LOG}
    assert (port.must_find, port.evidence, port.wordings) == (True, "Port 6380", (Wording(text="port conflict"),))
    assert wifi.expected == {REDIS: 0, SSO: 0}
    assert wifi.relevant == frozenset()
    assert suite.judged_on == "2026-11-30"
    assert suite.qrels()["wifi[0]"] == {REDIS: 0, SSO: 0}


def test_a_zero_grade_is_judged_and_not_relevant(write_judged):
    """With the zeros written down, judged@k reaches 1 on a ranking that no expected file explains."""
    [need, _] = load_suite(write_judged(f"port 0 {SSO} 0\n")).needs
    assert judged_at([REDIS, SSO], need.expected, 2) == 1.0
    assert judged_at([REDIS, LOG], need.expected, 2) == 0.5


def test_judgements_are_part_of_the_digest(write_judged):
    """Two runs under different judgements are told apart; the date alone moves nothing."""
    plain, judged = (load_suite(write_judged(text)).digest for text in ("", f"port 0 {SSO} 0\n"))
    assert plain != judged
    assert load_suite(write_judged("", SUITE.replace("2026-11-30", "2026-12-01"))).digest == plain
    assert load_suite(write_judged("", SUITE.replace("qrels: ops.qrels\njudged: 2026-11-30\n", ""))).digest == plain


@pytest.mark.parametrize(
    ("row", "parts"),
    [
        (f"prot 0 {SSO} 0", ["no need 'prot' in", "ops.recall.yaml", "Did you mean 'port'?"]),
        (f"port[0] 0 {SSO} 0", ["no need 'port[0]'", "id of a need"]),
        ("port 0 sso.md 0", ["'sso.md' is not among the 4 files", f"Did you mean {SSO!r}?"]),
        (f"port 0 {REDIS} 1", ["grade 1", "2 at", "ops.recall.yaml:6", "make them equal"]),
        (f"port 0 {SSO} -1", ["grade -1 is below 0", "leave an unjudged document out"]),
        (f"wifi 0 {SSO} 1", ["grade 1 for need 'wifi'", "nothing stored at", "ops.recall.yaml:11", "only 0"]),
        (f"port 0 .//{LOG} 0", ["grade 0 here and 1 in line 1"]),
    ],
)
def test_a_judgement_that_contradicts_is_refused_at_its_line(write_judged, tmp_path, row, parts):
    """The qrels line is named, with the place in the suite where that has another opinion."""
    error = refused(write_judged(f"port 0 {LOG} 1\n\n{row}\n"))
    assert (error.path, error.line) == (str(tmp_path / "ops.qrels"), 3)
    assert str(error).startswith(f"{error.path}:3: ")
    for part in parts:
        assert part in str(error)


@pytest.mark.parametrize(
    ("row", "parts"),
    [
        ("port 0", ["ops.qrels:2", "2 columns"]),
        (f"port 0 {SSO} 1.0", ["ops.qrels:2", "'1.0' is no whole number"]),
        (f"port 0 {LOG} 1", ["ops.qrels:2", "stands twice"]),
    ],
)
def test_a_broken_row_is_refused_with_both_lines(write_judged, row, parts):
    """What the TREC reader refuses comes as a SuiteFileError at `qrels:`, with the row's own place in it."""
    error = refused(write_judged(f"port 0 {LOG} 1\n{row}\n"))
    assert error.line == 3
    for part in parts:
        assert part in str(error)


def test_a_missing_qrels_file_is_refused_at_its_key(write_suite):
    """The name is wrong in the suite, so that is where the error points."""
    error = refused(write_suite(text=SUITE))
    assert error.line == 3
    assert "ops.qrels: cannot be read" in str(error)


@pytest.mark.parametrize(
    ("day", "parts"),
    [
        ("2026-11-31", ["2026-11-31", "no day of the calendar"]),
        ("yesterday", ["yesterday", "YYYY-MM-DD"]),
        ("20261130", ["20261130", "YYYY-MM-DD"]),
        ("[2026-11-30]", ["YYYY-MM-DD"]),
    ],
)
def test_the_day_of_judging_is_a_day(write_judged, day, parts):
    """Anything but a day of the calendar is refused at its line; quotes make no difference."""
    assert load_suite(write_judged("", SUITE.replace("2026-11-30", "'2026-11-30'"))).judged_on == "2026-11-30"
    error = refused(write_judged("", SUITE.replace("2026-11-30", day)))
    assert error.line == 4
    for part in parts:
        assert part in str(error)


IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)


@given(st.sets(IDS, min_size=1, max_size=6), st.data())
def test_what_is_written_is_what_is_added(tmp_path_factory, doc_ids, data):
    """Any ids survive the file, and every need ends with its own grades and the file's, no more."""
    documents = sorted(doc_ids)
    grades = st.dictionaries(st.sampled_from(documents), st.integers(0, 3), max_size=4)
    needs = [
        Need(id=need_id, expected={documents[0]: 1}, wordings=(Wording(text="q"),), line=1)
        for need_id in sorted(data.draw(st.sets(IDS, min_size=1, max_size=4)))
    ]
    qrels = {need.id: {**data.draw(grades), documents[0]: 1} for need in needs}
    path = tmp_path_factory.mktemp("judged") / "x.qrels"
    write_qrels(qrels, path)
    judged = add_judgements(needs, path, doc_ids=documents, suite_path="x.recall.yaml")
    assert {need.id: need.expected for need in judged} == qrels
