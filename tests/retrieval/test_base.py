"""The tie rule and the contract."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import ContractError, UngradableError
from memeval.retrieval.base import Answer, Block, Hit, check_answer, name_breakage, open_retriever, rank_hits


def test_ties_fall_to_the_doc_id():
    """Score descending, then doc_id ascending by code point."""
    hits = rank_hits({"b": 1.0, "a": 1.0, "Z": 1.0, "c": 2.0, "設": 1.0})
    assert [hit.doc_id for hit in hits] == ["c", "Z", "a", "b", "設"]


@given(st.dictionaries(st.text(max_size=3), st.sampled_from([0.0, 0.5, 1.0, -2.0])), st.randoms())
def test_the_order_of_the_scores_does_not_matter(scores, rng):
    """Any order of the same pairs, and a mapping, give the one sorted by (-score, doc_id)."""
    pairs = list(scores.items())
    rng.shuffle(pairs)
    wanted = [Hit(doc_id, score) for doc_id, score in sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))]
    assert list(rank_hits(pairs)) == list(rank_hits(scores)) == wanted


GOOD = (Hit("a", 2.0), Hit("b", 2.0), Hit("c", -1.0))


def test_a_sound_answer_passes():
    """Equal and negative scores are allowed, and not everything ranked is shown."""
    check_answer(Answer(GOOD, (Block("b", "…"),), "…"), {"a", "b", "c", "d"})
    check_answer(Answer((), (), "No matches."), {"a"})


@pytest.mark.parametrize(
    ("hits", "blocks", "message"),
    [
        ((*GOOD, Hit("x", -2.0)), (), "rank 4: 'x' is not a document"),
        ((*GOOD, Hit("a", -2.0)), (), "rank 4: 'a' was already ranked"),
        ((*GOOD, Hit("d", 5.0)), (), "rank 4: score 5.0 of 'd' rises"),
        ((Hit("a", math.nan),), (), "rank 1: score nan of 'a' is not finite"),
        ((Hit("a", math.inf),), (), "rank 1: score inf of 'a' is not finite"),
        (GOOD, (Block("d", ""),), "'d' is shown but not ranked"),
        (GOOD, (Block("a", "1"), Block("a", "2")), "a document is shown twice"),
    ],
)
def test_a_broken_answer_is_named(hits, blocks, message):
    """Each rule of the contract is checked, and the message says where it is broken."""
    with pytest.raises(ContractError, match=message):
        check_answer(Answer(hits, blocks, ""), {"a", "b", "c", "d"})


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ContractError("rank 1: 'x' was already ranked"), "broke the contract: rank 1: 'x' was already ranked"),
        (ValueError("no such table"), "ValueError: no such table"),
    ],
)
def test_what_breaks_while_asked_is_one_reason(error, reason):
    """Whatever a retriever raises, the contract told apart from the rest, with the error behind it."""
    with pytest.raises(UngradableError) as caught, name_breakage():
        raise error
    assert (str(caught.value), caught.value.__cause__) == (reason, error)


def test_what_cannot_be_built_is_one_reason():
    """A variant that breaks as it is built is told apart from one that breaks when asked."""

    def build():
        raise ContractError("no retriever")

    with pytest.raises(UngradableError, match=r"^cannot be built: ContractError: no retriever$"):
        open_retriever(build)
