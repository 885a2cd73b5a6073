"""The tools as an agent is told of them, and their calls: four names, what each is for, and what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from memeval.errors import MemoryStoreError
from memeval.memory.search import HYBRID
from memeval.memory.store import Memory

_TARGETS = ["long_term", "scratchpad", "daily", "note"]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of the memory."""

    name: str
    description: str
    """What the model reads: when to use it, and how to use it well."""
    parameters: Mapping[str, Any]
    """Its arguments, as a JSON schema."""


def _describe_text(description: str, **more: object) -> dict[str, object]:
    return {"type": "string", "description": description, **more}


TOOLS: tuple[Tool, ...] = (
    Tool(
        "memory_search",
        "Search the memory by words: long-term memory, notes and daily logs, never the scratchpad, which you have to "
        "read. Use it before you say that something is not known. It finds words and their "
        "forms, parts of identifiers and pieces of Chinese, Japanese and Korean text; it does not find other words for "
        "the same thing. So where it finds nothing, try other words two or three times before you conclude. Then read "
        "the file.",
        {
            "type": "object",
            "properties": {"query": _describe_text("A few telling words: names, numbers, error texts; no question.")},
            "required": ["query"],
        },
    ),
    Tool(
        "memory_read",
        "Read one memory file in full: long_term, scratchpad, a daily log (name = YYYY-MM-DD, today without), a note "
        "(name = its name); or list, for the names of all files.",
        {
            "type": "object",
            "properties": {
                "source": _describe_text("Which file.", enum=[*_TARGETS, "list"]),
                "name": _describe_text("Of a note, or the date of a daily log."),
            },
            "required": ["source"],
        },
    ),
    Tool(
        "memory_write",
        "Write to the memory. long_term: short lasting facts and rules, read in every session. scratchpad: open items "
        "`- [ ]`. daily: what happened, appended to today's log. note: one topic under one name. When you write a "
        "note, give aliases: two to six other words that somebody who does not know this note would look for it by "
        "(the plain word, the symptom, the abbreviation, the word in another language), none that stands in it.",
        {
            "type": "object",
            "properties": {
                "target": _describe_text("Where to.", enum=_TARGETS),
                "content": _describe_text("Markdown."),
                "mode": _describe_text("overwrite replaces the whole file.", enum=["append", "overwrite"]),
                "name": _describe_text("Of a note: a few words that tell its topic."),
                "aliases": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Of a note: other words for it, each a word or a few, without commas.",
                },
            },
            "required": ["target", "content"],
        },
    ),
    Tool(
        "memory_edit",
        "Replace text that stands exactly once in a memory file, or delete a whole note by giving no old text. Correct "
        "what has become wrong instead of adding a second version.",
        {
            "type": "object",
            "properties": {
                "target": _describe_text("Which file.", enum=_TARGETS),
                "old": _describe_text("The text to replace, as it stands there."),
                "new": _describe_text("What takes its place."),
                "name": _describe_text("Of a note, or the date of a daily log."),
            },
            "required": ["target"],
        },
    ),
)
"""Every tool, in the order a model should think of them; its search is by words."""

_HYBRID_SEARCH = (
    "Search the memory by words and by meaning: long-term memory, notes and daily logs, never the scratchpad, which "
    "you have to read. Use it before you say that something is not known. It finds words and their forms, parts of "
    "identifiers and pieces of Chinese, Japanese and Korean text, and files that are near in meaning, also where they "
    "hold none of your words. `by meaning` after `matched` marks a file that is near; that alone makes it no answer, "
    "so look at the lines shown. Where nothing fits, try other words two or three times before you conclude. Then "
    "read the file."
)


def list_tools(memory: Memory) -> tuple[Tool, ...]:
    """Every tool as a model should be told of it for this memory: TOOLS, with the search as it was opened."""
    if memory.retrieval != HYBRID:
        return TOOLS
    return tuple(replace(tool, description=_HYBRID_SEARCH) if tool.name == "memory_search" else tool for tool in TOOLS)


def call_tool(memory: Memory, name: str, arguments: Mapping[str, Any]) -> str:
    """What a tool answers, as text for the model.

    Raises:
        MemoryStoreError: the tool is not known, an argument is unknown, missing or of another type, or the memory
            refuses the call; nothing is written then.
    """
    tool = next((tool for tool in TOOLS if tool.name == name), None)
    if tool is None:
        raise MemoryStoreError(f"unknown tool {name!r}; known: {', '.join(tool.name for tool in TOOLS)}")
    _check_arguments(tool, arguments)
    if name == "memory_search":
        return memory.search(arguments["query"]).text()
    if name == "memory_read":
        return memory.read(**arguments)
    return memory.write(**arguments) if name == "memory_write" else memory.edit(**arguments)


def _check_arguments(tool: Tool, arguments: Mapping[str, Any]) -> None:
    properties = tool.parameters["properties"]
    for name, value in arguments.items():
        if name not in properties:
            raise MemoryStoreError(f"{tool.name}: unknown argument {name!r}; known: {', '.join(properties)}")
        is_list = properties[name]["type"] == "array"
        fits = (
            isinstance(value, list) and all(isinstance(item, str) for item in value)
            if is_list
            else isinstance(value, str)
        )
        if not fits:
            wanted = "a list of texts" if is_list else "a text"
            raise MemoryStoreError(f"{tool.name}: {name} is {value!r}; give {wanted}")
    for name in tool.parameters["required"]:
        if name not in arguments:
            raise MemoryStoreError(f"{tool.name}: {name} is missing; it needs {', '.join(tool.parameters['required'])}")
