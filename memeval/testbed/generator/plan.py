"""Who holds what, before a word is written: needs and their concepts, files and their roles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from random import Random

from memeval.memory.document import Tier
from memeval.memory.layout import MEMORY_FILE, Layout, project_slug
from memeval.testbed.generator.lexicon import Concept, Lexicon, draw_name
from memeval.testbed.generator.parameters import Parameters
from memeval.testbed.generator.streams import Spread, draw_below, exact, open_stream, shuffle

UNSEEN_FORMS = 4
"""Forms of a subject, and of an aspect, that no file with the fact holds; the n-th of both are a pair."""
SUBJECT_FORMS = 2 + UNSEEN_FORMS
ASPECT_FORMS = 1 + UNSEEN_FORMS
FORMS_PER_NOISE = 2
MAX_MENTIONS = 2
"""Noise files that may hold the same form."""
_SMALLEST_VALUE, _VALUES = 10_000, 90_000


class Role(str, Enum):
    """What a file is for."""

    LONG_TERM = "long_term"
    FACT = "fact"
    DUPLICATE = "duplicate"
    SUPERSEDED = "superseded"
    NOISE = "noise"


@dataclass(frozen=True, slots=True)
class Fact:
    """An aspect of a subject has a value; before, it had another."""

    subject: Concept
    aspect: Concept
    value: str
    old_value: str

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms that a file with the fact holds."""
        return self.subject.stored_forms + self.aspect.stored_forms


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedPlan:
    """A need before it is worded."""

    id: str
    language: str
    subject: Concept
    aspect: Concept
    fact: Fact | None
    """What it asks for; None = nothing is stored."""
    host: str | None
    """The id of the need whose file it asks for: its own, or the one before it; None without a fact."""
    twin: str | None = None
    """With nothing stored: the id of the answerable need that has the same subject, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePlan:
    """A file before its text is written."""

    doc_id: str
    slot: int
    """Names its stream."""
    tier: Tier
    day_number: int
    """Within the span, from 0."""
    language: str
    role: Role
    facts: tuple[Fact, ...] = ()
    mentions: tuple[str, ...] = ()
    """Forms that stand in it without a fact."""
    origin: str | None = None
    """The doc_id of the file that it repeats, or that supersedes it."""

    @property
    def forms(self) -> tuple[str, ...]:
        """Every form that stands in it."""
        return tuple(chain(self.mentions, *(fact.forms for fact in self.facts)))


@dataclass(frozen=True, slots=True)
class Plan:
    """All needs and files of a world."""

    project: str
    needs: tuple[NeedPlan, ...]
    files: tuple[FilePlan, ...]
    """`MEMORY.md`, then files with facts, their older states, their copies, and noise."""
    targets: Mapping[str, FilePlan]
    """{need id: the file it asks for}, for needs with a fact."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """A place for a file: where it lies and of which day it is."""

    number: int
    doc_id: str
    tier: Tier
    day_number: int


@dataclass(frozen=True, slots=True)
class _Slots:
    facts: Sequence[_Slot]
    superseded: Sequence[_Slot]
    duplicates: Sequence[_Slot]
    noise: Sequence[_Slot]


def make_plan(parameters: Parameters, seed: int, lexicons: Mapping[str, Lexicon]) -> Plan:
    """The plan of a world."""
    project = project_slug(f"/generated/{parameters.name}")
    needs = tuple(_plan_needs(parameters, seed, lexicons))
    slots = _plan_slots(parameters, seed, Layout(".", project))
    hosted: dict[str, list[NeedPlan]] = {}
    for need in needs:
        if need.host is not None:
            hosted.setdefault(need.host, []).append(need)
    groups = list(hosted.values())
    facts = list(_plan_facts(parameters, seed, slots.facts, groups, lexicons))
    memory = FilePlan(
        doc_id=MEMORY_FILE,
        slot=parameters.documents - 1,
        tier=Tier.LONG_TERM,
        day_number=0,
        language=parameters.languages[0],
        role=Role.LONG_TERM,
    )
    superseded = _plan_superseded(seed, slots.superseded, facts)
    duplicates = _plan_duplicates(parameters, seed, slots.duplicates, facts)
    noise = _plan_noise(parameters, seed, slots.noise, needs)
    return Plan(
        project=project,
        needs=needs,
        files=(memory, *facts, *superseded, *duplicates, *noise),
        targets={need.id: file for group, file in zip(groups, facts, strict=False) for need in group},
    )


def _plan_needs(parameters: Parameters, seed: int, lexicons: Mapping[str, Lexicon]) -> Iterator[NeedPlan]:
    languages = parameters.languages
    unanswerable = Spread(exact(parameters.unanswerable))
    joining = Spread(exact(parameters.shared_files) / 2)
    values = {language: open_stream(seed, "values", language) for language in languages}
    answerable = dict.fromkeys(languages, 0)
    hosts: dict[str, NeedPlan] = {}
    for index in range(parameters.needs):
        number, place = divmod(index, len(languages))
        language = languages[place]
        need_id = f"{language}-{number:05d}"
        subject = lexicons[language].make_concept(f"{need_id}.subject", SUBJECT_FORMS, stored=2)
        aspect = lexicons[language].make_concept(f"{need_id}.aspect", ASPECT_FORMS, stored=1)
        fact = Fact(subject, aspect, *_draw_values(values[language]))
        host = hosts.get(language)
        if number in unanswerable:
            # every other one asks for something else about a subject that is known, the rest for something unknown
            twin = host if (number - answerable[language]) % 2 == 0 else None
            yield NeedPlan(
                id=need_id,
                language=language,
                subject=twin.subject if twin else subject,
                aspect=aspect,
                fact=None,
                host=None,
                twin=twin.id if twin else None,
            )
            continue
        joins = host is not None and answerable[language] in joining
        answerable[language] += 1
        need = NeedPlan(
            id=need_id,
            language=language,
            subject=subject,
            aspect=aspect,
            fact=fact,
            host=host.id if host is not None and joins else need_id,
        )
        if not joins:
            hosts[language] = need
        yield need


def _draw_values(stream: Random) -> tuple[str, str]:
    """Two different numbers of five digits."""
    value, step = draw_below(stream, _VALUES), 1 + draw_below(stream, _VALUES - 1)
    return str(_SMALLEST_VALUE + value), str(_SMALLEST_VALUE + (value + step) % _VALUES)


def _plan_slots(parameters: Parameters, seed: int, layout: Layout) -> _Slots:
    """Every place but that of `MEMORY.md`. Older states and copies are notes, whose day can be chosen."""
    order = shuffle(open_stream(seed, "slots"), _make_slots(parameters, seed, layout))
    notes = [slot for slot in reversed(order) if slot.tier is Tier.NOTE]
    superseded = notes[: parameters.stale_files]
    duplicates = notes[parameters.stale_files :][: parameters.duplicate_files]
    taken = {slot.number for slot in chain(superseded, duplicates)}
    rest = [slot for slot in order if slot.number not in taken]
    return _Slots(rest[: parameters.fact_files], superseded, duplicates, rest[parameters.fact_files :])


def _make_slots(parameters: Parameters, seed: int, layout: Layout) -> Iterator[_Slot]:
    logs, days = parameters.daily_files, parameters.days
    for number in range(logs):
        day_number = 1 + number * (days - 1) // logs
        yield _Slot(number, layout.daily(parameters.day(day_number)), Tier.DAILY, day_number)
    folder = layout.note("name").removesuffix("name.md")
    stream = open_stream(seed, "notes")
    for number in range(logs, parameters.documents - 1):
        # day 0 is left to older states, so that there is always a day before
        day_number = 1 + draw_below(stream, days - 1)
        yield _Slot(number, f"{folder}{draw_name(stream)}-{number:06d}.md", Tier.NOTE, day_number)


def _plan_facts(
    parameters: Parameters,
    seed: int,
    slots: Sequence[_Slot],
    groups: Sequence[Sequence[NeedPlan]],
    lexicons: Mapping[str, Lexicon],
) -> Iterator[FilePlan]:
    """First the files that needs ask for, in the order of the needs, then those that nobody asks for."""
    streams = {language: open_stream(seed, "background", language) for language in parameters.languages}
    for place, slot in enumerate(slots):
        if place < len(groups):
            language = groups[place][0].language
            facts = tuple(need.fact for need in groups[place] if need.fact is not None)
        else:
            language = parameters.languages[place % len(parameters.languages)]
            facts = _draw_facts(streams[language], lexicons[language])
        yield FilePlan(
            doc_id=slot.doc_id,
            slot=slot.number,
            tier=slot.tier,
            day_number=slot.day_number,
            language=language,
            role=Role.FACT,
            facts=facts,
        )


def _draw_facts(stream: Random, lexicon: Lexicon) -> tuple[Fact, ...]:
    """One or two facts about subjects that many files are about."""
    return tuple(Fact(*lexicon.draw_topic(stream), *_draw_values(stream)) for _ in range(1 + draw_below(stream, 2)))


def _plan_superseded(seed: int, slots: Sequence[_Slot], facts: Sequence[FilePlan]) -> Iterator[FilePlan]:
    """Earlier files with an older value of the first fact of another."""
    stream = open_stream(seed, "superseded")
    for slot, origin in _pair(stream, slots, facts):
        fact = origin.facts[0]
        yield FilePlan(
            doc_id=slot.doc_id,
            slot=slot.number,
            tier=slot.tier,
            day_number=draw_below(stream, origin.day_number),
            language=origin.language,
            role=Role.SUPERSEDED,
            facts=(Fact(fact.subject, fact.aspect, fact.old_value, fact.value),),
            origin=origin.doc_id,
        )


def _plan_duplicates(
    parameters: Parameters, seed: int, slots: Sequence[_Slot], facts: Sequence[FilePlan]
) -> Iterator[FilePlan]:
    """Files with the same facts as another, of the same day or later."""
    stream = open_stream(seed, "duplicates")
    for slot, origin in _pair(stream, slots, facts):
        yield FilePlan(
            doc_id=slot.doc_id,
            slot=slot.number,
            tier=slot.tier,
            day_number=origin.day_number + draw_below(stream, parameters.days - origin.day_number),
            language=origin.language,
            role=Role.DUPLICATE,
            facts=origin.facts,
            origin=origin.doc_id,
        )


def _pair(stream: Random, slots: Sequence[_Slot], facts: Sequence[FilePlan]) -> Iterator[tuple[_Slot, FilePlan]]:
    """Each slot with a file; none gets a second slot before all have one."""
    order = shuffle(stream, facts)
    for place, slot in enumerate(slots):
        yield slot, order[place % len(order)]


def _plan_noise(
    parameters: Parameters, seed: int, slots: Sequence[_Slot], needs: Sequence[NeedPlan]
) -> Iterator[FilePlan]:
    """Chatter, two forms in each until every form of an answerable need stands in two of them."""
    languages = parameters.languages
    pools: dict[str, list[str]] = {}
    for language in languages:
        asked = (need for need in needs if need.language == language and need.fact is not None)
        forms = chain.from_iterable((*need.subject.forms, *need.aspect.forms) for need in asked)
        pools[language] = shuffle(open_stream(seed, "mentions", language), forms) * MAX_MENTIONS
    for place, slot in enumerate(slots):
        number, language_place = divmod(place, len(languages))
        language = languages[language_place]
        first = number * FORMS_PER_NOISE
        yield FilePlan(
            doc_id=slot.doc_id,
            slot=slot.number,
            tier=slot.tier,
            day_number=slot.day_number,
            language=language,
            role=Role.NOISE,
            mentions=tuple(pools[language][first : first + FORMS_PER_NOISE]),
        )
