"""Suite files: what loads, as what; what is refused, at which line, with which fix."""

import unicodedata

import pytest

from memeval.errors import SuiteFileError
from memeval.testbed.needs import Wording
from memeval.testbed.suitefile import is_valid_id, load_suite

REDIS = "projects/shop-1/notes/redis.md"
SSO = "projects/shop-1/notes/sso.md"
LOG = "projects/shop-1/daily/2026-05-30.md"

FULL = f"""\
suite: ops-en
corpus: store          # relative to this file
lang: en
project: shop-1
description: Questions of a small team.
needs:
  - id: redis-port-clash
    expect: [{REDIS}]
    ask:                                       # first thought first
      - port conflict
      - {{text: cache container will not start, kind: unseen-words, elicited: requested, writer: b}}
      - {{text: 連接埠衝突, must_find: true, lang: zh}}
    must_find: true
    evidence: "6380, since   6379 is taken"
    tags: [ops, paraphrase, ops]
    situation: The cache container does not come up.
    note: It happened twice.
  - id: graded
    expect:
      - {SSO}
      - {{{LOG}: 2, MEMORY.md: 0}}
    ask: [callback]
    lang: de
  - id: never-stored
    expect: []
    ask: ["office wifi password"]
"""


def refused(path) -> SuiteFileError:
    with pytest.raises(SuiteFileError) as caught:
        load_suite(path)
    return caught.value


def need(expect: str = f"[{REDIS}]", ask: str = "[port]", more: str = "") -> str:
    """A need whose `id` stands in line 5, `expect` in 6, `ask` in 7 and the rest from 8."""
    return f"  - id: a\n    expect: {expect}\n    ask: {ask}\n" + (f"    {more}\n" if more else "")


def test_every_key_of_the_format_is_read(write_suite):
    """The documented form loads, with each value where it belongs."""
    suite = load_suite(write_suite(text=FULL))
    assert (suite.name, suite.lang, suite.kind, suite.corpus.project) == ("ops-en", "en", "recall", "shop-1")
    assert suite.description == "Questions of a small team."
    first, graded, unstored = suite.needs
    assert first.expected == {REDIS: 1}
    assert first.wordings == (
        Wording(text="port conflict"),
        Wording(text="cache container will not start", kind="unseen-words", elicited="requested", writer="b"),
        Wording(text="連接埠衝突", must_find=True, lang="zh"),
    )
    assert (first.must_find, first.tags, first.line) == (True, ("ops", "paraphrase"), 7)
    assert first.evidence == "6380, since   6379 is taken"
    assert first.situation == "The cache container does not come up."
    assert first.note == "It happened twice."
    assert graded.expected == {SSO: 1, LOG: 2, "MEMORY.md": 0}
    assert graded.relevant == {SSO, LOG}
    assert (graded.lang, graded.must_find) == ("de", False)
    assert unstored.expected == {}
    assert [query.id for query in suite.queries()][:3] == [f"redis-port-clash[{i}]" for i in range(3)]
    assert suite.qrels()["never-stored[0]"] == {}


@pytest.mark.parametrize(
    ("expect", "expected"),
    [
        (f"[./{REDIS}, {REDIS}]", {REDIS: 1}),
        (f"{{{REDIS}: 3, ./{REDIS}: 3}}", {REDIS: 3}),
        (f"[projects/shop-1/notes/../notes//sso.md, {{{REDIS}: 0}}]", {SSO: 1, REDIS: 0}),
        ("[]", {}),
        ("{}", {}),
    ],
)
def test_expected_paths_are_normalised(write_suite, expect, expected):
    """Spellings of one path are one file (reported fault B11)."""
    assert load_suite(write_suite(need(expect=expect))).needs[0].expected == expected


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_composed_and_combining_spellings_of_a_path_meet(write_suite, write_files, store, form):
    """A path typed with composed characters finds a file name stored with combining ones, and the other way round."""
    on_disk = unicodedata.normalize(form, "café.md")
    written = unicodedata.normalize("NFD" if form == "NFC" else "NFC", "café.md")
    write_files(store, {on_disk: "espresso"})
    [stored] = load_suite(write_suite(need(expect=f"[{written}]"))).needs[0].expected
    assert unicodedata.normalize("NFC", stored) == unicodedata.normalize("NFC", written)
    assert stored in {path.name for path in store.iterdir()}


