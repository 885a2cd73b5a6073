"""Suite files: `*.recall.yaml` into a checked Suite. Everything that could cost a need silently is refused here."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from yaml.nodes import MappingNode, Node

from memeval.errors import CorpusError, SuiteFileError
from memeval.testbed.corpus import Corpus, load_corpus
from memeval.testbed.needs import Need, Suite, Wording, digest_needs
from memeval.testbed.yamlfile import YamlFile, read_yaml

SUITE_KEYS = ("suite", "corpus", "lang", "project", "description", "needs")
NEED_KEYS = ("id", "expect", "ask", "must_find", "evidence", "tags", "lang", "situation", "note")
WORDING_KEYS = ("text", "kind", "elicited", "must_find", "lang")
ELICITED = ("free", "requested")

_ID = re.compile(r"\w[\w.-]*")
_PYTEST_WORDS = frozenset({"and", "or", "not", "none", "true", "false"})


def load_suite(path: Path | str, *, project: str | None = None) -> Suite:
    """The suite of a `*.recall.yaml` file, with its corpus loaded and every expected file checked.

    Args:
        path: the file; `corpus:` in it is relative to the file.
        project: slug of the project to search; else `project:` of the suite, of `corpus.yaml`, else the only one.

    Raises:
        SuiteFileError: the first thing that is wrong, as `path:line: …`; a corpus that cannot be loaded included.
    """
    file = read_yaml(Path(path), error=SuiteFileError)
    fields = file.as_fields(file.root, "the suite", SUITE_KEYS, required=("suite", "corpus", "needs"))
    name = _read_id(file, fields["suite"], "the suite's name")
    lang = _read_optional_text(file, fields, "lang")
    description = _read_optional_text(file, fields, "description") or ""
    corpus, corpus_root = _read_corpus(file, fields, project)
    needs = _read_needs(file, fields["needs"], _Places(file, corpus, corpus_root))
    return Suite(
        name=name,
        path=str(path),
        corpus=corpus,
        needs=needs,
        digest=digest_needs(needs),
        lang=lang,
        description=description,
    )


def is_valid_id(text: str) -> bool:
    """Whether a text can be the id of a need: usable in `id[0]` and, as it is, in pytest's `-k`."""
    return _ID.fullmatch(text) is not None and text.lower() not in _PYTEST_WORDS


