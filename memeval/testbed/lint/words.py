"""Checks of wordings against files and against each other, by the ruler."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from memeval.memory.aliases import find_aliases
from memeval.ruler import ruler_terms, shares_with_file
from memeval.testbed.lint.finding import ERROR, WARNING, Finding, Subject
from memeval.testbed.needs import Need, Suite, Wording
from memeval.text import count

SAME_WORDS = "same-words"
UNSEEN_WORDS = "unseen-words"


def compute_kinds(suite: Suite, aliases: Mapping[str, Sequence[str]] | None = None) -> dict[str, str]:
    """{query id: `unseen-words` or `same-words`} for every wording of a need that has an answer in the corpus.

    `unseen-words`: it shares no term with any expected file (evidence passage, name, aliases); `same-words`: with one
    of them at least. So the kind of a free wording is found out, never chosen.
    """
    subject = Subject(suite=suite, aliases=aliases or {})
    return {
        query.id: SAME_WORDS if share_terms(subject, query.need, query.wording) else UNSEEN_WORDS
        for query in suite.queries()
        if not query.need.relevant.isdisjoint(subject.documents)
    }


def share_terms(subject: Subject, need: Need, wording: Wording) -> dict[str, tuple[str, ...]]:
    """{doc_id: the terms shared with it} for each expected file that the wording shares a term with."""
    shared = {}
    for doc_id in sorted(need.relevant):
        document = subject.documents.get(doc_id)
        if document is not None:
            aliases = (*find_aliases(document.text), *subject.aliases.get(doc_id, ()))
            shared[doc_id] = shares_with_file(wording.text, document, need.evidence, aliases)
    return {doc_id: terms for doc_id, terms in shared.items() if terms}


def check_containment(subject: Subject) -> Iterator[Finding]:
    """`unseen-words` that shares a term with an expected file, `same-words` that shares none with any: errors.

    A wording without a single term is a warning, whatever its kind: nothing can be said about its words.
    """
    for need in subject.findable:
        for index, wording in enumerate(need.wordings):
            if not ruler_terms(wording.text):
                yield subject.at_wording(
                    WARNING, "no-terms", need, index, "holds only words that every file has; no kind of overlap fits it"
                )
            if wording.kind not in (UNSEEN_WORDS, SAME_WORDS):
                continue
            shared = share_terms(subject, need, wording)
            terms = tuple(dict.fromkeys(term for each in shared.values() for term in each))
            if wording.kind == UNSEEN_WORDS and shared:
                yield subject.at_wording(
                    ERROR,
                    "unseen-words-overlap",
                    need,
                    index,
                    f"is unseen-words, but shares {', '.join(terms)} with {', '.join(shared)}; give it the kind it is",
                    terms,
                )
            if wording.kind == SAME_WORDS and not shared:
                yield subject.at_wording(
                    ERROR,
                    "same-words-apart",
                    need,
                    index,
                    "is same-words, but shares no term with an expected file; give it the kind it is",
                )


def check_blindness(subject: Subject) -> Iterator[Finding]:
    """Free wordings whose writer had seen the files: an error where `corpus.yaml` says so, a warning where it is mute.

    Free means what comes to mind to somebody who has not read the answer; `blind: true` in `corpus.yaml` says that
    whoever wrote the wordings of the needs had not read the files, `blind: false` that they may have.
    """
    free = sum(wording.elicited == "free" for need in subject.suite.needs for wording in need.wordings)
    labelled = count(free, "wording is", "wordings are")
    blind = subject.suite.corpus.blind
    if free and blind is False:
        yield subject.at_suite(
            ERROR,
            "free-not-blind",
            f"{labelled} elicited free, but corpus.yaml of {subject.suite.corpus.name} says blind: false; "
            "free is what came to mind without sight of the files: drop the label",
        )
    if free and blind is None:
        yield subject.at_suite(
            WARNING,
            "blindness-unsaid",
            f"{labelled} elicited free, and corpus.yaml of {subject.suite.corpus.name} does not say whether "
            "their writer had read the files; add blind: true or blind: false",
        )


def check_repeated_wordings(subject: Subject) -> Iterator[Finding]:
    """The same wording in two needs: an error where they expect different files, else a warning."""
    places: dict[str, list[tuple[Need, int]]] = defaultdict(list)
    for need in subject.suite.needs:
        for index, wording in enumerate(need.wordings):
            places[_squeeze(wording.text)].append((need, index))
    for (first, _), *others in places.values():
        for need, index in others:
            if need.id == first.id:
                continue
            differs = need.relevant != first.relevant
            yield subject.at_wording(
                ERROR if differs else WARNING,
                "repeated-wording",
                need,
                index,
                f"asks for {first.id} too"
                + (
                    ", which expects other files; no ranking can serve both" if differs else "; merge them or reword it"
                ),
            )


def _squeeze(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
