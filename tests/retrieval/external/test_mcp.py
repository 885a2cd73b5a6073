"""An MCP server's search tool as a variant: the conversation, what is read from its answers, and how it may fail."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

import pytest

from memeval import evaluate
from memeval.errors import ContractError, ExternalSystemError
from memeval.retrieval.base import Settings, check_answer
from memeval.retrieval.external import mcpclient
from memeval.retrieval.external.mcp import choose_tool, mcp_variant, read_answer
from memeval.retrieval.external.storefolder import StoreFolder

SERVER = Path(__file__).with_name("tinymcp.py")
NOTE = "projects/shop/notes/redis-deploy.md"
DAILY = "projects/shop/daily/2026-03-30.md"


def make(habit="text", **options):
    return mcp_variant("theirs", [sys.executable, "-I", str(SERVER), "{root}", habit], **options)


def build(documents, habit="text", **options):
    return make(habit, **options).build(documents, Settings())


def read(documents, *texts, structured=None):
    """(doc_id, text) of each file that an answer names."""
    given = {"content": [{"type": "text", "text": text} for text in texts], "structuredContent": structured}
    return [(block.doc_id, block.text) for block in read_answer(given, StoreFolder(documents)).blocks]


@pytest.mark.parametrize("habit", ["text", "json", "structured", "links", "asking", "no-error"])
def test_every_form_of_an_answer_gives_the_same_files(documents, habit):
    """Lines of text, JSON as text, structured content, links, beside an error that is null; in the tool's order."""
    retriever = build(documents, habit)
    for query in ("6380", "設定", "Port 6380"):
        answer = retriever.search(query)
        check_answer(answer, {document.doc_id for document in documents})
        words = query.split()
        matching = {
            document.doc_id: sum(any(word in line for word in words) for line in document.text.splitlines())
            for document in documents
        }
        expected = sorted((doc_id for doc_id in matching if matching[doc_id]), key=lambda one: (-matching[one], one))
        assert [hit.doc_id for hit in answer.hits] == expected
        assert list(answer.shown) == expected
    assert retriever.search("zzz").hits == ()


def test_the_text_of_the_tool_is_what_is_shown(documents):
    """Whole, with each file's part; the folder, another one in every run, is taken out."""
    answer = build(documents).search("Port")
    rules = "Ask before you deploy. Ports live in `compose.yaml`."
    assert answer.text == f"2 files\n\n1. MEMORY.md:1\n{rules}\n\n2. {DAILY}:1\nPort conflict again"
    for block in answer.blocks:
        assert block.text in answer.text
        assert block.doc_id in block.text


def test_arguments_are_passed_with_the_query(documents):
    """Of any kind of value."""
    assert len(build(documents, arguments={"limit": 1}).search("port 6380").hits) == 1


def test_a_list_of_paths_and_a_single_one(documents):
    """As text, as JSON, structured; absolute ones of any folder above the file too."""
    assert read(documents, json.dumps([NOTE, "MEMORY.md"])) == [(NOTE, NOTE), ("MEMORY.md", "MEMORY.md")]
    assert read(documents, structured={"result": f"/home/me/store/{NOTE}#L3"})[0][0] == NOTE
    assert read(documents, f"{NOTE}\nMEMORY.md\n") == [(NOTE, NOTE), ("MEMORY.md", "MEMORY.md")]


def test_a_name_in_an_address_is_its_file(documents):
    """file:///…/%E4%B8%AD%E6%96%87.md"""
    uri = Path("/x/projects/shop/notes/中文.md").as_uri()
    assert "%" in uri
    assert read(documents, structured=[{"uri": uri, "body": "監視"}]) == [("projects/shop/notes/中文.md", "監視")]


def test_a_path_inside_a_sentence_is_no_result(documents):
    """Of an object it is the text, of a text what stands in the line otherwise than the first path does."""
    told = f"for the host see {NOTE}."
    assert read(documents, structured=[{"path": "MEMORY.md", "text": told}]) == [("MEMORY.md", told)]
    assert [doc_id for doc_id, _ in read(documents, f"1. MEMORY.md\n{told}\n2. {DAILY}\nport\n")] == [
        "MEMORY.md",
        DAILY,
    ]


def test_parts_of_one_file_stand_together(documents):
    """At the place of the first; a text that repeats is there once."""
    found = [(NOTE, "one"), ("MEMORY.md", "x"), (NOTE, "two"), (NOTE, "one")]
    items = [{"path": path, "text": text} for path, text in found]
    assert read(documents, structured={"results": items}) == [(NOTE, "one\n…\ntwo"), ("MEMORY.md", "x")]


def test_longer_names_win_and_names_end_where_words_do(make_document):
    """`a.md` is named neither by `b/a.md` where that is a file, nor by `xa.md`, `a.md.bak`, `a.mdx`."""
    folder = StoreFolder([make_document("a.md", ""), make_document("b/a.md", "")])
    assert folder.find_mentions("x/b/a.md a.md:3 xa.md a.md.bak a.mdx a.md/ (a.md), a.md.") == [
        (2, "b/a.md"),
        (9, "a.md"),
        (44, "a.md"),
        (51, "a.md"),
    ]


