"""Who holds what: counts are kept exactly, and places are as the truth says."""

from collections import Counter

import pytest

from memeval.memory.document import Tier
from memeval.testbed.generator import Parameters
from memeval.testbed.generator.lexicon import Lexicon
from memeval.testbed.generator.plan import MAX_MENTIONS, Role, make_plan


def plan_of(parameters, seed=7):
    return make_plan(parameters, seed, {language: Lexicon(language, seed) for language in parameters.languages})


@pytest.fixture(scope="module")
def plan(rich_parameters):
    return plan_of(rich_parameters)


def test_files_are_counted_exactly(plan, rich_parameters):
    """There are as many files of each role as the shares say, each with a name of its own."""
    roles = Counter(file.role for file in plan.files)
    assert roles == {Role.LONG_TERM: 1, Role.FACT: 299, Role.SUPERSEDED: 90, Role.DUPLICATE: 90, Role.NOISE: 120}
    assert len({file.doc_id for file in plan.files}) == rich_parameters.documents


def test_needs_are_counted_exactly(plan):
    """Within each language, a tenth of 40 needs has nothing stored and four tenths of the 36 others share a file."""
    for language in ("en", "zh", "ja", "ko"):
        needs = [need for need in plan.needs if need.language == language]
        stored = [need for need in needs if need.fact]
        uses = Counter(plan.targets[need.id].doc_id for need in stored)
        assert (len(needs), len(stored)) == (40, 36)
        assert Counter(uses.values()) == {1: 22, 2: 7}


def test_half_of_the_unanswerable_needs_are_twins(plan):
    """Every other need without an answer asks about the subject of a need that has one."""
    without = [need for need in plan.needs if need.fact is None]
    by_id = {need.id: need for need in plan.needs}
    twins = [need for need in without if need.twin]
    assert len(twins) * 2 == len(without) == 16
    assert all(by_id[need.twin].subject == need.subject and by_id[need.twin].fact for need in twins)


def test_a_target_holds_the_fact_of_its_need(plan):
    """The file a need asks for is in its language and holds its subject and aspect."""
    for need in plan.needs:
        if need.fact:
            target = plan.targets[need.id]
            assert need.fact in target.facts
            assert (target.language, target.role) == (need.language, Role.FACT)


def test_copies_come_later_and_older_states_earlier(plan):
    """A duplicate has the facts of its origin and is no older; an older state has the old value and an earlier day."""
    by_id = {file.doc_id: file for file in plan.files}
    for file in plan.files:
        origin = by_id.get(file.origin)
        if file.role is Role.DUPLICATE:
            assert file.facts == origin.facts
            assert file.day_number >= origin.day_number
        elif file.role is Role.SUPERSEDED:
            (fact,) = file.facts
            assert (fact.subject, fact.aspect) == (origin.facts[0].subject, origin.facts[0].aspect)
            assert fact.value == origin.facts[0].old_value != origin.facts[0].value
            assert file.day_number < origin.day_number
        else:
            assert origin is None


def test_no_form_stands_in_more_noise_than_allowed(plan):
    """Chatter mentions two forms of needs a file, each in two files at most: five needs with 11 fill 55 files."""
    few = plan_of(Parameters(documents=200, needs=5, noise=0.5, unanswerable=0))
    for files, filled in ((plan.files, 120), (few.files, 55)):
        mentioned = [file.mentions for file in files if file.role is Role.NOISE and file.mentions]
        assert len(mentioned) == filled
        assert {len(set(forms)) for forms in mentioned} == {2}
        assert max(Counter(form for forms in mentioned for form in forms).values()) <= MAX_MENTIONS


def test_dates_span_the_days():
    """Logs and notes spread over the days; logs are three in ten at most and one a day."""
    plan = plan_of(Parameters(documents=200, needs=20, days=50))
    logs = [file for file in plan.files if file.tier is Tier.DAILY]
    assert [file.day_number for file in sorted(logs, key=lambda file: file.doc_id)] == list(range(1, 50))
    assert {file.day_number for file in plan.files} == set(range(50))
    assert len([file for file in plan_of(Parameters(documents=101, needs=20)).files if file.tier is Tier.DAILY]) == 30


@pytest.mark.parametrize("documents", [10, 11, 12, 15, 20])
def test_smallest_worlds_have_room(documents):
    """The fewest documents with the most overhead still make a plan, no file having more than two copies a kind."""
    for shares in ((0.0, 0.6, 0.0), (0.0, 0.0, 0.6), (0.6, 0.0, 0.0), (0.0, 0.3, 0.3)):
        noise, duplicates, stale = shares
        plan = plan_of(
            Parameters(documents=documents, needs=2, noise=noise, duplicates=duplicates, stale=stale, days=10)
        )
        assert len(plan.files) == documents
        copies = Counter((file.role, file.origin) for file in plan.files if file.origin)
        assert max(copies.values(), default=0) <= 2
