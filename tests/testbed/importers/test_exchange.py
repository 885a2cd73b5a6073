"""BEIR folders and TREC files as importers: the existing readers, with a licence and an account of what was dropped."""

import dataclasses

import pytest

from memeval.errors import BenchmarkFormatError
from memeval.testbed.beir import load_beir
from memeval.testbed.importers.exchange import read_topics


def test_a_beir_folder_is_what_its_reader_gives(load, beir):
    """Only the licence is added; what the reader left out is told by count."""
    imported = load("beir", beir)
    suite = load_beir(beir)
    corpus = dataclasses.replace(suite.corpus, licence="CC0, the tests")
    assert imported.suites == (dataclasses.replace(suite, corpus=corpus),)
    assert [str(entry) for entry in imported.dropped] == [
        "kitchen: 2 × query that no row judges against a document that exists",
        "kitchen: 1 × expected document that the corpus does not have",
    ]


def test_a_beir_folder_can_be_renamed_and_split(load, refuse, beir):
    """`name` and `split` reach the reader; a folder that is none is refused."""
    (beir / "qrels" / "dev.tsv").write_text("q2\trice.md\t1\n", encoding="utf-8")
    (suite,) = load("beir", beir, name="stove", split="dev").suites
    assert (suite.name, suite.corpus.name) == ("stove", "stove")
    assert [need.id for need in suite.needs] == ["q2"]
    assert "is no BEIR folder: it has no corpus.jsonl" in refuse("beir", beir / "qrels")


@pytest.fixture
def trec(tmp_path, write_files):
    """The path of qrels, and the options for them: 1 is judged, 2 has nothing stored, 3 and 4 are lost."""
    write_files(
        tmp_path,
        {
            "notes/tea.md": "Boil water.",
            "notes/rice.md": "Rinse, then simmer.",
            "topics.tsv": "1\thot drink\n2\tsalad\n3\tbread\n4\tsoup\n",
            "judged.qrels": "1 0 tea.md 2\n1 0 rice.md 0\n1 0 gone.md 1\n2 0 rice.md 0\n"
            "3 0 gone.md 1\n4 0 tea.md -1\n9 0 tea.md 1\n",
        },
    )
    return tmp_path / "judged.qrels", {"corpus": tmp_path / "notes", "topics": tmp_path / "topics.tsv"}


def test_topics_ask_and_qrels_judge(load, trec):
    """Grades are kept, a negative one is unjudged, and every loss is counted with its reason."""
    path, options = trec
    imported = load("trec", path, lang="en", **options)
    (suite,) = imported.suites
    assert [(need.id, need.wordings[0].text, need.expected, need.lang) for need in suite.needs] == [
        ("1", "hot drink", {"tea.md": 2, "rice.md": 0}, "en"),
        ("2", "salad", {"rice.md": 0}, "en"),
    ]
    assert [query.id for query in suite.queries()] == ["1", "2"]
    assert [document.doc_id for document in suite.corpus.documents] == ["rice.md", "tea.md"]
    assert (suite.name, suite.corpus.name, suite.corpus.licence) == ("judged", "notes", "CC0, the tests")
    assert [str(entry) for entry in imported.dropped] == [
        "judged: 1 × judged topic that the topics file does not have (9)",
        "judged: 2 × expected document that the corpus does not have (1: gone.md, 3: gone.md)",
        "judged: 1 × topic whose expected documents are all dropped (3)",
        "judged: 1 × topic without a judgement (4)",
    ]


def test_the_documents_may_be_a_beir_folder(load, trec, beir):
    """Ids are those of its corpus.jsonl."""
    path, options = trec
    (suite,) = load("trec", path, **{**options, "corpus": beir}).suites
    assert suite.corpus.digest == load_beir(beir).corpus.digest
    assert suite.needs[0].expected == {"tea.md": 2, "rice.md": 0}


def test_broken_trec_input_is_refused(refuse, trec, tmp_path):
    """The corpus, the topics and the rows of the qrels each name their place."""
    path, options = trec
    assert "cannot be the corpus" in refuse("trec", path, **{**options, "corpus": tmp_path / "absent"})
    assert "absent: cannot be read" in refuse("trec", path, **{**options, "topics": tmp_path / "absent"})
    path.write_text("1 0 tea.md 1\n1 0 tea.md\n", encoding="utf-8")
    assert "judged.qrels:2: 3 columns where 4 are needed" in refuse("trec", path, **options)


def test_topics_are_read_from_both_ways_of_writing(tmp_path):
    """A line with a tab, or the title of a `<top>` block, closed or not; white space is made one space."""
    path = tmp_path / "topics"
    path.write_bytes("\ufeff7\thot\tdrink \r\n\n8\tsoup".encode())
    assert read_topics(path) == {"7": "hot\tdrink", "8": "soup"}
    path.write_text(
        "<top>\n<num> Number: 301\n<title> Tea with\n milk\n\n<desc> Description:\nHot.\n</top>\n\n"
        "<top><num>302</num><title>Topic: Soup</title></top>\n",
        encoding="utf-8",
    )
    assert read_topics(path) == {"301": "Tea with milk", "302": "Soup"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1\tone\n2 two\n", ":2: a topic needs an id and a text"),
        (b"1\tone\n\tnone\n", ":2: a topic needs an id and a text"),
        (b"1\tone\n\n1\ttwo\n", ":3: topic '1' stands twice"),
        (b"<top>\n<num> 1\n<title> one\n</top>\n<top>\n<num> 2\n</top>\n", ":5: a topic needs an id and a text"),
        (b"\n", ": holds no topic"),
        (b"1\tone\n2\t\xff\n", ":2: is not UTF-8"),
    ],
)
def test_broken_topics_are_refused_at_their_line(content, message, tmp_path):
    """Each topic has an id and a text, once."""
    path = tmp_path / "topics"
    path.write_bytes(content)
    with pytest.raises(BenchmarkFormatError) as caught:
        read_topics(path)
    assert f"topics{message}" in str(caught.value)
