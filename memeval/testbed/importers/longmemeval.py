"""LongMemEval: questions to a chat assistant, each with a haystack of dated sessions.

A session is a document. The file's session ids give the evidence away, since it begins with `answer` there; document
ids are made of the day and the place in time instead, and the marks of the turns that hold an answer are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from memeval.memory.document import Document
from memeval.testbed.corpus import digest_documents
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

_NAME = "longmemeval"
_DESCRIPTION = (
    "One LongMemEval haystack, a document for each session. A question tagged third-party-question expects a session "
    "that was put there as filler, so that its author was not the benchmark's."
)
_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d) \(\w{3}\) \d\d:\d\d", re.ASCII)
_EVIDENCE = "answer"
_ABSTENTION = "_abs"


@dataclass(slots=True)
class _Haystack:
    """Sessions as documents, and the needs gathered over them so far."""

    name: str
    lost: DropList
    documents: list[Document] = field(default_factory=list)
    places: dict[str, list[str]] = field(default_factory=dict)
    """{session id: doc_ids}; published files hold a session twice now and then."""
    needs: list[Need] = field(default_factory=list)


def import_longmemeval(path: Path, licence: str, options: ImportOptions) -> Imported:
    """One suite for each haystack, named after its first question; questions with equal haystacks share it.

    A document is `memory/<day>-<place in time>.md`. A question whose id ends in `_abs` has nothing stored: the sessions
    it is about have grade 0. Dropped: a session without turns, evidence that is not in the haystack, a question
    without any left.

    Raises:
        BenchmarkFormatError: broken input, or a file of evidence sessions alone, where nothing needs searching.
    """
    prefix, lang = options.name or "lme", options.lang or "en"
    haystacks: dict[tuple[str, ...], _Haystack] = {}
    seen: dict[str, str] = {}
    has_filler = False
    root = read_json(path)
    for question in root.items():
        question_id = question.child("question_id")
        need_id = f"{prefix}-{question_id.id().replace('_', '-')}"
        question_id.claim(need_id, seen)
        read = _read_haystack(question, need_id)
        haystack = haystacks.setdefault((digest_documents(read.documents), *read.places), read)
        answers = [item.id() for item in question.child("answer_session_ids").items()]
        has_filler = has_filler or not set(haystack.places) <= set(answers)
        need = _read_question(question, need_id, answers, haystack, lang)
        if need is not None:
            haystack.needs.append(need)
    if haystacks and not has_filler:
        raise root.fail(
            "holds evidence sessions alone (an oracle file): nothing to search; import the file with haystacks"
        )
    parts = []
    for found in haystacks.values():
        suite = build_suite(
            found.name, path, found.documents, found.needs, licence=licence, lang=lang, description=_DESCRIPTION
        )
        parts.append((suite, found.lost.result()))
    return gather(_NAME, path, licence, parts)


def _read_haystack(question: JsonNode, name: str) -> _Haystack:
    ids = question.child("haystack_session_ids")
    dates = question.child("haystack_dates")
    sessions = question.child("haystack_sessions")
    columns = (ids.items(), dates.items(), sessions.items())
    if len({len(column) for column in columns}) > 1:
        lengths = ", ".join(f"{len(column)}" for column in columns)
        raise question.fail(
            "has lists of different lengths: haystack_session_ids, haystack_dates and haystack_sessions "
            f"have {lengths}; each session needs an id and a date"
        )
    # dates are written so that they sort as text; of equal ones the first in the file comes first
    rows = sorted(zip(*columns, strict=True), key=lambda row: row[1].label())
    width = max(2, len(str(len(rows))))
    found = _Haystack(name, DropList(name))
    for place, (session_id, date, session) in enumerate(rows, start=1):
        turns = session.items()
        if not turns:
            found.lost.add("session without turns", session_id.id())
            continue
        match = _DATE.fullmatch(date.label())
        if match is None:
            raise date.fail(f"is {date.value!r}; a date is written like '2023/05/20 (Sat) 02:21'")
        blocks = [f"# {date.label()}"]
        blocks += [f"**{turn.child('role').label()}**: {turn.child('content').text().strip()}" for turn in turns]
        document = make_document(f"memory/{'-'.join(match.groups())}-{place:0{width}d}.md", "\n\n".join(blocks) + "\n")
        found.documents.append(document)
        found.places.setdefault(session_id.id(), []).append(document.doc_id)
    return found


def _read_question(node: JsonNode, need_id: str, answers: list[str], haystack: _Haystack, lang: str) -> Need | None:
    text = node.child("question").text()
    kind = node.child("question_type").label()
    abstains = node.child("question_id").id().endswith(_ABSTENTION)
    places, lost = haystack.places, haystack.lost
    for session_id in answers:
        if session_id not in places:
            lost.add("evidence that is not in the haystack", f"{need_id}: {session_id}")
    expected = {doc_id: 0 if abstains else 1 for session_id in answers for doc_id in places.get(session_id, ())}
    if not text.strip():
        lost.add("question without text", need_id)
    elif not expected and not abstains:
        lost.add("question without evidence" if not answers else "question whose evidence is all dropped", need_id)
    else:
        # the benchmark's own questions have evidence of their own, which the file's session ids show
        is_own = any(map(_is_evidence, answers)) or not any(map(_is_evidence, places))
        spread = "abstention" if abstains else "single-file" if len(expected) == 1 else "multi-file"
        return Need(
            id=need_id,
            expected=expected,
            wordings=(Wording(text=text),),
            lang=lang,
            tags=(kind if is_own or abstains else "third-party-question", spread),
        )
    return None


def _is_evidence(session_id: str) -> bool:
    return session_id.startswith(_EVIDENCE)


def _recognise(sample: Sample) -> bool:
    return isinstance(sample.value, list) and {"question_id", "haystack_sessions"} <= sample.keys()


LONGMEMEVAL = Importer(
    name=_NAME,
    description="LongMemEval JSON: each haystack a store of dated sessions, with the questions asked of it",
    recognised_by="a JSON list of objects with 'question_id' and 'haystack_sessions'",
    recognise=_recognise,
    function=import_longmemeval,
    takes=("name", "lang"),
)
