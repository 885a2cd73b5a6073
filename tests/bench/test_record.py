"""The stored record: what is written is read back, and whatever else is refused with its place."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval import evaluate
from memeval.bench.evaluation import Evaluation
from memeval.bench.excerpt import cut_variants
from memeval.bench.record import decode_content, decode_evaluation, encode_evaluation, render_json
from memeval.bench.suite import load_suite
from memeval.cli import main
from memeval.errors import EvaluationFileError
from memeval.report import render_report, render_terminal

FOLDER = "projects/shop-1a2b3c4d"
WRONG: tuple[object, ...] = (None, True, -1, "x", [], [[1, 2]], {}, {"success@x": {"value": 1, "n": 1}}, float("nan"))


@pytest.fixture
def record(small_suite) -> dict[str, object]:
    """A small evaluation as JSON values."""
    suite = small_suite.read_text(encoding="utf-8")
    head, _, _ = suite.partition("  - id: naming-rules")
    small_suite.write_text(head + "  - id: nothing\n    expect: []\n    ask: [redis]\n", encoding="utf-8")
    return json.loads(evaluate(small_suite, ["grep", "current", "oracle"], ks=(1, 2)).to_json())


def load(value: object, path: Path) -> Evaluation:
    """The evaluation read from a file of that value."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return Evaluation.load(path)