@dataclass(slots=True)
class _Places:
    """Where a suite's expected files lie: finds the document that a written path means."""

    file: YamlFile
    corpus: Corpus
    root: Path
    texts: dict[str, str] = field(init=False)
    composed: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.texts = {document.doc_id: document.text for document in self.corpus.documents}
        # one file name can be spelled with composed or combining characters
        self.composed = {unicodedata.normalize("NFC", doc_id): doc_id for doc_id in self.texts}

    def find(self, node: Node, written: str) -> str:
        """The doc_id that a written path means."""
        path = posixpath.normpath(written)
        doc_id = path if path in self.texts else self.composed.get(unicodedata.normalize("NFC", path))
        if doc_id is None:
            self.file.fail(node, self._explain_missing(written, path))
        return doc_id

    def _explain_missing(self, written: str, path: str) -> str:
        if not path.startswith(("/", "..")) and (self.root / path).is_file():
            return f"expected file {written!r} exists but is never searched: {self._describe_searched()}"
        ids = list(self.texts)
        near = [doc_id for doc_id in ids if doc_id.endswith(f"/{path}")] or get_close_matches(path, ids, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return (
            f"expected file {written!r} is not among the {len(ids)} files of corpus {self.corpus.name!r}; "
            f"write its path relative to the corpus folder.{hint}"
        )

    def _describe_searched(self) -> str:
        if self.corpus.kind == "plain":
            return "a search sees *.md and *.markdown files, and skips names that begin with a dot"
        project = f" and, of project {self.corpus.project}, notes/ and daily/" if self.corpus.project else ""
        return f"a search sees *.md directly under the root{project}; no SCRATCHPAD.md, other project or other ending"


def _read_corpus(file: YamlFile, fields: dict[str, Node], project: str | None) -> tuple[Corpus, Path]:
    written = file.as_text(fields["corpus"], "'corpus'")
    if written.startswith("~"):
        file.fail(
            fields["corpus"],
            f"'corpus' is {written!r}; ~ is not expanded here: write the path from / or from this file",
        )
    named = _read_optional_text(file, fields, "project")
    root = Path(file.path).parent / written
    try:
        return load_corpus(root, project=project or named), root
    except CorpusError as exc:
        file.fail(fields["project" if named and not project else "corpus"], str(exc))


def _read_needs(file: YamlFile, node: Node, places: _Places) -> tuple[Need, ...]:
    items = file.as_items(node, "'needs'")
    if not items:
        file.fail(node, "'needs' is empty; write at least one need")
    lines: dict[str, int] = {}
    needs = []
    for item in items:
        need = _read_need(file, item, places)
        if need.id in lines:
            file.fail(item, f"id {need.id!r} stands twice; the first is in line {lines[need.id]}; choose another")
        lines[need.id] = file.line(item)
        needs.append(need)
    return tuple(needs)


def _read_need(file: YamlFile, node: Node, places: _Places) -> Need:
    fields = file.as_fields(node, "a need", NEED_KEYS, required=("id", "expect", "ask"))
    need_id = _read_id(file, fields["id"], "an id")
    expected = _read_expected(file, fields["expect"], places)
    wordings = _read_wordings(file, fields["ask"])
    need = Need(
        id=need_id,
        expected=expected,
        wordings=wordings,
        lang=_read_optional_text(file, fields, "lang"),
        must_find=_read_truth(file, fields, "must_find"),
        evidence=_read_optional_text(file, fields, "evidence"),
        tags=file.as_texts(fields["tags"], "'tags'") if "tags" in fields else (),
        situation=_read_optional_text(file, fields, "situation"),
        note=_read_optional_text(file, fields, "note"),
        line=file.line(node),
    )
    if not need.relevant:
        if need.must_find or any(wording.must_find for wording in wordings):
            where = fields["must_find"] if need.must_find else fields["ask"]
            file.fail(
                where, f"{need_id!r} has must_find, but nothing is stored that could be found; drop one of the two"
            )
        if need.evidence is not None:
            file.fail(
                fields["evidence"], f"{need_id!r} has evidence, but nothing is stored that could show it; drop it"
            )
    elif need.evidence is not None:
        wanted = _squeeze(need.evidence)
        if not any(wanted in _squeeze(places.texts[doc_id]) for doc_id in need.relevant):
            file.fail(
                fields["evidence"],
                f"evidence {need.evidence!r} stands in none of the expected files "
                f"({', '.join(sorted(need.relevant))}); copy it from the file, upper and lower case count",
            )
    return need


def _read_expected(file: YamlFile, node: Node, places: _Places) -> dict[str, int]:
    grades: dict[str, int] = {}
    for path_node, written, grade in _read_judgements(file, node):
        doc_id = places.find(path_node, written)
        if grades.setdefault(doc_id, grade) != grade:
            file.fail(path_node, f"{written!r} has grade {grade} here and {grades[doc_id]} before; keep one")
    return grades


def _read_judgements(file: YamlFile, node: Node) -> Iterable[tuple[Node, str, int]]:
    """(node, path as written, grade) of each expected file."""
    items = [node] if isinstance(node, MappingNode) else file.as_items(node, "'expect'")
    for item in items:
        if not isinstance(item, MappingNode):
            yield item, file.as_text(item, "an expected file"), 1
            continue
        for written, key_node, grade in file.as_entries(item, "'expect'"):
            yield key_node, written, file.as_whole_number(grade, f"the grade of {written!r}")


def _read_wordings(file: YamlFile, node: Node) -> tuple[Wording, ...]:
    items = file.as_items(node, "'ask'")
    if not items:
        file.fail(node, "'ask' is empty; write at least one wording")
    lines: dict[str, int] = {}
    wordings = []
    for item in items:
        wording = _read_wording(file, item)
        same = _squeeze(wording.text)
        if same in lines:
            file.fail(item, f"wording {wording.text!r} stands twice in this need; the first is in line {lines[same]}")
        lines[same] = file.line(item)
        wordings.append(wording)
    return tuple(wordings)


def _read_wording(file: YamlFile, node: Node) -> Wording:
    if not isinstance(node, MappingNode):
        return Wording(text=file.as_text(node, "a wording"))
    fields = file.as_fields(node, "a wording", WORDING_KEYS, required=("text",))
    elicited = _read_optional_text(file, fields, "elicited")
    if elicited not in (None, *ELICITED):
        file.fail(fields["elicited"], f"'elicited' is {elicited!r}; known: {', '.join(ELICITED)}")
    return Wording(
        text=file.as_text(fields["text"], "a wording"),
        kind=_read_optional_text(file, fields, "kind"),
        elicited=elicited,
        must_find=_read_truth(file, fields, "must_find"),
        lang=_read_optional_text(file, fields, "lang"),
    )


def _read_id(file: YamlFile, node: Node, what: str) -> str:
    text = file.as_text(node, what)
    if not is_valid_id(text):
        reserved = "; and, or, not, none, true, false are taken by pytest -k" if text.lower() in _PYTEST_WORDS else ""
        file.fail(
            node, f"{what} is {text!r}; use letters, digits, _ - and . only, beginning with a letter or digit{reserved}"
        )
    return text


def _read_optional_text(file: YamlFile, fields: dict[str, Node], key: str) -> str | None:
    return file.as_text(fields[key], f"{key!r}") if key in fields else None


def _read_truth(file: YamlFile, fields: dict[str, Node], key: str) -> bool:
    return key in fields and file.as_truth(fields[key], f"{key!r}")


def _squeeze(text: str) -> str:
    """The text with every run of white space as one blank."""
    return " ".join(text.split())
