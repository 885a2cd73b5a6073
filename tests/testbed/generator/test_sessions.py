"""Simulated sessions: what they consist of, and what they come to."""

from dataclasses import replace

import pytest

from memeval.testbed.generator import NeedTruth, Parameters, Reach, WordingTruth, generate_world
from memeval.testbed.generator.sessions import MAX_NEEDS, Outcome, count_sessions, expect_rates

pytestmark = pytest.mark.slow  # thousands of sessions are played

NUMBERS = Parameters(documents=300, needs=150, vocabulary_gap=0.4, sessions=4_000, days=30)


def truth_of(*wordings):
    """A need with these (reach, overlaps the first wording)."""
    return NeedTruth(
        id="n",
        language="en",
        file="f.md",
        shares_file_with=None,
        twin=None,
        forms=(),
        wordings=tuple(WordingTruth(reach, (), (), overlaps) for reach, overlaps in wordings),
    )


GAP, HIT = Reach.EMBEDDING, Reach.LITERAL


def test_expectation_by_hand():
    """Four needs worked out on paper, with one search in five followed by giving up."""
    needs = [
        truth_of((HIT, True), (GAP, False)),  # found at once
        truth_of((GAP, True), (GAP, False), (HIT, False)),  # found at the third: 0.8 * 0.8
        truth_of((GAP, True), (HIT, True)),  # found at the second, which shares a word: 0.8
        truth_of((GAP, True), (GAP, True)),  # out of words if not given up after the first: 0.8
    ]
    rates = expect_rates(replace(NUMBERS, abandonment=0.2), needs)
    assert rates.missed_first == 0.75
    assert rates.found_later == pytest.approx((0.64 + 0.8) / 4)
    assert rates.zero_overlap == pytest.approx(0.64 / 4)
    assert rates.abandoned == pytest.approx((0.36 + 0.2 + 0.2) / 4)
    assert rates.out_of_words == pytest.approx(0.8 / 4)
    assert rates.missed_first == pytest.approx(rates.found_later + rates.abandoned + rates.out_of_words)


@pytest.fixture(scope="module")
def world():
    return generate_world(NUMBERS, 2)


def test_attempts_follow_the_wordings(world):
    """Searches take the wordings in order; the last of a found need shows its file, which is read; time moves on."""
    needs = {need.id: need for need in world.suite.needs}
    truths = {truth.id: truth for truth in world.truth.needs}
    outcomes = set()
    for session in world.sessions:
        times = []
        for attempt in session.attempts:
            truth = truths[attempt.need]
            outcomes.add(attempt.outcome)
            texts = [wording.text for wording in needs[attempt.need].wordings]
            assert [search.query for search in attempt.searches] == texts[: len(attempt.searches)]
            assert [search.wording for search in attempt.searches] == list(range(len(attempt.searches)))
            found = [truth.file in search.hits for search in attempt.searches]
            assert not any(found[:-1])
            assert (attempt.outcome is Outcome.FOUND) == found[-1] == (attempt.read is not None)
            assert attempt.read in (None, truth.file)
            assert (attempt.outcome is Outcome.NOTHING_STORED) == (truth.file is None)
            if attempt.outcome is Outcome.OUT_OF_WORDS:
                assert len(attempt.searches) == len(texts)
            if attempt.outcome is Outcome.ABANDONED:
                assert len(attempt.searches) < len(texts)
            times += [*(search.time for search in attempt.searches), attempt.time]
        assert times == sorted(times)
        assert times[0] >= "2026-02-04T08:00:00Z"
        assert 1 <= len(session.attempts) <= MAX_NEEDS
        assert len({attempt.need for attempt in session.attempts}) == len(session.attempts)
    assert outcomes == set(Outcome)
    assert len({session.id for session in world.sessions}) == NUMBERS.sessions


