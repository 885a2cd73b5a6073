"""The JSON of a page."""

from __future__ import annotations

import dataclasses
import json

from memeval.bench.diagnosisfile import ToldMiss
from memeval.bench.duels import fight_duels
from memeval.bench.evaluation import MissCause
from memeval.report import pagedata
from memeval.report.csvtables import render_needs
from memeval.report.pagedata import FEW_SHOWN, MAX_SHOWN, describe_diagnosis, render_data, tell_why
from tests.report.conftest import make_evaluation, make_query, make_suite, make_variant


def encode(evaluation):
    return json.loads(render_data(evaluation, [fight_duels(suite) for suite in evaluation.suites]))["suites"]


def test_results_are_columns_over_the_wordings(small):
    """Every column of every variant has an entry for each wording; places lead back to names."""
    (suite,) = encode(small)
    wordings = len(suite["wordings"])
    assert sum(need[1] for need in suite["needs"]) == wordings == 8
    for variant in suite["variants"]:
        columns = [len(variant[name]) for name in ("verdicts", "ranks", "shown", "places", "files", "bytes", "reasons")]
        assert set(columns) == {wordings}
    need, count, expected, tags, must = suite["needs"][1]
    assert (need, count, must) == ("sso-callback", 3, 1)
    assert [suite["documents"][place] for place in expected] == ["notes/sso-callback.md"]
    assert [suite["labels"][place] for place in tags] == ["ops"]
    bm25 = suite["variants"][1]
    assert bm25["verdicts"][2:5] == "mhh"
    assert bm25["ranks"][2:5] == [[0], [3], [6]]
    assert suite["documents"][bm25["shown"][3][2]] == "notes/sso-callback.md"
    assert suite["reasons"][bm25["reasons"][2]].startswith("not matched")


def test_it_cannot_end_its_element():
    """No `<`, `>`, `&` or line separator stands in the text; what was there comes back."""
    text = "</script><!--<script>&\u2028\u2029]]>"
    evaluation = make_evaluation(make_suite(text, [make_variant(text, [make_query("n", 0, text, 1)])]))
    rendered = render_data(evaluation, [{}])
    assert not set("<>&\u2028\u2029") & set(rendered)
    (suite,) = json.loads(rendered)["suites"]
    assert suite["wordings"][0][0].startswith("</script><!--<script>&")


def test_half_a_character_is_written(small):
    """A folder's name that is not UTF-8 breaks no page."""
    suite = dataclasses.replace(small.suites[0], name="caf\udce9")
    rendered = render_data(dataclasses.replace(small, suites=(suite,)), [{}])
    assert rendered.encode("utf-8")
    assert json.loads(rendered)["suites"][0]["name"] == "caf⟨U+DCE9⟩"


def test_many_files_shown_are_counted():
    """The list is cut, the count is whole, and the place of the expected file is known beyond the cut."""
    shown = tuple(f"n/{place}.md" for place in range(MAX_SHOWN + 5))
    query = make_query("n", 0, "q", 1, expected={shown[-1]: 1}, shown=shown)
    (suite,) = encode(make_evaluation(make_suite("s", [make_variant("a", [query])])))
    (variant,) = suite["variants"]
    assert (len(variant["shown"][0]), variant["files"]) == (MAX_SHOWN, [len(shown)])
    assert variant["places"] == [[len(shown)]]


def test_a_page_of_many_results_lists_fewer_files(monkeypatch):
    """Its size is in what was shown."""
    monkeypatch.setattr(pagedata, "MANY_RESULTS", 0)
    shown = tuple(f"n/{place}.md" for place in range(FEW_SHOWN + 5))
    query = make_query("n", 0, "q", 1, expected={shown[0]: 1}, shown=shown)
    (suite,) = encode(make_evaluation(make_suite("s", [make_variant("a", [query])])))
    assert (len(suite["variants"][0]["shown"][0]), suite["variants"][0]["files"]) == (FEW_SHOWN, [len(shown)])


def test_a_wording_that_a_variant_was_not_asked():
    """It is told from a miss."""
    both = [make_query("n", 0, "a", 1), make_query("n", 1, "b", None)]
    (suite,) = encode(make_evaluation(make_suite("s", [make_variant("x", both), make_variant("y", both[:1])])))
    assert [variant["verdicts"] for variant in suite["variants"]] == ["hm", "h-"]


def test_a_diagnosis_is_a_line(small):
    """Class, what decided it, cure; a column only where there is one, and only for the wording it is of."""
    query = small.suites[0].variants[0].queries[1]
    told = ToldMiss(id=query.id, query=query.text, miss_class="script", rule="other script cures", cure="an alias")
    key = ("ops-en", "article", query.id, query.text)
    rendered = render_data(small, [{}], {key: told, (*key[:3], "asked otherwise"): told})
    suite = json.loads(rendered)["suites"][0]
    column = suite["variants"][0]["diagnoses"]
    assert [place >= 0 for place in column] == [query.id == one[1] for one in suite["wordings"]]
    line = "script (other script cures) · cheapest cure: an alias"
    assert suite["reasons"][column[1]] == line == describe_diagnosis(told)
    assert "diagnoses" not in suite["variants"][1]
    assert describe_diagnosis(dataclasses.replace(told, cure=None)).endswith("none of those tried")
    assert describe_diagnosis(None) is None


def test_the_cause_in_a_record_is_a_line_too():
    """Of `run --diagnose`, of each variant its own; what a diagnosis beside it tells comes first."""
    cause = MissCause(miss_class="script", cure="ask in Traditional", cured_by="other script")
    missed = make_query("n", 0, "发票", None, expected={"n/a.md": 1})
    told = [dataclasses.replace(missed, cause=cause), dataclasses.replace(missed, cause=MissCause(miss_class="width"))]
    made = make_evaluation(
        make_suite("s", [make_variant(name, [query]) for name, query in zip("xyz", (missed, *told), strict=True)])
    )
    (suite,) = encode(made)
    assert "diagnoses" not in suite["variants"][0]
    lines = [suite["reasons"][variant["diagnoses"][0]] for variant in suite["variants"][1:]]
    assert lines == ["script · cheapest cure: ask in Traditional", "width · cheapest cure: none of those tried"]
    diagnosed = ToldMiss(id=missed.id, query=missed.text, miss_class="twin", rule="twins", cure=None)
    assert tell_why({("s", "y", missed.id, missed.text): diagnosed}, "s", "y", told[0]).startswith("twin (twins)")
    assert "script · cheapest cure: ask in Traditional" in render_needs(made)


def test_duels_are_found_by_base_and_variant(small):
    """As the script looks them up."""
    (suite,) = encode(small)
    assert suite["duels"]["article"]["bm25"][:2] == [2, 0]
