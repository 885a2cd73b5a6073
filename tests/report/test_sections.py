"""The evidence of the written report: slices, and the needs that were missed."""

from __future__ import annotations

import dataclasses
import re

from memeval.bench.evaluation import MissCause, Slice, Value
from memeval.report import render_report, write_report
from memeval.report.misses import needs_missed_by_all
from memeval.report.notation import count
from memeval.report.sections import write_contrasts, write_misses, write_ungradable


def test_false_hits_are_counted_and_listed_apart(small, evaluate, invent):
    """They are no missed wordings: a count and a list of their own after the misses, naming the first files shown."""
    text = render_report(small)
    start = text.index(
        "<summary><code>bm25</code>: 2 of 7 wordings missed, 0 needs by every wording, 1 false hit</summary>"
    )
    listed = text[start : text.index("</details>", start)]
    assert listed.endswith(
        "rank 10 of 12\n\nFalse hits: files shown although nothing is stored\n\n"
        "- **`lunch-menu`**: `what is for lunch` (same-words): "
        "`notes/other-01.md`, `notes/other-02.md`, `notes/other-03.md` and 5 more\n\n"
    )
    many = render_report(evaluate(invent("s", ["silent", "loud"], needs=500, wordings=2)))
    assert re.search(
        r"<code>loud</code>: \d+ of 900 wordings missed, \d+ needs by every wording, 9\d false hits<", many
    )
    assert "\n- … 10 more needs with false hits; all in `evaluation.json`\n" in many
    assert re.search(r"- \*\*`need-009`\*\*; 2 of 2 wordings answered\n  - `how do we handle case 9` ", many)


def test_the_pair_of_the_best_comes_first(invent):
    """Pairs of those that find most, ties by name, whatever the order of the run; the rest are counted."""
    suite = invent("s", ["grep", "worse", "b", "broken", "best"], needs=10)
    shares = {"grep": 0.1, "worse": 0.5, "b": 0.5, "broken": None, "best": 0.9}
    variants = tuple(
        dataclasses.replace(one, summary={**one.summary, "found": Value(shares[one.name], 10)})
        for one in suite.variants
    )
    suite = dataclasses.replace(suite, variants=variants)
    table, rest, *_ = write_contrasts(suite, 3)
    assert list_pairs(table) == [{"best", "b"}, {"best", "worse"}, {"b", "worse"}]
    assert rest == "… 7 more pairs, of variants that find less, not shown; see `evaluation.json`."
    every = list_pairs(write_contrasts(suite, 10)[0])
    assert (len(every), every[-1]) == (10, {"grep", "broken"}), "what has no figure is last"


def list_pairs(table: str) -> list[set[str]]:
    """The variants of each row."""
    return [set(row) for row in re.findall(r"^\| `(\w+)` \| `(\w+)` \|", table, flags=re.MULTILINE)]


def test_what_no_variant_finds_heads_the_misses(small):
    """Before the misses of each variant: the needs lost by all, each explained by the variant that came closest."""
    suite = small.suites[0]
    article, bm25, oracle = suite.variants
    lost = tuple(
        dataclasses.replace(
            query, verdict="miss", found=False, expected_ranks={"notes/sso-callback.md": 9}, reason="rank 9 of 12"
        )
        if query.need == "sso-callback"
        else query
        for query in bm25.queries
    )
    both = dataclasses.replace(suite, variants=(article, dataclasses.replace(bm25, queries=lost), oracle))
    text = render_report(dataclasses.replace(small, suites=(both,)))
    head = text[text.index('<a id="misses">') : text.index("<summary><code>article</code>: ")]
    assert (
        "**1 need is found by no wording of any of 2 variants:**\n\n"
        "- **must find**, **`sso-callback`**, expected `notes/sso-callback.md`; "
        "closest is `bm25`: `login loop` (same-words): rank 9 of 12\n\n"
    ) in head
    assert "found by no wording of any" not in render_report(small), "each need is found by one of the two"
    alone = dataclasses.replace(suite, variants=(article, oracle), contrasts=())
    assert "found by no wording of any" not in render_report(dataclasses.replace(small, suites=(alone,)))


