"""A small MCP server over stdio: it searches the files below a folder for the words of a query.

    python tinymcp.py ROOT [HABIT]

HABIT is the form of its answers, or how it misbehaves.
"""

import json
import pathlib
import sys
import time

ROOT = pathlib.Path(sys.argv[1])
HABIT = sys.argv[2] if len(sys.argv) > 2 else "text"


def send(**message):
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n")
    sys.stdout.buffer.flush()


def find(query):
    found = []
    for path in sorted(ROOT.rglob("*.md")):
        lines = path.read_text(encoding="utf-8").splitlines()
        matching = [line for line in lines if any(word in line for word in query.split())]
        if matching:
            found.append({"file": str(path), "lines": matching, "score": len(matching)})
    return sorted(found, key=lambda one: (-one["score"], one["file"]))


def say(text, **more):
    return {"content": [{"type": "text", "text": text}], **more}


def make_uri(one):
    return pathlib.Path(one["file"]).as_uri()


def answer(query, limit):
    found = find(query)[:limit]
    if HABIT == "json":
        return say(json.dumps({"query": query, "results": found}))
    if HABIT == "structured":
        nested = [{"text": "\n".join(one["lines"]), "meta": {"uri": make_uri(one)}} for one in found]
        return say(f"{len(nested)} found", structuredContent={"result": nested})
    if HABIT == "links":
        uris = [make_uri(one) for one in found]
        return {"content": [{"type": "resource_link", "uri": uri, "description": "a note"} for uri in uris]}
    if HABIT == "nameless":
        return say(json.dumps([{"id": 7, "text": "a fact"}]))
    if HABIT == "half":
        return say(json.dumps([*found, {"id": 7, "text": "a fact"}]))
    if HABIT == "odd-content":
        return {"content": 7}
    if HABIT == "sorry":
        return say("the index is locked", isError=True)
    parts = [f"{place}. {one['file']}:1\n" + "\n".join(one["lines"]) for place, one in enumerate(found, start=1)]
    return say("\n\n".join([f"{len(found)} files", *parts]) if found else "Nothing found.")


def call(params):
    while HABIT == "flood":
        send(method="notifications/progress", params={})
    while HABIT == "pinging":
        send(id="s", method="ping")
    if HABIT == "mute":
        time.sleep(60)
    while HABIT == "endless-line":
        sys.stdout.buffer.write(b"x" * 10_000)
    if HABIT == "chatty":
        sys.stdout.buffer.write("indexing…\n".encode())
    if HABIT == "dead" or (HABIT == "dies-once" and params["arguments"]["query"] == "die"):
        sys.exit("out of memory")
    if HABIT == "asking":
        send(id="s1", method="ping")
        assert json.loads(sys.stdin.readline()) == {"jsonrpc": "2.0", "id": "s1", "result": {}}
        send(id="s2", method="roots/list")
        assert json.loads(sys.stdin.readline())["error"]["code"] == -32601
        send(method="notifications/progress", params={})
        send(id=-1, result={})
    return answer(params["arguments"]["query"], params["arguments"].get("limit", 99))


def list_tools(params):
    schema = {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}}
    if HABIT == "endless":
        return {"tools": [], "nextCursor": params.get("cursor", "") + "x"}
    if HABIT == "odd-tools":
        return {"tools": ["search_notes"]}
    if HABIT == "odd-cursor":
        return {"tools": [], "nextCursor": {"page": 2}}
    if HABIT == "circle" and params.get("cursor") == "2":
        return {"tools": [{"name": "search_notes", "inputSchema": schema}], "nextCursor": "2"}
    if params.get("cursor") == "2":
        return {"tools": [{"name": "search_notes", "inputSchema": schema}]}
    return {"tools": [{"name": "write_note", "inputSchema": {"type": "object"}}], "nextCursor": "2"}


for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message.get("params", {})
    if method == "initialize" and HABIT == "refusing":
        send(id=message["id"], error={"code": -32602, "message": "unsupported version"})
    elif method == "initialize":
        send(id=message["id"], result={"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}})
    elif method == "tools/list":
        send(id=message["id"], result=list_tools(params))
        if HABIT == "deaf" and params.get("cursor"):
            time.sleep(60)
    elif method == "tools/call":
        send(id=message["id"], result=call(params), **({"error": None} if HABIT == "no-error" else {}))
