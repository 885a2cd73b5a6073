"""The truth of a world, held against what the variants reach in it."""

import hashlib
import math
import subprocess
import sys
from dataclasses import replace

import pytest

from memeval.memory.document import Tier
from memeval.retrieval.base import Settings
from memeval.retrieval.recipes import find_variant
from memeval.testbed.generator import Parameters, Reach, generate_world

pytestmark = pytest.mark.slow  # whole worlds are asked

GAPS = {Reach.ALIASES, Reach.EMBEDDING, Reach.NONE}


def ask_all(world, variant, documents=None):
    """(need, its truth, wording, its truth, answer) for every wording."""
    retriever = find_variant(variant).build(documents or world.suite.corpus.documents, Settings())
    for need, truth in zip(world.suite.needs, world.truth.needs, strict=True):
        for wording, known in zip(need.wordings, truth.wordings, strict=True):
            yield need, truth, wording, known, retriever.search(wording.text)


def probability_at_least_as_far(count, total, share):
    """Two-sided exact binomial p-value, as twice the smaller tail."""

    def tail(values):
        return math.fsum(
            math.exp(
                math.lgamma(total + 1)
                - math.lgamma(k + 1)
                - math.lgamma(total - k + 1)
                + k * math.log(share)
                + (total - k) * math.log1p(-share)
            )
            for k in values
        )

    return min(1.0, 2 * min(tail(range(count + 1)), tail(range(count, total + 1))))


@pytest.mark.parametrize("variant", ["article", "current"])
def test_literal_search_matches_what_the_truth_says(rich_world, variant):
    """For every wording, answerable or not, the engine matches exactly the files named, no more and no less."""
    for _, _, wording, known, answer in ask_all(rich_world, variant):
        assert {hit.doc_id for hit in answer.hits} == set(known.matched), wording.text


@pytest.mark.parametrize(
    ("variant", "reached"),
    [("article", {Reach.LITERAL}), ("current", {Reach.LITERAL}), ("bm25", {Reach.LITERAL, Reach.PAIRS})],
)
def test_found_is_what_the_truth_says(rich_world, variant, reached):
    """A wording with an answer shows it if and only if its reach is one of the variant's; gap wordings match none."""
    seen = set()
    for need, _, wording, known, answer in ask_all(rich_world, variant):
        if need.relevant:
            seen.add(known.reach)
            assert (not need.relevant.isdisjoint(answer.shown)) == (known.reach in reached), wording.text
            if known.reach in GAPS:
                assert need.relevant.isdisjoint(hit.doc_id for hit in answer.hits), wording.text
    assert seen == set(Reach)


@pytest.mark.parametrize("shares", [(0.0, 0.3, 0.3), (0.2, 0.4, 0.0), (0.2, 0.0, 0.4), (0.6, 0.0, 0.0)])
def test_crowding_at_its_worst_hides_nothing(shares):
    """With the most copies, older states or noise there can be, what is matched is still shown under 16 KiB."""
    noise, duplicates, stale = shares
    world = generate_world(
        Parameters(
            documents=150,
            needs=40,
            languages=("en", "zh", "ja", "ko"),
            noise=noise,
            duplicates=duplicates,
            stale=stale,
            shared_files=1.0,
            sessions=0,
        ),
        1,
    )
    for _, _, wording, known, answer in ask_all(world, "article"):
        assert set(answer.shown) == set(known.matched), wording.text


def test_aliases_bridge_what_the_truth_says(rich_world):
    """With the aliases in the files, a literal search finds the wordings of that reach, and no others of the gap."""
    aliases = rich_world.truth.aliases
    documents = tuple(
        replace(document, text=f"{document.text}aliases: {', '.join(aliases.get(document.doc_id, ()))}\n")
        for document in rich_world.suite.corpus.documents
    )
    for need, _, wording, known, answer in ask_all(rich_world, "article", documents):
        if need.relevant:
            found = not need.relevant.isdisjoint(answer.shown)
            assert found == (known.reach in {Reach.LITERAL, Reach.ALIASES}), wording.text


