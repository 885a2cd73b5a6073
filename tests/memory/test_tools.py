"""The tools as a model is told of them do what the memory does, and refuse what it does not know."""

from __future__ import annotations

import json

import pytest

from memeval.errors import MemoryStoreError
from memeval.memory import Memory
from memeval.memory.hybrid import BY_MEANING
from memeval.memory.tools import TOOLS, call_tool, list_tools
from tests.embedding.conftest import TopicEmbedder


@pytest.fixture
def memory(tmp_path):
    return Memory(tmp_path, project="shop-1a2b3c4d", today="2026-07-03", profile="memeval")


def test_every_tool_can_be_called_as_it_is_described(memory):
    """Write with aliases, search by one, read, edit: each by its name and arguments."""
    note = {"target": "note", "name": "redis", "content": "listens on 6380", "aliases": ["cache container"]}
    assert "aliases: cache container" in call_tool(memory, "memory_write", note)
    assert "notes/redis.md  [matched: alias cache" in call_tool(memory, "memory_search", {"query": "cache"})
    assert call_tool(memory, "memory_read", {"source": "note", "name": "redis"}).startswith("listens on 6380")
    call_tool(memory, "memory_edit", {"target": "note", "name": "redis", "old": "6380", "new": "6381"})
    assert "6381" in memory.read("note", "redis")


def test_a_written_note_asks_for_aliases():
    """The text of memory_write tells the model what aliases are for."""
    (write,) = [tool for tool in TOOLS if tool.name == "memory_write"]
    assert "aliases" in write.description
    assert write.parameters["properties"]["aliases"]["type"] == "array"


def test_the_search_says_that_it_leaves_out_the_scratchpad(memory):
    """What stands in the scratchpad alone is not found, and the model is told to read it instead."""
    memory.write("scratchpad", "- [ ] rotate the quokka key")
    (search,) = [tool for tool in TOOLS if tool.name == "memory_search"]
    assert "quokka" not in call_tool(memory, "memory_search", {"query": "rotate"})
    assert "quokka" in call_tool(memory, "memory_read", {"source": "scratchpad"})
    assert "never the scratchpad, which you have to read" in search.description


def test_a_hybrid_memory_says_what_else_it_finds(tmp_path, memory):
    """Its search tells of files near in meaning and of the mark they bear; the others, and a search by words, stay."""
    hybrid = Memory(tmp_path, retrieval="hybrid", embedder=TopicEmbedder())
    assert list_tools(memory) == TOOLS
    search, *others = list_tools(hybrid)
    assert (search.name, search.parameters, *others) == (TOOLS[0].name, TOOLS[0].parameters, *TOOLS[1:])
    assert f"`{BY_MEANING}` after `matched` marks a file that is near" in search.description
    assert "never the scratchpad, which you have to read" in search.description
    assert "meaning" not in TOOLS[0].description
    hybrid.write("long_term", "the redis buffer")
    assert f"[matched: {BY_MEANING}]" in call_tool(hybrid, search.name, {"query": "cache"})


def test_schemas_are_json_and_name_what_they_require():
    """Each can be sent to a model as it is."""
    for tool in TOOLS:
        schema = json.loads(json.dumps(tool.parameters))
        assert set(schema["required"]) <= set(schema["properties"])


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("memory_find", {}, "unknown tool 'memory_find'; known: memory_search"),
        ("memory_search", {}, "query is missing"),
        ("memory_search", {"query": 5}, "query is 5; give a text"),
        ("memory_write", {"target": "note", "content": "x", "path": "y"}, "unknown argument 'path'; known: target"),
        ("memory_write", {"target": "note", "content": "x", "aliases": "a"}, "aliases is 'a'; give a list of texts"),
        ("memory_write", {"target": "diary", "content": "x"}, "unknown target 'diary'"),
    ],
)
def test_a_wrong_call_says_what_is_allowed(memory, name, arguments, message):
    """And writes nothing."""
    with pytest.raises(MemoryStoreError, match=message):
        call_tool(memory, name, arguments)
    assert memory.list() == []
