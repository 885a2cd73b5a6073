"""Search by words and by meaning: the engine's own search, with a say of a local model in the order.

Loaded by a store that is opened for it and by nobody else: the plain engine starts without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from memeval.embedding.base import Embedder, Reranker
from memeval.embedding.fusion import LEAST_NEARNESS, fuse_gated, measure_strength
from memeval.embedding.index import NearPassage, VectorIndex, rank_by_ranks
from memeval.embedding.models import DEFAULT_MODEL, Reader, find_model_of, warn_of_language
from memeval.embedding.rerankers import MULTILINGUAL, find_reranker_of
from memeval.embedding.reranking import DEPTH, rerank
from memeval.embedding.scripts import has_cjk
from memeval.embedding.storeindex import StoreIndex
from memeval.errors import MemoryStoreError
from memeval.memory.candidate import Candidate
from memeval.memory.discovery import MAX_TERMS, DiscoveryResult, DiscoverySearch
from memeval.memory.document import Document, UnreadableFile
from memeval.memory.profile import PROFILES, Profile, Rule
from memeval.memory.ranking import Match
from memeval.memory.search import GATED, RANKS
from memeval.memory.snippet import Spot
from memeval.memory.terms import Term, TermKind, parse_query

BY_MEANING = "by meaning"
"""Stands among what was matched for a file that is near in meaning."""
_BY_MEANING_ALONE = "No file holds these words; closest are files near in meaning."
ABSENT_GRAM_SHARE = 0.5
"""Of the weight of a character pair that stands nowhere: many lie across two words that do. With all of it 3 in 100
Korean and 1 in 100 Japanese wordings less come among the first five; with none of it fewer without a common word do."""
_FOLLOWING_SHARE = 0.5
"""Of the weight of a passage's first line, for each of the others: it is shown from its beginning."""


@dataclass(frozen=True)  # without slots, as what it is made of
class NearCandidate(Candidate):
    """A document that is near to the query in meaning, holds words of it, or both."""

    passage: NearPassage | None = None
    """What of it is near; None where nothing is."""

    @cached_property
    def spots(self) -> Sequence[Spot]:
        """The lines that hold a matched term and those of the near passage, in order."""
        lexical = super().spots
        if self.passage is None:
            return lexical
        by_line = {spot.line: spot for spot in lexical}
        weight = max((spot.weight for spot in lexical), default=1.0)
        for line, start in self.page.list_telling(self.passage.first_line - 1, self.passage.last_line - 1):
            spot = by_line.get(line, Spot(line, 0.0, start, start))
            by_line[line] = spot._replace(weight=spot.weight + weight)
            weight *= _FOLLOWING_SHARE
        return [by_line[line] for line in sorted(by_line)]

    @cached_property
    def matched_terms(self) -> tuple[str, ...]:
        """What of the query was found, in its order; then `by meaning` where the document is near."""
        found = super().matched_terms
        return found if self.passage is None else (*found, BY_MEANING)

    @property
    def telling_part(self) -> str:
        """What speaks best for it, with its file name: the near passage, else the lines that hold words."""
        return f"{self.document.name}\n{self.body}" if self.passage is None else self.passage.text


