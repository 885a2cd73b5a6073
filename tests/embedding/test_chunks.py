"""Chunks: what stays together, what is split, and where each stands."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memeval.embedding.chunks import MAX_FENCE, MAX_SIZE, chunk_markdown, weigh
from memeval.text import split_lines


def texts(markdown, **settings):
    return [chunk.text for chunk in chunk_markdown(markdown, **settings)]


def test_heading_path():
    """A chunk knows the headings it stands under, outermost first; a higher one closes those below it."""
    chunks = chunk_markdown("# Deploy\nintro\n## Staging\n### Ports\n6380\n## Live\nask first\n")
    assert [(chunk.headings, chunk.text) for chunk in chunks] == [
        (("Deploy",), "intro"),
        (("Deploy", "Staging", "Ports"), "6380"),
        (("Deploy", "Live"), "ask first"),
    ]


def test_headings_closed_by_marks_underlined_and_none():
    """`## x ##` and underlined titles are headings; `#tag`, a rule and a table row are not."""
    chunks = chunk_markdown("Title\n=====\none\n\nSub title\n---\ntwo\n\n## closed ##\n#tag\n\n---\n\n| a |\n|---|\n")
    assert [chunk.headings for chunk in chunks] == [("Title",), ("Title", "Sub title"), ("Title", "closed")]
    assert chunks[-1].text == "#tag\n\n---\n\n| a |\n|---|"


def test_heading_alone():
    """A heading with nothing below it is still found; one that only holds other headings is no chunk."""
    chunks = chunk_markdown("# Todo\n## Rotate certificates\n## Order scales\nby May\n# Later")
    assert [(chunk.headings, chunk.text) for chunk in chunks] == [
        (("Todo",), "## Rotate certificates"),
        (("Todo", "Order scales"), "by May"),
        ((), "# Later"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_front_matter_apart(end):
    """Front matter is a chunk of its own, whichever line ends the file has; an open one is plain text."""
    front, body = chunk_markdown(end.join(["---", "aliases: cache, 6379", "---", "# Redis", "on 6380", ""]))
    assert front.is_front_matter
    assert "aliases: cache, 6379" in front.text
    assert not body.is_front_matter
    assert (body.headings, body.text) == (("Redis",), "on 6380")
    assert not any(chunk.is_front_matter for chunk in chunk_markdown("---\naliases: never closed\n"))


def test_fence_whole():
    """What looks like a heading or a blank line in a code fence splits nothing, even where the fence is a large one."""
    code = "```sh\n# no heading\n\n" + "echo 12345678901234567890\n" * 25 + "```"
    assert MAX_SIZE < weigh(code) < MAX_FENCE
    chunks = chunk_markdown(f"# Run\nbefore\n\n{code}\n\nafter\n")
    assert [chunk.headings for chunk in chunks] == [("Run",)] * 3
    assert [chunk.text for chunk in chunks] == ["before", code, "after"]


def test_fence_kinds():
    """A fence ends at marks of its own kind, at least as many; `~~~` and longer fences may hold the other ones."""
    assert texts("````\n```\n# in\n```\n````\n# out\nx") == ["````\n```\n# in\n```\n````", "x"]
    assert texts("~~~\n```\n# in\n~~~\n# out\nx") == ["~~~\n```\n# in\n~~~", "x"]
    assert texts("```inline``` code\n# out\nx") == ["```inline``` code", "x"]


def test_huge_fence_is_split_by_lines():
    """A fence that no model would read to its end is split between its lines; nothing of it is lost."""
    lines = [f"line {number} of a log that goes on and on" for number in range(300)]
    parts = texts("```\n" + "\n".join(lines) + "\n```")
    assert len(parts) > 5
    assert all(any(line in split_lines(part) for part in parts) for line in lines)


def test_packing_and_overlap():
    """Paragraphs and list items are put together up to the size; a chunk begins with the last of the one before."""
    items = [f"- item {number} " + "x" * 26 for number in range(10)]  # 9 to 10 tokens each
    parts = texts("\n".join(items), max_size=40, overlap=10)
    assert [part.count("- item") for part in parts] == [4, 4, 4]
    assert [part.splitlines()[0] for part in parts] == [items[0], items[3], items[6]]
    assert [part.count("- item") for part in texts("\n".join(items), max_size=40, overlap=0)] == [4, 4, 2]


def test_sections_are_not_joined():
    """However short two sections are, each has its own chunks."""
    assert texts("# a\none\n# b\ntwo\n") == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("word", 1), ("監視設定", 4), ("cache 設定", 3.5), ("ポート", 3), ("포트", 2)]
)
def test_size_counts_cjk_by_character(text, tokens):
    """A CJK character weighs as much as four Latin ones: about a token."""
    assert weigh(text) == tokens


def test_long_paragraphs_are_split_at_sentences_and_anywhere():
    """A paragraph too large for a chunk is split behind sentences, Chinese ones too; without any, in the middle."""
    sentence = "監視設定はここに書いてある。"
    parts = texts(sentence * 30, max_size=60, overlap=0)
    assert all(part.endswith("。") and weigh(part) <= 60 for part in parts)
    assert "".join(parts) == sentence * 30
    blob = "x" * 1000
    assert "".join(texts(blob, max_size=50, overlap=0)) == blob


def test_line_numbers():
    """First and last line say where the text stands in the file."""
    text = "---\na: b\n---\n\n# H\n\none\ntwo\n\n```\ncode\n```\n\n- x\n"
    lines = split_lines(text)
    for chunk in chunk_markdown(text, max_size=4, overlap=0):
        assert "\n".join(lines[chunk.first_line - 1 : chunk.last_line]) == chunk.text


def test_passage_has_title_and_headings():
    """What a model reads begins with file name and headings, in one line, when there are any."""
    (chunk,) = chunk_markdown("# Ports\n6380")
    assert chunk.render_passage("redis usage") == "redis usage > Ports\n6380"
    assert chunk.render_passage() == "Ports\n6380"
    (bare,) = chunk_markdown("6380")
    assert bare.render_passage() == "6380"


def test_nothing():
    """White space holds no chunk."""
    assert chunk_markdown("") == ()
    assert chunk_markdown(" \n\t\n") == ()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "# a",
                "## b",
                "text here.",
                "- item",
                "```",
                "~~~",
                "",
                "---",
                "===",
                "監視設定。",
                "| x | y |",
                "\t",
                "word " * 90,
            ]
        ),
        max_size=30,
    ),
    st.sampled_from(["\n", "\r\n"]),
)
def test_every_word_is_in_a_chunk(lines, end):
    """No text is lost, and every chunk is a slice of the file at the lines it names."""
    text = end.join(lines)
    chunks = chunk_markdown(text, max_size=20, overlap=5)
    kept = " ".join(chunk.text + " " + " ".join(chunk.headings) for chunk in chunks)
    assert set(re.findall(r"\w+", text)) <= set(re.findall(r"\w+", kept))
    for chunk in chunks:
        assert chunk.text in text
        assert text.split("\n")[chunk.first_line - 1].strip().startswith(chunk.text.split("\n")[0].strip()[:5])
