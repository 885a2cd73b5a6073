"""BEIR folders: what loads, as what; what is refused, where; and the way out and back again."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import BenchmarkFormatError
from memeval.memory.document import Document, Tier
from memeval.testbed.beir import export_beir, is_beir, load_beir
from memeval.testbed.corpus import Corpus, digest_documents
from memeval.testbed.needs import Need, Suite, Wording, digest_needs
from memeval.testbed.suitefile import load_suite

BENCHMARKS = Path(__file__).parents[3] / "shared" / "benchmarks"
DOCUMENTS = (
    '{"_id": "a", "title": "T", "text": "x"}\n'
    '{"_id": "daily/2026-01-31.md", "text": "y"}\n'
    '{"_id": "MEMORY.md", "title": "", "text": "z"}\n'
)
QUERIES = '{"_id": "q1", "text": "one"}\n{"_id": "q2", "text": "two"}\n{"_id": "q3", "text": "three"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tMEMORY.md\t2\nq2\ta\t0\n"


@pytest.fixture
def write_beir(tmp_path, write_files):
    """A function: a BEIR folder with these files instead of, or beside, the usual ones."""

    def write(documents=DOCUMENTS, queries=QUERIES, qrels=QRELS, **splits):
        tables = {f"qrels/{split}.tsv": text for split, text in {"test": qrels, **splits}.items() if text is not None}
        files = {"corpus.jsonl": documents, "queries.jsonl": queries, **tables}
        return write_files(tmp_path / "bench", {name: text for name, text in files.items() if text is not None})

    return write


def refused(folder, **options):
    with pytest.raises(BenchmarkFormatError) as caught:
        load_beir(folder, **options)
    return caught.value


def test_documents_are_notes_whatever_their_id(write_beir):
    """`MEMORY.md` and `daily/…` are ids like any other; title and text are joined by a blank line."""
    suite = load_beir(write_beir())
    assert suite.corpus.documents == (
        Document(doc_id="MEMORY.md", path="MEMORY.md", tier=Tier.NOTE, name="MEMORY.md", text="z"),
        Document(doc_id="a", path="a", tier=Tier.NOTE, name="a", text="T\n\nx"),
        Document(
            doc_id="daily/2026-01-31.md", path="daily/2026-01-31.md", tier=Tier.NOTE, name="2026-01-31.md", text="y"
        ),
    )
    assert (suite.name, suite.kind, suite.corpus.kind, suite.corpus.name) == ("bench", "beir", "beir", "bench")


def test_queries_are_needs_with_one_wording(write_beir):
    """Judged queries stay, one with only 0 grades has nothing stored, one without a row is left out and counted."""
    suite = load_beir(write_beir())
    assert [query.id for query in suite.queries()] == ["q1", "q2"]
    assert [need.expected for need in suite.needs] == [{"a": 1, "MEMORY.md": 2}, {"a": 0}]
    assert suite.needs[1].relevant == frozenset()
    assert (suite.unjudged_queries, suite.unknown_documents) == (1, 0)


def test_metadata_is_taken_where_it_is_text(write_beir):
    """`lang`, `kind`, `elicited` and `tags` are read, anything else in the metadata is let be."""
    queries = [
        {
            "_id": "q1",
            "text": "a",
            "metadata": {"lang": "ja", "kind": "symptom", "elicited": "free", "tags": ["x", 1, "y"]},
        },
        {"_id": "q2", "text": "b", "metadata": {"lang": 7, "tags": "x", "42": [{"label": "SUPPORT"}]}},
        {"_id": "q3", "text": "c", "metadata": None},
    ]
    text = "".join(json.dumps(query) + "\n" for query in queries)
    suite = load_beir(write_beir(queries=text, qrels=QRELS + "q3\ta\t1\n"))
    first, second, third = suite.needs
    assert (first.lang, first.tags) == ("ja", ("x", "y"))
    assert (first.wordings[0].kind, first.wordings[0].elicited) == ("symptom", "free")
    assert (second.lang, second.tags, second.wordings[0].kind, third.lang) == (None, (), None, None)
    assert (suite.lang, suite.corpus.languages) == (None, ("ja",))


def test_the_test_split_comes_first_then_the_only_one(write_beir):
    """test.tsv, else the only file, else `split`; an unknown split lists those there are."""
    other = "q3\ta\t1\n"
    folder = write_beir(dev=other)
    assert [need.id for need in load_beir(folder).needs] == ["q1", "q2"]
    assert [need.id for need in load_beir(folder, split="dev").needs] == ["q3"]
    assert "has no split 'train'; there: dev, test" in str(refused(folder, split="train"))
    (folder / "qrels" / "test.tsv").unlink()
    assert [need.id for need in load_beir(folder).needs] == ["q3"]
    (folder / "qrels" / "train.tsv").write_text(other, encoding="utf-8")
    assert "choose a --split, there: dev, train" in str(refused(folder))
    shutil.rmtree(folder / "qrels")
    assert "there: none" in str(refused(folder))


def test_the_header_of_qrels_is_optional(write_beir):
    """A first row with a grade is data, one without is a header; CRLF and blank lines do no harm."""
    with_header = load_beir(write_beir())
    without = load_beir(write_beir(qrels=QRELS.split("\n", 1)[1].replace("\n", "\r\n\r\n")))
    assert without == with_header


def test_only_a_line_feed_ends_a_line(write_beir):
    """U+2028, U+0085 and form feeds inside a JSON text break no line; a byte order mark is no content."""
    documents = '\ufeff{"_id": "a", "text": "one\u2028two\x85three"}\n\n{"_id": "MEMORY.md", "text": ""}'
    suite = load_beir(write_beir(documents=documents))
    assert [document.text for document in suite.corpus.documents] == ["", "one\u2028two\x85three"]


def test_unknown_documents_are_left_out_and_counted(write_beir):
    """Published folders have such rows; a query that loses all its relevant documents to them is left out too."""
    qrels = "q1\ta\t1\nq1\tgone\t1\nq2\tgone\t2\nq2\ta\t0\nq3\tgone\t0\n"
    suite = load_beir(write_beir(qrels=qrels))
    assert {need.id: need.expected for need in suite.needs} == {"q1": {"a": 1}, "q3": {}}
    assert (suite.unknown_documents, suite.unjudged_queries) == (2, 1)


def test_a_negative_grade_is_unjudged(write_beir):
    """As trec_eval has it: neither relevant nor judged."""
    suite = load_beir(write_beir(qrels="q1\ta\t1\nq1\tMEMORY.md\t-1\nq2\ta\t-2\n"))
    assert [need.expected for need in suite.needs] == [{"a": 1}]
    assert suite.unjudged_queries == 2


@pytest.mark.parametrize(
    ("files", "place", "part"),
    [
        ({"documents": None}, "corpus.jsonl", "cannot be read"),
        ({"queries": None}, "queries.jsonl", "cannot be read"),
        ({"documents": "\n"}, "corpus.jsonl", "holds no document"),
        ({"documents": DOCUMENTS + "{broken\n"}, "corpus.jsonl:4", "no JSON object"),
        ({"documents": DOCUMENTS + "[1]\n"}, "corpus.jsonl:4", "JSON object"),
        ({"documents": DOCUMENTS + '{"text": "x"}\n'}, "corpus.jsonl:4", "has no '_id'"),
        ({"documents": DOCUMENTS + '{"_id": 7, "text": "x"}\n'}, "corpus.jsonl:4", "'_id' 7"),
        ({"documents": DOCUMENTS + '{"_id": "", "text": "x"}\n'}, "corpus.jsonl:4", "'_id' is empty"),
        ({"documents": DOCUMENTS + '{"_id": "b"}\n'}, "corpus.jsonl:4", "has no 'text'"),
        ({"documents": DOCUMENTS + '{"_id": "b", "title": 1, "text": ""}\n'}, "corpus.jsonl:4", "'title' 1"),
        ({"documents": DOCUMENTS + '{"_id": "a", "text": "x"}\n'}, "corpus.jsonl:4", "first is in line 1"),
        ({"documents": DOCUMENTS + '{"_id": "b", "text": "\\ud83d"}\n'}, "corpus.jsonl:4", "surrogate"),
        ({"documents": (DOCUMENTS + '{"_id": "\xe9"}').encode("latin-1")}, "corpus.jsonl:4", "not UTF-8"),
        ({"queries": QUERIES + '{"_id": "q1", "text": "x"}\n'}, "queries.jsonl:4", "first is in line 1"),
        ({"queries": '{"_id": "q1", "text": " "}\n{"_id": "q2", "text": "x"}\n'}, "queries.jsonl:1", "no text"),
        ({"queries": '{"_id": "q1"}\n{"_id": "q2", "text": "x"}\n'}, "queries.jsonl:1", "has no 'text'"),
        ({"qrels": QRELS + "q2\ta\n"}, "qrels/test.tsv:5", "2 tab-separated cells"),
        ({"qrels": QRELS + "q2 0 a 1\n"}, "qrels/test.tsv:5", "1 tab-separated cells"),
        ({"qrels": QRELS + "q3\ta\t1.0\n"}, "qrels/test.tsv:5", "'1.0' is no whole number"),
        ({"qrels": QRELS + "q3\ta\t\uff11\n"}, "qrels/test.tsv:5", "is no whole number"),
        ({"qrels": QRELS + "query-id\tcorpus-id\tscore\n"}, "qrels/test.tsv:5", "'score' is no whole number"),
        ({"qrels": "q1\ta\tyes\n"}, "qrels/test.tsv:1", "'yes' is no whole number"),
        ({"qrels": QRELS + "q9\ta\t1\n"}, "qrels/test.tsv:5", "'q9' is not in queries.jsonl"),
        ({"qrels": QRELS + "q1\ta\t2\n"}, "qrels/test.tsv:5", "and 1 in line 2"),
        ({"qrels": QRELS + '"q3\ta\t1\n'}, "qrels/test.tsv:5", "broken tab-separated row"),
        ({"qrels": QRELS.encode() + b"q3\t\xe9\t1\n"}, "qrels/test.tsv:5", "not UTF-8"),
        ({"qrels": "query-id\tcorpus-id\tscore\n"}, "qrels/test.tsv", "judges no query"),
        ({"qrels": "q1\tgone\t1\n"}, "qrels/test.tsv", "1 rows name unknown documents"),
    ],
)
def test_a_broken_folder_is_refused_at_its_line(write_beir, files, place, part):
    """Each broken row names its file and line and what is wrong with it."""
    folder = write_beir(**files)
    message = str(refused(folder))
    assert message.startswith(f"{folder / place}: ")
    assert part in message


def test_a_repeated_row_with_the_same_grade_is_one(write_beir):
    """A qrels row that stands twice says nothing new."""
    assert load_beir(write_beir(qrels=QRELS + "q1\ta\t1\n")) == load_beir(write_beir())


def test_is_beir_looks_for_the_corpus_file(write_beir, store):
    """A folder with `corpus.jsonl` is one, a store is none."""
    assert is_beir(write_beir())
    assert is_beir(str(write_beir()))
    assert not is_beir(store)
    assert not is_beir(store / "MEMORY.md")


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
ID = TEXT.filter(bool).filter(lambda text: "\x00" not in text)
LABEL = st.none() | TEXT.filter(bool)


@st.composite
def suites(draw):
    """A recall suite over any documents, with any needs."""
    texts = draw(st.dictionaries(ID, TEXT, min_size=1, max_size=4))
    documents = tuple(
        Document(doc_id=doc_id, path=doc_id, tier=Tier.NOTE, name=doc_id.rsplit("/", 1)[-1], text=texts[doc_id])
        for doc_id in sorted(texts)
    )
    wordings = st.builds(
        Wording,
        text=TEXT.filter(str.strip),
        kind=LABEL,
        elicited=st.sampled_from([None, "free", "requested"]),
        lang=LABEL,
    )
    needs = tuple(
        Need(
            id=need_id,
            expected=draw(st.dictionaries(st.sampled_from(sorted(texts)), st.integers(0, 3), max_size=3)),
            wordings=tuple(draw(st.lists(wordings, min_size=1, max_size=2))),
            lang=draw(LABEL),
            tags=tuple(draw(st.lists(TEXT, max_size=2))),
        )
        for need_id in draw(st.lists(ID, unique=True, min_size=1, max_size=3))
    )
    corpus = Corpus(name="c", documents=documents, digest=digest_documents(documents))
    return Suite(name="s", path="s", corpus=corpus, needs=needs, digest=digest_needs(needs), lang=draw(LABEL))


def describe(suite):
    """What must survive a round trip: {query id: its wording's labels, language, tags and grades}."""
    return {
        query.id: (
            query.wording.text,
            query.wording.kind,
            query.wording.elicited,
            query.wording.lang or query.need.lang or suite.lang,
            query.need.tags,
            query.need.expected,
        )
        for query in suite.queries()
    }


@given(suites())
def test_an_exported_suite_loads_as_the_same(tmp_path_factory, suite):
    """Equal documents, queries and grades, needs with nothing stored included; a second trip changes nothing."""
    folder = tmp_path_factory.mktemp("round")
    export_beir(suite, folder / "one")
    loaded = load_beir(folder / "one")
    assert loaded.corpus.documents == suite.corpus.documents
    assert loaded.corpus.digest == suite.corpus.digest
    assert describe(loaded) == describe(suite)
    assert (loaded.unjudged_queries, loaded.unknown_documents) == (0, 0)
    export_beir(loaded, folder / "two" / "one")
    again = load_beir(folder / "two" / "one")
    assert dataclasses.replace(again, path=loaded.path) == loaded


def test_export_keeps_need_and_wording(write_suite, tmp_path):
    """A recall suite's wordings are queries `need[i]` that still say whose they are."""
    path = write_suite(
        "  - {id: a, expect: [MEMORY.md], ask: [x, {text: y, kind: symptom}], tags: [t]}\n"
        "  - {id: b, expect: [], ask: [z]}\n"
    )
    suite = load_suite(path)
    export_beir(suite, tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out/queries.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]
    assert rows == [
        {"_id": "a[0]", "text": "x", "metadata": {"need": "a", "wording": 0, "lang": "en", "tags": ["t"]}},
        {
            "_id": "a[1]",
            "text": "y",
            "metadata": {"need": "a", "wording": 1, "lang": "en", "kind": "symptom", "tags": ["t"]},
        },
        {"_id": "b[0]", "text": "z", "metadata": {"need": "b", "wording": 0, "lang": "en"}},
    ]
    qrels = (tmp_path / "out/qrels/test.tsv").read_bytes()
    assert qrels == b"query-id\tcorpus-id\tscore\na[0]\tMEMORY.md\t1\na[1]\tMEMORY.md\t1\nb[0]\tnothing-stored\t0\n"


def test_export_invents_no_judgement(write_suite, write_files, store, tmp_path):
    """The row for a need with nothing stored never names a document that exists."""
    write_files(store, {"corpus.yaml": "kind: plain\n", "nothing-stored.md": "x"})
    suite = load_suite(write_suite("  - {id: b, expect: [], ask: [z]}\n"))
    taken = dataclasses.replace(suite.corpus.documents[-1], doc_id="nothing-stored")
    documents = (*suite.corpus.documents[:-1], taken)
    corpus = dataclasses.replace(suite.corpus, documents=documents)
    export_beir(dataclasses.replace(suite, corpus=corpus), tmp_path / "out")
    loaded = load_beir(tmp_path / "out")
    assert "nothing-stored" in {document.doc_id for document in loaded.corpus.documents}
    assert loaded.needs[0].expected == {}


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_export_overwrites_nothing(write_beir, tmp_path, write_files, name):
    """A folder that holds one of the files already is refused and left alone."""
    target = write_files(tmp_path / "out", {name: "mine"})
    with pytest.raises(BenchmarkFormatError, match="exists already"):
        export_beir(load_beir(write_beir()), target)
    assert [path.read_text() for path in target.rglob("*") if path.is_file()] == ["mine"]


@pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmark folders are not here")
@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in BENCHMARKS.glob("*/corpus.jsonl")), ids=lambda path: path.name
)
def test_real_benchmarks_load_whole(folder):
    """Each real folder loads with every document and query it has."""
    suite = load_beir(folder)
    lines = {name: (folder / name).read_bytes().count(b"\n") for name in ("corpus.jsonl", "queries.jsonl")}
    assert len(suite.corpus.documents) == lines["corpus.jsonl"]
    assert len(suite.needs) + suite.unjudged_queries == lines["queries.jsonl"]
    judged = sum(len(need.expected) for need in suite.needs)
    assert judged + suite.unknown_documents == (folder / "qrels/test.tsv").read_bytes().count(b"\n") - 1
    assert suite.lang == suite.needs[0].lang is not None
