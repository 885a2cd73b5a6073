"""The registry and how a variant is named."""

from __future__ import annotations

import pytest

from memeval.errors import UnknownNameError
from memeval.retrieval.recipes import VARIANTS, default_variants, find_variant, look_beside, select_variants


def names(variants):
    return [variant.name for variant in variants]


def test_the_registry_in_the_order_tables_show_it():
    """Engines, then other searches, then controls; every name once."""
    assert names(VARIANTS)[:5] == ["article", "current", "memeval", "grep", "bm25"]
    assert names(VARIANTS)[-4:] == ["random", "recency", "filename", "oracle"]
    assert len(set(names(VARIANTS))) == len(VARIANTS)
    assert names(default_variants()) == ["article", "current", "memeval", "grep", "bm25"]


def test_a_variant_is_found_by_its_name():
    """Each by its own name."""
    assert all(find_variant(variant.name) is variant for variant in VARIANTS)


def test_an_unknown_name_is_refused_with_the_nearest():
    """The message guesses first and says what lists the rest; where it cannot guess, it lists the choices."""
    listed = r"`memeval list variants` lists all \d+\.$"
    with pytest.raises(UnknownNameError, match=rf"^unknown variant 'bm52'\. Did you mean 'bm25'\? {listed}"):
        find_variant("bm52")
    with pytest.raises(UnknownNameError, match=r"unknown variant 'zzz'; known: article, .*, tantivy"):
        find_variant("zzz")
    with pytest.raises(UnknownNameError, match=r"unknown variant 'bm25,grep'.* Each variant is named on its own"):
        find_variant("bm25,grep")
    with pytest.raises(UnknownNameError, match="unknown variant 'everything'"):
        select_variants(["bm25", "everything"])


def test_selecting_variants():
    """None means the default ones, `all` every one that can be built; names and variants mix, and each runs once."""
    assert select_variants([]) == default_variants()
    models = {variant.model for variant in VARIANTS if variant.model}
    everything = (*VARIANTS, *look_beside().variants)
    assert select_variants(["all"], has_embedder=True, models=models, has_reranker=True) == everything
    without = names(select_variants(["all"], has_embedder=True, models=models))
    assert set(names(everything)) - set(without) == {"memeval+rerank"}
    bare = tuple(variant for variant in everything if not variant.needs_embedder and not variant.model)
    assert select_variants(["all"]) == bare
    with_minilm = names(select_variants(["all"], models=["all-MiniLM-L6-v2"]))
    assert set(with_minilm) - set(names(bare)) == {"memeval+minilm"}
    assert names(select_variants(["memeval+use", "memeval+hybrid"])) == ["memeval+use", "memeval+hybrid"]
    assert names(select_variants(["openclaw"])) == ["openclaw"]
    assert names(select_variants(["grep", find_variant("article"), "grep"])) == ["grep", "article"]
    assert names(select_variants(["oracle", "all"]))[:2] == ["oracle", "article"]
