"""What a miss is, and what its counterfactuals stand on: the store, the variant, and facts worked out once for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from memeval.bench.storechanges import Documents, list_words
from memeval.errors import CorpusError
from memeval.memory.document import Document, UnreadableFile
from memeval.retrieval.base import Settings, Variant
from memeval.retrieval.tokens import tokenise
from memeval.testbed.aliases import read_overlay
from memeval.testbed.corpus import Corpus, load_corpus
from memeval.testbed.duplicates import find_near_duplicates
from memeval.testbed.needs import Query, Suite
from memeval.testbed.storekinds import find_kind
from memeval.text import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A wording whose expected file is not shown, or not among the first k."""

    query: str
    expected: tuple[str, ...]
    """The relevant doc_ids, sorted."""
    graded: frozenset[str] = frozenset()
    """Every judged doc_id, those with grade 0 included."""
    evidence: str | None = None
    other_wordings: tuple[str, ...] = ()
    """Of the same need."""
    k: int | None = None
    """The file has to be among the first k; None = shown at all."""
    rank: int | None = None
    """Of the expected file that stands highest, from 1; None when none is a candidate."""
    matched: int = 0
    """Candidates."""
    shown: tuple[str, ...] = ()


def describe_query(query: Query, k: int | None = None) -> Miss:
    """The miss that a query would be, before anything is searched."""
    need = query.need
    return Miss(
        query=query.wording.text,
        expected=tuple(sorted(need.relevant)),
        graded=frozenset(need.expected),
        evidence=need.evidence,
        other_wordings=tuple(each.text for each in need.wordings if each is not query.wording),
        k=k,
    )


@dataclass(frozen=True, kw_only=True)
class Ground:
    """One variant over one store. What is worked out of the store is kept (so no slots); nothing of it is changed."""

    documents: Documents
    variant: Variant
    settings: Settings = field(default_factory=Settings)
    """With the embedder of the run, if it has one."""
    unreadable: tuple[UnreadableFile, ...] = ()
    overlay: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """{doc_id: aliases} beside the store."""
    is_overlaid: bool = False
    """The texts hold the overlay already."""
    others: Mapping[str, Documents] = field(default_factory=dict)
    """{project: its documents} of the other projects of the store."""

    @cached_property
    def texts(self) -> Mapping[str, Document]:
        """{doc_id: the document}."""
        return {document.doc_id: document for document in self.documents}

    @cached_property
    def twins(self) -> Mapping[str, frozenset[str]]:
        """{doc_id: the near-duplicates of that document}."""
        found: dict[str, frozenset[str]] = {}
        for pair in find_near_duplicates(self.documents):
            for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
                found[one] = found.get(one, frozenset()) | {other}
        return found

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """{token: documents that hold it}."""
        return Counter(token for document in self.documents for token in set(tokenise(document.text)))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The distinct words of the documents, as they are written."""
        return list_words(self.documents)

    @cached_property
    def _words(self) -> str:
        return fold("\n".join(f"{document.name}\n{document.text}" for document in self.documents))

    def stands(self, folded: str) -> bool:
        """Whether a folded text stands in any document."""
        return folded in self._words

    def find_expected(self, miss: Miss) -> Documents:
        """The expected files that are in scope and can be read."""
        return tuple(self.texts[doc_id] for doc_id in miss.expected if doc_id in self.texts)

    def find_cap(self) -> int | None:
        """The cap in bytes that can be set on what the variant shows; None where its own rule limits it."""
        cap = self.variant.configuration.get("max_bytes")
        if "profile" in self.variant.configuration and isinstance(cap, int):
            return self.settings.engine_cap_bytes or cap
        if self.variant.has_own_cap or cap is not None:
            return None
        return self.settings.budget_bytes


def set_ground(suite: Suite, variant: Variant, settings: Settings) -> Ground:
    """The ground for one variant on one suite.

    Raises:
        CorpusError: the overlay of the corpus is broken.
    """
    corpus = suite.corpus
    return Ground(
        documents=corpus.documents,
        variant=variant,
        settings=settings,
        unreadable=corpus.unreadable,
        overlay=read_overlay(corpus),
        is_overlaid=corpus.has_aliases,
        others=read_other_projects(corpus),
    )


def read_other_projects(corpus: Corpus) -> dict[str, Documents]:
    """{project: the documents that a search of it sees and one of this corpus does not}, for a store with projects.

    A project that cannot be read, or has nothing to search, is left out.
    """
    kind = find_kind(corpus.kind)
    if kind is None or kind.list_projects is None or corpus.root is None or corpus.project is None:
        return {}
    known = {document.doc_id for document in corpus.documents}
    found: dict[str, Documents] = {}
    for project in kind.list_projects(Path(corpus.root)):
        if project != corpus.project:
            with suppress(CorpusError):
                documents = load_corpus(corpus.root, project=project).documents
                found[project] = tuple(document for document in documents if document.doc_id not in known)
    return found
