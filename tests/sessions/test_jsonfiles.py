"""JSON that may be damaged: what is whole is read, what is not is told."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memeval.sessions.jsonfiles import find_lines, parse_json, read_content, read_lines, read_listing

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_lines_end_at_line_feeds_alone(tmp_path):
    """U+2028, U+0085 and form feeds stand inside a text; a byte order mark, CRLF and empty lines are let be."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + '{"a": "1\u2028\u0085"}\r\n\r\n{"b": 2}'.encode())
    lines, problems = read_lines(path)
    assert [(line.number, dict(line.value)) for line in lines] == [(1, {"a": "1\u2028\u0085"}), (3, {"b": 2})]
    assert problems == ()


def test_what_is_no_object_is_told_with_its_line(tmp_path):
    """A torn line in the middle is no tail, a list never is; a torn last line is; bytes of no text are replaced."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a": \n["x"]\n{"b": "\xff"}\n' + b"9" * 5000 + b'\n{"c')
    lines, problems = read_lines(path)
    assert [dict(line.value) for line in lines] == [{"b": "\ufffd"}]
    assert [(problem.line, problem.reason, problem.is_tail) for problem in problems] == [
        (1, "not a line of JSON", False),
        (2, "not a JSON object", False),
        (4, "not a line of JSON", False),
        (5, "not a line of JSON", True),
    ]
    assert str(problems[-1]) == f"{path}:5: not a line of JSON (the end of the file: a writer was stopped)"


def test_a_list_as_the_last_line_is_no_torn_tail(tmp_path):
    """It is whole, and it is no object."""
    path = tmp_path / "x.jsonl"
    path.write_text("[1]", encoding="utf-8")
    assert [problem.is_tail for problem in read_lines(path).problems] == [False]


def test_nesting_beyond_python_is_no_json():
    """A hundred thousand brackets are refused like any other damage."""
    assert parse_json("[" * 100_000) is None


def test_the_first_lines_tell_what_a_file_is(tmp_path):
    """Only so many lines are looked at, and broken ones are passed over."""
    path = tmp_path / "x.jsonl"
    path.write_text('broken\n{"a": 1}\n{"b": 2}\n', encoding="utf-8")
    assert find_lines(path, most=2) == ({"a": 1},)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(st.text(), VALUES, max_size=3), st.lists(st.dictionaries(st.text(), VALUES, max_size=2)), st.data()
)
def test_a_listing_cut_off_gives_a_beginning(tmp_path, head, items, data):
    """At any cut the items are the first ones of the whole, and the head holds nothing it did not hold."""
    head.pop("messages", None)
    text = json.dumps({**head, "messages": items, "end": 1}, ensure_ascii=data.draw(st.booleans()), indent=1)
    path = tmp_path / "x.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    whole = read_listing(path, "messages")
    cut = data.draw(st.integers(0, len(text)))
    path.write_bytes(text[:cut].encode("utf-8", "surrogatepass"))
    part = read_listing(path, "messages")
    assert list(part.items) == list(whole.items)[: len(part.items)]
    assert part.head.items() <= whole.head.items()
    assert (part.problem is None) == (cut == len(text))


@pytest.mark.parametrize(("written", "reason"), [("", "the file is empty"), ("[]", "not a JSON object")])
def test_a_file_without_an_object_is_told(tmp_path, written, reason):
    """Empty, or a list."""
    path = tmp_path / "x.json"
    path.write_text(written, encoding="utf-8")
    assert str(read_listing(path, "messages").problem) == f"{path}:1: {reason}"


def test_the_text_of_a_message():
    """A text, or the texts of its blocks; None where there are none."""
    assert read_content("a") == "a"
    assert read_content([{"text": "a"}, {"image": 1}, 3, {"text": "b"}]) == "a\nb"
    assert read_content([{"image": 1}]) is None
    assert read_content(None) is None
