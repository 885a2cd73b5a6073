"""Tables as CSV."""

from __future__ import annotations

import csv
import dataclasses
import io

import pytest

from memeval.report.csvtables import NEEDS_HEAD, VARIANTS_HEAD, render_needs, render_variants, write_cell, write_tables


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_for_each_wording_and_variant(small):
    """With its verdict, the best rank of an expected file, and what was shown first."""
    rows = read(render_needs(small))
    assert len(rows) == sum(len(variant.queries) for variant in small.suites[0].variants)
    assert tuple(rows[0]) == NEEDS_HEAD
    (row,) = [row for row in rows if (row["variant"], row["query"]) == ("bm25", "cache container will not start")]
    assert (row["verdict"], row["best_rank"], row["wording"], row["must_find"]) == ("hit", "4", "2", "false")
    assert row["first_files"].split(" | ")[3] == row["expected"] == "notes/redis-port-clash.md"


def test_a_row_for_each_figure(small):
    """Value, n and interval as the record has them; what is undefined is empty, not 0."""
    rows = read(render_variants(small))
    assert tuple(rows[0]) == VARIANTS_HEAD
    (row,) = [row for row in rows if (row["variant"], row["metric"]) == ("bm25", "found")]
    value = small.suites[0].variants[1].summary["found"]
    assert (float(row["value"]), int(row["n"])) == (value.value, value.n)
    assert (float(row["low"]), float(row["high"])) == value.interval
    assert {row["control"] for row in rows if row["variant"] == "oracle"} == {"true"}


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\u3000=1", "＝1+1", "－1"])
def test_no_cell_is_a_formula(text):
    """Whatever a query starts with, a spreadsheet reads a text."""
    assert write_cell(text).startswith("'")


@pytest.mark.parametrize(
    ("cell", "written"),
    [(None, ""), (True, "true"), (0.1, "0.1"), (-1, "-1"), ("a-b", "a-b"), ("監控", "監控"), ("a\nb", "a␊b")],
)
def test_cells(cell, written):
    """Figures keep their sign and all their digits; a text is one line."""
    assert write_cell(cell) == written


def test_commas_and_quotes_come_back(small):
    """A wording with any of them is one cell."""
    text = 'say "port, clash"'
    suite = small.suites[0]
    query = dataclasses.replace(suite.variants[0].queries[0], text=text)
    variant = dataclasses.replace(suite.variants[0], queries=(query,))
    changed = dataclasses.replace(small, suites=(dataclasses.replace(suite, variants=(variant,)),))
    assert read(render_needs(changed))[0]["query"] == text


def test_files(small, tmp_path):
    """Two files, in UTF-8 with plain ends of lines."""
    paths = write_tables(small, tmp_path)
    assert [path.name for path in paths] == ["needs.csv", "variants.csv"]
    assert paths[0].read_bytes() == render_needs(small).encode("utf-8")
    assert b"\r" not in paths[0].read_bytes()