def test_a_miss_carries_its_class_and_cheapest_cure(small):
    """Behind the reason, where the run asked for them; what is stored cannot break the page."""
    suite = small.suites[0]
    article = suite.variants[0]
    queries = tuple(
        dataclasses.replace(
            query,
            verdict="miss",
            found=False,
            expected_ranks={},
            reason="nothing matched",
            cause=MissCause(miss_class="vocabulary gap", cure=cure, cured_by=None),
        )
        for query, cure in zip(article.queries, ("alias: <b>|x", None), strict=False)
    )
    told = dataclasses.replace(suite, variants=(dataclasses.replace(article, queries=queries),), contrasts=())
    text = render_report(dataclasses.replace(small, suites=(told,)))
    assert ": nothing matched – **vocabulary gap**, cure: alias: &#60;b&#62;&#124;x\n" in text
    assert ": nothing matched – **vocabulary gap**, no cure found" in text


def test_the_reason_of_an_ungradable_wording_is_written_in_full(small):
    """Of a variant as of one wording: the record is not needed to learn how to mend it."""
    suite = small.suites[0]
    long = f"EmbedderUnavailableError: {'no model ' * 60}here; give another"
    queries = tuple(
        dataclasses.replace(query, verdict="ungradable", found=None, reason=f"{query.id} {long}")
        for query in suite.variants[1].queries
    )
    single = dataclasses.replace(suite.variants[1], queries=queries)
    for variant, told in ((single, long), (dataclasses.replace(single, error=f"cannot be built: {long}"), long)):
        changed = dataclasses.replace(suite, variants=(variant,))
        assert told in write_ungradable(dataclasses.replace(small, suites=(changed,)))


def test_what_no_variant_finds_is_cut_and_counted(invent):
    """Of many needs lost by all as many are listed as of any other misses; the head counts all."""
    suite = invent("s", ["weak", "weaker"], needs=400, wordings=1)
    lost = len(needs_missed_by_all(suite))
    assert lost > 5
    head, listed, *_ = write_misses(suite, 5)
    assert head == f"**{lost} needs are found by no wording of any of 2 variants:**"
    assert listed.count("\n- **`need-") == 4
    assert listed.endswith(f"\n- … {count(lost - 5, 'more need')}; all in `evaluation.json`")


def test_tags_are_in_the_order_of_their_n(small):
    """The n of the row falls, however many wordings carry the tag; a tag without any figure comes last."""

    def part(label, queries, n):
        return Slice(dimension="tag", label=label, queries=queries, summary={"found": Value(0.5 if n else None, n)})

    suite = small.suites[0]
    slices = (part("absent", 9, 0), part("twice", 8, 2), part("late", 5, 5), part("again", 5, 5), part("often", 6, 6))
    variants = tuple(dataclasses.replace(variant, slices=slices) for variant in suite.variants)
    text = render_report(dataclasses.replace(small, suites=(dataclasses.replace(suite, variants=variants),)))
    rows = re.findall(r"^\| `(\w+)` \| (\d|–) \|", text[text.index("Found by tag") :], flags=re.MULTILINE)
    assert rows == [("often", "6"), ("again", "5"), ("late", "5"), ("twice", "2"), ("absent", "–")]


def test_wording_numbers_say_that_their_needs_change(small, tmp_path, blank_pictures):
    """Below the plot and below the table stands why a line may fall from one wording number to the next."""
    text = write_report(small, tmp_path)[0].read_text(encoding="utf-8")
    assert "(wordings-1-ops-en.png)\n\nEach j counts the needs that have a j-th wording" in text
    assert re.search(r"^\| `3` .*\n\nEach row counts the needs that have a wording of that number", text, re.MULTILINE)
