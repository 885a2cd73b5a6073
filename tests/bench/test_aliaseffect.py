"""What aliases do to a suite, over evaluations written by hand."""

from __future__ import annotations

import pytest

from memeval.bench.aliaseffect import Reached, dress, find_effects, measure_effect
from memeval.memory.document import Document, Tier


def test_the_effect_is_a_mean_over_needs():
    """Three wordings of one need count as one; wordings won and lost are named."""
    before = {
        "a[0]": Reached("a", True, 1),
        "b[0]": Reached("b", False, None),
        "b[1]": Reached("b", True, 7),
        "c[0]": Reached("c", True, 5),
    }
    after = {
        "a[0]": Reached("a", True, 1),
        "b[0]": Reached("b", True, 2),
        "b[1]": Reached("b", True, 7),
        "c[0]": Reached("c", False, 6),
    }
    effect = measure_effect(before, after, without="x", with_aliases="x+aliases")
    found, first = effect.found, effect.first
    assert (found.without.value, found.with_aliases.value) == (
        pytest.approx(2.5 / 3, abs=1e-6),
        pytest.approx(2 / 3, abs=1e-6),
    )
    assert (found.difference.value, found.difference.n) == (pytest.approx(-0.5 / 3, abs=1e-6), 3)
    assert found.difference.interval[0] < found.difference.value < found.difference.interval[1]
    assert (found.won, found.lost) == (("b[0]",), ("c[0]",))
    assert (first.won, first.lost) == (("b[0]",), ("c[0]",))
    assert first.difference.value == pytest.approx((0 + 0.5 - 1) / 3, abs=1e-6)


def test_only_wordings_of_both_count():
    """What one of the two could not grade is left out."""
    effect = measure_effect({"a[0]": Reached("a", True, 1)}, {}, without="x", with_aliases="y")
    assert (effect.found.difference.n, effect.found.difference.value) == (0, None)


def test_pairs_of_a_run(made):
    """A system is compared with itself plus aliases, and minus its own; others, and systems run once, are not."""
    hit, miss = made.ask("port clash", "a.md"), made.ask("port clash", "b.md")
    runs = {"x-aliases": miss, "x": miss, "x+aliases": hit, "y": miss, "z+aliases": hit, "z-aliases": miss}
    variants = [made.variant({"need": (["a.md"], [query])}, name) for name, query in runs.items()]
    (suite,) = made.evaluation(*variants).suites
    effects = {(one.without, one.with_aliases): one.found.difference.value for one in find_effects(suite)}
    assert effects == {("x-aliases", "x"): 0, ("x", "x+aliases"): 1, ("z-aliases", "z+aliases"): 1}


def test_documents_get_their_aliases_as_the_engine_writes_them():
    """The others are the same objects."""
    one, other = (
        Document(doc_id=name, path=name, tier=Tier.NOTE, name=name, text="text\n") for name in ("a.md", "b.md")
    )
    dressed, untouched = dress([one, other], {"a.md": ("port clash",), "b.md": ()})
    assert dressed.text == "text\naliases: port clash\n"
    assert untouched is other
