"""Aliases that the log teaches: words that were asked in vain for a file that was read in the end, and not held by it.

A term of a failed wording becomes a proposal where

- the file does not hold it, neither in its text nor in its name nor in its aliases; a CJK pair between two pairs that
  it holds is where two of its words meet, and is none of its own;
- it is no filler: no word of almost every question, no CJK pair of one or beside one, no single CJK character;
- it does not lead elsewhere: at most `max_elsewhere` other files hold it, or were asked for with it in vain.

Terms that stand side by side are proposed as the phrase they were typed as; pairs of CJK characters as the run from the
first of them to the last, never as pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from memeval.bench.evaluation import VariantResult
from memeval.bench.summary import group_by_need
from memeval.memory.document import Document, Tier
from memeval.memory.fillers import FILLER_PAIRS, FILLER_WORDS
from memeval.ruler import TermPlace, file_terms, locate_stopped, locate_terms, ruler_terms, shared_terms
from memeval.sessions import Existence, RecordedNeed
from memeval.sessions.distill import NO_ANSWER, NO_WORDS, find_document
from memeval.testbed.aliaspatch import Evidence, Proposal
from memeval.testbed.corpus import Corpus
from memeval.testbed.needs import Suite
from memeval.text import fold

FOUND_AT_ONCE = "need whose first wording showed the file"
ALL_FOUND = "need of which every wording shows the file"
NOT_STORED = "need with nothing stored"
NO_NOTE = "need whose file takes no aliases, since it is no note"
WRITTEN_LATER = "need whose file was written only later"

HELD = "held by the file"
FILLER = "filler"
ELSEWHERE = "leads elsewhere"

DEFAULT_MAX_ELSEWHERE = 6
"""Other files that may hold a term; see docs/aliases.md for what more and fewer do."""

_JOINTS = frozenset(" -_/.+")
"""What may stand between two words of one phrase."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningRules:
    """When a term is proposed."""

    max_elsewhere: int = DEFAULT_MAX_ELSEWHERE
    min_needs: int = 1
    """Needs in which it was asked for the file in vain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A need that was asked in vain before its file was read."""

    need: str
    doc_id: str
    """The file that was read; offline the expected one."""
    wordings: tuple[str, ...]
    """Those that did not show it, in order."""
    day: str | None = None
    """When it was asked, `YYYY-MM-DD`; None where nobody said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What a log teaches."""

    proposals: tuple[Proposal, ...]
    """By file, of one file those asked for most often first."""
    lessons: int
    left_out: Mapping[str, int]
    """{why: needs or terms that gave no alias}."""


def learn_from_suite(suite: Suite, result: VariantResult) -> tuple[tuple[Lesson, ...], dict[str, int]]:
    """The lessons of a suite that was run, and what gives none: {why: needs}.

    Every wording that shows no expected file is one asked in vain, and the expected note stands for the read: the one
    with the highest grade, of equal ones the first.
    """
    documents = {document.doc_id: document for document in suite.corpus.documents}
    queries = group_by_need(result.queries)
    lessons, left_out = [], Counter[str]()
    for need in suite.needs:
        failed = tuple(dict.fromkeys(query.text for query in queries.get(need.id, ()) if query.found is False))
        doc_id = choose_note(need.expected, documents)
        if not need.relevant:
            left_out[NOT_STORED] += 1
        elif not failed:
            left_out[ALL_FOUND] += 1
        elif doc_id is None:
            left_out[NO_NOTE] += 1
        else:
            lessons.append(Lesson(need=need.id, doc_id=doc_id, wordings=failed))
    return tuple(lessons), dict(left_out)


