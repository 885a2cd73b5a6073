"""A comparison as JSON: strict, and with everything that decides."""

from __future__ import annotations

import json

from memeval.bench.comparison import Rules, compare
from memeval.bench.encoding import encode_comparison
from memeval.bench.measures import parse_gates


def test_it_is_strict_json_with_the_exit_code(made):
    """No NaN for identical runs, whole needs as whole numbers, a third as a share, null for the undefined."""
    ask = made.ask
    base = made.evaluation({"redis": (["a"], [ask("one", "a"), ask("two", "a"), ask("three", "a")])})
    head = made.evaluation({"redis": (["a"], [ask("one", "b"), ask("two", "a"), ask("three", "a")])})
    rules = Rules(gates=parse_gates(["success@1:0needs"]), allowed=frozenset({"need:x"}))
    data = json.loads(json.dumps(encode_comparison(compare(base, head, rules)), allow_nan=False))
    assert (data["schema"], data["exit_code"], data["rules"]["allowed"]) == (1, 1, ["need:x"])
    (figure,) = [one for one in data["figures"] if one["metric"] == "success@1"]
    assert (figure["outcome"], figure["net"], figure["p"]) == ("regression", -1 / 3, 1.0)
    assert [(flip["query"], flip["strength"]) for flip in figure["flips"]] == [("redis[0]", "solid")]
    same = encode_comparison(compare(base, base, rules))
    assert json.loads(json.dumps(same, allow_nan=False))["figures"][0]["net"] == 0
    assert same["figures"][-1]["base"] is None  # nothing is unstored, so that no false hit is defined
