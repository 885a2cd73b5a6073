"""Strict YAML: what counts as a text, a truth value, a number; lines; broken files."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import SuiteFileError
from memeval.testbed.yamlfile import MAX_NESTING, describe_misreading, quote_scalar, read_yaml

MISREAD = {
    "truth": "no No NO yes Yes YES on On ON off Off OFF true True TRUE false False FALSE",
    "nothing": "~ null Null NULL",
    "number": (
        "8 010 08 0 -1 +1 1_000 0x1F 0b11 0o17 1.5 .5 5. 1e3 1E3 1.5e3 1.5e+3 -2e-7 12:30:45 12:30 190:20:30.15 "
        ".inf -.inf +.INF .nan .NaN 685_230.15 99999999999999999999"
    ),
    "date": "2026-05-30 2026-13-45 2026-05-30T10:00:00Z",
    "special key": "<< =",
}
TEXTS = "nope 2026-05-30.md 1.2.3 v1 1e 0x 12:60:99 00:aa nil None true-ish ~/notes 6380/tcp e3 1e3.md 12h on-call y N"


@pytest.fixture
def read(tmp_path):
    """A function: the YamlFile of a text."""

    def read(text):
        path = tmp_path / "x.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_yaml(path, error=SuiteFileError)

    return read


def value_node(file):
    """The value node of the one key of a file."""
    [(_, _, node)] = file.as_entries(file.root, "the file")
    return node


@pytest.mark.parametrize(("kind", "word"), [(kind, word) for kind, words in MISREAD.items() for word in words.split()])
def test_unquoted_words_numbers_and_dates_are_refused(read, kind, word):
    """Reported fault B14, the whole kind: the source text, what YAML makes of it, and the fix that works."""
    file = read(f"# comment\nkey: {word}\n")
    with pytest.raises(SuiteFileError) as caught:
        file.as_text(value_node(file), "the value")
    message = str(caught.value)
    assert caught.value.line == 2
    assert f"the value is {word}, which YAML reads as " in message
    assert kind in message
    fix = message.rsplit("quote it: ", 1)[1]
    quoted = read(f"key: {fix}\n")
    assert quoted.as_text(value_node(quoted), "the value") == word


@pytest.mark.parametrize("word", [word for words in MISREAD.values() for word in words.split()])
def test_a_key_is_no_less_strict_than_a_value(read, word):
    """`No:` never becomes the key false."""
    file = read(f"a: 1\n{word}: 1\n")
    with pytest.raises(SuiteFileError, match="quote it") as caught:
        file.as_entries(file.root, "the file")
    assert caught.value.line == 2


@pytest.mark.parametrize("word", TEXTS.split())
def test_texts_stay_as_they_are(read, word):
    """Nothing that YAML reads as text is refused."""
    file = read(f"key: {word}\n")
    assert file.as_text(value_node(file), "the value") == word


@given(st.from_regex(r"[0-9a-zA-Z.:_~<=+-]{1,12}", fullmatch=True))
def test_whatever_yaml_reads_as_something_else_is_noticed(word):
    """Oracle: PyYAML's own reading of an unquoted word is a text exactly when no misreading is described."""
    try:
        meaning = yaml.safe_load(f"[{word}]")
    except (yaml.YAMLError, ValueError):
        return
    if meaning != [word]:
        assert isinstance(meaning[0], dict | list) or describe_misreading(word) is not None


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("'it''s: #1'", "it's: #1"),
        (r'"tab\there"', "tab\there"),
        ("|\n  two\n  lines\n", "two\nlines"),
        (">-\n  folded\n  text\n", "folded text"),
        ("plain over\n  two lines", "plain over two lines"),
        ("設定 🚀", "設定 🚀"),
        ("'2026-05-30'", "2026-05-30"),
    ],
)
def test_every_style_of_text_is_read(read, source, text):
    """Plain, quoted and block texts all arrive as what they say."""
    file = read(f"key: {source}\n")
    assert file.as_text(value_node(file), "the value") == text


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("&a text", "anchor"),
        ("*a", "alias"),
        ("!!str 010", "tag"),
        ("!!python/object/apply:os.system [ls]", "tag"),
        ("!local x", "tag"),
        ("{<<: {a: b}}", None),
        (r'"\ud83d"', "surrogate"),
        ("issue #12", "comment"),
        ("''", "is empty: ''; write a text, or take it out"),
        ("|\n\n", "is empty: |; write a text"),
        ("", "has no value; write a text, or take it out"),
        ("[a]", "not a list"),
        ("a: b", "broken YAML"),
        ("'open", "broken YAML"),
        ("[a, b", "broken YAML"),
        ("[x] todo", "broken YAML"),
        ("`code`", "broken YAML"),
        ("@you", "broken YAML"),
        ("%x", "broken YAML"),
    ],
)
def test_what_is_no_text_is_refused_at_its_line(read, source, part):
    """Anchors, aliases, tags, merge keys and broken scalars are refused where they stand."""

    def read_value():
        file = read(f"# first line\nkey: {source}\n")
        return file.as_text(value_node(file), "the value")

    with pytest.raises(SuiteFileError) as caught:
        read_value()
    assert caught.value.line == 2
    assert part is None or part in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("a: 1\n\tb: 2\n", 2, "tab"),
        ("a:\n\t- b\n", 2, "tab"),
        ("a: 1\nb\nc: 1\n", 2, "broken YAML"),
        ("a: 1\n---\nb: 1\n", 2, "second YAML document"),
        ("a: 1\n...\n---\n", 3, "second YAML document"),
        ("a: 1\nb: x\x07y\n", 2, "U+0007"),
        (b"a: 1\nb: \xff\n", 2, "not UTF-8"),
        (b"\xef\xbb\xbfa: 1\nb: \xff\n", 2, "not UTF-8"),
        ("", 1, "empty; write keys and values"),
        ("\n# nothing\n", 1, "empty; write keys and values"),
        (
            "a: 1\nb: " + "[" * 100_000,
            2,
            "level 33 begins with '[[[[[[[[[[[[[[[[[[[[' and 32 are allowed; take some out",
        ),
        ("- " * 40, 1, "nested too deeply"),
        ("".join(f"{' ' * level}a:\n" for level in range(40)), 33, "level 33 begins with 'a:'"),
        ("? [a, b]\n: c\n", 1, "a key of the file must be a text"),
        ("a: 1\nb: 2\na: 3\n", 3, "stands twice; the first is in line 1"),
        ("'a': 1\n\"a\": 3\n", 2, "stands twice"),
    ],
)
def test_a_broken_file_is_refused_at_its_line(read, text, line, part):
    """Errors name the line an editor shows, with or without a byte order mark."""

    def read_keys():
        file = read(text)
        return file.as_entries(file.root, "the file")

    with pytest.raises(SuiteFileError) as caught:
        read_keys()
    assert (caught.value.line, part in str(caught.value)) == (line, True)