class HybridSearch(DiscoverySearch):
    """A search over one fixed set of documents, by their words and by an index of their meaning.

    What it gives back is what the search by words gives back, in another order and with more files in it. How words and
    meaning are weighed is the `fusion`: `gated` as `fuse_gated` does it, so that nothing is found where neither has
    anything to say; `ranks` as `rank_by_ranks` does it, which answers whatever has a letter or number in it.

    With a reranker the first `DEPTH` of what is found are read again and put in its order; the others follow as they
    were. It is asked about what is found alone, so that it adds nothing and hides nothing; and none of the first is
    exempt: a file found by an exact identifier may fall behind others of them.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        profile: Profile,
        index: VectorIndex,
        unreadable: Iterable[UnreadableFile] = (),
        reranker: Reranker | None = None,
        fusion: str = GATED,
    ) -> None:
        super().__init__(documents, profile, unreadable)
        self._fusion = fusion
        self._index = index
        self._reranker = reranker
        self._places = {document.doc_id: place for place, document in enumerate(self._documents)}

    def search(self, query: str) -> DiscoveryResult:
        """Every document that speaks for the query in words or in meaning, best first."""
        result = super().search(query)
        matches = {hit.doc_id: hit.match for hit in result.hits}
        is_plain = self._fusion == RANKS
        least = float("-inf") if is_plain else LEAST_NEARNESS
        asked = self._index.search(query, least) if any(map(str.isalnum, query)) else ()  # marks alone mean nothing
        passages = {passage.doc_id: passage for passage in asked}
        ranked = self._rank(query, matches, passages) if is_plain else self._weigh(query, matches, passages)
        found = [
            self._make_candidate(doc_id, score, matches.get(doc_id), passages.get(doc_id)) for doc_id, score in ranked
        ]
        hits = self._read_again(query, found)
        is_by_meaning = bool(hits) and not matches
        return replace(result, hits=list(hits), hints=result.hints + ((_BY_MEANING_ALONE,) if is_by_meaning else ()))

    def _weigh(
        self, query: str, matches: Mapping[str, Match], passages: Mapping[str, NearPassage]
    ) -> list[tuple[str, float]]:
        return fuse_gated(
            [(doc_id, match.score) for doc_id, match in matches.items()],
            self._measure_strength(query, matches.values()),
            [(passage.doc_id, passage.nearness) for passage in passages.values()],
        )

    def _rank(
        self, query: str, matches: Mapping[str, Match], passages: Mapping[str, NearPassage]
    ) -> list[tuple[str, float]]:
        """By reciprocal ranks; then what words found in a file that has no passages, such as an empty one."""
        known = matches.keys() | passages.keys()  # of any other file there would be nothing to show
        ranked = {doc_id: score for doc_id, score in rank_by_ranks(query, self._index) if doc_id in known}
        return [*ranked.items(), *((doc_id, 0.0) for doc_id in matches if doc_id not in ranked)]

    def _read_again(self, query: str, hits: Sequence[NearCandidate]) -> Sequence[NearCandidate]:
        """The hits, the first of them in the reranker's order, where there is one and it reads the query."""
        if self._reranker is None or len(hits) < 2:  # one alone need not wait for a model to load
            return hits
        known = find_reranker_of(self._reranker)
        if known is not None and not known.reads_cjk and has_cjk(query):
            return hits
        by_id = {hit.doc_id: hit for hit in hits}
        passages = {hit.doc_id: hit.telling_part for hit in hits[:DEPTH]}
        ranked = rerank(query, [(hit.doc_id, hit.match.score) for hit in hits], passages, self._reranker)
        return [by_id[doc_id] for doc_id, _ in ranked]

    def _measure_strength(self, query: str, matches: Iterable[Match]) -> float:
        """The share of the query's weight that the best document holds in whole words."""
        telling = [term for term in parse_query(query) if not term.filler][:MAX_TERMS]
        weights = {term: self._ranker.weigh(term) * self._find_share(term) for term in telling}
        masks = {match.whole_mask: match.terms for match in matches}
        held = [{term for number, term in enumerate(terms) if mask >> number & 1} for mask, terms in masks.items()]
        return measure_strength(weights, held)

    def _find_share(self, term: Term) -> float:
        is_gram = term.kind is TermKind.GRAM
        return ABSENT_GRAM_SHARE if is_gram and not self._ranker.count(term) else 1.0

    def _make_candidate(
        self, doc_id: str, score: float, match: Match | None, passage: NearPassage | None
    ) -> NearCandidate:
        place = self._places[doc_id]
        match = match or Match(place, score, (), 0, 0)
        is_near = passage is not None and (passage.nearness >= 0 or not match.mask)
        near = passage if is_near else None
        return NearCandidate(self._documents[place], match, self._ranker, self._pages, near)


class HybridStore:
    """The hybrid searches of one store on disk, over its index beside it.

    Raises:
        MemoryStoreError: the profile searches by literals, which leave nothing to weigh against a meaning.
    """

    def __init__(
        self,
        folder: Path,
        profile: Profile,
        embedder: Embedder,
        reranker: Reranker | None = None,
        fusion: str = GATED,
    ) -> None:
        if profile.finds_by is not Rule.DISCOVERY:
            known = ", ".join(name for name, one in PROFILES.items() if one.finds_by is Rule.DISCOVERY)
            raise MemoryStoreError(f"the profile {profile.name!r} has no hybrid search; these have: {known}")
        self._profile = profile
        self._fusion = fusion
        self._index = StoreIndex(folder, embedder)
        self._reranker = reranker
        second = None if reranker is None else find_reranker_of(reranker)
        models: list[tuple[Reader | None, str]] = [(find_model_of(embedder), DEFAULT_MODEL), (second, MULTILINGUAL)]
        self._known = [(model, instead) for model, instead in models if model is not None]
        self._read: VectorIndex | None = None
        self._warnings: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What the last search could not do as it should, in a sentence each."""
        return tuple(filter(None, (*self._warnings, self._index.problem)))

    def open_search(self, documents: Sequence[Document], unreadable: Iterable[UnreadableFile] = ()) -> HybridSearch:
        """A search over these documents; what changed since the last one is embedded first."""
        index = self._index.read(documents)
        if index is not self._read:  # to count the letters of a store is a good part of a search
            texts = [document.text for document in documents]
            warnings = [warn_of_language(model, texts, instead) for model, instead in self._known]
            self._read, self._warnings = index, tuple(filter(None, warnings))
        return HybridSearch(documents, self._profile, index, unreadable, self._reranker, self._fusion)
