"""The light stem, against the examples that Porter's paper gives for the steps it keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.ruler.stem import stem

STEP_1A = {"caresses": "caress", "ponies": "poni", "ties": "ti", "caress": "caress", "cats": "cat"}
STEP_1B = {
    "feed": "feed",
    "agreed": "agre",
    "plastered": "plaster",
    "bled": "bled",
    "motoring": "motor",
    "sing": "sing",
    "conflated": "conflat",
    "troubled": "troubl",
    "sized": "size",
    "hopping": "hop",
    "tanned": "tan",
    "falling": "fall",
    "hissing": "hiss",
    "fizzed": "fizz",
    "failing": "fail",
    "filing": "file",
}
STEP_1C = {"happy": "happi", "sky": "sky"}
STEP_5 = {"probate": "probat", "rate": "rate", "cease": "ceas", "controll": "control", "roll": "roll"}


@pytest.mark.parametrize(("word", "expected"), [*STEP_1A.items(), *STEP_1B.items(), *STEP_1C.items(), *STEP_5.items()])
def test_porters_examples(word, expected):
    """Each word of the paper becomes what its step makes of it, after the later step that is kept, too."""
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("move", "moving"),
        ("moved", "moves"),
        ("cache", "caching"),
        ("retry", "retries"),
        ("stop", "stopped"),
        ("install", "installing"),
        ("database", "databases"),
        ("configure", "configured"),
    ],
)
def test_inflections_meet(first, second):
    """Forms of one word have one stem."""
    assert stem(first) == stem(second)


@pytest.mark.parametrize(("first", "second"), [("move", "movement"), ("deploy", "deployment"), ("run", "runner")])
def test_derivations_stay_apart(first, second):
    """The stem is light: a word derived from another is another word."""
    assert stem(first) != stem(second)


@given(st.text(max_size=12))
def test_other_text_is_left_alone(text):
    """Whatever is not three or more letters a to z comes back as it is."""
    if not (len(text) >= 3 and text.isascii() and text.isalpha() and text.islower()):
        assert stem(text) == text


@given(st.from_regex(r"[a-z]{3,14}", fullmatch=True))
def test_a_stem_is_short_and_not_empty(word):
    """A stem is never empty and never longer than its word."""
    assert 1 <= len(stem(word)) <= len(word)