@pytest.mark.parametrize(("kept", "given"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_name_is_one_however_its_accents_are_composed(make_document, kept, given):
    """Some systems give names back in another form than they were written in; where both are files, each is itself."""
    name = "notes/메모 café.md"
    mine, theirs = unicodedata.normalize(kept, name), unicodedata.normalize(given, name)
    folder = StoreFolder([make_document(mine, "")])
    assert (
        folder.find(theirs) == folder.find(f"{folder.path}/{theirs}") == folder.find(theirs.removesuffix(".md")) == mine
    )
    for spelled in (theirs, Path("/x", theirs).as_uri()):
        assert [doc_id for _, doc_id in folder.find_mentions(f"1. {spelled}: x")] == [mine]
    both = StoreFolder([make_document(mine, ""), make_document(theirs, "")])
    for path in (mine, theirs):
        assert both.find(path) == path
        assert both.find_mentions(path) == [(0, path)]


@pytest.mark.parametrize(
    ("habit", "error", "reason"),
    [
        ("sorry", ExternalSystemError, "the tool search_notes of .* failed: the index is locked"),
        ("dead", ExternalSystemError, "ended with exit code 1 before it answered tools/call: out of memory"),
        ("chatty", ExternalSystemError, "wrote a line to standard output that is no message: indexing…"),
        ("nameless", ContractError, 'no result names a file of this corpus; the first of a list is {"id": 7'),
        ("half", ContractError, 'result 2 names no file of this corpus: {"id": 7'),
        ("odd-content", ExternalSystemError, "answered tools/call with content that is no list of objects: 7"),
    ],
)
def test_a_failure_is_told(documents, habit, error, reason):
    """What the server, the tool or a result lacks."""
    with pytest.raises(error, match=reason):
        build(documents, habit).search("RESTART")


@pytest.mark.slow
def test_a_line_that_never_ends_is_given_up(documents, monkeypatch):
    """Long before its time is over, and before the memory is full."""
    monkeypatch.setattr(mcpclient, "MAX_LINE_BYTES", 2**20)
    with pytest.raises(ExternalSystemError, match=r"wrote a line to standard output that is no message: xxx"):
        build(documents, "endless-line").search("port")


@pytest.mark.slow
@pytest.mark.parametrize("habit", ["mute", "flood"])
def test_a_server_that_does_not_answer_is_given_up(documents, habit):
    """Within the time of one request, whatever else it tells meanwhile."""
    retriever = build(documents, habit, timeout_seconds=0.5)
    with pytest.raises(ExternalSystemError, match=r"gave no answer to tools/call in 0\.5 s"):
        retriever.search("port")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("habit", "query", "unread"), [("deaf", "port " * 400_000, "tools/call"), ("pinging", "port", "an answer")]
)
def test_a_server_that_does_not_read_is_given_up(documents, habit, query, unread):
    """A request that no pipe can hold, or answers to what it asks without end: within the time of one request."""
    retriever = build(documents, habit, timeout_seconds=0.5)
    with pytest.raises(ExternalSystemError, match=rf"did not read {unread} from its standard input in 0\.5 s"):
        retriever.search(query)


@pytest.mark.parametrize(
    ("habit", "options", "reason"),
    [
        ("refusing", {}, "refused initialize: unsupported version"),
        ("text", {"tool": "find"}, "there is no tool 'find'; the server offers: write_note, search_notes"),
        ("text", {"query_argument": "q"}, "takes no argument 'q'; it takes: query, limit"),
        ("text", {"arguments": {"top": 3}}, "takes no argument 'top'"),
        ("circle", {}, "lists its tools in a circle: the cursor '2' came twice"),
        ("endless", {}, "does not end the list of its tools: there is more behind 100 pages"),
        ("odd-tools", {}, r'answered tools/list with tools that is no list of objects: \["search_notes"\]'),
        ("odd-cursor", {}, "answered tools/list with a nextCursor that is no text"),
    ],
)
def test_what_cannot_be_asked_cannot_be_built(documents, habit, options, reason):
    """Known before the first query."""
    with pytest.raises(ExternalSystemError, match=reason):
        build(documents, habit, **options)


def test_a_program_that_is_no_server_is_told(documents):
    """One that ends at once, and one that is not there."""
    script = "import sys; sys.stdin.readline(); sys.exit('no such option')"
    ending = mcp_variant("theirs", [sys.executable, "-I", "-c", script])
    with pytest.raises(ExternalSystemError, match="before it answered initialize: no such option"):
        ending.build(documents, Settings())
    with pytest.raises(ExternalSystemError, match="there is no program 'no-such-program-7f'"):
        mcp_variant("theirs", "no-such-program-7f").build(documents, Settings())


@pytest.mark.parametrize(
    ("tools", "chosen"),
    [(["ask"], "ask"), (["write", "search"], "search"), (["a", "b"], None), (["search", "research"], None)],
)
def test_the_tool_that_searches_need_not_be_said_where_it_is_plain(tools, chosen):
    """The only one, or the only one that is called a search; otherwise the choices are told."""
    offered = {tool: {} for tool in tools}
    if chosen is None:
        with pytest.raises(ExternalSystemError, match=f"which tool searches has to be said; .*: {', '.join(tools)}"):
            choose_tool(offered, None, {"query"})
    else:
        assert choose_tool(offered, None, {"query"}) == chosen


def test_one_death_costs_one_query(small_suite):
    """The server is started anew for the next; the dead one's query is ungradable with its last words."""
    text = small_suite.read_text(encoding="utf-8").replace("holiday allowance", "die")
    small_suite.write_text(text, encoding="utf-8")
    (measured,) = evaluate(small_suite, make("dies-once")).suites[0].variants
    reasons = {query.text: query.reason for query in measured.queries if query.verdict == "ungradable"}
    assert list(reasons) == ["die"]
    assert reasons["die"].endswith("out of memory")
