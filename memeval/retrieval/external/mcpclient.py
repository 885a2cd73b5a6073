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
from threading import Event, Thread
from typing import IO, Any

from memeval.errors import ExternalSystemError
from memeval.retrieval.external.program import describe_failure, end_program, start_program

PROTOCOL = "2025-06-18"
"""The revision asked for. Any that a server answers with is taken: what is used here is in all of them."""

MAX_PAGES = 100
"""Pages that a list of tools may have; one that goes on is not believed to have an end."""

MAX_LINE_BYTES = 64 * 2**20
"""Of one message. A line that never ends would fill the memory long before the time of a request is over."""

_MAX_LINES = 8
"""Read and not yet looked at: a server that tells more than we can look at waits, instead of filling the memory."""
_NO_SUCH_METHOD = -32601
_SECONDS_TO_LEAVE = 2.0
_SECONDS_TO_LOOK = 0.5
_TOLD = 200

Message = dict[str, Any]


class McpClient:
    """One server process and the messages to and from it; the server is ended when the object is.

    Args:
        words: the program and its arguments.
        timeout_seconds: of one request, from its first byte written to the last of its answer read.

    Raises:
        ExternalSystemError: in every call: the server cannot be started, ended, took too long, does not read what it is
            sent, answered with an error or in another shape than the protocol has, or wrote what is no message. After a
            failure the client is not to be used again.
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
        self._lines: queue.Queue[bytes] = queue.Queue(_MAX_LINES)
        is_over = Event()
        self._outgoing: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._written: queue.SimpleQueue[bool] = queue.SimpleQueue()
        reader = Thread(target=_read_lines, args=(self._process.stdout, self._lines, is_over), daemon=True)
        writer = Thread(
            target=_write_lines, args=(self._process.stdin, self._outgoing, self._written), daemon=True
        )  # a write waits for ever where the server does not read
        reader.start()
        writer.start()
        self.close = weakref.finalize(self, _end, self._process, reader, is_over, self._outgoing, self._told)
        """End the server; calling it again does nothing."""
        try:
            self._begin()
        except ExternalSystemError:
            self.close()
            raise

    def _begin(self) -> None:
        client = {"name": "memeval", "version": "1"}
        self._request("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"}, self._find_deadline())

    def list_tools(self) -> dict[str, Message]:
        """{name of a tool: what the server says about it}, in its order; of at most MAX_PAGES pages."""
        method = "tools/list"
        tools: dict[str, Message] = {}
        cursors: list[str] = []
        while True:
            page = self._request(method, {"cursor": cursors[-1]} if cursors else {})
            tools |= {str(tool.get("name")): tool for tool in self._take_list(method, page, "tools")}
            cursor = page.get("nextCursor")
            if not cursor:
                return tools
            if not isinstance(cursor, str):
                raise ExternalSystemError(f"{self._program!r} answered {method} with a nextCursor that is no text")
            if cursor in cursors:
                raise ExternalSystemError(
                    f"{self._program!r} lists its tools in a circle: the cursor {cursor[:_TOLD]!r} came twice"
                )
            cursors.append(cursor)
            if len(cursors) == MAX_PAGES:
                raise ExternalSystemError(
                    f"{self._program!r} does not end the list of its tools: there is more behind {MAX_PAGES} pages"
                )

    def call_tool(self, name: str, arguments: Mapping[str, object]) -> Message:
        """What the tool gave back: `content`, and where it has that, `structuredContent`."""
        method = "tools/call"
        result = self._request(method, {"name": name, "arguments": dict(arguments)})
        parts = self._take_list(method, result, "content")
        if result.get("isError"):
            texts = [str(part.get("text", "")) for part in parts]
            told = " ".join(texts).strip()[:_TOLD]
            raise ExternalSystemError(f"the tool {name} of {self._program!r} failed: {told or 'it does not say why'}")
        return result

    def _request(self, method: str, params: Message) -> Message:
        self._last_id += 1
        deadline = self._find_deadline()
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}, deadline)
        while True:
            for message in self._receive(method, deadline):
                if "method" in message:
                    self._reply(message, deadline)
                elif message.get("id") == self._last_id:
                    return self._take_result(method, message)

    def _find_deadline(self) -> float:
        """When the time of a request that begins now is over, on the monotonic clock in seconds."""
        return time.monotonic() + self._timeout_seconds

    def _take_result(self, method: str, message: Message) -> Message:
        if message.get("error") is not None:  # some servers send both, one of them null
            error = message["error"]
            told = error.get("message") if isinstance(error, dict) else error
            raise ExternalSystemError(f"{self._program!r} refused {method}: {str(told)[:_TOLD]}")
        result = message.get("result")
        if not isinstance(result, dict):
            raise ExternalSystemError(f"{self._program!r} answered {method} without a result")
        return result

    def _take_list(self, method: str, result: Message, key: str) -> list[Message]:
        values = result.get(key) or []
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            told = json.dumps(values, ensure_ascii=False)[:_TOLD]
            raise ExternalSystemError(
                f"{self._program!r} answered {method} with {key} that is no list of objects: {told}"
            )
        return values

    def _reply(self, message: Message, deadline: float) -> None:
        """Answer what the server asks: it may see that we are alive, and nothing else; what it tells is passed over."""
        if "id" not in message:
            return
        reply: Message = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] == "ping":
            self._send(reply | {"result": {}}, deadline)
        else:
            error = {"code": _NO_SUCH_METHOD, "message": "not offered by this client"}
            self._send(reply | {"error": error}, deadline)

    def _send(self, message: Message, deadline: float) -> None:
        method = str(message.get("method", "an answer"))
        self._outgoing.put(json.dumps(message).encode() + b"\n")
        try:
            is_written = self._written.get(timeout=max(deadline - time.monotonic(), 0))
        except queue.Empty:
            raise ExternalSystemError(
                f"{self._program!r} did not read {method} from its standard input in {self._timeout_seconds:g} s"
            ) from None
        if not is_written:
            raise self._describe_end(method, "input")

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

    def _describe_end(self, method: str, closed: str = "output") -> ExternalSystemError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_SECONDS_TO_LEAVE)
        self._told.seek(0)
        reason = describe_failure(self._told.read())
        code = self._process.returncode
        ended = f"closed its standard {closed}" if code is None else f"ended with exit code {code}"
        return ExternalSystemError(f"{self._program!r} {ended} before it answered {method}{reason}")


def _read_lines(stream: IO[bytes], lines: queue.Queue[bytes], is_over: Event) -> None:
    """Hand on each line, then an empty one; nothing any more once it is over."""
    line = b" "
    while line and not is_over.is_set():
        try:
            line = stream.readline(MAX_LINE_BYTES)  # the first part of a longer one is no message, and told so
        except (OSError, ValueError):
            line = b""
        while not is_over.is_set():
            with suppress(queue.Full):
                lines.put(line, timeout=_SECONDS_TO_LOOK)
                break


def _write_lines(stream: IO[bytes], lines: queue.SimpleQueue[bytes], written: queue.SimpleQueue[bool]) -> None:
    """Write each line, and say whether it went, up to one that did not or is empty; then close the stream."""
    try:
        while line := lines.get():
            stream.write(line)
            stream.flush()
            written.put(True)
    except OSError:
        written.put(False)
    with suppress(OSError):
        stream.close()


def _end(
    process: subprocess.Popen[bytes],
    reader: Thread,
    is_over: Event,
    outgoing: queue.SimpleQueue[bytes],
    told: IO[bytes],
) -> None:
    """End a server as the protocol has it: close its input, wait a little, then end it and what it started."""
    assert process.stdout is not None
    is_over.set()
    outgoing.put(b"")
    with suppress(subprocess.TimeoutExpired):
        process.wait(_SECONDS_TO_LEAVE)
    end_program(process)
    reader.join(_SECONDS_TO_LEAVE)
    if not reader.is_alive():  # a stream that is being read cannot be closed
        process.stdout.close()
    told.close()
