"""The one line on a miss: each kind of gap is told apart from the others."""

from __future__ import annotations

import pytest

from memeval.bench.diagnosis import explain_miss
from memeval.errors import NotInstalledError
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
            "“port” stands in the file, the whole query as one literal does not",
        ),
        (
            "redis cache",
            "redis and a cache",
            "“redis”, “cache” stand in the file, the whole query as one literal does not",
        ),
        ("redis-ports now", "redis is down", "“redis” stands in the file, the whole query as one literal does not"),
        ("Redis cache", "the redis cache", "“Redis”, “cache” stand in the file, which this variant does not count"),
        ("アンケート", "ｱﾝｹｰﾄ結果は金曜に集計", "width or form: “アンケート” stands"),
        ("監視設定", "監視の設定は夜間バッチの前に変更する", "segmentation: “監視”, “設定” stand in the file"),
        ("変更したい", "変えました", "vocabulary gap"),
        ("cache outage", "redis is down", "vocabulary gap: no word of the query stands in the file"),
        ("ops", "nothing about it", "“ops” stands in the file"),
        ("deploy", "Deploys go out", "another form: of the query's words the file has only “deploy” as “Deploys”"),
        ("art lost", "start the broker", "“art” stands in the file only inside a longer word"),
        ("監視x", "redis監視", "segmentation: “監視” stands in the file"),
        ("redis", "redis監視", "“redis” stands in the file, which this variant does not count"),
    ],
)
def test_gaps_are_named_from_the_nearest_to_the_farthest(query, text, part):
    """Literal, width, segmentation, vocabulary: the first that holds is named."""
    reason = explain_miss(query, NOTHING, {}, [note(text)])
    assert reason.startswith("nothing matched at all: ")
    assert part in reason


@pytest.mark.parametrize(
    ("query", "text", "gap"),
    [
        ("how do I recover lost files", "disk image restored", "no word of the query stands in the file"),
        ("how do I recover lost files", "how we restore", "no word of the query but fillers stands in the file"),
        ("how do I", "how it is", "“how” stands in the file, the whole query as one literal does not"),
        ("怎么要回", "什么要改", "no word of the query stands in the file"),
        ("怎么 报销", "怎么 请假", "no word of the query but fillers stands in the file"),
    ],
)
def test_fillers_explain_nothing_beside_other_words(query, text, gap):
    """A letter inside words and a word of every question are no reason, unless nothing else was asked."""
    assert explain_miss(query, NOTHING, {}, [note(text)]).endswith(gap)


def test_the_other_script_of_chinese_is_tried_where_it_can_be():
    """With OpenCC the words are held against the file in either script, and the variant that would find it is named."""
    pytest.importorskip("opencc")
    reason = explain_miss("发票", NOTHING, {}, [note("發票在抽屜")])
    assert "script: “发票” stands in the file in the other characters of Chinese" in reason
    assert "memeval+opencc" in reason
    assert "vocabulary gap: no word" in explain_miss("发票", NOTHING, {}, [note("收據在抽屜")])


def test_without_opencc_a_gap_is_not_claimed_where_it_may_be_the_script(monkeypatch):
    """What was not tried is named with what it takes; where script cannot be the cause, a gap is a gap."""
    monkeypatch.setattr("memeval.bench.diagnosis.load_simplified", refuse)
    reason = explain_miss("发票", NOTHING, {}, [note("發票在抽屜")])
    assert "vocabulary gap or script: no word of the query stands in the file as written" in reason
    assert "extra opencc, variant memeval+opencc" in reason
    assert "vocabulary gap: no word" in explain_miss("发票", NOTHING, {}, [note("收据在抽屉")])
    assert "vocabulary gap: no word" in explain_miss("invoice", NOTHING, {}, [note("發票在抽屜")])


def refuse():
    """As without OpenCC."""
    raise NotInstalledError("OpenCC is not installed")


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
