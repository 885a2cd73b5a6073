"""Tables of finished values."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.bench.evaluation import Value
from memeval.report import tables
from memeval.report.notation import format_rate, measure_width


def test_caption_says_what_was_measured_on_what(small, evaluate, invent):
    """The line names files, needs, wordings and the cap; a benchmark has documents and queries; no cap, no claim."""
    assert (
        tables.write_caption(small.suites[0], small, "ops-en", str)
        == "ops-en · 48 files · 4 needs, 8 wordings · 16 KiB shown per search"
    )
    beir = evaluate(invent("tldr", ["bm25"], needs=10, wordings=1, beir=True))
    assert tables.write_caption(beir.suites[0], beir, "tldr", str).startswith(
        "tldr · 7,425 documents · 10 queries · 16 KiB"
    )
    bare = type(small)(manifest={}, suites=small.suites)
    assert tables.write_caption(bare.suites[0], bare, "x", str) == "x · 48 files · 4 needs, 8 wordings"


def test_caption_names_caps_that_differ(small):
    """A variant with another cap of its own is named with it; the same cap, or a variant that was not run, is not."""
    variants = [
        {"name": "article", "configuration": {"max_bytes": 16384}},
        {"name": "bm25", "configuration": {"max_bytes": 32768}},
        {"name": "absent", "configuration": {"max_bytes": 1}},
        {"name": "oracle"},
    ]
    capped = dataclasses.replace(small, manifest={"budget_bytes": 16384, "variants": variants})
    caption = tables.write_caption(capped.suites[0], capped, "ops-en", "<{}>".format)
    assert caption.endswith(" · 16 KiB shown per search (<bm25> 32 KiB)")


def test_headline_columns(small):
    """The figures are those of the record, in the order one reads them."""
    columns = tables.headline_series(small.suites[0])
    assert [column.label for column in columns] == [
        "found",
        "first wording",
        "success@1",
        "success@5",
        "silent misses",
        "false hits",
        "files shown",
        "KiB shown",
    ]
    article = small.suites[0].variants[0].summary
    assert columns[0].values[0] is article["found"]
    assert columns[1].values[0] is article["found-first-wording"]
    assert columns[7].write_cells()[0] == f"{article['bytes-shown'].value / 1024:.1f}"


@pytest.mark.parametrize(
    ("measured", "shown"),
    [(["success@5", "success@1"], ["1", "5"]), (["success@20", "success@3", "success@10"], ["3", "10"]), ([], [])],
)
def test_headline_cutoffs_are_those_that_were_measured(small, measured, shown):
    """success@1 and @5 where they are there, else the two smallest cutoffs."""
    variant = dataclasses.replace(small.suites[0].variants[0], summary={name: Value(0.5, 4) for name in measured})
    suite = dataclasses.replace(small.suites[0], variants=(variant,))
    labels = [column.label for column in tables.headline_series(suite)]
    assert [label.removeprefix("success@") for label in labels if label.startswith("success@")] == shown


def test_one_n_stands_in_the_header_and_several_in_the_cells():
    """Where all figures stand on the same cases the n is said once, else beside each; undefined needs none."""
    same = tables.Series("found", (Value(0.5, 8), Value(None, 0), Value(0.25, 8)), format_rate)
    assert (same.n, same.write_cells()) == (8, ["0.50", "–", "0.25"])
    mixed = tables.Series("found", (Value(0.5, 8), Value(0.25, 4)), format_rate)
    assert (mixed.n, mixed.write_cells()) == (None, ["0.50 (n 8)", "0.25 (n 4)"])
    nothing = tables.Series("found", (Value(None, 0),), format_rate)
    assert (nothing.n, nothing.write_cells()) == (None, ["–"])


def test_intervals_stand_behind_their_figure_where_asked_for():
    """`0.41 [0.36, 0.47]`, then the n where it varies; not where none was asked for, nor where there is none."""
    values = (Value(0.41, 8, (0.36, 0.467)), Value(0.0, 4, (0.0, 0.6)), Value(None, 0), Value(0.5, 4))
    with_intervals = tables.Series("found", values, format_rate, with_intervals=True)
    assert with_intervals.write_cells() == [
        "0.41 [0.36, 0.47] (n 8)",
        "0.00 [0.00, 0.60] (n 4)",
        "–",
        "0.50 (n 4)",
    ]
    assert tables.Series("found", values, format_rate).write_cells()[0] == "0.41 (n 8)"


def test_found_carries_its_interval_in_the_headline(small):
    """In Markdown and on a terminal found has the interval, the other columns have none."""
    article = small.suites[0].variants[0].summary["found"]
    low, high = (format_rate(end) for end in article.interval)
    wanted = f"{article.value:.2f} [{low}, {high}]"
    for text in (tables.render_headline_table(small.suites[0]), tables.render_terminal_table(small.suites[0])):
        row = next(line for line in text.splitlines() if "article" in line)
        assert row.count(wanted) == row.count("[") == 1


def test_columns_have_heads_of_their_own():
    """Columns of text come first and to the left; each figure's n is said in its header."""
    column = tables.Series("found", (Value(0.5, 8), Value(0.25, 8)), format_rate)
    assert tables.render_columns({"suite": ["a", "b"], "variant": ["x", "y"]}, [column]).splitlines() == [
        "| suite | variant | found (n 8) |",
        "| :--- | :--- | ---: |",
        "| a | x | 0.50 |",
        "| b | y | 0.25 |",
    ]


def test_grid_has_the_n_in_its_column_or_in_the_cells():
    """One n for a row stands in the column; where it varies the column says so and each cell has its own."""
    same = tables.Series("`en`", (Value(0.5, 8), Value(0.25, 8)), format_rate)
    mixed = tables.Series("`zh`", (Value(0.5, 6), Value(0.25, 4)), format_rate)
    undefined = tables.Series("`ja`", (Value(None, 0), Value(None, 0)), format_rate)
    assert tables.render_grid("lang", ["a", "b"], [same, undefined]).splitlines() == [
        "| lang | n | `a` | `b` |",
        "| :--- | ---: | ---: | ---: |",
        "| `en` | 8 | 0.50 | 0.25 |",
        "| `ja` | – | – | – |",
    ]
    assert tables.render_grid("lang", ["a", "b"], [same, mixed]).splitlines()[2:] == [
        "| `en` | 8 | 0.50 | 0.25 |",
        "| `zh` | varies | 0.50 (n 6) | 0.25 (n 4) |",
    ]


def test_units_follow_the_metric():
    """Bytes are KiB, documents a mean, everything else a share, an unknown metric of a later version too."""
    assert tables.choose_writer("bytes-shown")(2048.0) == "2.0"
    assert tables.choose_writer("documents-shown")(2.0) == "2.0"
    assert tables.choose_writer("recall@7")(0.5) == "0.50"
    assert tables.choose_writer("from-the-future")(0.5) == "0.50"
    assert tables.name_metric("bytes-shown") == "bytes-shown (KiB)"


def test_terminal_table_is_aligned_whatever_the_script(evaluate, invent):
    """Every line of a column ends in the same place, with wide names as well."""
    suite = invent("s", ["bm25", "混合檢索", "日本語の検索", "oracle"], needs=20)
    lines = tables.render_terminal_table(suite).splitlines()
    assert len({measure_width(line) for line in lines}) == 1
    assert lines[0].split()[:3] == ["variant", "found", "first"]
    assert lines[1].split() == ["n", "54", "n", "18", "n", "54", "n", "54", "n", "54", "n", "6", "n", "60", "n", "60"]
    assert lines[3].startswith("混合檢索  ")
    assert lines[5].startswith("oracle (control)  ")
