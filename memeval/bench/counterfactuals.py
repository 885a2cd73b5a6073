"""What might have gone otherwise with a search that missed, each executed: one list, the cheapest cure first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from memeval.bench.missground import Ground, Miss
from memeval.bench.rewordings import (
    adopt_script,
    choose_best_words,
    drop_fillers,
    exchange_characters,
    has_runs,
    keep_terms,
    name_words,
    pair_runs,
    space_runs,
    stem_words,
    unify_width,
)
from memeval.bench.storechanges import Documents, blank_inside_words, change_texts, leave_out, write_aliases
from memeval.errors import NotInstalledError
from memeval.retrieval.base import Variant
from memeval.retrieval.recipes import find_variant
from memeval.retrieval.simplified import load_simplified
from memeval.ruler import shared_terms
from memeval.testbed.scripts import may_differ_in_script
from memeval.text import count, fold

MAX_TERMS_ALONE = 12
"""Terms of a query that are asked one by one."""
CAP_FACTORS = (2, 4)
"""Times the cap that is tried."""
DEPTH_FACTORS = (2, 4)
"""Times k that is read."""
MAX_WORDS_NAMED = 8
NO_EMBEDDER = "no embedding model is given; name one with --embedder"

ENGINE, FOLDED, HYBRID = "memeval", "memeval+opencc", "memeval+hybrid"


class Cost(str, Enum):
    """Who has to do something, and what: from one more search to another model."""

    QUERY = "another query"
    READING = "reading on"
    SETTING = "a setting"
    ENGINE = "another engine"
    NOTE = "a change to the notes"
    SCOPE = "another project searched"
    MODEL = "an embedding model"
    FITTED = "a note fitted to this wording"
    PROBE = "none: it shows a cause and is no cure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One search to make instead of the one that missed."""

    query: str
    documents: Documents
    variant: Variant
    cap_bytes: int | None = None
    """Cap on what is shown; None = as it was."""
    k: int | None = None
    """The file has to be among the first k; None = shown at all."""
    wanted: tuple[str, ...] = ()
    """The doc_ids of which one has to be shown."""
    cure: str = ""
    """What to do, if this finds the file; empty where that is no advice."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Why a counterfactual was not executed."""

    reason: str
    is_applicable: bool = False
    """It would apply, but something it takes is missing here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterfactual:
    """One thing that might have been otherwise."""

    name: str
    changes: str
    """What is different from the search that missed, everything else being equal."""
    cost: Cost
    plan: Callable[[Miss, Ground], Sequence[Attempt] | Skip]
    """The searches to try in order until one finds the file, or why there is none."""


def _ask(miss: Miss, ground: Ground, query: str, cure: str = "", documents: Documents | None = None) -> Attempt:
    return Attempt(
        query=query,
        documents=ground.documents if documents is None else documents,
        variant=ground.variant,
        k=miss.k,
        wanted=miss.expected,
        cure=cure,
    )


def _reword(miss: Miss, ground: Ground, query: str, advice: str) -> Sequence[Attempt] | Skip:
    if not query.strip():
        return Skip("nothing is left of the query")
    if query.split() == miss.query.split():
        return Skip("it leaves the query as it is")
    return [_ask(miss, ground, query, f"{advice}: “{query}”")]


def _drop_fillers(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    return _reword(miss, ground, drop_fillers(miss.query), "drop the filler words")


def _ask_alone(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    words = name_words(miss.query)
    if len(words) < 2:
        return Skip("the query is one term")
    counted = [word for word in words if drop_fillers(word)] or words
    return [_ask(miss, ground, word, f"ask for one word: “{word}”") for word in counted[:MAX_TERMS_ALONE]]


def _stem(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    return _reword(miss, ground, stem_words(miss.query), "write the stems of the words")


def _space(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    if not has_runs(miss.query):
        return Skip("the query has no unbroken run")
    return _reword(miss, ground, space_runs(miss.query, ground.stands), "write the query with spaces")


def _pair(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    if not has_runs(miss.query):
        return Skip("the query has no unbroken run")
    return _reword(miss, ground, pair_runs(miss.query), "write the query in pairs of characters")


def _widen_query(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    return _reword(miss, ground, unify_width(miss.query), "write the query in the usual width")


def _load_simplified(miss: Miss, ground: Ground) -> Mapping[str, str] | Skip:
    """{Traditional character: Simplified character}; without OpenCC why not, where the characters may be the cause."""
    try:
        return load_simplified()
    except NotInstalledError as error:
        if may_differ_in_script(miss.query, [document.text for document in ground.find_expected(miss)]):
            return Skip(str(error), is_applicable=True)
        return Skip("query and file are in one script")


def _exchange_script(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    simplified = _load_simplified(miss, ground)
    if isinstance(simplified, Skip):
        return simplified
    query = adopt_script(miss.query, [document.text for document in ground.find_expected(miss)], simplified)
    return _reword(miss, ground, query, "write the query in the characters of the notes")


def _read_on(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    if miss.k is None:
        return Skip("every file shown counts; only with --k")
    asked = _ask(miss, ground, miss.query)
    return [replace(asked, k=miss.k * factor, cure=f"k {miss.k * factor}") for factor in DEPTH_FACTORS]


def _raise_cap(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    if miss.rank is None:
        return Skip("the file is no candidate")
    cap = ground.find_cap()
    if cap is None:
        return Skip("what this variant shows is limited by its own rule")
    asked = _ask(miss, ground, miss.query)
    return [replace(asked, cap_bytes=cap * factor, cure=f"cap {_write_bytes(cap * factor)}") for factor in CAP_FACTORS]


def _change_engine(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    if ground.variant.configuration.get("profile") == ENGINE:
        return Skip(f"the variant is {ENGINE} itself")
    return [replace(_ask(miss, ground, miss.query, f"profile {ENGINE}"), variant=find_variant(ENGINE))]


def _fold_scripts(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    if ground.variant.name == FOLDED:
        return Skip(f"the variant is {FOLDED} itself")
    simplified = _load_simplified(miss, ground)
    if isinstance(simplified, Skip):
        return simplified
    texts = [miss.query, *(document.text for document in ground.find_expected(miss))]
    if all(exchange_characters(text, simplified) == text for text in texts):
        return Skip("neither query nor file has a Traditional character")
    asked = _ask(miss, ground, miss.query, f"profile {ENGINE} with OpenCC (variant {FOLDED})")
    return [replace(asked, variant=find_variant(FOLDED))]


def _remove_twins(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    twins = find_twins(miss, ground)
    if not twins:
        return Skip("the file has no near-duplicate")
    cure = f"remove or merge the twin {', '.join(twins)}"
    return [_ask(miss, ground, miss.query, cure, leave_out(ground.documents, twins))]


def find_twins(miss: Miss, ground: Ground) -> tuple[str, ...]:
    """The near-duplicates of the expected files that are not expected themselves, sorted."""
    found = frozenset[str]().union(*(ground.twins.get(doc_id, frozenset()) for doc_id in miss.expected))
    return tuple(sorted(found - set(miss.expected)))


def _widen_notes(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    documents = change_texts(ground.documents, unify_width)
    if all(one is other for one, other in zip(documents, ground.documents, strict=True)):
        return Skip("the notes are in one width")
    return [_ask(miss, ground, unify_width(miss.query), "save the notes in NFKC (one width)", documents)]


def _add_overlay(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    if ground.is_overlaid or "aliases" in ground.variant.configuration:
        return Skip("the aliases are on, or off by intent")
    if not ground.overlay:
        return Skip("the store has no aliases.yaml")
    held = [alias for doc_id in miss.expected for alias in ground.overlay.get(doc_id, ())]
    if not held:
        return Skip("aliases.yaml has none for the file")
    telling = [alias for alias in held if shared_terms(miss.query, alias)] or held
    documents = write_aliases(ground.documents, ground.overlay)
    return [_ask(miss, ground, miss.query, f"alias: {_name_words(telling)}", documents)]


def _add_other_wordings(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    aliases = [told for wording in miss.other_wordings if (told := drop_fillers(wording).replace(",", " "))]
    if not aliases:
        return Skip("the need has no other wording")
    telling = [alias for alias in aliases if shared_terms(miss.query, alias)]
    if not telling:
        return Skip("no other wording shares a word with this one")
    documents = write_aliases(ground.documents, dict.fromkeys(miss.expected, aliases))
    shared = _find_shared(miss.query, "\n".join(telling))
    return [_ask(miss, ground, miss.query, f"alias: {_name_words(shared)}", documents)]


def _find_shared(query: str, text: str) -> list[str]:
    """The words of a query that a text has, too, as they are written; of an unbroken run the stretches that it has."""
    named: list[str] = []
    for word in name_words(query):
        shared = shared_terms(word, text)
        named += keep_terms(word, shared) if has_runs(word) else [word] if shared else []
    return list(dict.fromkeys(named))


def _search_others(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    if not ground.others:
        return Skip("the store has no other project")
    attempts = []
    for project, documents in ground.others.items():
        holding = [
            document.doc_id
            for document in documents
            if document.doc_id in miss.expected or (miss.evidence and fold(miss.evidence) in fold(document.text))
        ]
        if holding:
            asked = _ask(miss, ground, miss.query, f"search project {project}", (*ground.documents, *documents))
            attempts.append(replace(asked, wanted=tuple(holding)))
    return attempts or Skip("no other project holds the file or its evidence")


def _embed(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    if ground.variant.needs_embedder or ground.variant.model is not None:
        return Skip("the variant has an embedding model already")
    if ground.settings.embedder is None:
        return Skip(NO_EMBEDDER, is_applicable=True)
    return [replace(_ask(miss, ground, miss.query, "local embedding"), variant=find_variant(HYBRID))]


def _add_own_words(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    # the second for engines that look for the query as it is, an unbroken run or a phrase
    queries = [query.replace(",", " ").split() for query in (drop_fillers(miss.query), miss.query)]
    aliases = dict.fromkeys(" ".join(words) for words in queries if words)
    attempts = []
    for alias in aliases:
        documents = write_aliases(ground.documents, dict.fromkeys(miss.expected, (alias,)))
        attempts.append(_ask(miss, ground, miss.query, f"alias: {alias}", documents))
    return attempts or Skip("the query is empty")


def _blank_inside(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    documents = blank_inside_words(ground.documents, name_words(miss.query), ground.vocabulary)
    if all(one is other for one, other in zip(documents, ground.documents, strict=True)):
        return Skip("no word of the query stands inside a longer one")
    return [_ask(miss, ground, miss.query, "", documents)]


def _ask_best(miss: Miss, ground: Ground) -> Sequence[Attempt] | Skip:
    expected = ground.find_expected(miss)
    chosen = [words for document in expected if (words := choose_best_words(document.text, ground.counts))]
    if not chosen:
        return Skip("the file has no words")
    queries = [" ".join(words) for words in chosen] + [word for words in chosen for word in words]
    return [_ask(miss, ground, query) for query in dict.fromkeys(queries)]


def _write_bytes(size: int) -> str:
    return f"{size // 1024} KiB" if size % 1024 == 0 else count(size, "byte")


def _name_words(words: Sequence[str]) -> str:
    more = len(words) - MAX_WORDS_NAMED
    return ", ".join(words[:MAX_WORDS_NAMED]) + (f" and {more} more" if more > 0 else "")


FILLERS, ALONE, STEMS, SPACED, PAIRS = "fillers dropped", "one term alone", "stems", "with spaces", "character pairs"
QUERY_WIDTH, QUERY_SCRIPT, DEEPER, CAP = "query in NFKC", "other script", "deeper k", "larger cap"
PROFILE, SCRIPTS, TWINS, NOTE_WIDTH = "profile memeval", "scripts as one", "twins removed", "all in NFKC"
ALIASES, OTHER_WORDS, PROJECTS, EMBEDDING = "aliases on", "other wordings", "other projects", "local embedding"
OWN_WORDS, INSIDE, BEST = "own words", "no inside hits", "best words"

COUNTERFACTUALS: tuple[Counterfactual, ...] = tuple(
    Counterfactual(name=name, cost=cost, plan=plan, changes=changes)
    for name, cost, plan, changes in (
        (FILLERS, Cost.QUERY, _drop_fillers, "the query without stop words, particles and frequent pairs"),
        (ALONE, Cost.QUERY, _ask_alone, "each telling term of the query as a search of its own"),
        (STEMS, Cost.QUERY, _stem, "each English word of the query as its stem"),
        (SPACED, Cost.QUERY, _space, "unbroken runs of the query cut into the longest pieces that the store holds"),
        (PAIRS, Cost.QUERY, _pair, "unbroken runs of the query as pairs of neighbouring characters"),
        (QUERY_WIDTH, Cost.QUERY, _widen_query, "the query in NFKC: full and half width as one"),
        (
            QUERY_SCRIPT,
            Cost.QUERY,
            _exchange_script,
            "the query in the file's characters, Traditional or Simplified",
        ),
        (DEEPER, Cost.READING, _read_on, "twice and four times as many files read"),
        (CAP, Cost.SETTING, _raise_cap, "twice and four times the bytes shown"),
        (PROFILE, Cost.ENGINE, _change_engine, "the variant memeval: stems, character pairs, rarity, width"),
        (SCRIPTS, Cost.ENGINE, _fold_scripts, "the variant memeval+opencc: Traditional and Simplified as one"),
        (TWINS, Cost.NOTE, _remove_twins, "the store without the near-duplicates of the file"),
        (NOTE_WIDTH, Cost.NOTE, _widen_notes, "query and notes in NFKC"),
        (ALIASES, Cost.NOTE, _add_overlay, "the store with the aliases of its aliases.yaml"),
        (OTHER_WORDS, Cost.NOTE, _add_other_wordings, "the words of the need's other wordings as aliases of the file"),
        (PROJECTS, Cost.SCOPE, _search_others, "the notes and logs of the other projects as well"),
        (EMBEDDING, Cost.MODEL, _embed, "the variant memeval+hybrid: words and meaning"),
        (OWN_WORDS, Cost.FITTED, _add_own_words, "the words of this very query as an alias of the file"),
        (INSIDE, Cost.PROBE, _blank_inside, "the store without longer words that hold a word of the query inside"),
        (BEST, Cost.PROBE, _ask_best, "the rarest words of the file itself, together and one by one"),
    )
)
"""In the order of what they cost."""
