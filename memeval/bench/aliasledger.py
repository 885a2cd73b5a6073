"""The ledger of aliases: what each of them does, by leaving it out while all the others stay.

Only wordings that an alias answers to are asked again: those for which the variant itself finds it among all aliases as
small files of their own. Of these, none is asked for which the alias's file stands behind the first expected one: what
falls or goes from there moves nothing before it. What an alias does to other wordings, by making its file a few bytes
longer and a word less rare, is not seen; `ask_all` asks every wording again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from memeval.bench.aliaseffect import FIRST, AliasEffect, Reached, dress, measure_effect, reach
from memeval.bench.run import Progress, build_settings
from memeval.errors import CorpusError
from memeval.memory.aliases import add_aliases, find_aliases, strip_aliases
from memeval.memory.document import Document, Tier
from memeval.retrieval.base import Retriever, Settings, Variant
from memeval.ruler import file_terms, ruler_terms, shared_terms
from memeval.ruler.terms import normalise
from memeval.testbed.aliases import find_overlay
from memeval.testbed.needs import Query, Suite

ALL, NONE = "all aliases", "no aliases"


class Standing(str, Enum):
    """What an alias is worth on a suite."""

    GAINS = "gains"
    """Wordings of its own file are found by it, more than are lost elsewhere."""
    COSTS = "costs"
    """As many wordings are lost by it as are found, or more."""
    SHIFTS = "shifts"
    """It moves ranks, and nothing is found or lost."""
    DEAD = "dead"
    """Wordings answer to it, and none of them is answered in another way."""
    UNASKED = "unasked"
    """No wording answers to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasEntry:
    """One alias of one file, left out."""

    doc_id: str
    alias: str
    asked: int
    """Wordings that answer to it."""
    gained: tuple[str, ...]
    """Wordings that are only found with it."""
    lost: tuple[str, ...]
    """Wordings that are only found without it."""
    first_gained: tuple[str, ...]
    """Wordings with an expected file among the first five only with it."""
    first_lost: tuple[str, ...]
    risen: int
    """Wordings whose first expected file stands higher with it, or is a candidate only with it."""
    fallen: int
    false_hits: tuple[str, ...]
    """Wordings with nothing stored for which something is shown only with it."""
    rank_without: int | None
    """Of its file without it, when the alias itself is asked for; None where the file is no candidate then."""
    is_held: bool
    """The file holds all its terms without it, as the ruler reads them; so does an alias without any term."""
    is_worded: bool = False
    """It stands as it is in a wording of the suite that asks for its file: what it does there was fitted to it."""

    @property
    def standing(self) -> Standing:
        """What it is worth."""
        if self.gained or self.lost:
            return Standing.GAINS if len(self.gained) > len(self.lost) else Standing.COSTS
        if self.risen or self.fallen or self.first_gained or self.first_lost or self.false_hits:
            return Standing.SHIFTS
        return Standing.DEAD if self.asked else Standing.UNASKED

    @property
    def is_matched_anyway(self) -> bool:
        """Whether its file is among the first five without it, when the alias itself is asked for."""
        return self.rank_without is not None and self.rank_without <= FIRST


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasLedger:
    """Every alias of a corpus on one suite and variant."""

    suite: str
    variant: str
    lang: str | None
    wordings: int
    searches: int
    """Wordings asked again, over all aliases."""
    entries: tuple[AliasEntry, ...]
    """By file, in the order of its aliases."""
    effect: AliasEffect
    """All of them against none."""

    @property
    def is_fitted(self) -> bool:
        """Whether half of the aliases, or of those that gain, are words of the wordings that they are held to here."""
        return any(
            2 * sum(entry.is_worded for entry in some) >= len(some) > 0
            for some in (self.entries, [entry for entry in self.entries if entry.standing is Standing.GAINS])
        )


def keep_ledger(
    suite: Suite, variant: Variant, *, ask_all: bool = False, progress: Progress | None = None
) -> AliasLedger:
    """The ledger of the aliases in the notes and in the overlay of the corpus.

    Args:
        suite: whose wordings are asked.
        variant: a system without `+aliases` or `-aliases` in its name: the aliases are put in and left out here.
        ask_all: ask every wording again for each alias.
        progress: told after each alias.

    Raises:
        CorpusError: there is no alias.
    """
    aliases = gather_all(suite)
    if not aliases:
        raise CorpusError(
            f"corpus {suite.corpus.name!r} has no aliases, neither in its notes nor in an aliases.yaml beside them; "
            "`memeval aliases suggest` proposes some"
        )
    settings = build_settings(suite)
    bare = [replace(document, text=strip_aliases(document.text)) for document in suite.corpus.documents]
    documents = dress(bare, aliases)  # in one form, so that an alias left out is the only difference
    places = {document.doc_id: place for place, document in enumerate(documents)}
    queries = suite.queries()
    whole = variant.build(documents, settings)
    with_all = {query.id: _ask(whole, query) for query in queries}
    empty = variant.build(bare, settings)
    without = {query.id: reach(empty, query) for query in queries if query.need.relevant}
    wordings = gather_wordings(suite)
    askers = {} if ask_all else find_askers(variant, aliases, queries)
    entries: list[AliasEntry] = []
    searches = 0
    total = sum(map(len, aliases.values()))
    for doc_id, words in aliases.items():
        for alias in words:
            others = tuple(word for word in words if word != alias)
            place = places[doc_id]
            text = add_aliases(bare[place].text, others)
            left = replace(documents[place], text=text)
            retriever = variant.build([*documents[:place], left, *documents[place + 1 :]], settings)
            asked = queries if ask_all else askers.get((doc_id, alias), ())
            again = [query for query in asked if ask_all or with_all[query.id].may_move(doc_id)]
            searches += len(again)
            is_worded = _level(alias) in wordings.get(doc_id, "")
            entry = _enter(left, alias, retriever, again, with_all)
            entries.append(replace(entry, asked=len(asked), is_worded=is_worded))
            if progress is not None:
                progress(suite.name, f"{variant.name}, leaving out", len(entries), total)
    reached = {query_id: answer.reached for query_id, answer in with_all.items() if query_id in without}
    return AliasLedger(
        suite=suite.name,
        variant=variant.name,
        lang=suite.lang,
        wordings=len(queries),
        searches=searches,
        entries=tuple(entries),
        effect=measure_effect(without, reached, without=NONE, with_aliases=ALL),
    )


