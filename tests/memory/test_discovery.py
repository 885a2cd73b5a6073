"""Search as discovery: what is asked, what is said about it, and every cap."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory import PROFILES, Document, Tier, UnreadableFile
from memeval.memory.discovery import MAX_FILLER_FILES, MAX_TERMS, DiscoverySearch
from memeval.text import cut_utf8, utf8_length

PROFILE = PROFILES["memeval"]
WORDS = [
    "redis",
    "port",
    "Port",
    "ports",
    "the",
    "in",
    "who",
    "6380",
    "v2.1",
    "設定",
    "監視",
    "はどこ",
    "アン",
    "배포",
    "🔥",
]
WORDS += ["wi-fi", "wifi", "oauth2", "x" * 300, "設" * 120, "aliases: cache", "# head", "\r", "", "ﾊﾟｽ", "㍿"]
LINES = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
TEXTS = st.lists(LINES, max_size=8).map("\n".join)
NAMES = st.sampled_from(
    ["redis.md", "a/port-map.md", "notes/設定.md", "daily/2026-03-02.md", "b.md", "c/d/e/f/g.md", "x" * 70]
)
STORES = st.dictionaries(NAMES, TEXTS, max_size=6)
QUERIES = LINES | st.text(max_size=12)


def make(doc_id, text="", date=None):
    return Document(doc_id=doc_id, path=doc_id, tier=Tier.NOTE, name=doc_id.rsplit("/", 1)[-1], text=text, date=date)


def open_store(files, unreadable=()):
    return DiscoverySearch([make(name, text) for name, text in files.items()], PROFILE, unreadable)


def many(count, text):
    """So many files with the same text, and one without it."""
    return open_store({**{f"note-{number:03}.md": text for number in range(count)}, "other.md": "nothing of it"})


# what is asked


@pytest.mark.parametrize("query", ["in", "who", "on", "IT", "what is it", "don't"])
def test_fillers_alone_need_whole_words(query):
    """`in` stands in no file that has it in `main` or `pricing` alone."""
    files = {
        "inside.md": "main pricing whole phone London italic whatever isolated",
        "whole.md": "who is in on it: don't what",
    }
    assert [hit.doc_id for hit in open_store(files).search(query).hits] == ["whole.md"]


@pytest.mark.parametrize("query", ["in", "what is it", "什麼時候", "언제 하나요", "どこですか"])
def test_fillers_alone_never_flood(query):
    """Up to ten files that hold all of them are shown; where there are more, one sentence says how many."""
    few, flood = many(MAX_FILLER_FILES, query), many(MAX_FILLER_FILES + 1, query)
    assert len(few.search(query).hits) == MAX_FILLER_FILES
    result = flood.search(query)
    assert (result.hits, result.text()) == (
        [],
        f"No matches for '{query}' alone: {MAX_FILLER_FILES + 1} files hold it. "
        "Add a word that says what you look for.",
    )


def test_fillers_that_stand_nowhere():
    """Are answered with what to do."""
    said = "No matches for 'whom'. Add a word that says what you look for."
    assert open_store({"a.md": "port"}).search("whom").text() == said


@pytest.mark.parametrize("query", ["abbreviation for haddock", "is it kubernetes", "怎麼辦 kubernetes"])
def test_fillers_do_not_stand_in_for_words_that_are_nowhere(query):
    """Where a query has a word of its own, its fillers find nothing."""
    result = open_store({"a.md": "for it is what it is", "b.md": "怎麼辦"}).search(query)
    assert (result.hits, result.text()) == ([], f"No matches for '{query}'. Try another word for it.")


@pytest.mark.parametrize("query", ["who has the port", "the port", "port"])
def test_fillers_change_no_order(query):
    """Beside another word they are not looked up."""
    files = {"a.md": "who who who has has the the", "b.md": "port"}
    assert [hit.doc_id for hit in open_store(files).search(query).hits] == ["b.md"]


def test_symbols():
    """Alone they are looked up as they stand; beside words only where those are nowhere."""
    search = open_store({"a.md": "🔥 this", "b.md": "port"})
    assert [
        [hit.doc_id for hit in search.search(query).hits] for query in ("🔥", "🔥 port", "🔥 kubernetes", "🎉")
    ] == [
        ["a.md"],
        ["b.md"],
        ["a.md"],
        [],
    ]


@pytest.mark.parametrize(
    ("query", "files"),
    [
        ("什麼時候部署", ["deploy.md"]),
        ("什么时候部署", ["deploy.md"]),
        ("デプロイの手順を教えて", ["steps.md"]),
        ("배포는 언제 하나요", ["korean.md"]),
    ],
)
def test_questions_find_their_noun(query, files):
    """And not the files that hold the words of the question."""
    store = {
        "deploy.md": "# 部署\n每週二",
        "chalk.md": "什麼時候用粉筆:時鐘停住\n什么时候",
        "steps.md": "# デプロイ手順",
        "rude.md": "どこが悪いか教えてくれない",
        "korean.md": "# 배포\n화요일",
        "chat.md": "하나요 언제",
    }
    assert [hit.doc_id for hit in open_store(store).search(query).hits] == files


# what is said about it


def head(result):
    return result.text().split("\n")[0]


def test_the_summary_counts_what_tells_something():
    """Fillers stand there only where they are what was searched for, and then as whole words."""
    search = open_store({"a.md": "in the port\nin main\nmain\nI do", "b.md": "the hall"})
    assert (
        head(search.search("what is the port I use in"))
        == "Searched 1 term: port(1) across 1 file. Showing top 1 by relevance."
    )
    assert head(search.search("in")) == "Searched 1 term: in(2) across 1 file. Showing top 1 by relevance."


def hints(search, query):
    return list(search.search(query).hints)


@pytest.mark.parametrize(
    "query", ["wifi", "WiFi", "WIFI", "wifi's", "the wifi", "(wifi)", "#wifi", "wifi?", "wifi/", "ｗｉｆｉ"]
)
@pytest.mark.parametrize(
    "files", [{"a.md": "wifi"}, {"a.md": "WiFi"}, {"wifi.md": "x"}, {"a.md": "aliases: wifi"}, {"a.md": "the wifis"}]
)
def test_no_hint_where_the_word_itself_was_found(query, files):
    """In text, name, alias or another form: what was matched is the word."""
    search = open_store({**files, "b.md": "port"})
    assert search.search(query).hits
    assert hints(search, query) == []


def test_hints():
    """A word found in parts only is told with those that hold, pairs joined; a word that is nowhere, too."""
    search = open_store({"a.md": "v2 redis\n監視の設定", "b.md": "deployment"})
    assert hints(search, "v2.1") == ["No exact hit for v2.1: matched by v2"]
    assert hints(search, "監視設定") == ["No exact hit for 監視設定: matched by 監視 設定"]
    assert hints(search, "監視の予定") == ["No exact hit for 監視の予定: matched by 監視の"]
    assert hints(search, "redis kubernetes") == ["Nowhere: kubernetes. Try another word for it."]
    assert hints(search, "deploys") == []


@given(STORES, QUERIES)
def test_no_hint_names_a_word_as_its_own_part(files, query):
    """Whatever is stored and asked."""
    for hint in open_store(files).search(query).hints:
        found = re.fullmatch(r"No exact hit for (.*): matched by (.*)", hint)
        assert not found or found[1].casefold() != found[2]


def test_a_long_query_says_what_was_looked_up():
    """The first terms, and that there were more."""
    query = " ".join(f"word{number}" for number in range(MAX_TERMS + 1))
    said = f"Only the first {MAX_TERMS} terms of this long query were looked up."
    assert open_store({"a.md": "word1"}).search(query).hints[0] == said
    assert said in open_store({"a.md": "port"}).search(query).text()


# every cap


OMITTED = re.compile(r"(\d+) more files? omitted")


@given(STORES, QUERIES, st.integers(0, 700))
def test_never_a_byte_over_the_cap(files, query, cap):
    """Marks included; what is displayed is the first of the hits, in the text as it says; the rest is counted."""
    unreadable = (UnreadableFile("broken.md", "no UTF-8"),)
    result = open_store(files, unreadable).search(query)
    display = result.display(cap)
    assert utf8_length(display.text) <= cap
    assert display.text == result.text(cap)
    assert [block.doc_id for block in display.blocks] == [hit.doc_id for hit in result.hits[: len(display.blocks)]]
    assert all(block.text in display.text for block in display.blocks)
    omitted = OMITTED.findall(display.text)
    missing = len(result.hits) - len(display.blocks)
    if omitted:
        assert omitted[-1] == str(missing)
    if result.hits and missing and cap >= utf8_length(result.hits[0].path) + 40:
        assert omitted


@given(STORES, QUERIES, st.integers(1, 300))
def test_the_smallest_cap_names_the_best_file(files, query, cap):
    """Its whole path from the byte on at which it fits; before that its file name, as far as it fits."""
    result = open_store(files).search(query)
    if not result.hits:
        return
    path = result.hits[0].path
    text = result.text(cap)
    if cap >= utf8_length(path):
        assert path in text
        assert [block.doc_id for block in result.display(cap).blocks][:1] == [result.hits[0].doc_id]
    else:
        name = path.rpartition("/")[2]
        assert text in (f"…{name}", cut_utf8(name, cap))
        assert result.display(cap).blocks == ()


def test_what_fits_grows_with_the_cap():
    """File name, path, count, the best line, summary."""
    files = {
        f"notes/wifi-{number}.md": f"the wifi password of hall {number} is kept in the safe" for number in range(9)
    }
    result = open_store(files).search("wifi password")
    assert result.text(12) == "…wifi-0.md"
    assert result.text(20) == "notes/wifi-0.md"
    assert result.text(45) == "notes/wifi-0.md\n…8 more files omitted"
    assert result.text(76) == "notes/wifi-0.md\nthe wifi password of hall 0 is…\n…8 more files omitted"
    assert result.text(165) == (
        "notes/wifi-0.md  [matched: wifi, password]\nthe wifi password of hall 0 is kept in the safe\n\n"
        "…[search truncated, 8 more files omitted]"
    )
    assert result.text(240).startswith(
        "Searched 2 terms: wifi(9) password(9) across 9 files. Showing top 1 by relevance.\n\nnotes"
    )
    many_terms = open_store(files).search("wifi password " + " ".join(f"hall-{number}" for number in range(20)))
    assert many_terms.text(300).startswith("Searched 22 terms: … across 9 files. Showing top 1 by relevance.\n")


@given(STORES, QUERIES)
def test_a_query_asks_the_same_twice(files, query):
    """A search keeps what it looked up, and answers the same as a new one."""
    search = open_store(files)
    search.search("redis port the 設定")
    assert search.search(query).text() == open_store(files).search(query).text()
