"""How needs are asked for: which forms each wording takes, and what that makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from memeval.testbed.generator.parameters import Parameters
from memeval.testbed.generator.plan import UNSEEN_FORMS, Fact, NeedPlan
from memeval.testbed.generator.streams import draw_below, open_stream
from memeval.testbed.generator.truth import FormTruth, NeedTruth, Reach, WordingTruth, nearest
from memeval.testbed.needs import Wording

_UNSPACED_LANGUAGES = frozenset({"zh", "ja", "ko"})
_BEYOND = (Reach.ALIASES, Reach.EMBEDDING, Reach.NONE)

# Which forms the wordings take, in the order they are used up. A pair (i, j) is the i-th unseen form of the subject
# with the j-th of the aspect; the first wording with a gap is (0, 0).
_FRESH_PAIRS = ((1, 1), (2, 2), (3, 3), (1, 2), (2, 3))
_OVERLAPPING_PAIRS = ((0, 1), (1, 0), (0, 2), (2, 0), (0, 3))


@dataclass(frozen=True, slots=True)
class _Draft:
    """A wording as its words."""

    words: tuple[str, ...]
    is_unspaced: bool = False

    @property
    def text(self) -> str:
        return ("" if self.is_unspaced else " ").join(self.words)


def word_need(
    parameters: Parameters, seed: int, need: NeedPlan, *, file: str | None, holders: Mapping[str, Sequence[str]]
) -> tuple[tuple[Wording, ...], NeedTruth]:
    """The wordings of a need, and what is known of them. `holders` is {form: the files it stands in}.

    The first wording is free. The kind of the others says what they are: `same-words` (every word stands in the file),
    `paraphrase` (one of two does), `unseen-words` (none does); with nothing stored they have none.
    """
    stream = open_stream(seed, "wordings", need.id)
    count = 1 + draw_below(stream, parameters.max_wordings)
    forms = _describe_forms(parameters, stream, need)
    if need.fact is None:
        drafts = _draft_unanswerable(need)[:count]
    else:
        drafts = _draft(parameters, stream, need, need.fact, count, _draw_failure(parameters, seed, stream, need))
    truths = tuple(_describe(draft, drafts[0], need, forms, holders) for draft in drafts)
    wordings = tuple(
        Wording(
            text=draft.text, kind=_name_kind(draft, truth) if place else None, elicited="requested" if place else "free"
        )
        for place, (draft, truth) in enumerate(zip(drafts, truths, strict=True))
    )
    truth = NeedTruth(
        id=need.id,
        language=need.language,
        file=file,
        shares_file_with=need.host if need.host != need.id else None,
        twin=need.twin,
        forms=tuple(forms.values()),
        wordings=truths,
    )
    return wordings, truth


def _describe_forms(parameters: Parameters, stream: Random, need: NeedPlan) -> dict[str, FormTruth]:
    """What each form of the subject and the aspect is to the file. The n-th unseen forms of both are alike."""
    reaches = [_draw_reach(parameters, stream) for _ in range(UNSEEN_FORMS)]
    truths: dict[str, FormTruth] = {}
    for concept in (need.subject, need.aspect):
        if need.fact is None:
            truths |= {form: FormTruth(form, concept.id, Reach.NONE) for form in concept.forms}
            continue
        truths |= {form: FormTruth(form, concept.id, Reach.LITERAL) for form in concept.stored_forms}
        for form, reach in zip(concept.unseen_forms, reaches, strict=True):
            truths[form] = FormTruth(form, None if reach is Reach.NONE else concept.id, reach)
    return truths


def _draw_reach(parameters: Parameters, stream: Random) -> Reach:
    draw = stream.random()
    if draw < parameters.aliases:
        return Reach.ALIASES
    return Reach.NONE if draw >= 1 - parameters.unreachable else Reach.EMBEDDING


def _draw_failure(parameters: Parameters, seed: int, stream: Random, need: NeedPlan) -> float:
    """A draw from 0 to 1: the need's own, or the one it has in common with the other need of its file."""
    own, agrees = stream.random(), stream.random() < parameters.agreement
    return open_stream(seed, "file", str(need.host)).random() if agrees else own


def _draft(
    parameters: Parameters, stream: Random, need: NeedPlan, fact: Fact, count: int, failure: float
) -> list[_Draft]:
    (subject, other), (aspect,) = fact.subject.stored_forms, fact.aspect.stored_forms
    subjects, aspects = need.subject.unseen_forms, need.aspect.unseen_forms
    has_gap = failure < parameters.vocabulary_gap
    is_unspaced = stream.random() < parameters.unspaced and need.language in _UNSPACED_LANGUAGES and not has_gap
    first = _Draft((subjects[0], aspects[0])) if has_gap else _Draft((subject, aspect), is_unspaced)
    seen = ((subject, aspect), (other, aspect), (subject,), (aspect,), (other,), (aspect, subject))
    half_seen = (
        (subject, aspects[0]),
        (subjects[0], aspect),
        (other, aspects[0]),
        (subjects[0], other),
        (subjects[0], subject),
    )
    unseen = tuple((subjects[i], aspects[j]) for i, j in (_FRESH_PAIRS if has_gap else ((0, 0), *_FRESH_PAIRS)))
    overlapping = tuple((subjects[i], aspects[j]) for i, j in _OVERLAPPING_PAIRS)
    drafts = [first]
    for _ in range(count - 1):
        gap, overlaps = stream.random() < parameters.vocabulary_gap, stream.random() < parameters.overlap and has_gap
        choices = (overlapping if overlaps else unseen) if gap else (half_seen if overlaps else seen)
        drafts.append(next(_Draft(words) for words in choices if _Draft(words) not in drafts))
    return drafts


def _draft_unanswerable(need: NeedPlan) -> list[_Draft]:
    """What a file may know the subject of, if it has a twin, but nobody the aspect."""
    subjects = need.subject.stored_forms if need.twin else need.subject.forms
    aspects = need.aspect.forms
    return [_Draft((subjects[place % len(subjects)], aspects[place % len(aspects)])) for place in range(6)]


def _describe(
    draft: _Draft,
    first: _Draft,
    need: NeedPlan,
    forms: Mapping[str, FormTruth],
    holders: Mapping[str, Sequence[str]],
) -> WordingTruth:
    known = [forms[word] for word in draft.words]
    bridge: tuple[FormTruth, ...] = ()
    reach = None
    matched = () if draft.is_unspaced else {doc_id for word in draft.words for doc_id in holders.get(word, ())}
    if need.fact is not None:
        reach = Reach.PAIRS if draft.is_unspaced else nearest(form.reach for form in known)
        bridge = tuple(form for form in known if form.reach is not Reach.LITERAL)
    return WordingTruth(
        reach=reach,
        matched=tuple(sorted(matched)),
        bridge=bridge,
        overlaps_first=not set(draft.words).isdisjoint(first.words),
    )


def _name_kind(draft: _Draft, truth: WordingTruth) -> str | None:
    if truth.reach is None:
        return None
    if truth.reach in _BEYOND:
        return "unseen-words"
    return "paraphrase" if truth.bridge else "same-words"