def test_concepts_bridge_what_the_truth_says(rich_world):
    """What an ideal embedding bridges is a form of the need's own concepts; what nothing bridges is of no concept."""
    for truth in rich_world.truth.needs:
        for known in truth.wordings:
            linked = {form.concept for form in known.bridge if form.reach is not Reach.NONE}
            if known.reach in {Reach.ALIASES, Reach.EMBEDDING}:
                assert linked
                assert linked <= {f"{truth.id}.subject", f"{truth.id}.aspect"}
            if known.reach is Reach.NONE:
                assert {form.concept for form in known.bridge} == {None}


def test_ruler_sees_the_same_overlaps(rich_world):
    """By the ruler's terms, gap wordings share nothing with their file, the others something; so do rewordings."""
    sharing = pytest.importorskip("memeval.ruler.sharing")
    documents = {document.doc_id: document for document in rich_world.suite.corpus.documents}
    for need, truth in zip(rich_world.suite.needs, rich_world.truth.needs, strict=True):
        for wording, known in zip(need.wordings, truth.wordings, strict=True):
            if truth.file:
                assert sharing.is_unseen(wording.text, documents[truth.file]) == (known.reach in GAPS), wording.text
            assert sharing.is_zero_overlap(need.wordings[0].text, wording.text) != known.overlaps_first, wording.text


def test_rates_are_what_a_replay_counts(rich_world):
    """Asked in their order until found, the needs give the counts that the truth states, by language and in all."""
    found = {}
    for need, truth, wording, _, answer in ask_all(rich_world, "article"):
        if need.relevant:
            found.setdefault(truth.language, {}).setdefault(need.id, []).append(
                (set(wording.text.split()), not need.relevant.isdisjoint(answer.shown))
            )
    found["all"] = {need_id: row for rows in list(found.values()) for need_id, row in rows.items()}
    for language, rows in found.items():
        rates = rich_world.truth.rates[language]
        missed = [row for row in rows.values() if not row[0][1]]
        later = [next((words for words, hit in row if hit), None) for row in missed]
        assert rates.needs == len(rows)
        assert rates.missed_first == len(missed)
        assert rates.found_later == sum(words is not None for words in later)
        assert rates.never_found == later.count(None)
        # a run of characters written as one word has the words it is made of
        spaced = [(row, words) for row, words in zip(missed, later, strict=True) if words and len(row[0][0]) == 2]
        apart = sum(row[0][0].isdisjoint(words) for row, words in spaced)
        run = [(row, words) for row, words in zip(missed, later, strict=True) if words and len(row[0][0]) == 1]
        apart += sum(not any(word in next(iter(row[0][0])) for word in words) for row, words in run)
        assert rates.zero_overlap == apart


def test_duplicates_and_stale_facts_are_where_the_truth_says(rich_world):
    """A duplicate holds most of its origin's lines and the value, a superseded file the words but not the value."""
    texts = {document.doc_id: document.text for document in rich_world.suite.corpus.documents}
    needs = {need.id: need for need in rich_world.suite.needs}
    assert rich_world.truth.duplicates
    assert rich_world.truth.superseded
    for copy in rich_world.truth.duplicates:
        lines = set(texts[copy.file].split("\n"))
        origin = [line for line in texts[copy.origin].split("\n") if "2026-" not in line and "###" not in line]
        assert 0.5 < sum(line in lines for line in origin) / len(origin) < 1
        for need_id in copy.needs:
            assert needs[need_id].evidence in texts[copy.file]
            assert needs[need_id].expected[copy.file] == 1
    for copy in rich_world.truth.superseded:
        for need_id in copy.needs:
            assert needs[need_id].evidence not in texts[copy.file]
            assert needs[need_id].expected[copy.file] == 0
    assert any(copy.needs for copy in rich_world.truth.superseded)
    graded = {doc_id for need in rich_world.suite.needs for doc_id, grade in need.expected.items() if grade < 2}
    assert graded == {copy.file for copy in (*rich_world.truth.duplicates, *rich_world.truth.superseded) if copy.needs}


