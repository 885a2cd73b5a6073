"""A client of the Model Context Protocol over stdio: start a server, list its tools, call one. JSON-RPC by hand."""

from __future__ import annotations

import json
import queue
import subprocess
import tempfile
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Thread
from typing import IO, Any

from memeval.errors import ExternalSystemError
from memeval.retrieval.external.program import describe_failure, end_program, start_program

PROTOCOL = "2025-06-18"
"""The revision asked for. Any that a server answers with is taken: what is used here is in all of them."""

_NO_SUCH_METHOD = -32601
_SECONDS_TO_LEAVE = 2.0
_TOLD = 200

Message = dict[str, Any]


class McpClient:
    """One server process and the messages to and from it; the server is ended when the object is.

    Args:
        words: the program and its arguments.
        timeout_seconds: of one request.

    Raises:
        ExternalSystemError: in every call: the server cannot be started, ended, took too long, answered with an error,
            or wrote what is no message. After a failure the client is not to be used again.
    """

    def __init__(self, words: Sequence[str], timeout_seconds: float) -> None:
        self._program = words[0]
        self._timeout_seconds = timeout_seconds
        self._last_id = 0
        self._told: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - it is open as long as the server runs
        try:
            self._process = start_program(words, self._told.fileno())
        except ExternalSystemError:
            self._told.close()
            raise
        lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        reader = Thread(target=_read_lines, args=(self._process.stdout, lines), daemon=True)
        reader.start()
        self._lines = lines
        self.close = weakref.finalize(self, _end, self._process, reader, self._told)
        """End the server; calling it again does nothing."""
        try:
            self._begin()
        except ExternalSystemError:
            self.close()
            raise

    def _begin(self) -> None:
        client = {"name": "memeval", "version": "1"}
        self._request("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def list_tools(self) -> dict[str, Message]:
        """{name of a tool: what the server says about it}, in its order."""
        tools: dict[str, Message] = {}
        cursor: str | None = None
        seen: set[str] = set()
        while cursor not in seen:
            page = self._request("tools/list", {} if cursor is None else {"cursor": cursor})
            for tool in page.get("tools") or []:
                tools[str(tool.get("name"))] = tool
            if cursor is not None:
                seen.add(cursor)
            cursor = page.get("nextCursor")
            if not cursor:
                break
        return tools

    def call_tool(self, name: str, arguments: Mapping[str, object]) -> Message:
        """What the tool gave back: `content`, and where it has that, `structuredContent`."""
        result = self._request("tools/call", {"name": name, "arguments": dict(arguments)})
        if result.get("isError"):
            texts = [str(part.get("text", "")) for part in result.get("content") or [] if isinstance(part, dict)]
            told = " ".join(texts).strip()[:_TOLD]
            raise ExternalSystemError(f"the tool {name} of {self._program!r} failed: {told or 'it does not say why'}")
        return result

    def _request(self, method: str, params: Message) -> Message:
        self._last_id += 1
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        deadline = time.monotonic() + self._timeout_seconds
        while True:
            for message in self._receive(method, deadline):
                if "method" in message:
                    self._reply(message)
                elif message.get("id") == self._last_id:
                    return self._take_result(method, message)

    def _take_result(self, method: str, message: Message) -> Message:
        if "error" in message:
            error = message["error"]
            told = error.get("message") if isinstance(error, dict) else error
            raise ExternalSystemError(f"{self._program!r} refused {method}: {str(told)[:_TOLD]}")
        result = message.get("result")
        if not isinstance(result, dict):
            raise ExternalSystemError(f"{self._program!r} answered {method} without a result")
        return result

    def _reply(self, message: Message) -> None:
        """Answer what the server asks: it may see that we are alive, and nothing else; what it tells is passed over."""
        if "id" not in message:
            return
        reply: Message = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] == "ping":
            self._send(reply | {"result": {}})
        else:
            self._send(reply | {"error": {"code": _NO_SUCH_METHOD, "message": "not offered by this client"}})

    def _send(self, message: Message) -> None:
        stream = self._process.stdin
        assert stream is not None
        try:
            stream.write(json.dumps(message).encode() + b"\n")
            stream.flush()
        except OSError:
            raise self._describe_end(str(message.get("method", "an answer"))) from None

    def _receive(self, method: str, deadline: float) -> list[Message]:
        """The messages of the next line that is not blank; several where the server sends them as one."""
        while True:
            left = deadline - time.monotonic()
            try:
                if left <= 0:  # a server that never stops telling has a line for us at any time
                    raise queue.Empty
                line = self._lines.get(timeout=left)
            except queue.Empty:
                raise ExternalSystemError(
                    f"{self._program!r} gave no answer to {method} in {self._timeout_seconds:g} s"
                ) from None
            if not line:
                raise self._describe_end(method)
            if line.strip():
                return self._parse(line)

    def _parse(self, line: bytes) -> list[Message]:
        try:
            parsed = json.loads(line.decode("utf-8"))
        except ValueError:
            parsed = None
        messages = parsed if isinstance(parsed, list) else [parsed]
        if not all(isinstance(message, dict) for message in messages):
            told = line.decode("utf-8", "replace").strip()[:_TOLD]
            raise ExternalSystemError(f"{self._program!r} wrote a line to standard output that is no message: {told}")
        return messages

    def _describe_end(self, method: str) -> ExternalSystemError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_SECONDS_TO_LEAVE)
        self._told.seek(0)
        reason = describe_failure(self._told.read())
        code = self._process.returncode
        ended = "closed its output" if code is None else f"ended with exit code {code}"
        return ExternalSystemError(f"{self._program!r} {ended} before it answered {method}{reason}")


def _read_lines(stream: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    with suppress(OSError, ValueError):
        for line in stream:
            lines.put(line)
    lines.put(b"")


def _end(process: subprocess.Popen[bytes], reader: Thread, told: IO[bytes]) -> None:
    """End a server as the protocol has it: close its input, wait a little, then end it and what it started."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_SECONDS_TO_LEAVE)
    end_program(process)
    reader.join(_SECONDS_TO_LEAVE)
    if not reader.is_alive():  # a stream that is being read cannot be closed
        process.stdout.close()
    told.close()
