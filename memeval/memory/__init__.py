"""A memory of plain Markdown files: write, edit, read, search, inject. Knows nothing of evaluation."""

from memeval.memory.document import Document, Tier, UnreadableFile
from memeval.memory.inject import append_memory_block, compaction_heading, effective_reserve, estimate_tokens
from memeval.memory.layout import list_projects, project_slug, read_store
from memeval.memory.profile import DEFAULT_PROFILE, PROFILES, Profile, find_profile
from memeval.memory.result import Display, DisplayedBlock, Hit, Result, Search
from memeval.memory.search import Searcher, SearchHit, SearchResult, open_search
from memeval.memory.searchlog import LogEvent, SearchLog, SearchLogContent, read_search_log
from memeval.memory.store import Memory

__all__ = [
    "DEFAULT_PROFILE",
    "PROFILES",
    "Display",
    "DisplayedBlock",
    "Document",
    "Hit",
    "LogEvent",
    "Memory",
    "Profile",
    "Result",
    "Search",
    "SearchHit",
    "SearchLog",
    "SearchLogContent",
    "SearchResult",
    "Searcher",
    "Tier",
    "UnreadableFile",
    "append_memory_block",
    "compaction_heading",
    "effective_reserve",
    "estimate_tokens",
    "find_profile",
    "list_projects",
    "open_search",
    "project_slug",
    "read_search_log",
    "read_store",
]