def test_evidence_stands_in_one_line_with_the_words(rich_world):
    """The value of a fact is on the line of its subject and aspect, so that a snippet can show it."""
    texts = {document.doc_id: document.text for document in rich_world.suite.corpus.documents}
    for need, truth in zip(rich_world.suite.needs, rich_world.truth.needs, strict=True):
        if truth.file:
            stored = [form.text for form in truth.forms if form.reach is Reach.LITERAL]
            (line,) = (line for line in texts[truth.file].split("\n") if need.evidence in line)
            assert stored[0] in line
            assert stored[2] in line


def test_drawn_shares_are_binomial():
    """Gaps, their bridges and overlaps come as often as their probabilities say; no count is one in a million."""
    numbers = Parameters(
        documents=3_000,
        needs=2_500,
        vocabulary_gap=0.3,
        aliases=0.4,
        unreachable=0.25,
        overlap=0.3,
        unanswerable=0,
        shared_files=0,
        noise=0,
        sessions=0,
    )
    world = generate_world(numbers, 5)
    rates = world.truth.rates["all"]
    gaps = sum(rates.first[reach] for reach in GAPS)
    later = [(need, known) for need in world.truth.needs for known in need.wordings[1:]]
    reworded = [known for need, known in later if need.wordings[0].reach in GAPS]
    lengths = [len(need.wordings) for need in world.truth.needs]
    for count, total, share in [
        (gaps, rates.needs, 0.3),
        (rates.gap_wordings, rates.wordings, 0.3),
        (rates.first[Reach.ALIASES], gaps, 0.4),
        (rates.first[Reach.NONE], gaps, 0.25),
        (sum(known.overlaps_first for known in reworded), len(reworded), 0.3),
        (lengths.count(1), len(lengths), 0.2),
        (lengths.count(5), len(lengths), 0.2),
    ]:
        assert probability_at_least_as_far(count, total, share) > 1e-6, (count, total, share)


@pytest.mark.parametrize("correlation", [0.0, 0.5, 1.0])
def test_needs_of_one_file_fail_together_as_often_as_asked(correlation):
    """Both needs of a file are missed with probability G² + correlation * G (1 - G); with 1 they never differ."""
    numbers = Parameters(
        documents=2_000,
        needs=2_400,
        vocabulary_gap=0.3,
        correlation=correlation,
        shared_files=1.0,
        unanswerable=0,
        sessions=0,
    )
    needs = {need.id: need for need in generate_world(numbers, 3).truth.needs}
    pairs = [(need, needs[need.shares_file_with]) for need in needs.values() if need.shares_file_with]
    both = sum(first.is_missed_first and second.is_missed_first for first, second in pairs)
    assert len(pairs) == 1_200
    assert probability_at_least_as_far(both, len(pairs), 0.09 + correlation * 0.21) > 1e-6
    if correlation == 1:
        assert all(first.is_missed_first == second.is_missed_first for first, second in pairs)


def test_certain_shares_are_certain():
    """Shares of 0 and 1 leave nothing to chance."""
    numbers = Parameters(documents=100, needs=40, languages=("zh",), unanswerable=0, sessions=0)
    firsts = {
        key: {need.wordings[0].reach for need in generate_world(replace(numbers, **changes)).truth.needs}
        for key, changes in {
            "none": {"vocabulary_gap": 0},
            "run": {"vocabulary_gap": 0, "unspaced": 1},
            "aliases": {"vocabulary_gap": 1, "aliases": 1},
            "embedding": {"vocabulary_gap": 1, "aliases": 0},
            "nothing": {"vocabulary_gap": 1, "aliases": 0, "unreachable": 1},
        }.items()
    }
    assert firsts == {
        "none": {Reach.LITERAL},
        "run": {Reach.PAIRS},
        "aliases": {Reach.ALIASES},
        "embedding": {Reach.EMBEDDING},
        "nothing": {Reach.NONE},
    }


