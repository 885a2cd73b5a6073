"""The numbers of a world, and those that are refused."""

import math

import pytest

from memeval.errors import CorpusError
from memeval.testbed.generator import Parameters


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"documents": 9}, r"documents 9: a whole number from 10 to 100,000"),
        ({"documents": 100_001}, r"documents 100001"),
        ({"documents": 100.0}, r"documents 100\.0: a whole number"),
        ({"documents": True}, r"documents True"),
        ({"needs": 0}, r"needs 0: a whole number from 1"),
        ({"max_wordings": 7}, r"max_wordings 7: a whole number from 1 to 6"),
        ({"sessions": -1}, r"sessions -1"),
        ({"days": 9}, r"days 9: a whole number from 10"),
        ({"vocabulary_gap": 1.1}, r"vocabulary_gap 1\.1: a number from 0 to 1"),
        ({"noise": -0.1}, r"noise -0\.1"),
        ({"abandonment": math.nan}, r"abandonment nan"),
        ({"correlation": "0.5"}, r"correlation '0\.5'"),
        ({"languages": ()}, r"languages \(\): a tuple of at least one of en, zh, ja, ko"),
        ({"languages": "en"}, r"languages 'en': a tuple"),
        ({"languages": ("en", "fr")}, r"'fr' is not known; known: en, zh, ja, ko"),
        ({"languages": ("en", "en")}, r"one stands twice"),
        ({"name": "../x"}, r"name '\.\./x': use letters"),
        (
            {"noise": 0.3, "duplicates": 0.2, "stale": 0.2},
            r"noise, duplicates and stale are 0\.7 of the files together; at most 0\.6",
        ),
        ({"aliases": 0.7, "unreachable": 0.4}, r"aliases 0\.7 and unreachable 0\.4 .* 1 at most"),
    ],
)
def test_numbers_that_cannot_be_are_refused(bad, message):
    """The error names the number, what was given and what is allowed."""
    with pytest.raises(CorpusError, match=message):
        Parameters(**{"documents": 100, "needs": 20, **bad})


def test_needs_need_files():
    """More needs than files with facts are refused with both counts; exactly as many are not."""
    numbers = {"documents": 100, "unanswerable": 0, "shared_files": 0}
    with pytest.raises(CorpusError, match="80 needs ask for 80 files, but of 100 documents only 79 hold facts"):
        Parameters(needs=80, **numbers)
    assert Parameters(needs=79, **numbers).needed_files == 79


def test_shares_of_files_are_exact():
    """Each kind of file is the whole part of its share, and the kinds add up to the documents."""
    numbers = Parameters(documents=1_234, needs=20, noise=0.29, duplicates=0.07, stale=0.11)
    assert (numbers.noise_files, numbers.duplicate_files, numbers.stale_files) == (357, 86, 135)
    assert 1 + numbers.fact_files + 357 + 86 + 135 == 1_234