@pytest.mark.parametrize(
    ("more", "line", "parts"),
    [
        ("evidence: 6380", 8, ["6380", "number 6380", "quote it: '6380'"]),
        ("must_find: yes", 8, ["yes", "true or false"]),
        ("must_find: True", 8, ["True", "true or false"]),
        ('must_find: "true"', 8, ['"true"', "true or false"]),
        ("must_find:", 8, ["nothing", "true or false"]),
        ("tags: ops", 8, ["'tags'", "list"]),
        ("tags: [ops, no]", 8, ["no", "truth value false", "quote it: 'no'"]),
        ("wordings: [a]", 8, ["'wordings'", "known: id, expect, ask"]),
        ("exspect: [a]", 8, ["'exspect'", "Did you mean 'expect'?"]),
        ("Lang: en", 8, ["'Lang'", "Did you mean 'lang'?"]),
        ("lang: no", 8, ["no", "truth value false", "quote it: 'no'"]),
        ("evidence: port 9999", 8, ["port 9999", REDIS, "copy it from the file"]),
        ("evidence: port 6380", 8, ["upper and lower case count"]),
        ("evidence: ''", 8, ["'evidence' is empty"]),
        ("note: [a]", 8, ["'note'", "text, not a list"]),
        ("ask: [again]", 8, ["'ask'", "stands twice", "line 7"]),
        ("no: [again]", 8, ["no", "truth value", "quote it"]),
    ],
)
def test_a_broken_field_of_a_need_is_refused_at_its_line(write_suite, more, line, parts):
    """A wrong key or value says where it stands, what is wrong and what is allowed."""
    error = refused(write_suite(need(more=more)))
    assert error.line == line
    assert str(error).startswith(f"{error.path}:{line}: ")
    for part in parts:
        assert part in str(error)


@pytest.mark.parametrize(
    ("expect", "parts"),
    [
        ("[projects/shop-1/notes/redsi.md]", ["not among the 4 files", f"Did you mean {REDIS!r}?"]),
        ("[notes/redis.md]", [f"Did you mean {REDIS!r}?"]),
        ("[redis.md]", [f"Did you mean {REDIS!r}?"]),
        ("[projects/shop-1/SCRATCHPAD.md]", ["exists but is never searched", "of project shop-1", "no SCRATCHPAD.md"]),
        ("[../store/MEMORY.md]", ["'../store/MEMORY.md'", "relative to the corpus folder"]),
        ("[/etc/passwd]", ["'/etc/passwd'", "not among"]),
        ("[2026-05-30]", ["2026-05-30", "date 2026-05-30", "quote it: '2026-05-30'"]),
        ("~", ["'expect' must be a list"]),
        ("", ["'expect' must be a list"]),
        (f"{REDIS}", ["'expect' must be a list", "[a, b]"]),
        ("[~]", ["~", "nothing: null", "quote it: '~'"]),
        ("['']", ["an expected file is empty"]),
        ("[[a]]", ["text, not a list"]),
        (f"{{{REDIS}: yes}}", ["the grade", "yes", "whole number"]),
        (f"{{{REDIS}: -1}}", ["the grade", "-1", "whole number"]),
        (f"{{{REDIS}: 1.0}}", ["the grade", "1.0", "whole number"]),
        (f"{{{REDIS}: 010}}", ["the grade", "010", "whole number"]),
        (f"{{{REDIS}: 4}}", ["the grade", "is 4; allowed are 0", "1 (answers partly)", "3 (answers best)"]),
        (f"{{{REDIS}: 7}}", ["the grade", "is 7; allowed are 0"]),
        (f"{{{REDIS}: '1'}}", ["the grade", "'1'", "whole number"]),
        (f"{{{REDIS}}}", ["the grade", "nothing", "whole number"]),
        (f"{{{REDIS}: 1, {REDIS}: 2}}", ["stands twice", "line 6"]),
        (f"[{REDIS}, {{./{REDIS}: 2}}]", ["grade 2 here and 1 before"]),
    ],
)
def test_a_wrong_expectation_is_refused(write_suite, expect, parts):
    """An expected file that a search could never find, or a grade that is none, never becomes a silent miss."""
    error = refused(write_suite(need(expect=expect)))
    assert error.line == 6
    for part in parts:
        assert part in str(error)


