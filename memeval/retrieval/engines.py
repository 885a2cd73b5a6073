"""The memory engine's profiles as variants, with the aliases of the corpus or without any, and with scripts folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from memeval.memory.aliases import add_aliases, strip_aliases
from memeval.memory.discovery import DiscoverySearch
from memeval.memory.document import Document
from memeval.memory.profile import PROFILES, Profile
from memeval.memory.search import open_search
from memeval.retrieval.base import Retriever, Settings, Variant
from memeval.retrieval.engine import EngineRetriever
from memeval.retrieval.simplified import load_simplified

ARTICLE = "zerostack memory, the article"
CURRENT = "zerostack memory, its later form"
OWN = "this engine's own profile; memeval/memory/ranking.py"


def build_engine(documents: Sequence[Document], settings: Settings, *, profile: str) -> Retriever:
    """The engine in one profile; its cap is its own, so the budget of a run does not touch it."""
    return EngineRetriever(open_search(documents, choose_profile(profile, settings)))


def choose_profile(name: str, settings: Settings) -> Profile:
    """The profile of that name, with another cap where the settings have one."""
    cap = settings.engine_cap_bytes
    return PROFILES[name] if cap is None else replace(PROFILES[name], max_search_bytes=cap)


def build_with_aliases(documents: Sequence[Document], settings: Settings, *, profile: str) -> Retriever:
    """The same over notes that hold the aliases of the corpus as well as their own."""
    return build_engine(
        [
            replace(document, text=add_aliases(document.text, settings.aliases.get(document.doc_id, ())))
            for document in documents
        ],
        settings,
        profile=profile,
    )


def build_without_aliases(documents: Sequence[Document], settings: Settings, *, profile: str) -> Retriever:
    """The same over notes whose own aliases were taken out."""
    bare = [replace(document, text=strip_aliases(document.text)) for document in documents]
    return build_engine(bare, settings, profile=profile)


def build_simplified(documents: Sequence[Document], settings: Settings, *, profile: str) -> Retriever:
    """The engine's own rule with Traditional characters read as Simplified ones, in notes and queries."""
    return EngineRetriever(DiscoverySearch(documents, choose_profile(profile, settings), characters=load_simplified()))


def _describe(profile: str, **more: str) -> dict[str, str | int | float]:
    limits = PROFILES[profile]
    return {
        "profile": profile,
        "max_bytes": limits.max_search_bytes,
        "finds_by": limits.finds_by.value,
        "context_lines": limits.context_lines,
        "max_regions": limits.max_regions,
        **more,
    }


ENGINES: tuple[Variant, ...] = (
    Variant(
        name="article",
        description="literal terms, any of them; the engine as first described, 16 KiB shown",
        source=ARTICLE,
        build=partial(build_engine, profile="article"),
        configuration=_describe("article"),
        default=True,
    ),
    Variant(
        name="current",
        description="literal terms, any of them; the engine's later form, 32 KiB shown",
        source=CURRENT,
        build=partial(build_engine, profile="current"),
        configuration=_describe("current"),
        default=True,
    ),
    Variant(
        name="memeval",
        description="words, stems, parts and character pairs by rarity; many candidates in 16 KiB",
        source=OWN,
        build=partial(build_engine, profile="memeval"),
        configuration=_describe("memeval"),
        default=True,
    ),
)
"""What an agent gets, by profile."""

ENGINE_STAGES: tuple[Variant, ...] = (
    *(
        Variant(
            name=f"{profile}+aliases",
            description=f"{profile}, with the aliases of the corpus put into the notes",
            source=f"{source}; aliases written at save time",
            build=partial(build_with_aliases, profile=profile),
            configuration=_describe(profile, aliases="of the notes and of the overlay"),
        )
        for profile, source in (("article", ARTICLE), ("current", CURRENT), ("memeval", OWN))
    ),
    *(
        Variant(
            name=f"{profile}-aliases",
            description=f"{profile}, with the notes' own aliases taken out",
            source=source,
            build=partial(build_without_aliases, profile=profile),
            configuration=_describe(profile, aliases="none"),
        )
        for profile, source in (("article", ARTICLE), ("memeval", OWN))
    ),
    Variant(
        name="memeval+opencc",
        description="memeval, with Traditional and Simplified Chinese read as one; needs OpenCC",
        source=f"{OWN}; OpenCC, t2s by character",
        build=partial(build_simplified, profile="memeval"),
        configuration=_describe("memeval", characters="opencc t2s"),
    ),
)
"""The same with a stage more or less: run when named."""
