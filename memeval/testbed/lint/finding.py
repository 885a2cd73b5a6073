"""What a check is given, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from memeval.memory.document import Document
from memeval.testbed.needs import Need, Suite, Wording

ERROR = "error"
"""The suite must not be used as it is."""
WARNING = "warning"
"""A figure from the suite needs a word beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing a check found."""

    code: str
    """Name of the rule, `unseen-words-overlap`."""
    severity: str
    """ERROR or WARNING."""
    message: str
    """What is wrong, and what would mend it."""
    place: str
    """`path:line` of a suite file or a document; the path alone where no line is known."""
    need: str | None = None
    """Id of the need it is about."""
    wording: int | None = None
    """Place of the wording in that need, from 0."""
    terms: tuple[str, ...] = ()
    """What was found there: the shared terms, the characters, the queries meant. Never a secret itself."""

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}[{self.code}] {self.message}"


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A suite under inspection."""

    suite: Suite
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """{doc_id: its aliases}, beyond those that stand in the documents themselves."""
    ks: tuple[int, ...] = ()
    """Cutoffs the suite is measured at."""

    @cached_property
    def documents(self) -> dict[str, Document]:
        """{doc_id: document} of the corpus."""
        return {document.doc_id: document for document in self.suite.corpus.documents}

    @property
    def findable(self) -> tuple[Need, ...]:
        """The needs with an expected file in the corpus."""
        return tuple(need for need in self.suite.needs if not need.relevant.isdisjoint(self.documents))

    def language(self, need: Need, wording: Wording) -> str | None:
        """The language tag that holds for a wording."""
        return wording.lang or need.lang or self.suite.lang

    def at_suite(self, severity: str, code: str, message: str, terms: Sequence[str] = ()) -> Finding:
        """A finding about the whole suite."""
        return Finding(code=code, severity=severity, message=message, place=self.suite.path, terms=tuple(terms))

    def at_need(self, severity: str, code: str, need: Need, message: str) -> Finding:
        """A finding about a need."""
        return Finding(
            code=code, severity=severity, message=f"{need.id}: {message}", place=self._line(need.line), need=need.id
        )

    def at_wording(
        self,
        severity: str,
        code: str,
        need: Need,
        index: int,
        message: str,
        terms: Sequence[str] = (),
        *,
        quote: bool = True,
    ) -> Finding:
        """A finding about a wording, whose text the message quotes unless told not to."""
        wording = need.wordings[index]
        named = f"{need.id}[{index}] {wording.text!r}" if quote else f"{need.id}[{index}]"
        return Finding(
            code=code,
            severity=severity,
            message=f"{named}: {message}",
            place=self._line(wording.line or need.line),
            need=need.id,
            wording=index,
            terms=tuple(terms),
        )

    def at_document(
        self, severity: str, code: str, doc_id: str, message: str, *, line: int | None = None, terms: Sequence[str] = ()
    ) -> Finding:
        """A finding about a document of the corpus."""
        root = self.suite.corpus.root
        path = doc_id if root is None else str(PurePosixPath(root) / doc_id)
        place = path if line is None else f"{path}:{line}"
        return Finding(code=code, severity=severity, message=message, place=place, terms=tuple(terms))

    def _line(self, line: int | None) -> str:
        return self.suite.path if line is None else f"{self.suite.path}:{line}"
