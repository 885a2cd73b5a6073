"""Suite files: `*.recall.yaml` into a checked Suite. Everything that could cost a need silently is refused here."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from yaml.nodes import MappingNode, Node

from memeval.errors import BenchmarkFormatError, CorpusError, SuiteFileError
from memeval.memory.disk import encode_path
from memeval.testbed.corpus import Corpus, load_corpus
from memeval.testbed.docids import DocIds
from memeval.testbed.judgements import add_judgements
from memeval.testbed.needs import Need, Suite, Wording, digest_needs
from memeval.testbed.storekinds import find_kind
from memeval.testbed.yamlfile import YamlFile, quote_scalar, read_yaml

SUITE_KEYS = ("suite", "corpus", "lang", "project", "description", "qrels", "judged", "needs")
NEED_KEYS = ("id", "expect", "ask", "must_find", "evidence", "tags", "lang", "situation", "note")
WORDING_KEYS = ("text", "kind", "elicited", "writer", "must_find", "lang")
ELICITED = ("free", "requested")
HIGHEST_GRADE = 3
"""In a suite file; judgements of other people, in BEIR and TREC files, have the grades they have."""

_ID = re.compile(r"\w[\w.-]*")
_ID_HINT = "use letters, digits, _ - and . only, beginning with a letter or digit"
_PYTEST_WORDS = frozenset({"and", "or", "not", "none", "true", "false"})


def load_suite(path: Path | str, *, project: str | None = None) -> Suite:
    """The suite of a `*.recall.yaml` file, with its corpus loaded and every expected file checked.

    Args:
        path: the file; `corpus:` and `qrels:` in it are relative to the file.
        project: slug of the project to search; else `project:` of the suite, of `corpus.yaml`, else the only one.

    Raises:
        SuiteFileError: the first thing that is wrong, as `path:line: …`, in the file or in the qrels file it names; a
            corpus that cannot be loaded included.
    """
    file = read_yaml(Path(path), error=SuiteFileError)
    fields = file.as_fields(file.root, "the suite", SUITE_KEYS, required=("suite", "corpus", "needs"))
    name = _read_id(file, fields["suite"], "the suite's name")
    lang = _read_optional_text(file, fields, "lang")
    description = _read_optional_text(file, fields, "description") or ""
    corpus, corpus_root = _read_corpus(file, fields, project)
    needs = _read_needs(file, fields["needs"], _Places(file, corpus, corpus_root))
    if "qrels" in fields:
        needs = _read_qrels(file, fields["qrels"], needs, corpus)
    return Suite(
        name=name,
        path=str(path),
        corpus=corpus,
        needs=needs,
        digest=digest_needs(needs),
        judged_on=file.as_day(fields["judged"], "'judged'") if "judged" in fields else None,
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
    doc_ids: DocIds = field(init=False)

    def __post_init__(self) -> None:
        self.texts = {document.doc_id: document.text for document in self.corpus.documents}
        self.doc_ids = DocIds(self.corpus.file_ids)

    def find(self, node: Node, written: str) -> str:
        """The doc_id that a written path means."""
        doc_id = self.doc_ids.find(written)
        if doc_id is None:
            self.file.fail(node, self._explain_missing(written))
        return doc_id

    def _explain_missing(self, written: str) -> str:
        path = posixpath.normpath(written)
        if not path.startswith(("/", "..")) and (self.root / path).is_file():
            return f"expected file {written!r} exists but is never searched: {self._describe_searched()}"
        return (
            f"expected file {written!r} is not among the {len(self.doc_ids)} files of corpus {self.corpus.name!r}; "
            f"write its path relative to the corpus folder.{self.doc_ids.suggest(written)}"
        )

    def _describe_searched(self) -> str:
        kind = find_kind(self.corpus.kind)
        project = f" (of project {self.corpus.project})" if self.corpus.project else ""
        return f"a search sees {kind.searched if kind else 'other files'}{project}"


def _read_corpus(file: YamlFile, fields: dict[str, Node], project: str | None) -> tuple[Corpus, Path]:
    written = file.as_text(fields["corpus"], "'corpus'")
    if written.startswith("~"):
        file.fail(
            fields["corpus"],
            f"'corpus' is {written!r}; ~ is not expanded here: write the path from / or from this file",
        )
    named = _read_optional_text(file, fields, "project")
    root = Path(file.path).parent / encode_path(written)
    try:
        return load_corpus(root, project=project or named), root
    except CorpusError as exc:
        file.fail(fields["project" if named and not project else "corpus"], str(exc))


def _read_qrels(file: YamlFile, node: Node, needs: tuple[Need, ...], corpus: Corpus) -> tuple[Need, ...]:
    written = file.as_text(node, "'qrels'")
    path = Path(file.path).parent / encode_path(written)
    try:
        return add_judgements(needs, path, doc_ids=corpus.file_ids, suite_path=file.path)
    except BenchmarkFormatError as exc:
        file.fail(node, str(exc))


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
        texts = [places.texts.get(doc_id) for doc_id in need.relevant]  # None: cannot be read, so it may stand there
        if not any(text is None or wanted in _squeeze(text) for text in texts):
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
            number = file.as_whole_number(grade, f"the grade of {written!r}")
            if number > HIGHEST_GRADE:
                file.fail(
                    grade,
                    f"the grade of {written!r} is {number}; allowed are 0 (looked at, no answer), 1 (answers partly), "
                    f"2 (answers) and {HIGHEST_GRADE} (answers best)",
                )
            yield key_node, written, number


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
        return Wording(text=file.as_text(node, "a wording"), line=file.line(node))
    entries = node.value
    if len(entries) == 1 and not get_close_matches(entries[0][0].value, WORDING_KEYS):
        written = f"{entries[0][0].value}: {entries[0][1].value}"
        file.fail(node, f"a wording with a colon in it is a mapping to YAML; quote it: {quote_scalar(written)}")
    fields = file.as_fields(node, "a wording", WORDING_KEYS, required=("text",))
    elicited = _read_optional_text(file, fields, "elicited")
    if elicited not in (None, *ELICITED):
        file.fail(fields["elicited"], f"'elicited' is {elicited!r}; known: {', '.join(ELICITED)}")
    return Wording(
        text=file.as_text(fields["text"], "a wording"),
        kind=_read_optional_text(file, fields, "kind"),
        elicited=elicited,
        writer=_read_optional_text(file, fields, "writer"),
        must_find=_read_truth(file, fields, "must_find"),
        lang=_read_optional_text(file, fields, "lang"),
        line=file.line(node),
    )


def _read_id(file: YamlFile, node: Node, what: str) -> str:
    text = file.as_text(node, what, hint=_ID_HINT)
    if not is_valid_id(text):
        reserved = "; and, or, not, none, true, false are taken by pytest -k" if text.lower() in _PYTEST_WORDS else ""
        file.fail(node, f"{what} is {text!r}; {_ID_HINT}{reserved}")
    return text


def _read_optional_text(file: YamlFile, fields: dict[str, Node], key: str) -> str | None:
    return file.as_text(fields[key], f"{key!r}") if key in fields else None


def _read_truth(file: YamlFile, fields: dict[str, Node], key: str) -> bool:
    return key in fields and file.as_truth(fields[key], f"{key!r}")


def _squeeze(text: str) -> str:
    """The text with every run of white space as one blank."""
    return " ".join(text.split())