def test_wordings_of_a_need_differ(rich_world):
    """No need is worded twice the same; the first wording is free and has no kind, the others say theirs."""
    kinds = set()
    for need in generate_world(Parameters(documents=400, needs=250, max_wordings=6, vocabulary_gap=0.5)).suite.needs:
        assert len({wording.text for wording in need.wordings}) == len(need.wordings)
        assert (need.wordings[0].elicited, need.wordings[0].kind) == ("free", None)
        assert {wording.elicited for wording in need.wordings[1:]} <= {"requested"}
        if need.relevant:
            kinds |= {wording.kind for wording in need.wordings[1:]}
    assert kinds == {"same-words", "paraphrase", "unseen-words"}


def test_one_number_more_leaves_the_rest_alone(rich_parameters, rich_world):
    """Another gap changes no file, other noise no need, and more needs none of those before."""
    other_gap = generate_world(replace(rich_parameters, vocabulary_gap=0.6), 7)
    assert other_gap.suite.corpus.documents == rich_world.suite.corpus.documents
    missed = {need.id for need in rich_world.truth.needs if need.wordings[0].reach in GAPS}
    assert missed < {need.id for need in other_gap.truth.needs if need.wordings[0].reach in GAPS}
    other_noise = generate_world(replace(rich_parameters, noise=0.1), 7)
    assert [need.wordings for need in other_noise.suite.needs] == [need.wordings for need in rich_world.suite.needs]
    more = generate_world(replace(rich_parameters, needs=200), 7)
    assert more.suite.needs[:160] == rich_world.suite.needs
    assert generate_world(replace(rich_parameters, sessions=61), 7).sessions[:60] == rich_world.sessions


def test_worlds_differ_by_seed(rich_parameters, rich_world):
    """Another seed gives other files and other wordings; the same one the same world."""
    other = generate_world(rich_parameters, 8)
    assert other.suite.digest != rich_world.suite.digest
    assert other.suite.corpus.digest != rich_world.suite.corpus.digest
    assert generate_world(rich_parameters, 7) == rich_world


PINNED = (
    "sha256:34e81874974b1bef0c9be326aa116153138275d17b6e5d45c3426d892a3cfe60",
    "sha256:11ce369b512cde837c93c4a04e8a9d6eace887c270507d2f43e508252ca0bdd1",
    "59545f005d4c70ca214aefb1a99a9c42b03d67d3128c3160df4de305494026aa",
)
"""Digests of documents, needs and sessions."""

SCRIPT = """
import hashlib
from memeval.testbed.generator import Parameters, generate_world
numbers = Parameters(documents=120, needs=60, languages=("en", "zh", "ja", "ko"), unspaced=0.3, sessions=20)
world = generate_world(numbers, 11)
print(hashlib.sha256(repr(world).encode()).hexdigest())
"""


def test_worlds_do_not_depend_on_the_hash_seed():
    """Two interpreters with different hash seeds make the same world, truth and sessions included."""
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(digests) == 1


def test_worlds_are_pinned():
    """A small world has the digests it had when this was written, on any machine and Python version."""
    world = generate_world(Parameters(documents=60, needs=30, languages=("en", "zh", "ja", "ko")), 0)
    events = hashlib.sha256(repr(world.sessions).encode()).hexdigest()
    assert (world.suite.corpus.digest, world.suite.digest, events) == PINNED


@pytest.mark.slow
def test_largest_world():
    """100,000 files and 20,000 needs are made, each file with a name and a text of its own."""
    world = generate_world(Parameters(documents=100_000, needs=20_000, languages=("en", "zh", "ja", "ko")))
    documents = world.suite.corpus.documents
    assert len({document.doc_id for document in documents}) == len({document.text for document in documents}) == 100_000
    assert [document.doc_id for document in documents] == sorted(document.doc_id for document in documents)
    assert {document.tier for document in documents} == {Tier.LONG_TERM, Tier.DAILY, Tier.NOTE}
