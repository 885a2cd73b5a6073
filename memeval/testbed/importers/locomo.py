"""LoCoMo: long conversations between two people, and questions with the turns that answer them.

A session of a conversation is a document, so that a turn given as evidence makes its session the expected document.
The numbers of the categories follow the data and the benchmark's own scorer, not the order in which its paper lists
the types: nearly every question of category 1 names turns of several sessions, one of category 4 a single turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from memeval.memory.document import Document
from memeval.testbed.importers.base import (
    DropList,
    Dropped,
    Imported,
    Importer,
    ImportOptions,
    Sample,
    build_suite,
    gather,
    make_document,
)
from memeval.testbed.importers.jsonfile import JsonNode, read_json
from memeval.testbed.needs import Need, Suite, Wording

_NAME = "locomo"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}

_DESCRIPTION = (
    "One LoCoMo conversation, a document for each session. A question tagged adversarial expects the session it was "
    "twisted from, which does not answer it: leave that tag out of headline figures."
)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DATE = re.compile(rf".*\S on (?P<day>\d{{1,2}}) (?P<month>{'|'.join(_MONTHS)}),? (?P<year>\d{{4}})")
_SESSION = re.compile(r"session_([0-9]+)", re.ASCII)
_TURN = re.compile(r"D:?([0-9]+):([0-9]+)", re.ASCII)
"""One text may name several turns (`D8:6; D9:17`), and a few are written `D:11:26` or `D30:05`."""

_Turn = tuple[int, int]
"""Numbers of the session and of the turn in it."""


def import_locomo(path: Path, licence: str, options: ImportOptions) -> Imported:
    """One suite for each conversation.

    A document is `memory/<day>-session-<number>.md` with a list item for each turn and the caption of a shared photo.
    Dropped: a session without turns, evidence that names no turn of the conversation, a question without any left.
    """
    prefix, lang = options.name or _NAME, options.lang or "en"
    parts = []
    names: dict[str, str] = {}
    for conversation in read_json(path).items():
        sample_id = conversation.child("sample_id")
        name = f"{prefix}-{sample_id.id()}"
        sample_id.claim(name, names)
        parts.append(_read_conversation(conversation, name, path, licence, lang))
    return gather(_NAME, path, licence, parts)


def _read_conversation(
    sample: JsonNode, name: str, path: Path, licence: str, lang: str
) -> tuple[Suite, tuple[Dropped, ...]]:
    lost = DropList(name)
    documents: list[Document] = []
    turns: dict[_Turn, str] = {}
    conversation = sample.child("conversation")
    for number in _list_sessions(conversation):
        items = conversation.find(f"session_{number}")
        if items is None or not items.items():
            lost.add("session with a date and no turns", f"session {number}")
            continue
        document = _render_session(conversation, number, items.items())
        documents.append(document)
        for turn in items.items():
            dia_id = turn.child("dia_id")
            if turns.setdefault(_read_turn(dia_id), document.doc_id) != document.doc_id:
                raise dia_id.fail(f"{dia_id.value!r} stands in two sessions, so that evidence may mean either")
    needs = []
    for index, question in enumerate(sample.child("qa").items()):
        need = _read_question(question, f"{name}-{index:03d}", turns, lang, lost)
        if need is not None:
            needs.append(need)
    suite = build_suite(name, path, documents, needs, licence=licence, lang=lang, description=_DESCRIPTION)
    return suite, lost.result()


def _list_sessions(conversation: JsonNode) -> list[int]:
    """The numbers of the sessions that have turns or a date, in order."""
    found = (_SESSION.fullmatch(key.removesuffix("_date_time")) for key in conversation.fields())
    return sorted({int(match[1]) for match in found if match})


def _render_session(conversation: JsonNode, number: int, turns: list[JsonNode]) -> Document:
    date = conversation.child(f"session_{number}_date_time")
    match = _DATE.fullmatch(date.label())
    if match is None:
        raise date.fail(f"is {date.value!r}; a date is written like '1:56 pm on 8 May, 2023'")
    day = f"{match['year']}-{_MONTHS.index(match['month']) + 1:02d}-{int(match['day']):02d}"
    speakers = " and ".join(conversation.child(f"speaker_{letter}").label() for letter in "ab")
    lines = [f"# {day} session {number}", "", f"Date: {date.label()}. {speakers}.", ""]
    for turn in turns:
        caption = turn.find("blip_caption")
        photo = f" [shares {caption.text()}]" if caption is not None else ""
        lines.append(f"- {turn.child('speaker').label()}: {turn.child('text').text().strip()}{photo}")
    return make_document(f"memory/{day}-session-{number:02d}.md", "\n".join(lines) + "\n")


def _read_turn(node: JsonNode) -> _Turn:
    match = _TURN.fullmatch(node.label())
    if match is None:
        raise node.fail(f"is {node.value!r}; a turn is written like 'D1:3'")
    return int(match[1]), int(match[2])


def _read_question(node: JsonNode, need_id: str, turns: Mapping[_Turn, str], lang: str, lost: DropList) -> Need | None:
    category = node.child("category").whole_number()
    if category not in CATEGORIES:
        allowed = ", ".join(f"{number} ({name})" for number, name in CATEGORIES.items())
        raise node.child("category").fail(f"is {category}; allowed: {allowed}")
    text = node.child("question").text()
    evidence = node.find("evidence")
    given = evidence.items() if evidence is not None else []
    expected: dict[str, int] = {}
    for item in given:
        named = [(int(session), int(turn)) for session, turn in _TURN.findall(item.text())]
        if not named or any(turn not in turns for turn in named):
            lost.add("evidence that names no turn of the conversation", f"{need_id}: {item.text()}")
        expected.update({turns[turn]: 1 for turn in named if turn in turns})
    if not text.strip():
        lost.add("question without text", need_id)
    elif not expected:
        lost.add("question without evidence" if not given else "question whose evidence is all dropped", need_id)
    else:
        spread = "single-file" if len(expected) == 1 else "multi-file"
        return Need(
            id=need_id,
            expected=expected,
            wordings=(Wording(text=text),),
            lang=lang,
            tags=(CATEGORIES[category], spread),
        )
    return None


def _recognise(sample: Sample) -> bool:
    return isinstance(sample.value, list) and {"conversation", "qa"} <= sample.keys()


LOCOMO = Importer(
    name=_NAME,
    description="LoCoMo JSON: each conversation a store of dated sessions, its questions with the sessions they need",
    recognised_by="a JSON list of objects with 'conversation' and 'qa'",
    recognise=_recognise,
    function=import_locomo,
    takes=("name", "lang"),
)
