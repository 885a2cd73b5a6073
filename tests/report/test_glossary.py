"""The words of a report."""

from __future__ import annotations

import re

from memeval.metrics.registry import METRICS
from memeval.report.glossary import GLOSSARY
from memeval.report.tables import headline_series


def test_every_word_of_a_table_is_explained(small):
    """Each metric of the registry and each column of the first table stands in the list of words."""
    words = {word for entry, _ in GLOSSARY for word in entry.split(", ")}
    assert {metric.name for metric in METRICS} | {"found-first-wording", "found-any-wording"} <= words
    columns = {re.sub(r"@\d+$", "@k", series.label) for series in headline_series(small.suites[0])}
    assert {column.replace("misses", "miss").replace("hits", "hit") for column in columns} <= words
    assert {"need", "wording", "n", "hit", "control", "ungradable"} <= words