def learn_from_needs(
    needs: Iterable[RecordedNeed],
    corpus: Corpus,
    *,
    roots: Sequence[str] = (),
    existence: Mapping[str, Existence] | None = None,
) -> tuple[tuple[Lesson, ...], dict[str, int]]:
    """The lessons of recorded needs, and what gives none: {why: needs}.

    Asked in vain are the wordings before the first that showed the file finally read.

    Args:
        needs: as `find_needs` gives them.
        corpus: the store that was searched, as it is now.
        roots: where it lies or lay, normalised.
        existence: {id of a need: whether its file was there before its first search}; where it was not, its words
            failed for want of a file.
    """
    known = existence or {}
    lessons, left_out = [], Counter[str]()
    for need in needs:
        place = need.found_at
        failed = [attempt.search.query for attempt in need.wordings[: place or 0]]
        whole = (_drop_half_characters(query or "") for query in failed)
        worded = tuple(dict.fromkeys(query for query in whole if query.strip()))
        document = NO_ANSWER if need.answer is None else find_document(need, corpus, roots)
        if isinstance(document, str):
            left_out[document] += 1
        elif not place:
            left_out[FOUND_AT_ONCE] += 1
        elif not worded:
            left_out[NO_WORDS] += 1
        elif document.tier is not Tier.NOTE:
            left_out[NO_NOTE] += 1
        elif need.id in known and known[need.id].value is False:
            left_out[WRITTEN_LATER] += 1
        else:
            time = need.attempts[0].search.time
            day = None if time is None else time.date().isoformat()
            need_id = _drop_half_characters(need.id)
            lessons.append(Lesson(need=need_id, doc_id=document.doc_id, wordings=worded, day=day))
    return tuple(lessons), dict(left_out)


def _drop_half_characters(text: str) -> str:
    """The text without lone surrogates, which no file can hold."""
    return text.encode("utf-8", "ignore").decode("utf-8")


def choose_note(expected: Mapping[str, int], documents: Mapping[str, Document]) -> str | None:
    """The note that stands for the file read: of the highest grade from 1, of equal ones the first; None without."""
    notes = [
        doc_id
        for doc_id, grade in expected.items()
        if grade >= 1 and doc_id in documents and documents[doc_id].tier is Tier.NOTE
    ]
    return max(notes, key=lambda doc_id: expected[doc_id], default=None)


def propose_aliases(
    lessons: Sequence[Lesson],
    documents: Sequence[Document],
    rules: LearningRules | None = None,
    aliases: Mapping[str, Sequence[str]] | None = None,
) -> Learned:
    """The aliases that these lessons speak for; nothing is written.

    Args:
        lessons: in the order of their evidence.
        documents: of the store, those of the lessons among them.
        rules: when a term is proposed.
        aliases: {doc_id: aliases beside the store}, which count as the file's own.
    """
    rule = rules or LearningRules()
    texts = {one.doc_id: file_terms(one, None, (aliases or {}).get(one.doc_id, ())) for one in documents}
    terms_of = {doc_id: frozenset(ruler_terms(text)) for doc_id, text in texts.items()}
    asked_for: defaultdict[str, set[str]] = defaultdict(set)
    for lesson in lessons:
        for wording in lesson.wordings:
            for term in ruler_terms(wording):
                asked_for[term].add(lesson.doc_id)
    holders = {term: {doc_id for doc_id, held in terms_of.items() if term in held} for term in asked_for}
    left_out: Counter[str] = Counter()
    found: dict[str, list[Proposal]] = {}
    for lesson in lessons:
        for wording in lesson.wordings:
            shown, places = locate_terms(wording)
            held = frozenset(shared_terms(wording, texts[lesson.doc_id]))
            spanned = {at for place in places if place.term in held for at in range(place.start, place.end)}
            kept: list[TermPlace] = []
            for place in places:
                elsewhere = (holders[place.term] | asked_for[place.term]) - {lesson.doc_id}
                if place.term in held or spanned.issuperset(range(place.start, place.end)):
                    left_out[HELD] += 1
                elif is_filler(place, shown):
                    left_out[FILLER] += 1
                elif len(elsewhere) > rule.max_elsewhere:
                    left_out[ELSEWHERE] += 1
                else:
                    kept.append(place)
            for alias, terms in _join(shown, kept, places):
                evidence = Evidence(lesson.need, wording, lesson.day)
                proposal = Proposal(doc_id=lesson.doc_id, alias=alias, terms=terms, evidence=(evidence,))
                _add(found.setdefault(lesson.doc_id, []), proposal)
    proposals = [
        proposal
        for doc_id in sorted(found)
        for proposal in sorted(found[doc_id], key=lambda one: -one.needs)
        if proposal.needs >= rule.min_needs
    ]
    return Learned(proposals=tuple(proposals), lessons=len(lessons), left_out=dict(left_out))


