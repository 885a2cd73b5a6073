"""The search tool of an MCP server as a variant: its text is what is shown, the files it names are what is ranked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from memeval.embedding.base import make_encodable
from memeval.errors import ContractError, ExternalSystemError
from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Block, Settings, Variant
from memeval.retrieval.external.command import DEFAULT_K, DEFAULT_TIMEOUT_SECONDS, check_limits, check_name
from memeval.retrieval.external.mcpclient import McpClient, Message
from memeval.retrieval.external.program import fill_words, split_command
from memeval.retrieval.external.results import Result, score_files
from memeval.retrieval.external.storefolder import StoreFolder
from memeval.text import CLIPPED

DEFAULT_ARGUMENT = "query"
_TOLD = 80
_SEPARATOR = "\n"


class McpRetriever:
    """One server over the documents, asked with a tool; see `mcp_variant`. It is started anew after a failure."""

    def __init__(
        self,
        documents: Sequence[Document],
        settings: Settings,
        *,
        words: Sequence[str],
        tool: str | None,
        query_argument: str,
        arguments: Mapping[str, object],
        k: int,
        timeout_seconds: float,
    ) -> None:
        self._folder = StoreFolder(documents)
        values = {"root": str(self._folder.path), "k": str(k)}
        self._words = fill_words(words, values)
        self._tool = tool
        self._query_argument = query_argument
        self._arguments: dict[str, object] = {
            name: fill_words([value], values)[0] if isinstance(value, str) else value
            for name, value in arguments.items()
        }
        self._arguments |= {name: k for name, value in arguments.items() if value == "{k}"}  # a number, as tools want
        self._timeout_seconds = timeout_seconds
        self._client: McpClient | None = None
        self._chosen = ""
        self._start()

    def search(self, query: str) -> Answer:
        """The files the tool names, in its order, and its whole text.

        Raises:
            ExternalSystemError: the server or the tool failed.
            ContractError: a result names no file of the corpus.
        """
        client = self._client or self._start()
        try:
            given = client.call_tool(self._chosen, {**self._arguments, self._query_argument: make_encodable(query)})
        except ExternalSystemError:
            client.close()
            self._client = None
            raise
        return read_answer(given, self._folder)

    def _start(self) -> McpClient:
        client = McpClient(self._words, self._timeout_seconds)
        try:
            self._chosen = choose_tool(client.list_tools(), self._tool, {self._query_argument, *self._arguments})
        except ExternalSystemError:
            client.close()
            raise
        self._client = client
        return client


def choose_tool(tools: Mapping[str, Message], name: str | None, arguments: set[str]) -> str:
    """The name of the tool to call: the one asked for, else the only one, else the only one that is called a search.

    Raises:
        ExternalSystemError: there is no such tool, several could be meant, or it does not take one of the arguments.
    """
    offered = f"the server offers: {', '.join(tools) or 'no tool'}"
    if name is None:
        named = [tool for tool in tools if "search" in tool.lower()]
        candidates = list(tools) if len(tools) == 1 else named
        if len(candidates) != 1:
            raise ExternalSystemError(f"which tool searches has to be said; {offered}")
        name = candidates[0]
    if name not in tools:
        raise ExternalSystemError(f"there is no tool {name!r}; {offered}")
    schema = tools[name].get("inputSchema")
    known = schema.get("properties") if isinstance(schema, dict) else None
    for argument in sorted(arguments):
        if isinstance(known, dict) and known and argument not in known:
            raise ExternalSystemError(f"the tool {name} takes no argument {argument!r}; it takes: {', '.join(known)}")
    return name


def read_answer(given: Message, folder: StoreFolder) -> Answer:
    """The files that the answer of a tool names, and its text.

    Structured content is read where there is any, else the text, as JSON where it is that. An object with a path among
    its values is one result, whatever the names of its fields; a text is cut at the paths that stand in its lines as
    the first one does, so that a path inside a sentence of a note is no result. Only the order counts, no score.

    Raises:
        ContractError: of a list of objects one names no file of the corpus, while the others do; or none does.
    """
    texts = [text for part in given.get("content") or [] if (text := _text_of(part))]
    structured = given.get("structuredContent")
    if structured is None:
        parsed = [_parse(text) for text in texts]
        structured = parsed[0] if len(parsed) == 1 else parsed
    shown = _SEPARATOR.join(texts) if texts else json.dumps(structured, ensure_ascii=False)
    reader = _Reader(folder)
    reader.read(structured)
    reader.check()
    parts: dict[str, list[str]] = {}
    for result in reader.results:
        parts.setdefault(result.doc_id, []).append(make_encodable(folder.shorten(result.text or "")).strip())
    blocks = tuple(Block(doc_id, f"\n{CLIPPED}\n".join(dict.fromkeys(own))) for doc_id, own in parts.items())
    return Answer(score_files(reader.results), blocks, make_encodable(folder.shorten(shown)))


class _Reader:
    """Results in a value made of objects, lists and texts, in its order."""

    def __init__(self, folder: StoreFolder) -> None:
        self.results: list[Result] = []
        self._folder = folder
        self._nameless: str | None = None

    def read(self, value: object) -> None:
        """Add the results in the value. Raises ContractError for a list of which some name a file and one does not."""
        if isinstance(value, str):
            self.results += split_at_mentions(value, self._folder)
        elif isinstance(value, dict):
            result = self._read_object(value)
            if result is not None:
                self.results.append(result)
            else:
                for part in value.values():
                    self.read(part)
        elif isinstance(value, list):
            self._read_list(value)

    def check(self) -> None:
        """Raise ContractError where there are objects in a list, and nothing at all names a file."""
        if self._nameless is not None and not self.results:
            raise ContractError(f"no result names a file of this corpus; the first of a list is {self._nameless}")

    def _read_list(self, values: Sequence[object]) -> None:
        nameless: list[tuple[int, str]] = []
        before = len(self.results)
        for place, value in enumerate(values, start=1):
            known = len(self.results)
            self.read(value)
            if isinstance(value, dict) and len(self.results) == known:
                nameless.append((place, json.dumps(value, ensure_ascii=False)[:_TOLD]))
        if nameless and len(self.results) > before:
            place, told = nameless[0]
            raise ContractError(f"result {place} names no file of this corpus: {told}")
        if nameless and self._nameless is None:
            self._nameless = nameless[0][1]

    def _read_object(self, value: Mapping[str, object]) -> Result | None:
        """The object as one result; None where no value of it, or of an object in it, is a path."""
        strings = list(_list_strings(value, through_lists=False))
        for place, text in enumerate(strings):
            doc_id = find_path(text, self._folder)
            if doc_id is not None:
                rest = [other for other in _list_strings(value, through_lists=True) if other != strings[place]]
                return Result(doc_id, text="\n".join(rest))
        return None


def find_path(text: str, folder: StoreFolder) -> str | None:
    """The doc_id of a text that is a path or an address and nothing else, a place in the file behind it aside."""
    if "\n" in text:
        return None
    mentions = folder.find_mentions(text)
    if len(mentions) != 1:
        return None
    start, doc_id = mentions[0]
    before, behind = text[:start], text[start:]
    is_path = not before or (before.endswith("/") and (before[0] == "/" or not re.search(r"\s", before)))
    return doc_id if is_path and re.fullmatch(r".+?\.md([#:?]\S*)?", behind) else None


def split_at_mentions(text: str, folder: StoreFolder) -> list[Result]:
    """The parts of a text, each from a line that names a file to the next; those before the first are left out.

    The first path found is taken for a result; another is one where the line before it looks the same, words and
    numbers aside: `1. a.md`, `2. b.md`.
    """
    starts: list[tuple[int, str]] = []
    looks: str | None = None
    for place, doc_id in folder.find_mentions(text):
        line_start = text.rfind("\n", 0, place) + 1
        look = _describe_look(text[line_start:place])
        if looks is None:
            looks = look
        if look == looks:
            starts.append((line_start if not starts or line_start > starts[-1][0] else place, doc_id))
    bounds = pairwise([*(start for start, _ in starts), len(text)])
    return [Result(doc_id, text=text[start:end]) for (_, doc_id), (start, end) in zip(starts, bounds, strict=True)]


_FOLDERS = re.compile(r"[^\s\"'`()<>\[\]]*/$")
_WORDS = re.compile(r"\w+(?:[.,]\d+)*(?:\s+\w+(?:[.,]\d+)*)*")


def _describe_look(before: str) -> str:
    """What stands in a line before a path, with each run of words as one letter and without the folders above it."""
    return _WORDS.sub("w", _FOLDERS.sub("", before)).strip()


def _list_strings(value: object, *, through_lists: bool) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for part in value.values() for text in _list_strings(part, through_lists=through_lists)]
    if isinstance(value, list) and through_lists:
        return [text for part in value for text in _list_strings(part, through_lists=through_lists)]
    return []


def _text_of(part: object) -> str:
    """What a model is shown of one part of an answer: a text, a resource with its address, a link to one."""
    if not isinstance(part, dict):
        return ""
    resource = part.get("resource")
    if isinstance(resource, dict):
        return "\n".join(str(resource[key]) for key in ("uri", "text") if resource.get(key))
    keys = ("text",) if part.get("type") == "text" else ("uri", "description")
    return "\n".join(str(part[key]) for key in keys if part.get(key))


def _parse(text: str) -> object:
    """The value that a text of JSON stands for; any other text as it is."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except ValueError:
            pass
    return text


