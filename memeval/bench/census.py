"""The census of a store: how large it is, what its context block loses, whether its words are those that are asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from memeval.bench.asked import AskedNeed
from memeval.bench.signalrecord import Census
from memeval.bench.signalrules import SignalRules
from memeval.bench.summary import INTERVAL_DIGITS
from memeval.memory.profile import DEFAULT_PROFILE, PROFILES
from memeval.memory.store import Memory
from memeval.retrieval.base import Variant
from memeval.ruler import ruler_terms, shared_terms
from memeval.testbed.corpus import Corpus
from memeval.text import utf8_length

_NO_CAP = 1 << 40
_ANY_DAY = "2000-01-01"
"""The day of a store without a log: no log of it is there to be injected."""


def take_census(corpus: Corpus, needs: Sequence[AskedNeed], variant: Variant, rules: SignalRules) -> Census:
    """The census of a store for one variant and the needs of one language. It informs and decides nothing."""
    files, size = len(corpus.documents), sum(utf8_length(document.text) for document in corpus.documents)
    cut, consistency = measure_cut(corpus, variant), measure_consistency(corpus, needs)
    notes = []
    if files > rules.max_files:
        notes.append(f"more than {rules.max_files:,} files")
    if cut is not None and cut > rules.max_cut:
        notes.append(f"the cap cuts more than {100 * rules.max_cut:.0f} % of the context block")
    if consistency is not None and consistency < rules.min_consistency:
        notes.append(f"fewer than {100 * rules.min_consistency:.0f} % of the words asked stand in the file")
    return Census(files=files, bytes=size, cut_share=cut, consistency=consistency, notes=tuple(notes))


def measure_cut(corpus: Corpus, variant: Variant) -> float | None:
    """The share of the bytes of a session's context block that lie beyond its cap, on the day of the newest log.

    None for a store that is not laid out as the engine lays it out, or whose block would be empty.
    """
    if corpus.kind != "store" or corpus.root is None:
        return None
    name = str(variant.configuration.get("profile", DEFAULT_PROFILE))
    profile = PROFILES.get(name, PROFILES[DEFAULT_PROFILE])
    day = max((document.date for document in corpus.documents if document.date), default=_ANY_DAY)
    memory = Memory(corpus.root, project=corpus.project, today=day, profile=profile.name)
    shown = memory.context_block()
    memory.profile = replace(profile, max_inject_bytes=_NO_CAP)
    whole = memory.context_block()
    if not shown or not whole:
        return None
    return round(max(0.0, 1 - utf8_length(shown) / utf8_length(whole)), INTERVAL_DIGITS)


def measure_consistency(corpus: Corpus, needs: Sequence[AskedNeed]) -> float | None:
    """The median over needs of the share of the first wording's terms that an expected file holds, in [0, 1].

    Of several expected files together. None without a need whose first wording has a term.
    """
    texts = {document.doc_id: f"{document.name}\n{document.text}" for document in corpus.documents}
    shares = []
    for need in needs:
        terms = ruler_terms(need.first.text)
        if terms:
            held = {
                term
                for doc_id, grade in need.first.expected.items()
                if grade >= 1
                for term in shared_terms(need.first.text, texts[doc_id])
            }
            shares.append(len(held) / len(terms))
    return round(median(shares), INTERVAL_DIGITS) if shares else None
