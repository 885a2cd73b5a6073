"""Recorded sessions: readers of agents' transcripts, and the needs behind the searches in them."""

from memeval.sessions.episodes import Attempt, Closing, EpisodeRules, RecordedNeed, find_needs
from memeval.sessions.events import Event, Problem, Read, Search, SessionContent, UserTurn, Write
from memeval.sessions.existence import Evidence, Existence, StoreHistory, judge_existence, read_history
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.neutral import write_line
from memeval.sessions.readers import READERS, Recording, SessionReader, find_reader, read_recordings
from memeval.sessions.wordings import Change

__all__ = [
    "READERS",
    "Attempt",
    "Change",
    "Closing",
    "EpisodeRules",
    "Event",
    "Evidence",
    "Existence",
    "MemoryFiles",
    "Problem",
    "Read",
    "RecordedNeed",
    "Recording",
    "Search",
    "SessionContent",
    "SessionReader",
    "StoreHistory",
    "UserTurn",
    "Write",
    "find_needs",
    "find_reader",
    "judge_existence",
    "read_history",
    "read_recordings",
    "write_line",
]