@pytest.mark.parametrize(
    ("ask", "parts"),
    [
        ("[]", ["'ask' is empty"]),
        ("port conflict", ["'ask' must be a list"]),
        ("['']", ["a wording is empty"]),
        ("['  ']", ["a wording is empty"]),
        ("[port, {text: port}]", ["'port' stands twice", "line 7"]),
        ("['port  conflict', port conflict]", ["stands twice"]),
        ("[12:30:45]", ["12:30:45", "number 45045", "quote it: '12:30:45'"]),
        ("[{texts: a}]", ["'texts'", "Did you mean 'text'?"]),
        ("[{kind: paraphrase}]", ["a wording has no 'text'"]),
        ("[{text: port, redis}]", ["unknown key 'redis'", "quote the text"]),
        ("[{text: port, elicited: asked}]", ["'asked'", "free, requested"]),
        ("[{text: port, must_find: on}]", ["on", "true or false"]),
        ("[{text: port, kind: ~}]", ["~", "nothing: null"]),
    ],
)
def test_a_wrong_wording_is_refused(write_suite, ask, parts):
    """A wording that is empty, repeated or not a text is refused at its line."""
    error = refused(write_suite(need(ask=ask)))
    assert error.line == 7
    for part in parts:
        assert part in str(error)


def test_a_text_cut_off_by_a_comment_is_refused(write_suite):
    """`fix issue #12` never becomes the wording `fix issue` unnoticed; a real comment is fine."""
    error = refused(write_suite("  - id: a\n    expect: []\n    ask:\n      - fix issue #12\n"))
    assert error.line == 8
    assert "#12" in str(error)
    suite = load_suite(write_suite("  - id: a\n    expect: []\n    ask:\n      - fix issue # 12\n"))
    assert suite.needs[0].wordings[0].text == "fix issue"


@pytest.mark.parametrize("where", ["must_find: true", "ask", "evidence: x"])
def test_nothing_stored_takes_neither_must_find_nor_evidence(write_suite, where):
    """What is not stored cannot be demanded; the line of the demand is named."""
    ask = "[{text: port, must_find: true}]" if where == "ask" else "[port]"
    for expect in ("[]", f"{{{REDIS}: 0}}"):
        error = refused(write_suite(need(expect=expect, ask=ask, more="" if where == "ask" else where)))
        assert error.line == (7 if where == "ask" else 8)
        assert "nothing is stored" in str(error)


@pytest.mark.parametrize("bad", ["a b", "-a", "a/b", "a[0]", "and", "NOT", "True", "a:b", "'#a'", "'é́'"])
def test_ids_that_pytest_cannot_select_are_refused(write_suite, bad):
    """An id works as it is in `-k ID` and in `ID[0]`."""
    error = refused(write_suite(f"  - id: {bad}\n    expect: []\n    ask: [a]\n"))
    assert error.line == 5
    assert "an id is" in str(error)


@pytest.mark.parametrize(("bad", "fault"), [("", "has no value"), ("''", "is empty: ''"), ("' '", "is empty: ' '")])
def test_an_id_that_is_missing_says_what_may_stand_there(write_suite, bad, fault):
    """The line, what is written, and what an id is made of."""
    error = refused(write_suite(f"  - id: {bad}\n    expect: []\n    ask: [a]\n"))
    assert error.line == 5
    assert f"an id {fault}; use letters, digits, _ - and . only" in str(error)


@pytest.mark.parametrize("good", ["redis-port-clash", "v2.1", "_x", "連接埠", "12a", "nota"])
def test_ids_may_be_words_of_any_script(good):
    """Letters of any script, digits, `_`, `-` and `.` make an id."""
    assert is_valid_id(good)


def test_duplicate_ids_name_both_lines(write_suite):
    """Two needs with one id are refused at the second, naming the first."""
    error = refused(write_suite(need() + need()))
    assert error.line == 8
    assert "line 5" in str(error)


