"""ripgrep itself: the program over the files, the whole query as one literal, as the recipe `grep` has it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from memeval.embedding.base import make_encodable
from memeval.memory.document import Document
from memeval.retrieval.base import Hit, Retriever, Settings, Variant, rank_hits
from memeval.retrieval.cut import MAX_EXCERPT_BYTES, Cut, Pipeline
from memeval.retrieval.external.program import run_program
from memeval.retrieval.external.storefolder import StoreFolder
from memeval.retrieval.external.systems import System
from memeval.retrieval.lexical import LiteralTerms
from memeval.text import WHITE_SPACE

PROGRAM = "rg"
INSTALL = "https://github.com/BurntSushi/ripgrep, or the package ripgrep of your system"
TIMEOUT_SECONDS = 60.0

_OPTIONS = ("--no-config", "--no-ignore", "--hidden", "--text", "--ignore-case", "--fixed-strings", "--count", "--null")
"""Every file there is, whatever a user's settings or a .gitignore among the documents say."""


class RipgrepRanking:
    """Documents by the lines that `rg` counts in their files."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._folder = StoreFolder(documents)

    def rank(self, query: str) -> tuple[Hit, ...]:
        """Every document with a matching line, best first. Raises ExternalSystemError where the program fails."""
        literal = make_encodable(query).strip(WHITE_SPACE)
        if not literal or "\n" in literal:  # no line holds a line end, and rg refuses one in a literal
            return ()
        words = (PROGRAM, *_OPTIONS, f"--regexp={literal}", "--", str(self._folder.path))
        printed = run_program(words, "", timeout_seconds=TIMEOUT_SECONDS, no_match_exit=1)
        return rank_hits(self._read(printed))

    def _read(self, printed: str) -> dict[str, float]:
        counts: dict[str, float] = {}
        for row in printed.splitlines():
            path, _, number = row.partition("\0")
            doc_id = self._folder.find(path)
            assert doc_id is not None, f"{path} is not in the folder that was searched"
            counts[doc_id] = float(number)
        return counts


def build_ripgrep(documents: Sequence[Document], settings: Settings) -> Retriever:
    """The program over these documents."""
    return Pipeline(RipgrepRanking(documents).rank, Cut(documents, LiteralTerms(), settings.budget_bytes))


def lack_ripgrep() -> str | None:
    """That the program is not there, and how to get it; None where it is."""
    return None if shutil.which(PROGRAM) else f"there is no program {PROGRAM}: {INSTALL}"


RIPGREP = System(
    Variant(
        name="ripgrep",
        description="ripgrep itself: the whole query as one literal, by matching lines",
        source="rg --ignore-case --fixed-strings --count",
        build=build_ripgrep,
        configuration={"options": " ".join(_OPTIONS), "max_excerpt_bytes": MAX_EXCERPT_BYTES},
    ),
    lack_ripgrep,
)
