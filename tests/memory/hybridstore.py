"""What tests of a hybrid search share: a store of four notes, opened with a model that can be read by eye."""

from __future__ import annotations

from pathlib import Path

from memeval.memory import Memory
from tests.embedding.conftest import TopicEmbedder
from tests.memory.conftest import PROJECT, TODAY

NOTES = {
    "box": "# Box\n\nThe redis buffer is redis.\n",
    "ports": "# Ports\n\nlisten 6380 port\n",
    "out": "ship ship deploy\n",
    "plain": "nothing of it here\n",
}
QUERIES = ("cache", "cache nothing", "redis", "6380", "release", "whales", "qwsdrt", "of it", "", "…!?", "…[search")


def open_memory(root: Path, embedder=None, **more) -> Memory:
    settings = {"project": PROJECT, "today": TODAY, "retrieval": "hybrid", "embedder": embedder or TopicEmbedder()}
    return Memory(root, **{**settings, **more})


def fill(root: Path, **more) -> Memory:
    store = open_memory(root, **more)
    for name, text in NOTES.items():
        store.write("note", text, name=name)
    return store


def shown(memory, query):
    return [Path(block.doc_id).stem for block in memory.search(query).display().blocks]
