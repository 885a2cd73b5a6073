"""From a path to a suite: what may be given."""

from __future__ import annotations

import pytest

import memeval
from memeval.bench.suite import expand_paths
from memeval.errors import SuiteFileError


@pytest.mark.parametrize("ask", [memeval.load_suite, memeval.evaluate, lambda path: expand_paths((path,))])
def test_an_empty_path_is_not_the_current_folder(small_suite, monkeypatch, ask):
    """Nothing given runs nothing, though there are suites below the folder one stands in."""
    monkeypatch.chdir(small_suite.parent)
    with pytest.raises(SuiteFileError, match=r"'': (is no path|does not exist); give a file ending in"):
        ask("")
