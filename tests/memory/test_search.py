"""Searching, against a specification written down a second time, and what is displayed of the result."""

from __future__ import annotations

import re
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory import PROFILES, Document, Searcher, Tier, UnreadableFile
from memeval.text import utf8_length

WORDS = ["port", "PORT", "Redis", "r", "部署", "部", "ſ", "S", "k", "\u212a", "İ", "i", "ß", "ẞ", "ﬁ", ".md", "…", "-"]
FILLER = ["x", "y z", ""]
GAPS = [" ", "\n", "\r\n", "\n\n", "\u3000", "\x0c", "\r", "\u2028"]
PROFILE_NAMES = st.sampled_from(sorted(PROFILES))


@st.composite
def texts(draw):
    words = st.one_of(st.sampled_from(WORDS), st.sampled_from(FILLER), st.sampled_from(FILLER))
    pieces = draw(st.lists(st.tuples(words, st.sampled_from(GAPS)), max_size=20))
    return "".join(word + gap for word, gap in pieces)


@st.composite
def stores(draw):
    """Documents of every tier, MEMORY.md among them now and then."""
    places = draw(
        st.lists(
            st.sampled_from(
                [
                    ("MEMORY.md", Tier.LONG_TERM),
                    ("OTHER.md", Tier.LONG_TERM),
                    ("notes/MEMORY.md", Tier.NOTE),
                    ("notes/port.md", Tier.NOTE),
                    ("notes/部署.md", Tier.NOTE),
                    ("daily/2026-01-01.md", Tier.DAILY),
                    ("daily/2026-01-02.md", Tier.DAILY),
                    ("daily/draft.md", Tier.DAILY),
                ]
            ),
            unique=True,
        )
    )
    made = []
    for doc_id, tier in places:
        name = doc_id.rsplit("/", 1)[-1]
        day = name[:-3] if tier is Tier.DAILY else None
        made.append(Document(doc_id=doc_id, path=f"s/{doc_id}", tier=tier, name=name, text=draw(texts()), date=day))
    return made


QUERIES = st.lists(st.sampled_from([*WORDS, "nowhere"]), max_size=5).map("\u3000".join)


def naive_fold(text):
    def one(character):
        full = character.casefold()
        lower = character.lower()
        return full if len(full) == 1 else lower if len(lower) == 1 else character

    return "".join(one(character) for character in text)


def naive_lines(text):
    return re.sub(r"\r?\n\Z", "", text, count=1).replace("\r\n", "\n").split("\n") if text else []


def naive_terms(query):
    terms = []
    for word in re.split("[ \u3000]+", query):
        if word and not any(re.fullmatch(re.escape(word), other, re.IGNORECASE | re.ASCII) for other in terms):
            terms.append(word)
    return terms


def naive_search(documents, query, profile):
    """Terms with counts, and hits as plain tuples in order."""
    terms = naive_terms(query)
    folded = {term: naive_fold(term) for term in terms}
    counts = dict.fromkeys(terms, 0)
    hits = []
    for document in documents:
        lines = naive_lines(document.text)
        in_line = [[term for term in terms if folded[term] in naive_fold(line)] for line in lines]
        for term in terms:
            counts[term] += sum(term in found for found in in_line)
        matching = [number for number, found in enumerate(in_line) if found]
        matched = [term for term in terms if any(term in found for found in in_line)]
        named = [term for term in terms if folded[term] in naive_fold(document.name)]
        if not matched and not named:
            continue
        if matched:
            near = sorted(
                number
                for number in range(len(lines))
                if any(abs(number - match) <= profile.context_lines for match in matching)
            )
            runs = [[n for _, n in run] for _, run in groupby(enumerate(near), key=lambda pair: pair[1] - pair[0])]
            body = "\n".join("\n".join([*(lines[n] for n in run), "…"]) for run in runs[: profile.max_regions])
        else:
            body = "\n".join(["(filename match)", "\n".join([line for line in lines if naive_filled(line)][:3])])
        hits.append((document, tuple(matched or named), len(matching), body))
    hits.sort(key=lambda hit: hit[0].path)
    hits.sort(key=lambda hit: hit[0].date or "", reverse=True)
    hits.sort(key=lambda hit: (hit[0].doc_id != "MEMORY.md", -len(hit[1]), hit[2] == 0, -hit[2]))
    return list(counts.items()), [(doc.doc_id, matched, total, body) for doc, matched, total, body in hits]