def gather_all(suite: Suite) -> dict[str, tuple[str, ...]]:
    """{doc_id: the aliases in the note itself, then those of the overlay}, of files that have some."""
    overlay = find_overlay(suite.corpus)
    gathered = {
        document.doc_id: find_aliases(add_aliases(document.text, overlay.get(document.doc_id, ())))
        for document in suite.corpus.documents
    }
    return {doc_id: words for doc_id, words in gathered.items() if words}


def gather_wordings(suite: Suite) -> dict[str, str]:
    """{doc_id: the wordings of the needs that ask for it, a line each}, in NFKC, folded, with single blanks."""
    gathered: defaultdict[str, list[str]] = defaultdict(list)
    for query in suite.queries():
        for doc_id in query.need.relevant:
            gathered[doc_id].append(_level(query.wording.text))
    return {doc_id: "\n".join(wordings) for doc_id, wordings in gathered.items()}


def _level(text: str) -> str:
    return " ".join(normalise(text).split())


def find_askers(
    variant: Variant, aliases: Mapping[str, Sequence[str]], queries: Iterable[Query]
) -> dict[tuple[str, str], list[Query]]:
    """{(doc_id, alias): the wordings that find it}, each alias a file of its own that holds nothing else."""
    keys = [(doc_id, alias) for doc_id, words in aliases.items() for alias in words]
    names = {f"alias-{number}": key for number, key in enumerate(keys)}
    files = [_make_file(name, alias) for name, (_, alias) in names.items()]
    retriever = variant.build(files, Settings())
    askers: defaultdict[tuple[str, str], list[Query]] = defaultdict(list)
    for query in queries:
        for hit in retriever.search(query.wording.text).hits:
            askers[names[hit.doc_id]].append(query)
    return dict(askers)


@dataclass(frozen=True, slots=True)
class _Answered:
    """How far a wording gets, and what comes back."""

    reached: Reached
    hits: tuple[str, ...]
    is_shown: bool

    def may_move(self, doc_id: str) -> bool:
        """Whether anything counted here may differ when a file falls in rank, or is no candidate any more."""
        if self.reached.rank is None or not self.reached.found:
            return True
        return doc_id in self.hits[: self.reached.rank]


def _ask(retriever: Retriever, query: Query) -> _Answered:
    answer, relevant = retriever.search(query.wording.text), query.need.relevant
    rank = next((place for place, hit in enumerate(answer.hits, start=1) if hit.doc_id in relevant), None)
    reached = Reached(query.need.id, not relevant.isdisjoint(answer.shown), rank)
    return _Answered(reached, tuple(hit.doc_id for hit in answer.hits), bool(answer.shown))


def _enter(
    document: Document, alias: str, retriever: Retriever, asked: Sequence[Query], with_all: Mapping[str, _Answered]
) -> AliasEntry:
    """The entry of an alias, from a search over the store in which its file, as given, does without it."""
    gained, lost, first_gained, first_lost, false_hits = [], [], [], [], []
    risen = fallen = 0
    for query in asked:
        now, was = with_all[query.id], _ask(retriever, query)
        if not query.need.relevant:
            false_hits += [query.id] if now.is_shown and not was.is_shown else []
            continue
        gained += [query.id] if now.reached.found and not was.reached.found else []
        lost += [query.id] if was.reached.found and not now.reached.found else []
        first_gained += [query.id] if now.reached.is_first and not was.reached.is_first else []
        first_lost += [query.id] if was.reached.is_first and not now.reached.is_first else []
        step = _depth(was.reached) - _depth(now.reached)
        risen += step > 0
        fallen += step < 0
    hits = retriever.search(alias).hits
    rank = next((place for place, hit in enumerate(hits, start=1) if hit.doc_id == document.doc_id), None)
    return AliasEntry(
        doc_id=document.doc_id,
        alias=alias,
        asked=len(asked),
        gained=tuple(gained),
        lost=tuple(lost),
        first_gained=tuple(first_gained),
        first_lost=tuple(first_lost),
        risen=risen,
        fallen=fallen,
        false_hits=tuple(false_hits),
        rank_without=rank,
        is_held=set(ruler_terms(alias)) <= set(shared_terms(alias, file_terms(document))),
    )


def _depth(reached: Reached) -> float:
    """The rank, beyond every rank where there is none."""
    return float("inf") if reached.rank is None else reached.rank


def _make_file(name: str, alias: str) -> Document:
    """A file that holds an alias and nothing else; its own name is empty, so that no query finds it by that."""
    return Document(doc_id=name, path=name, tier=Tier.NOTE, name="", text=alias)
