"""A generated world as a folder.

    <name>.recall.yaml    the suite
    store/                the corpus as the engine lays it out: corpus.yaml, MEMORY.md, projects/<slug>/notes and daily,
                          and aliases.yaml: {doc_id: [alias, …]}, what a careful writer would have added to each file
    truth.json            what is true of it; the keys are those of the values in truth.py
    sessions.jsonl        the simulated sessions, one event a line, in order of session, then time

An event has `session`, `time` (UTC), `need` and `event`, and further
`search`: `wording` (its place among the need's), `query`, `hits` (what a literal search matches, sorted by doc_id);
`read`: `file`, which ends a need that was found;
`stop`: `outcome` (`abandoned`, `out_of_words`, `nothing_stored`), which ends any other.
`need`, `wording` and `stop` are truth: whoever tries to find needs in recorded sessions has to do without them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from memeval.errors import CorpusError
from memeval.memory.document import Document
from memeval.testbed.corpus import CORPUS_FILE, Corpus
from memeval.testbed.generator.sessions import Outcome, Session
from memeval.testbed.generator.truth import CopyTruth, FormTruth, NeedTruth, Truth
from memeval.testbed.generator.world import World
from memeval.testbed.needs import Need, Suite, Wording

STORE = "store"
ALIASES_FILE = "aliases.yaml"
TRUTH_FILE = "truth.json"
SESSIONS_FILE = "sessions.jsonl"


def write_world(world: World, folder: Path | str) -> Path:
    """The path of the suite file, after the world is written into a folder that is new or empty.

    Raises:
        CorpusError: the folder holds something, or is a file; nothing was written.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise CorpusError(f"{target} exists already and is no empty folder; choose another")
    corpus, aliases = world.suite.corpus, world.truth.aliases
    store = target / STORE
    write_documents(corpus.documents, store)
    _write_lines(store / CORPUS_FILE, _describe_corpus(corpus))
    if aliases:
        _write_lines(store / ALIASES_FILE, (f"{_quote(file)}: {_list(aliases[file])}" for file in sorted(aliases)))
    _write_lines(target / TRUTH_FILE, _describe_truth(world.truth))
    _write_lines(target / SESSIONS_FILE, map(_dump, list_events(world.sessions)))
    suite_path = target / world.suite.path
    _write_lines(suite_path, _describe_suite(world.suite))
    return suite_path


def write_documents(documents: Iterable[Document], root: Path) -> None:
    """Write each document at its doc_id below the root, as the bytes of its text."""
    made: set[Path] = set()
    for document in documents:
        path = root / document.doc_id
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        path.write_bytes(document.text.encode("utf-8"))


def list_events(sessions: Iterable[Session]) -> Iterator[dict[str, object]]:
    """The events of the sessions, as they stand in the file."""
    for session in sessions:
        for attempt in session.attempts:
            for search in attempt.searches:
                yield {
                    "session": session.id,
                    "time": search.time,
                    "need": attempt.need,
                    "event": "search",
                    "wording": search.wording,
                    "query": search.query,
                    "hits": list(search.hits),
                }
            end = {"session": session.id, "time": attempt.time, "need": attempt.need}
            if attempt.outcome is Outcome.FOUND:
                yield {**end, "event": "read", "file": attempt.read}
            else:
                yield {**end, "event": "stop", "outcome": attempt.outcome.value}


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8"))


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _quote(text: str) -> str:
    """A text without an apostrophe or line break, which is all there is here, as YAML."""
    return f"'{text}'"


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_quote, texts))}]"


def _describe_corpus(corpus: Corpus) -> Iterator[str]:
    yield f"name: {_quote(corpus.name)}"
    yield f"kind: {corpus.kind}"
    yield f"languages: {_list(corpus.languages)}"
    yield f"licence: {_quote(corpus.licence)}"
    yield f"project: {_quote(corpus.project or '')}"
    yield f"description: {_quote(corpus.description)}"
    yield f"made: {_quote(corpus.made)}"


def _describe_suite(suite: Suite) -> Iterator[str]:
    yield f"suite: {_quote(suite.name)}"
    yield f"corpus: {STORE}"
    if suite.lang is not None:
        yield f"lang: {suite.lang}"
    yield f"description: {_quote(suite.description)}"
    yield "needs:"
    for need in suite.needs:
        yield from _describe_need(need)


def _describe_need(need: Need) -> Iterator[str]:
    yield f"  - id: {need.id}"
    yield f"    lang: {need.lang}"
    if need.expected:
        yield "    expect:"
        yield from (f"      {_quote(doc_id)}: {grade}" for doc_id, grade in need.expected.items())
    else:
        yield "    expect: []"
    yield "    ask:"
    yield from (f"      - {_describe_wording(wording)}" for wording in need.wordings)
    if need.evidence is not None:
        yield f"    evidence: {_quote(need.evidence)}"


def _describe_wording(wording: Wording) -> str:
    kind = "" if wording.kind is None else f", kind: {wording.kind}"
    return f"{{text: {_quote(wording.text)}{kind}, elicited: {wording.elicited}}}"


def _describe_truth(truth: Truth) -> Iterator[str]:
    """The truth as JSON, one item of a list a line."""
    values: dict[str, object] = {
        "parameters": truth.parameters.as_dict(),
        "seed": truth.seed,
        "rates": {name: rates.as_dict() for name, rates in truth.rates.items()},
        "session_counts": truth.session_counts.as_dict(),
        "session_expectation": truth.session_expectation.as_dict(),
        "needs": [_dump_need(need) for need in truth.needs],
        "duplicates": [_dump_copy(copy) for copy in truth.duplicates],
        "superseded": [_dump_copy(copy) for copy in truth.superseded],
        "noise": [{"file": noise.file, "mentions": noise.mentions} for noise in truth.noise],
        "aliases": truth.aliases,
    }
    yield "{"
    for place, (key, value) in enumerate(values.items(), start=1):
        end = "," if place < len(values) else ""
        if isinstance(value, list) and value:
            yield f'"{key}": ['
            yield ",\n".join(map(_dump, value))
            yield f"]{end}"
        else:
            yield f'"{key}": {_dump(value)}{end}'
    yield "}"


def _dump_need(need: NeedTruth) -> dict[str, object]:
    return {
        "id": need.id,
        "language": need.language,
        "file": need.file,
        "shares_file_with": need.shares_file_with,
        "twin": need.twin,
        "found_at": need.found_at,
        "forms": [_dump_form(form) for form in need.forms],
        "wordings": [
            {
                "reach": wording.reach.value if wording.reach else None,
                "stage": wording.reach.stage if wording.reach else None,
                "matched": wording.matched,
                "bridge": [_dump_form(form) for form in wording.bridge],
                "overlaps_first": wording.overlaps_first,
            }
            for wording in need.wordings
        ],
    }


def _dump_form(form: FormTruth) -> dict[str, object]:
    return {"text": form.text, "concept": form.concept, "reach": form.reach.value}


def _dump_copy(copy: CopyTruth) -> dict[str, object]:
    return {"file": copy.file, "origin": copy.origin, "needs": copy.needs}
