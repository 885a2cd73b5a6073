"""Offline against live: is the rate at which agents ask again the one that a suite, or an earlier half, foretells?

What is foretold and what happened come from different needs, so a difference has an interval of both. A suite may only
foretell what its wordings did not come from: one distilled from the same recording would give it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from memeval.bench.asked import ask_needs, find_kinds, split_languages
from memeval.bench.evaluation import QueryResult
from memeval.bench.mixing import measure_mix
from memeval.bench.shares import Share
from memeval.errors import RunSettingError
from memeval.ruler import is_unseen, ruler_terms
from memeval.sessions import RecordedNeed
from memeval.sessions.distill import TAG, find_document
from memeval.statistics.intervals import Interval, Rate, difference_interval, wilson
from memeval.statistics.power import visible_gap
from memeval.statistics.trigger import min_needs
from memeval.testbed.corpus import Corpus
from memeval.testbed.needs import Suite

INSUFFICIENT, AGREES, DIFFERS = "insufficient data", "agrees", "differs"
FIRST_HALF = "first half of the recording"
AUTHORS_MIX, RECORDED_MIX = "at the author's mix", "at the recorded mix"

_LAST = datetime.max.replace(tzinfo=timezone.utc)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A rate of needs that took another wording."""

    retries: float
    """Needs; a fraction of them where a rate was mixed."""
    n: int
    interval: Interval | None
    """95 %; None without any need."""

    @property
    def value(self) -> float | None:
        """The rate; None without any need."""
        return self.retries / self.n if self.n else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A rate foretold, the rate that came, and what the two say of each other."""

    source: str
    """What foretold it: a suite, language, variant and mix, or the first half."""
    foretold: Outcome
    came: Outcome
    difference: float | None
    """came − foretold; None where either has no needs."""
    interval: Interval | None
    visible: float | None
    """The smallest difference that these numbers of needs show with a power of 80 %; None where none is."""
    verdict: str
    """INSUFFICIENT below as many needs as a verdict of the signals takes, on either side; else AGREES where the
    interval holds 0, DIFFERS where it does not."""


def count_retries(needs: Iterable[RecordedNeed]) -> Outcome:
    """Of recorded needs that ended in a read, those that took another wording."""
    ended = [need for need in needs if need.is_satisfied]
    return _count(sum(bool(need.found_at) for need in ended), len(ended))


def predict_from_half(needs: Sequence[RecordedNeed]) -> Prediction:
    """What the earlier half of the needs that ended in a read, by date, says of the later one.

    A session is not cut in two, since its needs may fail together; where there is only one, it is.
    """
    ended = sorted((need for need in needs if need.is_satisfied), key=_moment)
    sessions: dict[tuple[str, str], list[RecordedNeed]] = {}
    for need in ended:
        sessions.setdefault((need.reader, need.session), []).append(need)
    parts = list(sessions.values()) if len(sessions) > 1 else [[need] for need in ended]
    first: list[RecordedNeed] = []
    later: list[RecordedNeed] = []
    for part in parts:
        (first if not later and len(first) + len(part) / 2 <= len(ended) / 2 else later).extend(part)
    return compare_rates(FIRST_HALF, count_retries(first), count_retries(later))


def predict_from_suite(
    suite: Suite,
    variant: str,
    queries: Sequence[QueryResult],
    needs: Sequence[RecordedNeed],
    *,
    folders: Sequence[str] = (),
    seed: int = 0,
) -> tuple[Prediction, ...]:
    """What a suite's blind wordings foretell, each language by itself, at its author's mix and at the recorded one.

    A retry is foretold where no file that answers is a candidate of the first free wording.

    Args:
        suite: over the same store; none of its needs may be recorded ones.
        variant: the name of what was asked.
        queries: its answers.
        needs: recorded.
        folders: where the store lay, normalised.
        seed: of the bounds at the recorded mix.

    Raises:
        RunSettingError: the suite holds recorded needs, or no file that was read is in its store.
    """
    if any(TAG in need.tags for need in suite.needs):
        raise RunSettingError(
            f"suite {suite.name} holds needs tagged {TAG!r}: what was distilled from recordings foretells nothing but "
            "itself; give one whose wordings were written by somebody who has not seen them"
        )
    kinds = find_kinds(suite)
    mix = share_unseen(needs, suite.corpus, folders)
    if not mix.n and any(need.is_satisfied for need in needs):
        raise RunSettingError(
            f"suite {suite.name}: none of the files that were read is in its store, {suite.corpus.root}; give a suite "
            "over the store that was searched, and with --recorded-at where it lay then"
        )
    came = count_retries(needs)
    predictions = []
    for lang, of_language in split_languages(queries, suite.lang).items():
        asked = ask_needs(of_language).needs
        source = f"{suite.name} · {lang or 'no language'} · {variant}"
        triggers = sum(need.is_trigger for need in asked)
        predictions.append(compare_rates(f"{source}, {AUTHORS_MIX}", _count(triggers, len(asked)), came))
        measured = measure_mix(asked, kinds, recorded=mix, seed=seed)
        if measured.rate is not None and measured.low is not None and measured.high is not None:
            # one-sided 95 % bounds on either side: an interval of 90 %, narrower than the others would be
            foretold = Outcome(
                retries=measured.rate * len(asked), n=len(asked), interval=Interval(measured.low, measured.high)
            )
            share = f"{mix.count} of {mix.n} first searches without a word of the file"
            predictions.append(compare_rates(f"{source}, {RECORDED_MIX} ({share})", foretold, came))
    return tuple(predictions)


def share_unseen(needs: Iterable[RecordedNeed], corpus: Corpus, folders: Sequence[str] = ()) -> Share:
    """Of recorded needs whose file is in the corpus, those whose first query shares no word with it."""
    told: dict[str, bool] = {}
    for need in needs:
        query, document = need.attempts[0].search.query, find_document(need, corpus, tuple(folders))
        if query is not None and not isinstance(document, str) and ruler_terms(query):
            told[need.id] = is_unseen(query, document)
    ids = tuple(need for need, answer in told.items() if answer)
    found = wilson(len(ids), len(told))
    return Share(count=len(ids), n=len(told), interval=None if found is None else (found.low, found.high), needs=ids)


def compare_rates(source: str, foretold: Outcome, came: Outcome) -> Prediction:
    """What came against what was foretold."""
    known = _as_rate(foretold), _as_rate(came)
    difference = interval = None
    if known[0] is not None and known[1] is not None:
        difference = known[1].value - known[0].value
        interval = difference_interval(known[1], known[0])
    visible = None
    if foretold.value is not None and came.value is not None:
        visible = visible_gap(foretold.value, foretold.n, came.n)
    if min(foretold.n, came.n) < min_needs() or interval is None:
        verdict = INSUFFICIENT
    else:
        verdict = AGREES if interval.low <= 0 <= interval.high else DIFFERS
    return Prediction(
        source=source,
        foretold=foretold,
        came=came,
        difference=difference,
        interval=interval,
        visible=visible,
        verdict=verdict,
    )


def _count(retries: int, n: int) -> Outcome:
    return Outcome(retries=retries, n=n, interval=wilson(retries, n))


def _as_rate(outcome: Outcome) -> Rate | None:
    return None if outcome.value is None or outcome.interval is None else Rate(outcome.value, outcome.interval)


def _moment(need: RecordedNeed) -> datetime:
    search = need.attempts[0].search
    return search.time or search.began or _LAST
