"""The one line on a miss: each kind of gap is told apart from the others."""

from __future__ import annotations

import pytest

from memeval.bench.diagnosis import explain_miss
from memeval.memory.document import Document, Tier
from memeval.retrieval.base import Answer, Block, Hit


def note(text: str, name: str = "ops.md") -> Document:
    """A note with this text."""
    return Document(doc_id=f"notes/{name}", path=f"notes/{name}", tier=Tier.NOTE, name=name, text=text)


NOTHING = Answer((), (), "")


@pytest.mark.parametrize(
    ("query", "text", "part"),
    [
        (
            "port conflict",
            "docker-compose port mapping",
            "“port” stands in the file, which this variant does not count",
        ),
        ("redis cache", "redis and a cache", "“redis”, “cache” stand in the file"),
        ("アンケート", "ｱﾝｹｰﾄ結果は金曜に集計", "width or form: “アンケート” stands"),
        ("監視設定", "監視の設定は夜間バッチの前に変更する", "segmentation: “監視”, “設定” stand in the file"),
        ("変更したい", "変えました", "vocabulary gap"),
        ("cache outage", "redis is down", "vocabulary gap: no word of the query stands in the file"),
        ("ops", "nothing about it", "“ops” stands in the file"),
    ],
)
def test_gaps_are_named_from_the_nearest_to_the_farthest(query, text, part):
    """Literal, width, segmentation, vocabulary: the first that holds is named."""
    reason = explain_miss(query, NOTHING, {}, [note(text)])
    assert reason.startswith("nothing matched at all: ")
    assert part in reason


def test_a_file_below_the_cap_is_named_with_its_rank():
    """A packing fault is not called a vocabulary gap."""
    hits = (Hit("notes/a.md", 2.0), Hit("notes/ops.md", 1.0))
    answer = Answer(hits, (Block("notes/a.md", "a"),), "a")
    reason = explain_miss("x", answer, {"notes/a.md": 1, "notes/ops.md": 2}, [note("x")])
    assert reason == "matched but not shown: notes/ops.md is rank 2 of 2, the cap was full after 1 file"


def test_a_false_hit_counts_what_was_shown():
    """With nothing stored the fault is what came back."""
    answer = Answer((Hit("notes/a.md", 1.0),), (Block("notes/a.md", "a"),), "a")
    assert explain_miss("x", answer, {"notes/a.md": 1}, []) == "false hit: 1 file shown although nothing is stored"


def test_long_lists_of_words_are_cut():
    """Four words are enough to recognise the case."""
    reason = explain_miss("a b c d e f", NOTHING, {}, [note("a b c d e f")])
    assert "“d” and 2 more stand" in reason
