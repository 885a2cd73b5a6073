"""SQuAD-style JSON: paragraphs of articles and questions about them (SQuAD, DRCD, CMRC 2018, JSQuAD, KorQuAD 1).

A paragraph is a document, expected by its questions. Two ways of writing it are read: `data` with articles and their
`paragraphs`, and the list of `context_text` with `query_text` in which CMRC 2018 was first published.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memeval.testbed.importers.base import (
    DropList,
    Imported,
    Importer,
    ImportOptions,
    Sample,
    build_suite,
    gather,
    make_document,
)
from memeval.testbed.importers.jsonfile import JsonNode, read_json
from memeval.testbed.needs import Need, Wording

_NAME = "squad"
_DESCRIPTION = (
    "Paragraphs and the questions about them. The questions were written by someone who read the paragraph, so that "
    "they use its words and search by words looks better than it is."
)
_JSQUAD_SEPARATOR = " [SEP] "
"""JSQuAD writes title and text into one context."""


@dataclass(frozen=True, slots=True)
class _Question:
    id: JsonNode
    text: JsonNode
    is_impossible: bool


@dataclass(frozen=True, slots=True)
class _Paragraph:
    title: str
    context: JsonNode
    questions: list[_Question]


def import_squad(path: Path, licence: str, options: ImportOptions) -> Imported:
    """One suite, named after the file unless `name` says otherwise.

    A document is `<name>/<number>.md`, the title as its heading; a question marked `is_impossible` has nothing stored,
    and its paragraph grade 0. Dropped: a paragraph that repeats another word for word (its questions expect the first),
    a question that does (the first expects the paragraphs of both, since one query cannot mean either), and a question
    without text.
    """
    name = options.name or path.stem.lower()
    lost = DropList(name)
    numbers: dict[str, int] = {}
    questions: list[tuple[_Question, int]] = []
    for paragraph in _read_paragraphs(read_json(path)):
        text = _render(paragraph)
        if text in numbers:
            lost.add("paragraph that repeats another word for word, merged with it", paragraph.context.place)
        number = numbers.setdefault(text, len(numbers) + 1)
        questions.extend((question, number) for question in paragraph.questions)
    width = max(4, len(str(len(numbers))))
    ids = {number: f"{name}/{number:0{width}d}.md" for number in numbers.values()}
    asked: dict[str, tuple[str, dict[str, int]]] = {}
    seen: dict[str, str] = {}
    for question, number in questions:
        need_id = f"{name}-{question.id.id()}"
        question.id.claim(need_id, seen)
        text = question.text.text()
        if not text.strip():
            lost.add("question without text", need_id)
            continue
        if text in asked:
            lost.add("question that repeats another word for word, merged with it", need_id)
        _, expected = asked.setdefault(text, (need_id, {}))
        expected[ids[number]] = max(expected.get(ids[number], 0), 0 if question.is_impossible else 1)
    needs = [
        Need(
            id=need_id,
            expected=expected,
            wordings=(Wording(text=text),),
            lang=options.lang,
            tags=("squad-style",) if any(expected.values()) else ("squad-style", "unanswerable"),
        )
        for text, (need_id, expected) in asked.items()
    ]
    documents = [make_document(ids[number], text) for text, number in numbers.items()]
    suite = build_suite(name, path, documents, needs, licence=licence, lang=options.lang, description=_DESCRIPTION)
    return gather(_NAME, path, licence, [(suite, lost.result())])


def _read_paragraphs(root: JsonNode) -> Iterator[_Paragraph]:
    if isinstance(root.value, list):
        for item in root.items():
            questions = [
                _Question(question.child("query_id"), question.child("query_text"), False)
                for question in item.child("qas").items()
            ]
            yield _Paragraph(_read_title(item), item.child("context_text"), questions)
        return
    for article in root.child("data").items():
        title = _read_title(article)
        for item in article.child("paragraphs").items():
            questions = [_read_question(question) for question in item.child("qas").items()]
            yield _Paragraph(title, item.child("context"), questions)


def _read_question(node: JsonNode) -> _Question:
    flag = node.find("is_impossible")
    return _Question(node.child("id"), node.child("question"), flag is not None and flag.truth())


def _read_title(node: JsonNode) -> str:
    title = node.find("title")
    return title.text().strip() if title is not None else ""


def _render(paragraph: _Paragraph) -> str:
    context = paragraph.context.label().removeprefix(f"{paragraph.title}{_JSQUAD_SEPARATOR}")
    return f"# {paragraph.title}\n\n{context}\n" if paragraph.title else f"{context}\n"


def _recognise(sample: Sample) -> bool:
    if isinstance(sample.value, dict):
        return isinstance(sample.value.get("data"), list)
    return isinstance(sample.value, list) and {"context_text", "qas"} <= sample.keys()


SQUAD = Importer(
    name=_NAME,
    description="SQuAD-style JSON (SQuAD 1.1 and 2.0, DRCD, CMRC 2018, JSQuAD, KorQuAD 1): each paragraph a document",
    recognised_by="a JSON object with a list 'data', or a JSON list of objects with 'context_text' and 'qas'",
    recognise=_recognise,
    function=import_squad,
    takes=("name", "lang"),
)
