"""A memory of plain Markdown files: search it, read it, write it. Knows nothing of evaluation."""

from memeval.memory.document import Document, Tier, UnreadableFile
from memeval.memory.profile import PROFILES, Profile, find_profile
from memeval.memory.search import Display, DisplayedBlock, Searcher, SearchHit, SearchResult

__all__ = [
    "PROFILES",
    "Display",
    "DisplayedBlock",
    "Document",
    "Profile",
    "SearchHit",
    "SearchResult",
    "Searcher",
    "Tier",
    "UnreadableFile",
    "find_profile",
]