def test_as_many_levels_as_allowed_are_read(read):
    """Thirty-two lists in each other are a file like any other, beside each other as well."""
    deep = "[" * (MAX_NESTING - 1) + "x" + "]" * (MAX_NESTING - 1)
    node = value_node(read(f"key: {deep}\n"))
    for _ in range(MAX_NESTING - 2):
        (node,) = node.value
    assert [item.value for item in node.value] == ["x"]
    assert len(read(f"a: {deep}\nb: {deep}\n").root.value) == 2


def test_lines_are_those_of_an_editor(read):
    """U+2028 and U+0085 inside a text do not shift the lines of what follows, and a byte order mark is no character."""
    file = read("\ufeffa: 'one\u2028two\x85three'\r\nb: 2\r\n")
    [_, (_, _, node)] = file.as_entries(file.root, "the file")
    assert file.line(node) == 2


@pytest.mark.parametrize("source", ["yes", "True", "'true'", "1", "", "[true]"])
def test_truth_is_written_true_or_false(read, source):
    """Only `true` and `false` are truth values."""
    for good in ("true", "false"):
        file = read(f"key: {good}\n")
        assert file.as_truth(value_node(file), "the value") is (good == "true")
    file = read(f"key: {source}\n")
    with pytest.raises(SuiteFileError, match="write true or false"):
        file.as_truth(value_node(file), "the value")


@pytest.mark.parametrize("source", ["01", "-1", "+1", "1.0", "1e3", "1_0", "'1'", "", "[1]", "9" * 5000])
def test_whole_numbers_are_written_with_digits(read, source):
    """Only plain digits without a leading zero are a whole number."""
    for good in (0, 7, 20):
        file = read(f"key: {good}\n")
        assert file.as_whole_number(value_node(file), "the value") == good
    file = read(f"key: {source}\n")
    with pytest.raises(SuiteFileError, match="whole number"):
        file.as_whole_number(value_node(file), "the value")


@pytest.mark.parametrize("source", ["2026-02-30", "2026-1-31", "20260131", "2026-01-31 10:00", "", "[2026-01-31]", "x"])
def test_a_day_is_a_day_of_the_calendar(read, source):
    """A day may be quoted or not, which YAML reads as the same day; anything else is refused."""
    for good in ("2026-01-31", "'2026-01-31'"):
        file = read(f"key: {good}\n")
        assert file.as_day(value_node(file), "the value") == "2026-01-31"
    file = read(f"key: {source}\n")
    with pytest.raises(SuiteFileError, match=r"the value is .*(YYYY-MM-DD|no day of the calendar)"):
        file.as_day(value_node(file), "the value")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_a_quoted_text_reads_back(tmp_path_factory, text):
    """Whatever the text, its scalar stands on one line and reads back as the same text, as a value and in a list."""
    scalar = quote_scalar(text)
    assert "\n" not in scalar
    path = tmp_path_factory.mktemp("yaml") / "x.yaml"
    path.write_bytes(f"key: [{scalar}]    # comment\n".encode())
    file = read_yaml(path, error=SuiteFileError)
    [item] = file.as_items(value_node(file), "the list")
    if text.strip():
        assert file.as_text(item, "the value") == text
    else:
        assert item.value == text


@pytest.mark.parametrize("text", ["no", "010", "1e3", "08", "2026-05-30", "~", "-", "# x", "a: b", "...", "---"])
def test_traps_are_quoted(text):
    """A text that YAML would read otherwise is quoted, the readable way."""
    assert quote_scalar(text) == f"'{text}'"


@pytest.mark.parametrize("text", ["port conflict", "../corpora/ops-en", "projects/shop-1/notes/a.md", ".", "設定 メモ"])
def test_harmless_texts_stay_unquoted(text):
    """Ordinary words and paths are written as a person would."""
    assert quote_scalar(text) == text
