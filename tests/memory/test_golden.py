"""The golden cases: every call, every mutation and every file afterwards, byte for byte, in both profiles."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from memeval.errors import MemoryStoreError
from memeval.memory import Memory, project_slug

GOLDEN = Path(__file__).parents[1] / "golden"


def load_cases():
    """The cases of both files, in their order."""
    for name in ("engine", "branches"):
        with gzip.open(GOLDEN / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)


CASES = list(load_cases())


def write_store(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def read_files(root):
    """Every file below the root, hidden ones too, with its text."""
    return {path.relative_to(root).as_posix(): path.read_bytes().decode() for path in root.rglob("*") if path.is_file()}


def answer_search(store, call):
    """A search in the form the cases have."""
    result = store.search(call["query"])
    hits = [
        {
            "path": hit.doc_id,
            "matched": list(hit.matched_terms),
            "total": hit.total_hits,
            "filename_only": hit.filename_only,
            "body": hit.body,
        }
        for hit in result.hits
    ]
    return {"terms": [list(term) for term in result.terms], "hits": hits, "render": result.render(call.get("cap"))}


def answer(store, call):
    if call["op"] == "context":
        return {"block": store.context_block()}
    return answer_search(store, call)


def apply(store, mutation):
    """A mutation's outcome: a message, or the text of a refusal."""
    arguments = {"name": mutation.get("name")}
    try:
        if mutation["op"] == "write":
            done = store.write(mutation["target"], mutation["content"], mutation["mode"], **arguments)
        else:
            done = store.edit(mutation["target"], mutation.get("old_str"), mutation["new_str"], **arguments)
    except MemoryStoreError as error:
        return {"err": str(error)}
    return {"ok": done}


def assert_outcome(got, expected):
    """The same message; of a system error only that it is one."""
    if "os error" in expected.get("err", ""):
        assert "err" in got
    else:
        assert got == expected


def test_all_cases_are_here():
    """127 cases are run, not fewer."""
    assert len(CASES) == 127


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case, tmp_path, monkeypatch):
    """Each call answers, each mutation says, and each file holds what the case says."""
    monkeypatch.chdir(tmp_path)
    root = Path("store")
    root.mkdir()
    write_store(root, case["files"])
    store = Memory("store", project=case["project"], today=case["today"], profile=case["profile"])
    for call in case["calls"]:
        assert answer(store, call) == call["expect"], call
    assert read_files(root) == case["files"]
    for mutation in case["mutations"]:
        assert_outcome(apply(store, mutation), mutation["expect"])
    assert read_files(root) == case["after"]


@pytest.mark.parametrize(("path", "slug"), json.loads((GOLDEN / "slugs.json").read_text(encoding="utf-8")))
def test_slug(path, slug):
    """A path's slug is the one that stores on disk carry."""
    assert project_slug(path) == slug
