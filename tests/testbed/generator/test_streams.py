"""Random streams and exact shares."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from memeval.testbed.generator.streams import Spread, count_share, draw_below, open_stream, shuffle


def test_streams_depend_on_seed_and_part_alone():
    """The same part draws the same numbers, another part or seed others."""
    first = [open_stream(1, "text", 3).random() for _ in range(2)]
    assert first[0] == first[1]
    assert (
        len(
            {open_stream(1, "text", 3).random(), open_stream(1, "text", 4).random(), open_stream(2, "text", 3).random()}
        )
        == 3
    )


def test_stream_values_are_pinned():
    """Seeding and drawing give the numbers they gave when this was written."""
    stream = open_stream(0, "a")
    assert [draw_below(stream, 1_000) for _ in range(4)] == [932, 352, 6, 863]


def test_shuffle_keeps_every_item():
    """A shuffle is a permutation, and not the identity."""
    shuffled = shuffle(open_stream(0, "b"), range(100))
    assert sorted(shuffled) == list(range(100))
    assert shuffled != list(range(100))


@given(share=st.fractions(0, 1, max_denominator=1_000), total=st.integers(0, 300))
def test_spread_chooses_the_whole_part_of_every_prefix(share, total):
    """Of the first n numbers, floor(share * n) are chosen, for every n."""
    spread = Spread(share)
    assert sum(number in spread for number in range(total)) == int(share * total)


@given(total=st.integers(0, 300), share=st.fractions(0, Fraction(1, 2), max_denominator=1_000))
def test_spread_of_at_most_half_never_chooses_neighbours(share, total):
    """Needs that join the file of the one before them can count on that one to have its own."""
    spread = Spread(share)
    assert not any(number in spread and number + 1 in spread for number in range(total))


def test_share_is_taken_as_written():
    """0.29 of 100 is 29, though the binary number below it would give 28."""
    assert int(0.29 * 100) == 28
    assert count_share(0.29, 100) == 29