def list_places(value: object, place: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The place of every value; of a list, and of a summary, the first item stands for all."""
    yield place
    entries = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    alike = isinstance(value, list) or "summary" in place[-1:]
    for key, item in entries[:1] if alike else entries:
        yield from list_places(item, (*place, key))


def change(value: dict[str, object], place: tuple[object, ...], put: object) -> object:
    """A copy with another value at a place; `...` removes it."""
    if not place:
        return put
    changed = copy.deepcopy(value)
    target = changed
    for key in place[:-1]:
        target = target[key]
    if put is ...:
        del target[place[-1]]
    else:
        target[place[-1]] = put
    return changed


def test_what_is_written_is_read_back(record, tmp_path):
    """The same text again, figure for figure."""
    path = tmp_path / "e.json"
    text = load(record, path).to_json()
    assert json.loads(text) == record
    path.write_text(text, encoding="utf-8")
    assert Evaluation.load(path).to_json() == text


@pytest.mark.parametrize("indent", [None, 1])
def test_some_variants_are_read_alone(record, tmp_path, indent):
    """The same figures, however the file is laid out; a variant that there is not is left out."""
    path = tmp_path / "e.json"
    whole = load(record, path)
    path.write_text(whole.to_json() if indent is None else json.dumps(record, indent=indent), encoding="utf-8")
    for names in (["current"], {"oracle": 1, "grep": 1, "none": 1}, ["none"]):
        part = Evaluation.load(path, names)
        (suite,) = part.suites
        assert suite.variants == tuple(one for one in whole.suites[0].variants if one.name in names)
        assert (suite.contrasts, part.manifest) == ((), whole.manifest)


def test_variants_that_are_not_asked_for_are_not_read(record):
    """Of a file as a run writes it, not even as JSON; what is wrong with one that is asked for says where it stands."""
    text = load_text(record)
    cut = cut_variants(text, ["current"])
    (suite,) = json.loads(cut)["suites"]
    assert [variant["name"] for variant in suite["variants"]] == ["current"]
    assert 2 * len(cut) < len(text)
    assert cut_variants(json.dumps(record), ["current"]) == json.dumps(record)
    broken = change(record, ("suites", 0, "variants", 1, "control"), 7)
    with pytest.raises(EvaluationFileError, match=r"suites\[0\]\.variants\[1\]\.control: 7 where"):
        decode_content(load_text(broken).encode(), "e.json", ["current"])
    assert decode_content(load_text(broken).encode(), "e.json", ["grep"]).suites[0].variants[0].name == "grep"


def load_text(record: dict[str, object]) -> str:
    """The record as a run writes it."""
    return render_json(record) + "\n"


def decode_or_none(value: object) -> Evaluation | None:
    """The evaluation; None where it is refused as it has to be."""
    try:
        return decode_evaluation(value)
    except ValueError:
        return None


@pytest.mark.slow
def test_a_record_that_loads_can_be_shown(record):
    """Whatever stands wherever in it: it is refused as a whole, or both reports can be written."""
    refused = shown = 0
    for place in list_places(record):
        for wrong in (*WRONG, ...) if place else WRONG:
            evaluation = decode_or_none(change(record, place, wrong))
            if evaluation is None:
                refused += 1
            else:
                assert render_report(evaluation)
                assert render_terminal(evaluation)
                shown += 1
    assert refused > shown > 0


@pytest.mark.parametrize(
    ("place", "put", "message"),
    [
        ((), [], "a list of 0 where an object is expected"),
        (("schema",), 2, "schema: 2, this version reads 1"),
        (("schema",), True, "schema: true, this version reads 1"),
        (("suites",), ..., "has no 'suites'"),
        (("suites", 0, "variants", 1, "name"), 7, "suites[0].variants[1].name: 7 where a text is expected"),
        (("suites", 0, "variants", 0, "queries", 2, "need"), ..., "suites[0].variants[0].queries[2]: has no 'need'"),
        (
            ("suites", 0, "variants", 0, "queries", 1, "verdict"),
            "hot",
            'suites[0].variants[0].queries[1].verdict: "hot"; known: hit, miss, ungradable',
        ),
        (
            ("suites", 0, "variants", 0, "summary", "found", "value"),
            float("inf"),
            "suites[0].variants[0].summary.found.value: inf where a finite number is expected",
        ),
        (
            ("suites", 0, "variants", 0, "summary", "found", "n"),
            0,
            "suites[0].variants[0].summary.found: the figure",
        ),
        (
            ("suites", 0, "variants", 0, "recall_curve", 0, 0),
            0,
            "suites[0].variants[0].recall_curve[0][0]: 0 where a number from 1 is expected",
        ),
        (("manifest", "variants", 0), "grep", 'manifest.variants[0]: "grep" where an object is expected'),
        (("timings", "shop", "grep", "p50_ms"), "1", 'timings.shop.grep.p50_ms: "1" where a finite number'),
    ],
)
def test_a_refusal_names_the_file_and_the_place(record, tmp_path, place, put, message):
    """One error, wherever in the record it is."""
    if place == ("suites", 0, "variants", 0, "summary", "found", "n"):
        record["suites"][0]["variants"][0]["summary"]["found"]["value"] = 0.5
    with pytest.raises(EvaluationFileError) as caught:
        load(change(record, place, put), tmp_path / "e.json")
    assert f"e.json: not an evaluation of schema 1 ({message}" in str(caught.value)
    assert "write it again with `memeval run`" in str(caught.value)


@pytest.mark.parametrize(
    ("place", "put", "message"),
    [
        (("suites",), "suites", 'suites[1].name: suite "shop" stands twice, the first time at suites[0].name'),
        (
            ("suites", 0, "variants", 2, "name"),
            "grep",
            'suites[0].variants[2].name: variant "grep" stands twice, the first time at variants[0].name',
        ),
        (
            ("suites", 0, "variants", 1, "queries", 1, "id"),
            "redis-port[0]",
            'suites[0].variants[1].queries[1].id: wording "redis-port[0]" stands twice, the first time at queries[0]',
        ),
        (
            ("suites", 0, "variants", 1, "queries", 1, "wording"),
            0,
            'suites[0].variants[1].queries[1].wording: wording "0 of redis-port" stands twice',
        ),
    ],
)
@pytest.mark.parametrize("verb", ["report", "overview", "compare"])
def test_a_name_that_stands_twice_is_refused(record, tmp_path, place, put, message, verb):
    """Two results of one name could not be told apart: suites, variants and wordings, with the file and both places."""
    path = tmp_path / "e.json"
    doubled = change(record, place, record["suites"] * 2 if put == "suites" else put)
    path.write_text(json.dumps(doubled), encoding="utf-8")
    result = CliRunner().invoke(main, [verb, str(path)] + [str(path)] * (verb == "compare"))
    assert result.exit_code == 2
    assert f"{path}: not an evaluation of schema 1 ({message}" in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "Expecting value: line 1 column 1"),
        (b'{"schema": 1,\n "caf\xe9": 1}', "byte 0xe9 in line 2 is not UTF-8"),
        (b"[" * 200_000 + b"]" * 200_000, "nested too deeply"),
        (b'{"schema": 1, "manifest": ' + b"[" * 100 + b"]" * 100 + b"}", "has no 'suites'"),
        (b'{"schema": ' + b"1" * 5000 + b"}", "digits"),
    ],
    ids=["empty", "not UTF-8", "deep", "deep manifest", "long number"],
)
def test_a_file_that_is_no_json_of_ours_is_refused(tmp_path, content, message):
    """Not UTF-8, not JSON, nested without end: one error of the same form."""
    path = tmp_path / "e.json"
    path.write_bytes(content)
    with pytest.raises(EvaluationFileError) as caught:
        Evaluation.load(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_folder_or_nothing_is_refused(tmp_path):
    """What cannot be opened says why."""
    for path in (tmp_path, tmp_path / "gone.json"):
        with pytest.raises(EvaluationFileError, match="cannot be read"):
            Evaluation.load(path)


def test_half_a_character_is_written_as_its_escape(record, tmp_path):
    """A name that is not UTF-8 in the file system does not lose a finished run."""
    named = change(record, ("suites", 0, "name"), "caf\udce9")
    text = load(named, tmp_path / "e.json").to_json()
    assert r"caf\udce9" in text
    assert json.loads(text)["suites"][0]["name"] == "caf\udce9"
    assert text.encode("utf-8")


def test_judgements_beside_a_suite_are_written_once(small_suite):
    """Files judged 0 stand once per need, not in every query of every variant, and come back where they were."""
    judged = "".join(f"redis-port 0 {FOLDER}/{name} 0\n" for name in ("notes/naming.md", "notes/監控.md"))
    (small_suite.parent / "shop.qrels").write_text(judged, encoding="utf-8")
    text = small_suite.read_text(encoding="utf-8").replace("needs:", "qrels: shop.qrels\nneeds:")
    small_suite.write_text(text, encoding="utf-8")
    suite = load_suite(small_suite)
    evaluation = evaluate(suite, variants=["grep", "bm25"])
    encoded = encode_evaluation(evaluation)
    need = suite.needs[0]
    assert set(need.unanswering) == set(encoded["suites"][0]["unanswering"][need.id]) != set()
    for variant in encoded["suites"][0]["variants"]:
        assert not set(need.unanswering) & set(variant["queries"][0]["expected"])
    assert decode_evaluation(encoded) == evaluation


def test_causes_are_stored_where_they_were_asked_for(small_suite, tmp_path):
    """Class, cure and its counterfactual of each miss; a run that did not ask writes no word of it."""
    assert '"cause"' not in evaluate(small_suite, ["article"]).to_json()
    evaluation = evaluate(small_suite, ["article", "random"], diagnose=True)
    causes = {query.id: query.cause for query in evaluation.suites[0].variants[0].queries if query.cause is not None}
    assert {name: cause.miss_class for name, cause in causes.items()} == {
        "redis-port[1]": "vocabulary gap",
        "monitoring[0]": "CJK segmentation",
    }
    assert causes["monitoring[0]"].cure == "write the query with spaces: “監控 設定”"
    assert load(json.loads(evaluation.to_json()), tmp_path / "e.json").suites == evaluation.suites
