"""JSON with places: a refusal names the file, the JSON path or line, and what was found."""

import pytest

from memeval.errors import BenchmarkFormatError
from memeval.testbed.importers.jsonfile import JsonNode, read_json, read_json_lines


def refused(call):
    with pytest.raises(BenchmarkFormatError) as caught:
        call()
    return str(caught.value)


def test_values_know_their_place(write_json):
    """Lists and keys make the path of the message."""
    root = read_json(write_json([{"a": {"b": [None, 3]}}], "x.json"))
    node = root.items()[0].child("a").child("b").items()[1]
    assert (node.place, node.value) == ("$[0].a.b[1]", 3)
    assert refused(node.text).endswith("x.json: $[0].a.b[1] must be a text, in double quotes, not the number 3")


@pytest.mark.parametrize(
    ("value", "method", "message"),
    [
        (1, "fields", "must be an object ({…}), not the number 1"),
        ({}, "items", "must be a list ([…]), not an object"),
        (None, "text", "must be a text, in double quotes, not null"),
        (True, "whole_number", "must be a whole number, not a truth value"),
        (1.5, "whole_number", "must be a whole number, not the number 1.5"),
        ("1", "truth", "must be true or false, not a text"),
        ([], "id", "must be a whole number, not a list"),
        (" \n", "label", "is empty"),
        ("\ud800", "text", "has half of a surrogate pair"),
    ],
)
def test_wrong_types_are_refused(value, method, message):
    """Each reading says what it wants and what is there; a truth value is no number."""
    assert f"f.json: $ {message}" in refused(getattr(JsonNode(value, "f.json"), method))


def test_a_missing_key_is_refused_with_those_there_are():
    """`find` gives None for an absent or null value, `child` refuses both."""
    node = JsonNode({"a": None, "b": 1}, "f.json")
    assert (node.find("a"), node.find("c")) == (None, None)
    assert refused(lambda: node.child("c")) == "f.json: $ has no 'c'; it has a, b"
    assert refused(lambda: JsonNode({}, "f.json").child("c")) == "f.json: $ has no 'c'; it has no key"
    assert refused(lambda: node.child("a")).startswith("f.json: $ has no 'a'")


def test_ids_may_be_numbers():
    """An id is a text without white space around it, or a whole number."""
    assert (JsonNode(" a ", "f").id(), JsonNode(7, "f").id()) == ("a", "7")


def test_a_name_is_claimed_once():
    """The second value that makes a name is refused with the place of the first."""
    places = {}
    JsonNode("a", "f", "$[0]").claim("x-a", places)
    assert refused(lambda: JsonNode("a", "f", "$[1]").claim("x-a", places)) == (
        "f: $[1] makes the id 'x-a', as $[0] does; keep one"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1,\n "b" 2}', ":2: broken JSON: Expecting ':' delimiter"),
        (b'{"a":\n {"k": 1, "k": 2}}', ": broken JSON: an object has the key 'k' twice; keep one"),
        (b'{"a":\n "\xff"}', ":2: is not UTF-8"),
        (b"[" * 100_000, ": broken JSON:"),
        (b"", ":1: broken JSON"),
    ],
)
def test_broken_json_is_refused_at_its_line(content, message, tmp_path):
    """Syntax, encoding, depth, and a key that stands twice, of which one value would be lost."""
    path = tmp_path / "f.json"
    path.write_bytes(content)
    assert f"f.json{message}" in refused(lambda: read_json(path))


def test_an_absent_file_is_refused(tmp_path):
    """The message has the system's reason."""
    assert "cannot be read (No such file" in refused(lambda: read_json(tmp_path / "f.json"))
    assert "cannot be read (No such file" in refused(lambda: list(read_json_lines(tmp_path / "f.jsonl")))


def test_only_a_line_feed_ends_a_line(tmp_path):
    """U+2028 inside a text breaks no line, a blank line is skipped but counted, a byte order mark is no content."""
    path = tmp_path / "f.jsonl"
    path.write_bytes('\ufeff{"a": "x\u2028y"}\r\n\n[1]'.encode())
    assert [(node.value, node.line) for node in read_json_lines(path)] == [({"a": "x\u2028y"}, 1), ([1], 3)]


@pytest.mark.parametrize("line", [b"{", b"\xff", b'{"k": 1, "k": 1}'])
def test_a_broken_line_is_refused_at_its_number(line, tmp_path):
    """Lines before it are given first."""
    path = tmp_path / "f.jsonl"
    path.write_bytes(b"1\n\n" + line + b"\n")
    assert "f.jsonl:3: " in refused(lambda: list(read_json_lines(path)))
    assert next(read_json_lines(path)).value == 1
