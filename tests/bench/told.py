"""A small store whose variants find exactly what they are told to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from memeval.retrieval.base import Answer, Block, Hit, Variant
from memeval.testbed.corpus import load_corpus
from memeval.testbed.needs import Need, Suite, Wording, digest_needs

N = 60


class Told:
    """A search that matches the note of a need for the wordings it was told, and nothing else."""

    def __init__(self, known: Callable[[str], bool], *, extra: bool = False) -> None:
        self._known = known
        self._extra = extra

    def search(self, query: str) -> Answer:
        number = query.split()[-1]
        found = [f"note-{number}.md"] if self._known(query) else []
        found += ["other.md"] if self._extra else []
        hits = tuple(Hit(doc_id, float(len(found) - place)) for place, doc_id in enumerate(found))
        return Answer(hits=hits, blocks=tuple(Block(doc_id, "x" * 10) for doc_id in found), text="x" * 100)


def variant(name: str, known: Callable[[str], bool], **more) -> Variant:
    """A variant of this name."""
    extra = more.pop("extra", False)
    return Variant(name=name, description="", source="", build=lambda d, s: Told(known, extra=extra), **more)


def misses(numbers: Iterable[int], *, later: bool = True) -> Callable[[str], bool]:
    """Finds every first wording but those of these needs, and later ones where they are to be found."""
    missed = {f"first {number}" for number in numbers}
    return lambda query: query not in missed and (later or query.startswith("first"))


def write_store(folder: Path) -> None:
    """Write a note for each need; the first note of each ten does not hold the word `first`."""
    for number in range(N):
        text = f"# Note\nfirst value {number}\n" if number % 10 else f"# Note\nvalue {number}\n"
        (folder / f"note-{number}.md").write_text(text, encoding="utf-8")
    (folder / "other.md").write_text("nothing\n", encoding="utf-8")


def build_suite(store: Path, n: int = N, *, name: str = "told", unstored: int = 0, lang: str = "en") -> Suite:
    """A suite of so many needs over the store, each with a free and a requested wording; some with nothing stored."""
    needs = [
        Need(
            id=f"need-{number}",
            expected={f"note-{number}.md": 1},
            wordings=(
                Wording(text=f"first {number}", elicited="free"),
                Wording(text=f"later words {number}", kind="unseen-words", elicited="requested"),
            ),
        )
        for number in range(n)
    ]
    needs += [
        Need(id=f"nothing-{number}", expected={}, wordings=(Wording(text=f"none {number}", elicited="free"),))
        for number in range(unstored)
    ]
    return Suite(
        name=name,
        path=f"{name}.recall.yaml",
        corpus=load_corpus(store),
        needs=tuple(needs),
        digest=digest_needs(needs),
        lang=lang,
    )
