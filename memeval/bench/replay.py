"""Recorded needs asked again of a store: a suite in the order of time, and what could not be asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from memeval.bench.asked import tell_language
from memeval.sessions import Existence, RecordedNeed
from memeval.sessions.distill import NO_ANSWER, NO_WORDS, TAG, find_document
from memeval.testbed.corpus import Corpus
from memeval.testbed.needs import Need, Suite, Wording, digest_needs

ENDING = "-recorded"
"""Behind the name of the suite whose store is asked."""
LATER = "need whose file was written only later"

_LAST = datetime.max.replace(tzinfo=timezone.utc)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The recorded needs that can be asked again, and the others by why not."""

    suite: Suite
    """Needs in the order of time, their wordings as recorded; it may have none."""
    sessions: Mapping[str, str]
    """{id of a need: the session it arose in}."""
    abandoned: Mapping[str | None, int]
    """{language: needs that ended without a read}: nobody knows whether what they wanted is stored."""
    left_out: Mapping[str, int]
    """{why: how many}, the abandoned ones among them."""


def build_replay(
    needs: Iterable[RecordedNeed],
    suite: Suite,
    *,
    folders: Sequence[str] = (),
    existence: Mapping[str, Existence] | None = None,
) -> Replay:
    """The recorded needs over the store of a suite: each time that a file of it was looked for, and was there.

    A need that was asked twice counts twice, since it was needed twice. Its first wording is what was asked first, in
    the language that its script tells.

    Args:
        needs: as `find_needs` gives them.
        suite: whose corpus is asked; its language decides what Latin or Han letters alone are.
        folders: where the store lay when it was searched, normalised.
        existence: {id of a need: whether its file was there before its first search}.
    """
    ordered = sorted(needs, key=lambda need: need.attempts[0].search.time or _LAST)
    known = existence or {}
    kept: list[Need] = []
    sessions: dict[str, str] = {}
    abandoned: Counter[str | None] = Counter()
    left_out: Counter[str] = Counter()
    for number, need in enumerate(ordered, start=1):
        texts = _list_wordings(need)
        lang = tell_language(texts[0], suite.lang) if texts else None
        document = find_document(need, suite.corpus, tuple(folders))
        if not texts:
            left_out[NO_WORDS] += 1
        elif isinstance(document, str):
            left_out[document] += 1
            if document == NO_ANSWER:
                abandoned[lang] += 1
        elif need.id in known and known[need.id].value is False:
            left_out[LATER] += 1
        else:
            need_id = f"{number:04d}:{need.id}"
            sessions[need_id] = f"{need.reader}:{need.session}"
            kept.append(
                Need(
                    id=need_id,
                    expected={document.doc_id: 1},
                    wordings=tuple(Wording(text=text) for text in texts),
                    lang=lang,
                    tags=(TAG,),
                    note=need.attempts[0].search.place or None,
                )
            )
    return Replay(
        suite=_build_suite(suite, kept), sessions=sessions, abandoned=dict(abandoned), left_out=dict(left_out)
    )


def _list_wordings(need: RecordedNeed) -> list[str]:
    """The distinct wordings in order; [] where the first was kept as a hash."""
    texts = [attempt.search.query or "" for attempt in need.wordings]
    return list(dict.fromkeys(text for text in texts if text.strip())) if texts and texts[0].strip() else []


def _build_suite(suite: Suite, needs: Sequence[Need]) -> Suite:
    corpus: Corpus = suite.corpus
    return Suite(
        name=f"{suite.name}{ENDING}",
        path=suite.path,
        corpus=corpus,
        needs=tuple(needs),
        digest=digest_needs(needs),
        description="Recorded needs in the order of time, asked again.",
    )
