"""What the fixture `recall` gives: assertions on what the search of a store shows.

Loaded when it is first needed: most pytest runs of an environment need none of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from memeval.memory import Memory


@dataclass(frozen=True, slots=True)
class Recall:
    """Assertions on what a store's search shows."""

    store: Memory

    def shown(self, query: str) -> tuple[str, ...]:
        """The files a search displays under the store's cap."""
        return tuple(doc_id for doc_id, _ in self.store.search(query).display().blocks)

    def assert_found(self, query: str, *paths: str) -> None:
        """Fail unless each of `paths` is shown; a path may leave out the folders before it (`notes/redis.md`)."""
        __tracebackhide__ = True
        if not paths:
            raise ValueError("assert_found needs at least one path, e.g. 'notes/redis.md'")
        shown = self.shown(query)
        missing = [path for path in paths if not any(is_path_of(path, doc_id) for doc_id in shown)]
        if missing:
            pytest.fail(
                f"{query!r} does not show {', '.join(missing)}\n"
                f"  shown:  {describe_shown(shown)}\n"
                f"  stored: {describe_shown(tuple(self.store.list()), limit=20)}\n"
                f"  terms:  {describe_terms(self.store.search(query).terms)}",
                pytrace=False,
            )

    def assert_silent(self, query: str) -> None:
        """Fail if the search shows anything."""
        __tracebackhide__ = True
        shown = self.shown(query)
        if shown:
            pytest.fail(f"{query!r} should find nothing\n  shown: {describe_shown(shown)}", pytrace=False)


def is_path_of(path: str, doc_id: str) -> bool:
    """True where `path` is the doc_id or its last parts."""
    return doc_id == path or doc_id.endswith("/" + path)


def describe_terms(terms: Iterable[tuple[str, int]]) -> str:
    """Each term with the number of times it was met."""
    return " ".join(f"{term}({count})" for term, count in terms) or "none"


def describe_shown(shown: tuple[str, ...], limit: int = 5) -> str:
    """The first files shown, and how many more."""
    if not shown:
        return "nothing"
    more = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return ", ".join(shown[:limit]) + more