def mcp_variant(
    name: str,
    command: str | Sequence[str],
    *,
    tool: str | None = None,
    query_argument: str = DEFAULT_ARGUMENT,
    arguments: Mapping[str, Any] | None = None,
    k: int = DEFAULT_K,
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
) -> Variant:
    """A variant that asks the search tool of an MCP server, started once for each corpus, over its standard streams.

    The documents are written into a temporary folder first; in every word of the command and every text among the
    arguments `{root}` (that folder) and `{k}` are replaced; an argument that is `{k}` alone is a number. What the tool
    says is what is shown, whole; which files it found is read from it (`read_answer`). A server that fails, or a result
    that names no file of the corpus, makes the query ungradable, with the reason. A text that names no file has found
    nothing.

    Args:
        name: of the variant, in tables and files.
        command: the server and its arguments, in one line with the quotes of a shell, or as words. No shell runs it.
        tool: the tool to call; None = the only one, or the only one with `search` in its name.
        query_argument: the argument of the tool that takes the query.
        arguments: its other arguments, the same for every query.
        k: what `{k}` stands for: how many results are asked for.
        timeout_seconds: of one request.

    Raises:
        ExternalSystemError: the name or the command is none, or a number is not above 0.
    """
    words = split_command(command) if isinstance(command, str) else tuple(command)
    check_name(name)
    check_limits(k, timeout_seconds)
    fixed = dict(arguments or {})
    return Variant(
        name=name,
        description=f"the MCP server {words[0]}, asked with {tool or 'its search tool'}",
        source="given for this run",
        build=partial(
            McpRetriever,
            words=words,
            tool=tool,
            query_argument=query_argument,
            arguments=fixed,
            k=k,
            timeout_seconds=timeout_seconds,
        ),
        configuration={
            "command": command if isinstance(command, str) else " ".join(words),
            "tool": tool or "",
            "query_argument": query_argument,
            "arguments": json.dumps(fixed, ensure_ascii=False, sort_keys=True),
            "k": k,
            "timeout_seconds": timeout_seconds,
        },
        always_answers=True,
        has_own_cap=True,
    )