@pytest.mark.parametrize(
    ("text", "line", "parts"),
    [
        ("", 1, ["empty"]),
        ("# only a comment\n", 1, ["empty"]),
        ("- a\n- b\n", 1, ["mapping", "not a list"]),
        ("just words\n", 1, ["mapping", "not a single value"]),
        ("suite: a\ncorpus: store\n", 1, ["has no 'needs'"]),
        ("suite: a\nneeds: []\n", 1, ["has no 'corpus'"]),
        ("corpus: store\nneeds: []\n", 1, ["has no 'suite'"]),
        ("suite: a\ncorpus: store\nneeds: []\n", 3, ["'needs' is empty"]),
        ("suite: a\ncorpus: store\nneeds:\n", 3, ["'needs' must be a list"]),
        ("suite: a\ncorpus: store\nneeds: [a]\n", 3, ["a need must be a mapping"]),
        ("suite: a b\ncorpus: store\nneeds: []\n", 1, ["the suite's name is 'a b'"]),
        ("suite: 010\ncorpus: store\nneeds: []\n", 1, ["010", "number 8", "quote it: '010'"]),
        ("suite: a\ncorpus: nowhere\nneeds: []\n", 2, ["nowhere", "does not exist"]),
        ("suite: a\ncorpus: ~/store\nneeds: []\n", 2, ["~ is not expanded"]),
        ("suite: a\ncorpus: store\nproject: shop-2\nneeds: []\n", 3, ["shop-2", "Did you mean 'shop-1'?"]),
        ("suite: a\ncorpus: store\nneed: []\n", 3, ["'need'", "Did you mean 'needs'?"]),
        ("suite: a\ncorpus: store\nsuite: b\nneeds: []\n", 3, ["stands twice", "line 1"]),
        ("suite: a\n---\nsuite: b\n", 2, ["second YAML document"]),
        (b"suite: a\ncorpus: caf\xe9\n", 2, ["\\xe9", "not UTF-8"]),
        (b"\xff\xfes\x00u\x00", 1, ["not UTF-8"]),
        ("\ufeffsuite: a\r\ncorpus: store\r\nneeds: x\r\n", 3, ["'needs' must be a list"]),
    ],
)
def test_a_broken_file_is_refused_at_its_line(write_suite, text, line, parts):
    """A file that is no suite says why, at the line to look at."""
    error = refused(write_suite(text=text))
    assert error.line == line
    for part in parts:
        assert part in str(error)


def test_a_missing_file_is_refused(tmp_path):
    """A path without a file is a SuiteFileError that names it."""
    error = refused(tmp_path / "none.recall.yaml")
    assert "none.recall.yaml" in str(error)
    assert "No such file" in str(error)


def test_a_broken_corpus_is_refused_at_the_corpus_line(write_suite, store):
    """What is wrong with the corpus comes as a SuiteFileError too, with the corpus file's own place in it."""
    (store / "corpus.yaml").write_text("name: x\nlicense: MIT\n", encoding="utf-8")
    error = refused(write_suite(need()))
    assert error.line == 2
    assert "corpus.yaml:2: unknown key 'license'" in str(error)
    assert "'licence'" in str(error)


def test_a_file_that_cannot_be_read_may_be_expected(write_suite, write_files, store):
    """It is there, and whoever wrote the need meant it; its evidence may stand in it."""
    write_files(store, {"projects/shop-1/notes/bad.md": b"caf\xe9"})
    need = "  - {id: a, expect: [projects/shop-1/notes/bad.md], ask: [coffee], evidence: arabica}\n"
    suite = load_suite(write_suite(need))
    assert suite.needs[0].expected == {"projects/shop-1/notes/bad.md": 1}
    assert len(suite.corpus.documents) == 4


def test_the_project_of_the_caller_wins_over_the_files(write_suite, write_files, store):
    """`project=` before the suite's, before the corpus file's."""
    write_files(store, {"projects/blog-2/notes/post.md": "draft", "corpus.yaml": "project: blog-2\n"})
    plain = "suite: ops\ncorpus: store\n{}needs:\n  - {{id: a, expect: [MEMORY.md], ask: [a]}}\n"
    assert load_suite(write_suite(text=plain.format(""))).corpus.project == "blog-2"
    named = write_suite(text=plain.format("project: shop-1\n"))
    assert load_suite(named).corpus.project == "shop-1"
    assert load_suite(named, project="blog-2").corpus.project == "blog-2"


def test_a_refusal_shows_the_path_as_given(write_suite, tmp_path, monkeypatch):
    """Messages and `Suite.path` carry the path the caller gave, so that an editor can jump there."""
    write_suite(need())
    monkeypatch.chdir(tmp_path)
    assert load_suite("ops.recall.yaml").path == "ops.recall.yaml"
    write_suite(need(ask="[]"))
    assert str(refused("ops.recall.yaml")).startswith("ops.recall.yaml:7: ")


def test_a_wording_with_a_colon_is_told_to_be_quoted(write_suite):
    """`- error: port in use` is a mapping to YAML; the message shows what to write."""
    path = write_suite("  - id: a\n    expect: []\n    ask:\n      - error: port in use\n")
    with pytest.raises(SuiteFileError, match=r"quote it: 'error: port in use'"):
        load_suite(path)
