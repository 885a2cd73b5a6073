"""Letters of Chinese, Japanese and Korean among others."""

from __future__ import annotations

import pytest

from memeval.embedding.scripts import count_letters, has_cjk


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("redis 6380", (0, 5)),
        ("監視 ok", (2, 4)),
        ("ポート", (3, 3)),
        ("포트", (2, 2)),
        ("。、「」", (0, 0)),
        ("café", (0, 4)),
        ("", (0, 0)),
    ],
)
def test_counts(text, counts):
    """CJK letters and all letters; punctuation is neither."""
    assert count_letters(text) == counts
    assert has_cjk(text) == (counts[0] > 0)
