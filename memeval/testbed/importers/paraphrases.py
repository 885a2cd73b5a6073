"""Paraphrase groups: on each line of a JSON Lines file, several people's wordings of one need over a given corpus."""

from __future__ import annotations

from pathlib import Path

from memeval.testbed.importers.base import (
    DropList,
    Imported,
    Importer,
    ImportOptions,
    Sample,
    build_suite_over,
    gather,
    keep_known,
    load_given_corpus,
)
from memeval.testbed.importers.jsonfile import JsonNode, read_json_lines
from memeval.testbed.needs import Need, Wording
from memeval.testbed.suitefile import is_valid_id

_NAME = "paraphrases"
_DESCRIPTION = "Groups of wordings that different people found for one need; nobody asked them for a kind of wording."


def import_paraphrases(path: Path, licence: str, options: ImportOptions) -> Imported:
    """One suite: a need for each group, its `queries` as the wordings, its `expected` doc_ids with grade 1.

    A group may have an `id`, `lang` and `tags`; without an id it is named after its line. Other keys are let be.
    A wording's kind and how it was elicited stay unsaid. Dropped: a blank wording, one that repeats another of its
    group, an expected document that the corpus lacks, a group without any wording or expected document left.
    """
    assert options.corpus is not None
    name = options.name or path.stem
    corpus = load_given_corpus(options.corpus, licence)
    corpus_ids = frozenset(document.doc_id for document in corpus.documents)
    lang = options.lang or (corpus.languages[0] if len(corpus.languages) == 1 else None)
    lost = DropList(name)
    needs = []
    seen: dict[str, int | None] = {}
    for group in read_json_lines(path):
        given = group.find("id")
        need_id = given.id() if given is not None else f"line-{group.line:04d}"
        if given is not None and not is_valid_id(need_id):
            raise given.fail(f"is {need_id!r}; an id is made of letters, digits, '_', '.' and '-'")
        if need_id in seen:
            raise group.fail(f"has the id {need_id!r}, which stands in line {seen[need_id]} already")
        seen[need_id] = group.line
        wordings = _read_wordings(group, need_id, lost)
        named = [item.label() for item in group.child("expected").items()]
        expected = keep_known(dict.fromkeys(named, 1), corpus_ids, need_id, lost)
        if not wordings:
            lost.add("group without a wording", need_id)
        elif not expected:
            reason = "whose expected documents are all dropped" if named else "without an expected document"
            lost.add(f"group {reason}", need_id)
        else:
            own_lang, tags = group.find("lang"), group.find("tags")
            needs.append(
                Need(
                    id=need_id,
                    expected=expected,
                    wordings=wordings,
                    lang=own_lang.label() if own_lang is not None else lang,
                    tags=tuple(tag.label() for tag in tags.items()) if tags is not None else (),
                    line=group.line,
                )
            )
    suite = build_suite_over(corpus, name, path, needs, lang=lang, kind="recall", description=_DESCRIPTION)
    return gather(_NAME, path, licence, [(suite, lost.result())])


def _read_wordings(group: JsonNode, need_id: str, lost: DropList) -> tuple[Wording, ...]:
    texts: list[str] = []
    for item in group.child("queries").items():
        text = item.text().strip()
        if not text:
            lost.add("wording without text", f"{need_id}: {item.place}")
        elif text in texts:
            lost.add("wording that repeats another of its group", f"{need_id}: {item.place}")
        else:
            texts.append(text)
    return tuple(Wording(text=text) for text in texts)


def _recognise(sample: Sample) -> bool:
    return isinstance(sample.value, dict) and {"queries", "expected"} <= sample.keys()


PARAPHRASES = Importer(
    name=_NAME,
    description="paraphrase groups, {queries: […], expected: […]} on each line, over a corpus that is there already",
    recognised_by="lines of JSON objects with 'queries' and 'expected'",
    recognise=_recognise,
    function=import_paraphrases,
    takes=("name", "lang", "corpus"),
    requires=("corpus",),
)
