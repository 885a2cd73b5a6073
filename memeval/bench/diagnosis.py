"""Why a wording is a miss, in one line a person can act on. Facts about query and file only; no cure is promised."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from memeval.bench.rewordings import exchange_characters
from memeval.errors import NotInstalledError
from memeval.memory.document import Document
from memeval.memory.terms import is_edgeless
from memeval.retrieval.base import Answer
from memeval.retrieval.simplified import load_simplified
from memeval.retrieval.tokens import locate_tokens, tokenise
from memeval.ruler import locate_stopped, locate_terms, ruler_terms
from memeval.testbed.scripts import may_differ_in_script
from memeval.text import fold, split_terms

MAX_NAMED_WORDS = 4
"""Words named in a reason; more do not help to recognise the case."""

_HIRAGANA = re.compile("[\u3041-\u309f]")
"""Pairs with hiragana are endings and particles: they stand in any text and explain nothing."""


def explain_miss(query: str, answer: Answer, ranks: Mapping[str, int], expected: Sequence[Document]) -> str:
    """One line on a miss: a false hit, a display that was full, or a file that did not match and why not.

    Args:
        query: the wording.
        answer: what came back.
        ranks: {doc_id: rank from 1} of all candidates.
        expected: the relevant documents; empty when nothing is stored.
    """
    if not expected:
        return f"false hit: {_count(len(answer.blocks), 'file')} shown although nothing is stored"
    ranked = sorted((ranks[document.doc_id], document.doc_id) for document in expected if document.doc_id in ranks)
    if ranked:
        rank, doc_id = ranked[0]
        shown = _count(len(answer.blocks), "file")
        return f"matched but not shown: {doc_id} is rank {rank} of {len(answer.hits)}, the cap was full after {shown}"
    others = (
        f"not matched, {_count(len(answer.hits), 'other file')} matched" if answer.hits else "nothing matched at all"
    )
    return f"{others}: {_explain_gap(query, expected)}"


def _explain_gap(query: str, expected: Sequence[Document]) -> str:
    """What the query and the expected files share, from the nearest kind of meeting to the farthest."""
    texts = tuple(f"{document.name}\n{document.text}" for document in expected)
    files = "the file" if len(expected) == 1 else "the files"
    terms = split_terms(query)
    telling = [term for term in terms if not _is_filler(term)] or list(terms)
    folded = [fold(text) for text in texts]
    whole = [term for term in telling if any(_stands_whole(fold(term), text) for text in folded)]
    if whole and any(fold(query.strip()) in text for text in folded):
        return f"{_stands(whole)} in {files}, which this variant does not count"
    if whole:
        return f"{_stands(whole)} in {files}, the whole query as one literal does not"
    widened = [term for term in telling if any(_unify_width(term) in text for text in map(_unify_width, texts))]
    if any(_unify_width(term) != fold(term) or not _stand([term], folded) for term in widened):
        return f"width or form: {_stands(widened)} in {files} in other characters of the same meaning (Unicode NFKC)"
    forms = _find_forms(query, texts)
    same = [word for word, form in forms.items() if fold(form) == fold(word)]
    if same:
        return f"{_stands(same)} in {files}, the whole query as one literal does not"
    if forms:
        named = ", ".join(f"“{word}” as “{form}”" for word, form in list(forms.items())[:MAX_NAMED_WORDS])
        return f"another form: of the query's words {files} {'has' if len(expected) == 1 else 'have'} only {named}"
    inside = [term for term in _stand(telling, folded) if len(term) > 1]
    if inside:
        return f"{_stands(inside)} in {files} only inside a longer word"
    tokens = dict.fromkeys(tokenise(query))
    stored = frozenset[str]().union(*map(_tokens_of, texts))
    cut = _find_cut(query)
    shared = [token for token in tokens if token in stored and is_edgeless(token[0]) and token not in cut]
    if shared:
        return f"segmentation: {_stands(shared)} in {files}, the query's unbroken run of characters does not"
    has_fillers = any(_stands_whole(fold(term), text) for term in terms for text in folded)
    return _explain_absence(query, texts, files, has_fillers=has_fillers)


def _explain_absence(query: str, texts: tuple[str, ...], files: str, *, has_fillers: bool) -> str:
    """What is left to say where no word meets: the other script of Chinese, as far as it can be tried, or a gap."""
    word = "no word of the query but fillers" if has_fillers else "no word of the query"
    if may_differ_in_script(query, texts):
        try:
            simplified = load_simplified()
        except NotInstalledError:
            return (
                f"vocabulary gap or script: {word} stands in {files} as written; the other script of Chinese was not "
                "tried, for want of OpenCC (extra opencc, variant memeval+opencc)"
            )
        tokens = {token: exchange_characters(token, simplified) for token in dict.fromkeys(tokenise(query))}
        stored = frozenset[str]().union(*(tokenise(exchange_characters(text, simplified)) for text in texts))
        cut = _find_cut(query)
        others = [token for token, simple in tokens.items() if simple in stored and token not in cut]
        if others:
            return (
                f"script: {_stands(others)} in {files} in the other characters of Chinese, Traditional or Simplified, "
                "which the variant memeval+opencc reads as one"
            )
    return f"vocabulary gap: {word} stands in {files}"


def _is_filler(term: str) -> bool:
    """Whether a term is letters alone and the ruler counts none of them: `how`, a single letter, `怎么`."""
    return term.isalpha() and not ruler_terms(term)


def _stand(terms: Sequence[str], folded: Sequence[str]) -> list[str]:
    return [term for term in terms if any(fold(term) in text for text in folded)]


def _stands_whole(term: str, text: str) -> bool:
    """Whether a term stands somewhere with an edge on either side; scripts without spaces have one everywhere."""
    at = text.find(term) if term else -1
    while at >= 0:
        end = at + len(term)
        if not _are_joined(text[at - 1 : at], term[0]) and not _are_joined(term[-1], text[end : end + 1]):
            return True
        at = text.find(term, at + 1)
    return False


def _are_joined(one: str, other: str) -> bool:
    """Whether two characters are of one word; nothing is joined to the end of a text."""
    return one.isalnum() and other.isalnum() and not is_edgeless(one) and not is_edgeless(other)


def _find_forms(query: str, texts: tuple[str, ...]) -> dict[str, str]:
    """{word of the query: the word of the same stem that stands first in the files}, as both are written."""
    written, places = locate_terms(query)
    forms = _forms_of(texts)
    return {
        written[place.start : place.end]: forms[place.term]
        for place in places
        if not place.is_paired and place.term in forms
    }


@lru_cache(maxsize=16)
def _forms_of(texts: tuple[str, ...]) -> dict[str, str]:
    """{term of the ruler that is a word: how it is written first}."""
    found: dict[str, str] = {}
    for text in texts:
        written, places = locate_terms(text)
        for place in places:
            if not place.is_paired:
                found.setdefault(place.term, written[place.start : place.end])
    return found


def _find_cut(query: str) -> frozenset[str]:
    """The query's tokens that mean nothing: with hiragana, or wherever they stand within or across a function word."""
    stopped = locate_stopped(fold(query))
    kept = {token for token, start, end in locate_tokens(query) if stopped.isdisjoint(range(start, end))}
    return frozenset(token for token in tokenise(query) if token not in kept or _HIRAGANA.search(token))


@lru_cache(maxsize=64)
def _tokens_of(text: str) -> frozenset[str]:
    # kept for a while: the wordings of a need come one after the other and expect the same files
    return frozenset(tokenise(text))


def _unify_width(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _stands(words: Sequence[str]) -> str:
    more = f" and {len(words) - MAX_NAMED_WORDS} more" if len(words) > MAX_NAMED_WORDS else ""
    named = ", ".join(f"“{word}”" for word in words[:MAX_NAMED_WORDS])
    return f"{named}{more} {'stands' if len(words) == 1 else 'stand'}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