def naive_filled(line):
    return re.sub("[ \u3000\x0c\r\u2028]", "", line) != ""


@given(stores(), QUERIES, PROFILE_NAMES)
def test_search_equals_the_specification(documents, query, profile):
    """Terms, counts, hits, their order and their bodies, over random stores and queries."""
    profile = PROFILES[profile]
    result = Searcher(documents, profile).search(query)
    counts, hits = naive_search(documents, query, profile)
    assert result.terms == counts
    assert [(hit.doc_id, hit.matched_terms, hit.total_hits, hit.body) for hit in result.hits] == hits
    assert all(hit.filename_only == (hit.total_hits == 0) for hit in result.hits)


def show(documents, query, profile="article"):
    return [hit.doc_id for hit in Searcher(documents, PROFILES[profile]).search(query).hits]


def test_each_key_of_the_order_outweighs_the_next(document):
    """MEMORY.md; more distinct terms; text before file name; more matching lines; newer log, then undated; path."""
    ranked = [
        document("MEMORY.md", "port", tier=Tier.LONG_TERM),
        document("notes/port-conflict.md", "x"),
        document("notes/c.md", "port\nport\nport"),
        document("daily/2026-01-02.md", "port", tier=Tier.DAILY, date="2026-01-02"),
        document("daily/2026-01-01.md", "port", tier=Tier.DAILY, date="2026-01-01"),
        document("notes/a.md", "port"),
        document("notes/b.md", "port"),
        document("notes/conflict.md", "x"),
    ]
    assert show(ranked[::-1], "port conflict") == [one.doc_id for one in ranked]


@pytest.mark.parametrize(("profile", "margin", "regions"), [("article", 1, 3), ("current", 3, 5)])
def test_regions_that_touch_are_one(document, profile, margin, regions):
    """With no line between their windows two matches share a region; one line more, and they do not."""
    for between, ends in ((2 * margin, 1), (2 * margin + 1, 2)):
        text = "\n".join(["port", *["x"] * between, "port"])
        body = Searcher([document("n.md", text)], PROFILES[profile]).search("port").hits[0].body
        assert body.split("\n").count("…") == ends
    far = "\n".join(["port", *["x"] * 9] * 9)
    assert Searcher([document("n.md", far)], PROFILES[profile]).search("port").hits[0].body.count("…") == regions


@given(stores(), st.lists(QUERIES, min_size=1, max_size=4))
def test_a_searcher_keeps_nothing_of_a_query_but_its_terms(documents, queries):
    """Asking again, or after other queries, changes no answer."""
    profile = PROFILES["article"]
    searcher = Searcher(documents, profile)
    for query in [*queries, *queries]:
        assert searcher.search(query) == Searcher(documents, profile).search(query)


@given(stores(), QUERIES, PROFILE_NAMES, st.integers(0, 700))
def test_rendering_says_how_much_it_shows_and_leaves_out(documents, query, profile, cap):
    """Shown and omitted make up all hits; an uncut text fits the cap, a cut one exceeds it by the mark alone."""
    result = Searcher(documents, PROFILES[profile]).search(query)
    text = result.render(cap)
    if text.endswith("\n…[memory truncated]"):
        assert utf8_length(text) <= cap + utf8_length("\n…[memory truncated]")
        return
    assert utf8_length(text) <= cap
    shown = int(re.search(r"Showing top (\d+) by relevance\.", text)[1])
    omitted = re.search(r"\n\n…\[search truncated, (\d+) more files? omitted\]\Z", text)
    assert shown + (int(omitted[1]) if omitted else 0) == len(result.hits)


