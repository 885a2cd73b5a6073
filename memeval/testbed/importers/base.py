"""What every importer takes and gives: options, its card in the registry, the suites, and what was dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from memeval.errors import BenchmarkFormatError, CorpusError
from memeval.memory.document import Document, Tier
from memeval.testbed.beir import is_beir, load_beir
from memeval.testbed.corpus import Corpus, digest_documents, load_corpus
from memeval.testbed.needs import Need, Suite, digest_needs
from memeval.testbed.suitefile import is_valid_id

_MOST_EXAMPLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """What an importer may be told beside the path; each takes the ones its card names."""

    name: str | None = None
    """The suite's name; where one file gives several suites, what their names begin with."""
    lang: str | None = None
    """Language of the wordings, as a tag such as `en` or `zh-Hant`."""
    corpus: Path | str | None = None
    """Folder of the documents, for a format without any: a BEIR folder, a memory store or a folder of Markdown."""
    topics: Path | str | None = None
    """File of the query texts, for TREC."""
    split: str | None = None
    """Which file of `qrels/`, for BEIR."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Something of one kind that the file holds and the suite does not."""

    suite: str
    """Name of the suite it is missing from."""
    count: int
    reason: str
    """What it is, in the singular: `question without evidence`."""
    examples: tuple[str, ...] = ()
    """The first few, by id or place."""

    def __str__(self) -> str:
        more = "" if self.count <= len(self.examples) else ", …"
        named = f" ({', '.join(self.examples)}{more})" if self.examples else ""
        return f"{self.suite}: {self.count} × {self.reason}{named}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What became of a file."""

    importer: str
    licence: str
    """As it was given; every corpus carries it."""
    suites: tuple[Suite, ...]
    """At least one, in file order; names differ."""
    dropped: tuple[Dropped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A file or folder whose format nobody has named, as far as recognising it needs."""

    path: Path
    value: object = None
    """The JSON value of the file, or of its first line; None where there is none."""
    first_line: str = ""

    def keys(self) -> frozenset[str]:
        """The keys of the JSON object, or of the first object of the list; empty for anything else."""
        first = self.value[0] if isinstance(self.value, list) and self.value else self.value
        return frozenset(first) if isinstance(first, dict) else frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One entry of the registry."""

    name: str
    description: str
    recognised_by: str
    """How to tell the file, in words."""
    recognise: Callable[[Sample], bool]
    function: Callable[[Path, str, ImportOptions], Imported]
    """(path, licence, options) -> what became of it; `load` checks the licence and the options first."""
    takes: tuple[str, ...] = ()
    """The options it takes."""
    requires: tuple[str, ...] = ()
    """Those of them it cannot do without."""

    def load(self, path: Path | str, *, licence: str, options: ImportOptions | None = None) -> Imported:
        """The suites of a file or folder, and what was dropped on the way.

        Args:
            path: the file or folder.
            licence: one line, as reports shall show it: the licence's name and whose work it is.
            options: only those that `takes` names; all that `requires` names.

        Raises:
            BenchmarkFormatError: no licence, an option too many or too few, or broken input, with its place.
        """
        source = Path(path)
        line = licence.strip()
        if not line or len(line.splitlines()) > 1:
            found = "has several lines" if line else "is missing"
            raise BenchmarkFormatError(
                f"the licence {found}; give one line that reports can show, e.g. 'CC BY-SA 4.0, the authors of …'",
                path=str(source),
            )
        options = options or ImportOptions()
        given = [field.name for field in fields(options) if getattr(options, field.name) is not None]
        for name in given:
            if name not in self.takes:
                raise BenchmarkFormatError(
                    f"importer {self.name!r} has no option {name!r}; it takes {', '.join(self.takes)}", path=str(source)
                )
        for name in self.requires:
            if name not in given:
                raise BenchmarkFormatError(
                    f"importer {self.name!r} needs the option {name!r} as well", path=str(source)
                )
        if options.name is not None and not is_valid_id(options.name):
            raise BenchmarkFormatError(_explain_name(options.name), path=str(source))
        return self.function(source, line, options)


class DropList:
    """Gathers what one suite does without, by reason, in the order it was met."""

    def __init__(self, suite: str) -> None:
        self._suite = suite
        self._examples: dict[str, list[str]] = {}

    def add(self, reason: str, example: str) -> None:
        """Count one more."""
        self._examples.setdefault(reason, []).append(example)

    def result(self) -> tuple[Dropped, ...]:
        """What was gathered."""
        return tuple(
            Dropped(suite=self._suite, count=len(names), reason=reason, examples=tuple(names[:_MOST_EXAMPLES]))
            for reason, names in self._examples.items()
        )


def make_document(doc_id: str, text: str) -> Document:
    """A document exactly as the BEIR reader gives it, so that a suite and its exported folder score the same.

    It is a note without a date even where its id holds a day: a daily log would be ranked and cut by other rules.
    """
    return Document(doc_id=doc_id, path=doc_id, tier=Tier.NOTE, name=doc_id.rsplit("/", 1)[-1], text=text)


def build_suite(
    name: str,
    path: Path,
    documents: Iterable[Document],
    needs: Sequence[Need],
    *,
    licence: str,
    lang: str | None,
    description: str,
) -> Suite:
    """A suite over documents of its own, of the kind that a BEIR folder gives: each need has one wording.

    Raises:
        BenchmarkFormatError: a name that could not name a folder.
    """
    ordered = tuple(sorted(documents, key=lambda document: document.doc_id))
    corpus = Corpus(
        name=name,
        documents=ordered,
        digest=digest_documents(ordered),
        kind="beir",
        languages=(lang,) if lang else (),
        licence=licence,
        made=f"Imported from {path.name}.",
    )
    return build_suite_over(corpus, name, path, needs, lang=lang, kind="beir", description=description)


def build_suite_over(
    corpus: Corpus, name: str, path: Path, needs: Sequence[Need], *, lang: str | None, kind: str, description: str
) -> Suite:
    """A suite over a corpus that is there already.

    Raises:
        BenchmarkFormatError: a name that could not name a folder.
    """
    if not is_valid_id(name):
        raise BenchmarkFormatError(_explain_name(name), path=str(path))
    return Suite(
        name=name,
        path=str(path),
        corpus=corpus,
        needs=tuple(needs),
        digest=digest_needs(needs),
        lang=lang,
        kind=kind,
        description=description,
    )


def gather(importer: str, path: Path, licence: str, parts: Iterable[tuple[Suite, tuple[Dropped, ...]]]) -> Imported:
    """The suites that ask anything, and everything that was dropped.

    Raises:
        BenchmarkFormatError: no suite has a need left.
    """
    suites: list[Suite] = []
    dropped: list[Dropped] = []
    for suite, lost in parts:
        dropped.extend(lost)
        if suite.needs:
            suites.append(suite)
    if not suites:
        lost_text = "; ".join(map(str, dropped)) or "it has none"
        raise BenchmarkFormatError(f"no question is left to ask ({lost_text})", path=str(path))
    return Imported(importer=importer, licence=licence, suites=tuple(suites), dropped=tuple(dropped))


def load_given_corpus(folder: Path | str, licence: str) -> Corpus:
    """The corpus in a BEIR folder, a memory store or a folder of Markdown, with the licence of what is asked about it.

    The licence of the corpus itself, where its `corpus.yaml` states one, stands behind it.

    Raises:
        BenchmarkFormatError: the folder cannot be used as a corpus.
    """
    try:
        corpus = load_beir(folder).corpus if is_beir(folder) else load_corpus(folder)
    except CorpusError as exc:
        raise BenchmarkFormatError(f"cannot be the corpus ({exc})", path=str(folder)) from exc
    both = f"{licence}; documents: {corpus.licence}" if corpus.licence else licence
    return replace(corpus, licence=both)


def keep_known(expected: dict[str, int], corpus_ids: frozenset[str], need_id: str, lost: DropList) -> dict[str, int]:
    """The expected documents that the corpus has; of the others those with grade >= 1 are counted."""
    for doc_id, grade in expected.items():
        if grade >= 1 and doc_id not in corpus_ids:
            lost.add("expected document that the corpus does not have", f"{need_id}: {doc_id}")
    return {doc_id: grade for doc_id, grade in expected.items() if doc_id in corpus_ids}


def _explain_name(name: str) -> str:
    return (
        f"{name!r} cannot name a suite: letters, digits, '_', '.' and '-' are allowed, and '.' and '-' not in front; "
        "rename it, or give the option 'name'"
    )
