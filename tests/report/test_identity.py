"""What exactly was measured, and how long it took."""

from __future__ import annotations

import dataclasses

from memeval.report.identity import write_identity, write_timings


def test_whatever_the_manifest_holds_is_shown(small):
    """Plain settings make one table, lists of records a table each, versions another; nothing is left out."""
    text = "\n\n".join(write_identity(small))
    for piece in (
        "`16384`",
        "`100`",
        "`[1, 5, 10]`",
        "`sha256:" + "ab" * 32 + "`",
        '`{"k1": 1.5, "b": 0.75}`',
        "`3.11.7`",
    ):
        assert piece in text
    assert "| `name` | `configuration` | `source` |" in text
    odd = dataclasses.replace(small, manifest={"a|b": None, "nested": {"x": [1]}, "rows": [{"p": 1}, {"q": "`"}]})
    text = "\n\n".join(write_identity(odd))
    assert "| <code>a&#124;b</code> | – |" in text
    assert '| `nested` | `{"x": [1]}` |' in text
    assert "| `1` | – |\n| – | <code>&#96;</code> |" in text
    assert write_identity(dataclasses.replace(small, manifest={}, versions={})) == ["The record holds no manifest."]


def test_timings_stand_apart_with_a_remark(small, evaluate, invent):
    """Percentiles in milliseconds, said to be this machine's; missing ones are dashes; a long table is folded away."""
    remark, table = write_timings(small)
    assert "machine of this run" in remark
    assert "| `ops-en` | `article` | 10 | 0.25 | 1.5 | 12.2 | 140 |" in table
    broken = {"s": {"bm25": {"build_seconds": None, "p50_ms": None, "p95_ms": None, "max_ms": None, "queries": 0}}}
    assert write_timings(dataclasses.replace(small, timings=broken))[1].endswith("| `s` | `bm25` | 0 | – | – | – | – |")
    assert write_timings(dataclasses.replace(small, timings={})) == ["No timings were recorded."]
    many = evaluate(*(invent(f"s{number}", ["a"], needs=1) for number in range(13)))
    assert write_timings(many)[1].startswith("<details>")