def test_counts_are_what_the_sessions_hold(world):
    """The counts of the truth are those of the attempts."""
    truths = {truth.id: truth for truth in world.truth.needs}
    stored = [
        attempt
        for session in world.sessions
        for attempt in session.attempts
        if attempt.outcome is not Outcome.NOTHING_STORED
    ]
    later = [attempt for attempt in stored if attempt.outcome is Outcome.FOUND and len(attempt.searches) > 1]
    counts = world.truth.session_counts
    assert counts.asked == len(stored)
    assert counts.missed_first == sum(truths[attempt.need].file not in attempt.searches[0].hits for attempt in stored)
    assert counts.found_later == len(later)
    assert counts.zero_overlap == sum(
        set(attempt.searches[0].query.split()).isdisjoint(attempt.searches[-1].query.split()) for attempt in later
    )
    assert counts.abandoned + counts.out_of_words == counts.missed_first - counts.found_later


def test_counts_meet_the_expectation():
    """Over 4,000 sessions without correlation each share is within five standard deviations of what is expected."""
    truth = generate_world(replace(NUMBERS, correlation=0), 4).truth
    asked = truth.session_counts.asked
    for name, expected in truth.session_expectation.as_dict().items():
        deviation = (expected * (1 - expected) / asked) ** 0.5
        assert abs(getattr(truth.session_counts, name) / asked - expected) <= 5 * deviation, name


def test_abandonment_at_its_ends():
    """Who never gives up finds whatever a wording finds; who always does never words anew."""
    patient = generate_world(replace(NUMBERS, abandonment=0, sessions=500)).truth
    hasty = generate_world(replace(NUMBERS, abandonment=1, sessions=500))
    rates = patient.rates["all"]
    assert patient.session_counts.abandoned == 0
    assert patient.session_expectation.found_later == rates.found_later / rates.needs
    assert patient.session_expectation.zero_overlap == rates.zero_overlap / rates.needs
    assert hasty.truth.session_counts.found_later == 0
    assert {len(attempt.searches) for session in hasty.sessions for attempt in session.attempts} == {1}


@pytest.mark.parametrize("correlation", [0.0, 0.6])
def test_needs_of_one_session_fail_together_as_often_as_asked(correlation):
    """Over pairs of needs in one session the correlation of being missed at first is the one asked for, within 0.05."""
    world = generate_world(replace(NUMBERS, correlation=correlation, needs=200, unanswerable=0), 6)
    missed = {truth.id: truth.is_missed_first for truth in world.truth.needs}
    share = world.truth.session_expectation.missed_first
    pairs = [
        (missed[first.need], missed[second.need])
        for session in world.sessions
        for first, second in zip(session.attempts, session.attempts[1:], strict=False)
    ]
    covariance = sum((first - share) * (second - share) for first, second in pairs) / len(pairs)
    assert len(pairs) > 5_000
    assert covariance / (share * (1 - share)) == pytest.approx(correlation, abs=0.05)


def test_every_answerable_need_is_as_likely():
    """With full correlation and few needs, no need is asked for more often than another beyond chance."""
    world = generate_world(replace(NUMBERS, needs=10, unanswerable=0, correlation=1.0), 8)
    asked = [attempt.need for session in world.sessions for attempt in session.attempts]
    for need in world.suite.needs:
        assert abs(asked.count(need.id) / len(asked) - 0.1) < 0.02


def test_no_sessions():
    """A world without sessions counts none."""
    world = generate_world(replace(NUMBERS, sessions=0))
    assert world.sessions == ()
    assert world.truth.session_counts.asked == 0


def test_counts_of_no_need_with_an_answer():
    """Where nothing is stored for any need, nothing is expected and every attempt ends without a read."""
    world = generate_world(replace(NUMBERS, unanswerable=1, sessions=50))
    assert world.truth.session_expectation.asked == 0
    assert world.truth.session_counts == count_sessions((), ())
    assert {attempt.outcome for session in world.sessions for attempt in session.attempts} == {Outcome.NOTHING_STORED}