@given(stores(), QUERIES, PROFILE_NAMES, st.none() | st.integers(0, 700))
def test_display_is_the_text_in_parts(documents, query, profile, cap):
    """Blocks stand in the text in order, each from its whole path line on, and nothing unshown counts as shown."""
    result = Searcher(documents, PROFILES[profile]).search(query)
    display = result.display(cap)
    assert display.text == result.text(cap)
    assert [doc_id for doc_id, _ in display.blocks] == [hit.doc_id for hit in result.hits][: len(display.blocks)]
    position = 0
    for hit, (_, text) in zip(result.hits, display.blocks, strict=False):
        assert text.startswith(hit.heading)
        assert hit.block.startswith(text)
        position = display.text.index("\n\n" + text, position) + 2 + len(text)
    headings = sum(f"\n\n{hit.heading}\n" in f"{display.text}\n" for hit in result.hits)
    assert len(display.blocks) == headings


def test_a_cut_inside_a_path_line_shows_no_document(document):
    """A document whose path is cut off cannot be opened by the reader, so it does not count."""
    result = Searcher([document("notes/redis-deploy.md", "port 6379\n" * 40)], PROFILES["article"]).search("port")
    whole = result.render()
    path_line_end = whole.index("]\nport") + 1
    assert result.display(path_line_end).blocks == (("notes/redis-deploy.md", result.hits[0].heading),)
    assert result.display(path_line_end - 1).blocks == ()


def test_an_answer_without_hits_is_one_sentence(document):
    """The tool says so in words; the rendered form keeps its summary."""
    result = Searcher([document("notes/a.md", "text")], PROFILES["current"]).search("port conflict")
    assert result.text() == "No matches for 'port conflict'."
    assert result.render() == ("Searched 2 terms: port(0) conflict(0) across 0 files. Showing top 0 by relevance.\n\n")
    assert result.display().blocks == ()


def test_unreadable_files_are_named_under_the_summary(document):
    """Found or not, the reader learns which files were not searched; the note is paid for within the cap."""
    unreadable = [UnreadableFile(f"notes/{n}.md", "not UTF-8: byte 0xe9 in line 1") for n in range(5)]
    documents = [document(f"notes/n{n:02}.md", "port " * 50) for n in range(9)]
    searcher = Searcher(documents, PROFILES["article"], unreadable)
    note = "Not searched, unreadable: notes/0.md (not UTF-8: byte 0xe9 in line 1), notes/1.md"
    found = searcher.search("port")
    assert found.render().splitlines()[1].startswith(note)
    assert found.render().splitlines()[1].endswith(" and 2 more.")
    for cap in range(900, 1500, 7):
        assert found.render(cap).endswith(" more files omitted]")
    assert note in searcher.search("nowhere").text()
    assert found.unreadable == tuple(unreadable)


def test_a_memory_file_is_first_by_place_not_by_name(document):
    """A document of another kind called MEMORY.md, as in a benchmark, has no privilege."""
    plain = document("MEMORY.md", "port")
    better = document("a.md", "port conflict")
    assert [hit.doc_id for hit in Searcher([plain, better], PROFILES["article"]).search("port conflict").hits] == [
        "a.md",
        "MEMORY.md",
    ]
    ours = document("MEMORY.md", "port", tier=Tier.LONG_TERM)
    assert Searcher([ours, better], PROFILES["article"]).search("port conflict").hits[0].doc_id == "MEMORY.md"


def test_a_term_is_found_in_a_name_with_a_line_end(document):
    """A file name may hold what separates lines elsewhere; the next document is still itself."""
    searcher = Searcher([document("notes/a\nport.md"), document("notes/b.md", "x")], PROFILES["article"])
    assert [hit.doc_id for hit in searcher.search("port").hits] == ["notes/a\nport.md"]
    assert [hit.doc_id for hit in searcher.search("b.md").hits] == ["notes/b.md"]


@pytest.mark.parametrize("documents", [[], [""], ["", ""]])
def test_nothing_is_found_in_nothing(document, documents):
    """No document, or none with text: no hit, no error."""
    searcher = Searcher([document(f"{n}.md", text) for n, text in enumerate(documents)], PROFILES["article"])
    assert searcher.search("port").hits == []
    assert searcher.search("").terms == []