def gather_aliases(proposals: Iterable[Proposal]) -> dict[str, tuple[str, ...]]:
    """{doc_id: its proposed aliases}, as an overlay has them."""
    aliases: dict[str, tuple[str, ...]] = {}
    for proposal in proposals:
        aliases[proposal.doc_id] = (*aliases.get(proposal.doc_id, ()), proposal.alias)
    return aliases


def is_filler(place: TermPlace, text: str) -> bool:
    """Whether a term says only that something is asked: a filler, a CJK pair beside one, a CJK character alone.

    So does a pair that begins or ends inside a function word; of Hangul, whose endings are such words, it does not.
    """
    surface = fold(text[place.start : place.end])
    if not place.is_paired:
        return surface in FILLER_WORDS or place.term in FILLER_WORDS
    if place.end - place.start < 2:
        return True
    if any(text[at : at + 2] in FILLER_PAIRS for at in range(max(place.start - 1, 0), place.end)):
        return True
    around = text[max(place.start - 1, 0) : place.end + 1]
    return not any(map(_is_hangul, around)) and bool(_find_stopped(text).intersection(range(place.start, place.end)))


@lru_cache(maxsize=64)
def _find_stopped(text: str) -> frozenset[int]:
    return locate_stopped(fold(text))


def _join(text: str, kept: Sequence[TermPlace], places: Sequence[TermPlace]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(alias, its terms) for each stretch of terms that stand side by side."""
    pairs = [place for place in places if place.is_paired and not is_filler(place, text)]
    covered = {at for place in pairs for at in range(place.start, place.end)}
    stretches: list[list[TermPlace]] = []
    for place in kept:
        if stretches and _is_beside(text, stretches[-1][-1], place, covered):
            stretches[-1].append(place)
        else:
            stretches.append([place])
    for stretch in stretches:
        start, end = stretch[0].start, stretch[-1].end
        if stretch[0].is_paired:  # the pair across its edge is held: its other half makes the word whole
            start -= any(pair.start == start - 1 for pair in pairs)
            end += any(pair.end == end + 1 for pair in pairs)
            start, end = _widen_hangul(text, start, end)
        yield text[start:end], tuple(dict.fromkeys(place.term for place in stretch))


def _is_beside(text: str, one: TermPlace, other: TermPlace, covered: set[int]) -> bool:
    if one.is_paired != other.is_paired:
        return False
    between = range(one.end, other.start)
    joint = text[one.end : other.start]
    if one.is_paired:  # a run is not broken where the file holds a pair in its midst
        is_spaced = joint == " " and _is_hangul(text[one.end - 1]) and _is_hangul(text[other.start])
        return is_spaced or all(at in covered for at in between)
    return joint == " " or (0 < len(joint) < 3 and " " not in joint and set(joint) <= _JOINTS)


def _widen_hangul(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with the rest of the words it begins and ends in: of Hangul, blanks tell where those end."""
    while start > 0 and _is_hangul(text[start - 1]) and _is_hangul(text[start]):
        start -= 1
    while end < len(text) and _is_hangul(text[end]) and _is_hangul(text[end - 1]):
        end += 1
    return start, end


def _is_hangul(character: str) -> bool:
    return "가" <= character <= "힣"


def _add(proposals: list[Proposal], new: Proposal) -> None:
    """Put a proposal among those of its file; one that has all terms of another takes its evidence over."""
    for number, old in enumerate(proposals):
        if set(new.terms) <= set(old.terms):
            proposals[number] = replace(old, evidence=_merge(old.evidence, new.evidence))
            return
    for old in [one for one in proposals if set(one.terms) < set(new.terms)]:
        proposals.remove(old)
        new = replace(new, evidence=_merge(old.evidence, new.evidence))
    proposals.append(new)


def _merge(first: Sequence[Evidence], second: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys((*first, *second)))
