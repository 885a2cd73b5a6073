"""What is found by the script of the wording."""

from __future__ import annotations

import pytest

from memeval.bench.scripts import name_script, share_scripts
from tests.report.conftest import make_evaluation, make_query, make_suite, make_variant


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("port clash", "Latin"),
        ("監控 zk", "Han+Latin"),
        ("ラベルの用紙", "Han+Kana"),
        ("한글", "Hangul"),
        ("8080", "none"),
    ],
)
def test_scripts_are_named_in_one_order(text, script):
    """Hiragana and Katakana are one; digits are no letters."""
    assert name_script(text) == script


def test_shares_count_wordings_with_something_stored():
    """Over all suites; the commonest script first; a variant that was not asked is not there."""
    first = [make_query("a", 0, "port", 1), make_query("b", 0, "cache", None), make_query("c", 0, "監控", 1)]
    more = [make_query("d", 0, "lunch", None, expected={})]
    evaluation = make_evaluation(
        make_suite("one", [make_variant("x", first)]),
        make_suite("two", [make_variant("x", first[:1] + more), make_variant("y", first[2:])]),
    )
    latin, han = share_scripts(evaluation)
    assert (latin.script, han.script) == ("Latin", "Han")
    assert {name: (round(value.value, 3), value.n) for name, value in latin.found.items()} == {"x": (0.667, 3)}
    assert set(han.found) == {"x", "y"}
