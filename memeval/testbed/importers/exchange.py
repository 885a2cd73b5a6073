"""The exchange formats of retrieval evaluation as importers: BEIR folders, and TREC qrels with their topics."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from memeval.errors import BenchmarkFormatError
from memeval.testbed.beir import is_beir, load_beir
from memeval.testbed.importers.base import (
    DropList,
    Dropped,
    Imported,
    Importer,
    ImportOptions,
    build_suite_over,
    gather,
    keep_known,
    load_given_corpus,
)
from memeval.testbed.needs import Need, Wording
from memeval.testbed.trec import read_qrels

_TOPIC = re.compile(r"<top>(.*?)(?=<top>|\Z)", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:Topic:)?([^<]*)", re.IGNORECASE)


def import_beir(path: Path, licence: str, options: ImportOptions) -> Imported:
    """The suite of a BEIR folder as `load_beir` reads it, with a licence, and with what it left out by count."""
    if not is_beir(path):
        raise BenchmarkFormatError("is no BEIR folder: it has no corpus.jsonl", path=str(path))
    suite = load_beir(path, split=options.split)
    name = options.name or suite.name
    corpus = replace(suite.corpus, name=name, licence=licence)
    counts = {
        "query that no row judges against a document that exists": suite.unjudged_queries,
        "expected document that the corpus does not have": suite.unknown_documents,
    }
    dropped = tuple(Dropped(suite=name, count=count, reason=reason) for reason, count in counts.items() if count)
    return gather(BEIR.name, path, licence, [(replace(suite, name=name, corpus=corpus), dropped)])


def import_trec(path: Path, licence: str, options: ImportOptions) -> Imported:
    """One suite: the topics that a qrels file judges, over the documents of `corpus`.

    A topic with only 0 grades has nothing stored; a negative grade means unjudged. Dropped: a judged topic that
    `topics` lacks, a topic without a judgement, an expected document that the corpus lacks, a topic without any left.
    """
    assert options.corpus is not None
    assert options.topics is not None
    name = options.name or path.stem
    corpus = load_given_corpus(options.corpus, licence)
    corpus_ids = frozenset(document.doc_id for document in corpus.documents)
    topics = read_topics(Path(options.topics))
    lost = DropList(name)
    qrels = {
        topic: {doc_id: grade for doc_id, grade in grades.items() if grade >= 0}
        for topic, grades in read_qrels(path).items()
    }
    needs = []
    for topic in qrels:
        if topic not in topics:
            lost.add("judged topic that the topics file does not have", topic)
    for topic, text in topics.items():
        grades = qrels.get(topic, {})
        expected = keep_known(grades, corpus_ids, topic, lost)
        if not grades:
            lost.add("topic without a judgement", topic)
        elif any(grade >= 1 for grade in grades.values()) and not any(grade >= 1 for grade in expected.values()):
            lost.add("topic whose expected documents are all dropped", topic)
        else:
            needs.append(Need(id=topic, expected=expected, wordings=(Wording(text=text),), lang=options.lang))
    suite = build_suite_over(
        corpus, name, path, needs, lang=options.lang, kind="beir", description="Topics judged by a TREC qrels file."
    )
    return gather(TREC.name, path, licence, [(suite, lost.result())])


def read_topics(path: Path) -> dict[str, str]:
    """{topic id: text} of a topics file, in file order: `id<TAB>text` on each line, or `<top>` blocks by their titles.

    Raises:
        BenchmarkFormatError: the file cannot be read, a topic has no id or text, an id stands twice, or there is none.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as exc:
        raise BenchmarkFormatError(f"cannot be read ({exc.strerror})", path=str(path)) from exc
    except UnicodeDecodeError as exc:
        line = exc.object.count(b"\n", 0, exc.start) + 1
        raise BenchmarkFormatError("is not UTF-8; save the file as UTF-8", path=str(path), line=line) from exc
    topics: dict[str, str] = {}
    for line, topic, title in _read_blocks(text) if _TOPIC.search(text) else _read_table(text):
        if not topic or not title:
            raise BenchmarkFormatError(
                "a topic needs an id and a text: `id<TAB>text`, or <top> with <num> and <title>",
                path=str(path),
                line=line,
            )
        if topic in topics:
            raise BenchmarkFormatError(f"topic {topic!r} stands twice; keep one", path=str(path), line=line)
        topics[topic] = title
    if not topics:
        raise BenchmarkFormatError("holds no topic", path=str(path))
    return topics


def _read_blocks(text: str) -> list[tuple[int, str, str]]:
    blocks = []
    for block in _TOPIC.finditer(text):
        number, title = _NUMBER.search(block[1]), _TITLE.search(block[1])
        line = text.count("\n", 0, block.start()) + 1
        blocks.append((line, number[1] if number else "", " ".join(title[1].split()) if title else ""))
    return blocks


def _read_table(text: str) -> list[tuple[int, str, str]]:
    rows = [(number, *line.partition("\t")) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    return [(number, topic.strip(), title.strip()) for number, topic, _, title in rows]


BEIR = Importer(
    name="beir",
    description="a BEIR folder: corpus.jsonl, queries.jsonl and qrels/<split>.tsv",
    recognised_by="a folder with a corpus.jsonl",
    recognise=lambda sample: is_beir(sample.path),
    function=import_beir,
    takes=("name", "split"),
)

TREC = Importer(
    name="trec",
    description="a TREC qrels file, with its topics, over a corpus that is there already",
    recognised_by="lines of four columns, the last a whole number: query, iteration, document, grade",
    recognise=lambda sample: re.fullmatch(r"\S+\s+\S+\s+\S+\s+-?[0-9]+\s*", sample.first_line) is not None,
    function=import_trec,
    takes=("name", "lang", "corpus", "topics"),
    requires=("corpus", "topics"),
)
