"""Memory: what an agent does with its store. Every change is made under one lock, and whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from memeval.errors import EditError, InvalidNameError, InvalidTargetError, MemoryStoreError
from memeval.memory.aliases import add_aliases, find_aliases, is_alias
from memeval.memory.disk import describe_refusal, load_text, lock_store, read_text, replace_file, unreadable_error
from memeval.memory.document import Document, Tier, UnreadableFile
from memeval.memory.inject import Section, compaction_heading, daily_entry, open_items, render_block, truncate
from memeval.memory.layout import (
    MEMORY_FILE,
    Layout,
    day_before,
    format_day,
    format_time,
    project_slug,
    read_documents,
)
from memeval.memory.lines import count_matches, drop_duplicates, fit_line_ends, fold_white_space, join_lines
from memeval.memory.profile import DEFAULT_PROFILE, find_profile
from memeval.memory.result import Result
from memeval.memory.search import GATED, LEXICAL, open_hybrid, open_search
from memeval.memory.searchlog import SearchLog, open_search_log
from memeval.text import cut_utf8, split_words, utf8_length

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder, Reranker

_MODES = ("append", "overwrite")
_LIST = "list"
EMPTY = "(empty)"
_WHOLE_NOTE_ONLY = (
    "memory_edit without old_str deletes a whole note; it is only allowed for target=note, "
    "not long_term/scratchpad/daily"
)
_BACKED_UP = frozenset({Tier.LONG_TERM, Tier.SCRATCHPAD})
_INJECTED_LOGS = 2


class Memory:
    """A memory store on disk, seen from one project.

    `root` is its folder, shown as it is given. `project` is a slug; `cwd` is a folder whose slug is taken when no
    project is given; with neither, only the files directly under the root are in reach. `today` is a date, an ISO
    string, or a callable that gives one; `now` a callable that gives the time (a datetime, a time, or `HH:MM`).
    Without them the local clock is asked, at each call, so that a store kept open past midnight writes to the new day.

    `search_log` notes every search and read of a file: a SearchLog, the path of one, or True for `searchlog.jsonl`
    under the root. What is found and read is the same with it and without it. Its times are those of `now` when that
    gives datetimes, else the local clock's.

    `retrieval` is `lexical`, by words, or `hybrid`, by words and meaning: the same tools and the same texts, with a say
    of a local model in the order. `embedder` is that model: an Embedder, its name, a folder that holds it, or
    `NAME=FOLDER`; None = the default one. `fusion` is how both make one order: `gated`, or `ranks`, plain reciprocal
    ranks. The index is one file under the root, derived from the texts and checked against them at each search.
    `reranker` is a model that reads the first of what a hybrid search finds again and puts them in its order: a
    Reranker, its name, a folder that holds it, or `NAME=FOLDER`; None = none does. Raises an EmbeddingError where a
    model is not to be had.

    Every method raises a MemoryStoreError, or one of its kinds, when it refuses a call; nothing is written then.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        project: str | None = None,
        cwd: str | os.PathLike[str] | None = None,
        today: date | str | Callable[[], date | str] | None = None,
        now: Callable[[], datetime | time | str] | None = None,
        profile: str = DEFAULT_PROFILE,
        search_log: SearchLog | str | os.PathLike[str] | bool | None = None,
        retrieval: str = LEXICAL,
        embedder: Embedder | str | os.PathLike[str] | None = None,
        reranker: Reranker | str | os.PathLike[str] | None = None,
        fusion: str = GATED,
    ) -> None:
        if project is None and cwd is not None:
            project = project_slug(cwd)
        self.profile = find_profile(profile)
        self._layout = Layout(os.fspath(root), project)
        if today is not None and not callable(today):
            format_day(today)  # a wrong day is refused here, not at the first write
        if now is not None and not callable(now):
            raise MemoryStoreError(f"now is {now!r}; it must be a callable that gives the time: now=lambda: '14:32'")
        self._today = today
        self._now = now
        self._search_log = open_search_log(search_log, self._layout.path(""))
        self.retrieval = retrieval
        self._hybrid = open_hybrid(retrieval, embedder, self.profile, self._layout.path(""), reranker, fusion)

    @property
    def problems(self) -> tuple[str, ...]:
        """What the last search could not do as it should, in a sentence each; none for a search by words."""
        return () if self._hybrid is None else self._hybrid.problems

    def write(
        self,
        target: str,
        content: str,
        mode: str = "append",
        name: str | None = None,
        aliases: Sequence[str] = (),
    ) -> str:
        """What was written and where; `mode` is `append` or `overwrite`, `name` that of a note.

        An append begins on a line of its own and ends with a line end. The daily log is today's. `aliases` are other
        words that one might look for a note by; they join those it has, in the form they have there. Where the profile
        keeps aliases, those of an overwritten note stay.
        """
        tier = _find_tier(target)
        if mode not in _MODES:
            raise InvalidTargetError(f"unknown mode {mode!r}; known: {', '.join(_MODES)}")
        if tier is not Tier.NOTE and name is not None:
            hint = "A daily write goes to today's log." if tier is Tier.DAILY else "Leave it out."
            raise InvalidNameError(f"target {tier.value} takes no name in a write, {name!r} was given. {hint}")
        doc_id = self._locate(tier, name)
        _check_encodable(content, "content")
        return self._write(tier, doc_id, content, mode, _check_aliases(tier, aliases))

    def edit(self, target: str, old: str | None = None, new: str = "", name: str | None = None) -> str:
        """What was edited; `old` must stand exactly once in the file. Without `old` a whole note is deleted.

        Lines given with LF are found in a file with CRLF, and what takes their place has CRLF, too.

        `name` is that of a note, or the date of an earlier daily log. Raises EditError when the profile has no edit,
        and when the text to replace is absent or stands more than once.
        """
        tier = _find_tier(target)
        if not self.profile.has_edit:
            raise EditError(f"the profile {self.profile.name!r} has no edit; write with mode='overwrite' instead")
        if old is None and tier is not Tier.NOTE:
            raise EditError(_WHOLE_NOTE_ONLY)
        if old == "":
            raise EditError("the text to replace is empty; give the text that stands in the file")
        doc_id = self._locate(tier, name)
        _check_encodable(new, "new text")
        self._read_existing(doc_id)  # before the lock, which would make the root of a store that is not there
        with self._change(doc_id):
            text = self._read_existing(doc_id)
            if old is None:
                self._back_up(doc_id, text)
                self._layout.path(doc_id).unlink()
                return f"Deleted {self._layout.shown(doc_id)}"
            old, new = fit_line_ends(text, old, new)
            matches = count_matches(text, old)
            if matches != 1:
                raise EditError(
                    f"old_str matched {matches} time(s) in {self._layout.shown(doc_id)}; it must match exactly once"
                )
            self._replace(doc_id, text.replace(old, new), backup=text if tier in _BACKED_UP else None)
        return f"Edited {self._layout.shown(doc_id)}"

    def read(self, source: str, name: str | None = None) -> str:
        """A file's text, cut at the profile's cap; `(empty)` when there is none.

        `source` is a tier, or `list` for the files in reach, one on a line. `name` is that of a note, or the date of
        an earlier daily log. Raises UnreadableFileError for a file that is there but cannot be read.
        """
        if source == _LIST:
            _refuse_name(_LIST, name)
            return self._show("\n".join(self.list()))
        doc_id = self._locate(_find_tier(source, extra=_LIST), name)
        content = self._read(doc_id)
        text = self._show(content or "")
        if self._search_log is not None:
            found = None if content is None else doc_id
            self._search_log.record_read(found, text, time=self._moment(), scope=self._layout.project)
        return text

    def list(self) -> list[str]:
        """The files in reach, relative to the root, sorted: those a search sees, and the scratchpad; no folders."""
        files, unlisted = self._layout.find_files()
        if unlisted:
            raise unreadable_error(unlisted)
        # a folder called x.md is named by a search as unreadable, and is nothing that one could read
        doc_ids = [doc_id for doc_id, _ in files if not self._layout.path(doc_id).is_dir()]
        if self._layout.project is not None and self._layout.path(self._layout.scratchpad()).exists():
            doc_ids.append(self._layout.scratchpad())
        return sorted(doc_ids)

    def documents(self) -> tuple[Document, ...]:
        """The documents a search sees, sorted by doc_id. Raises UnreadableFileError when one cannot be read."""
        documents, unreadable = read_documents(self._layout, shown_root=self._layout.root)
        if unreadable:
            raise unreadable_error(unreadable)
        return tuple(documents)

    def search(self, query: str, *, max_bytes: int | None = None) -> Result:
        """What the store holds on a query; files that cannot be read are named in the result, the others searched.

        Searched are the files directly under the root, and the project's notes and daily logs; never its scratchpad.

        `max_bytes` is for the search log alone: the cap that the result is going to be shown under, None = the
        profile's.
        """
        documents, unreadable = read_documents(self._layout, shown_root=self._layout.root)
        if self._hybrid is None:
            result = open_search(documents, self.profile, unreadable).search(query)
        else:
            result = self._hybrid.open_search(documents, unreadable).search(query)
        if self._search_log is not None:
            scope = self._layout.project
            self._search_log.record_search(result, time=self._moment(), scope=scope, max_bytes=max_bytes)
        return result

    def context_block(self) -> str | None:
        """The block to put before a session; None when there is nothing. A file that cannot be read says so in it."""
        today = self._day()
        long_term = self._section("Long-term memory (MEMORY.md)", MEMORY_FILE)
        if self._layout.project is None:
            return render_block([long_term], self.profile)
        scratchpad = self._section("Scratchpad (open items)", self._layout.scratchpad(), keep=open_items)
        if self.profile.injects_by_priority:
            logs = self._newest_logs(today)
            sections = [scratchpad, *logs[:1], long_term, *logs[1:]]
        else:
            yesterday = day_before(today)
            logs = tuple(self._log(day, today) for day in (yesterday, today) if day is not None)
            sections = [long_term, scratchpad, *logs]
        return render_block(sections, self.profile)

    def append_daily(self, heading: str, body: str) -> str:
        """What was written: an entry `### HH:MM — heading` with its body, at the end of today's log."""
        local = _local_time()  # asked once, so that day and minute belong together at midnight
        now = local if self._now is None else self._now()
        entry = daily_entry(format_time(now), fold_white_space(heading), body)
        _check_encodable(entry, "entry")
        return self._write(Tier.DAILY, self._layout.daily(self._day(local)), entry, "append")

    def flush_compaction_summary(self, summary: str, count: int | None = None) -> str:
        """What was written: a conversation's summary, of `count` messages, as an entry of today's log."""
        return self.append_daily(compaction_heading(count), summary)

    def _write(self, tier: Tier, doc_id: str, content: str, mode: str, aliases: Sequence[str] = ()) -> str:
        shown, cap, note = self._layout.shown(doc_id), self.profile.max_write_bytes, ""
        size = utf8_length(content)
        if cap is not None and size > cap:
            content = cut_utf8(content, cap)
            note = f" (truncated from {size} bytes to {cap} byte cap)"
        with self._change(doc_id):
            existing = self._read(doc_id)
            if mode == "overwrite":
                if tier is Tier.NOTE and self.profile.keeps_aliases:
                    aliases = (*find_aliases(existing or ""), *aliases)
                self._replace(doc_id, add_aliases(content, aliases), backup=existing if tier in _BACKED_UP else None)
            else:
                existing = existing or ""
                if tier is Tier.LONG_TERM and self.profile.drops_duplicates:
                    content, dropped = drop_duplicates(content, existing)
                    if dropped and not split_words(content):
                        return f"Nothing written to {shown}: all {dropped} line(s) were duplicates"
                    note += f" (skipped {dropped} duplicate line(s))" if dropped else ""
                self._replace(doc_id, add_aliases(join_lines(existing, content), aliases))
        note += f" (aliases: {', '.join(aliases)})" if aliases else ""
        return f"Wrote {utf8_length(content)} bytes to {shown}{note}"

    def _locate(self, tier: Tier, name: str | None) -> str:
        if tier is Tier.NOTE:
            return self._layout.note(name)
        if tier is Tier.DAILY:
            return self._layout.daily(self._day() if name is None else name)
        _refuse_name(tier.value, name)
        return MEMORY_FILE if tier is Tier.LONG_TERM else self._layout.scratchpad()

    @contextmanager
    def _change(self, doc_id: str) -> Iterator[None]:
        """Hold the lock for one change; a refusal of the system becomes an error of the store."""
        try:
            with lock_store(self._layout.path("")):
                yield
        except OSError as error:
            reason = describe_refusal(error, self._layout.path(doc_id))
            raise MemoryStoreError(f"{self._layout.shown(doc_id)}: {reason}; it is as it was before") from error

    def _read(self, doc_id: str) -> str | None:
        return read_text(self._layout.path(doc_id), self._layout.shown(doc_id))

    def _read_existing(self, doc_id: str) -> str:
        text = self._read(doc_id)
        if text is None:
            raise EditError(f"{self._layout.shown(doc_id)} does not exist, so there is nothing to edit in it")
        return text

    def _replace(self, doc_id: str, text: str, backup: str | None = None) -> None:
        """Put the text in place; `backup` is what stood there, where the profile keeps that."""
        kept = None if backup is None or not self.profile.keeps_backup else (self._backup_path(doc_id), backup)
        replace_file(self._layout.path(doc_id), text, self._layout.shown(doc_id), kept)

    def _back_up(self, doc_id: str, text: str) -> None:
        if self.profile.keeps_backup:
            replace_file(self._backup_path(doc_id), text, self._layout.shown(doc_id))

    def _backup_path(self, doc_id: str) -> Path:
        return self._layout.path(doc_id.removesuffix(".md") + ".bak")

    def _day(self, local: datetime | None = None) -> str:
        if self._today is None:
            return format_day(local or _local_time())
        return format_day(self._today() if callable(self._today) else self._today)

    def _moment(self) -> datetime:
        now = _local_time() if self._now is None else self._now()
        if not isinstance(now, datetime):  # a time of day is no moment
            now = _local_time()
        return now if now.tzinfo else now.astimezone()

    def _show(self, text: str) -> str:
        return truncate(text.removeprefix("\ufeff"), self.profile.max_inject_bytes) or EMPTY

    def _section(self, title: str, doc_id: str, keep: Callable[[str], str] = str) -> Section:
        text = load_text(self._layout.path(doc_id), self._layout.shown(doc_id))
        if isinstance(text, UnreadableFile):
            return Section(title, f"(unreadable: {text})")
        return Section(title, keep((text or "").removeprefix("\ufeff")))

    def _log(self, day: str, today: str) -> Section:
        label = " (today)" if day == today else ""
        return self._section(f"Daily log {day}{label}", self._layout.daily(day))

    def _newest_logs(self, today: str) -> tuple[Section, ...]:
        """The newest logs that hold something, then what of their folder could not be read."""
        days, unlisted = self._layout.find_days()
        logs = (self._log(day, today) for day in days)
        newest = islice((log for log in logs if split_words(log.text)), _INJECTED_LOGS)
        unreadable = ", ".join(str(file) for file in unlisted)
        return (*newest, Section("Daily logs", f"(unreadable: {unreadable})" if unreadable else ""))


def _find_tier(target: str, *, extra: str | None = None) -> Tier:
    try:
        return Tier(target)
    except ValueError:
        known = [tier.value for tier in Tier] + ([extra] if extra else [])
        raise InvalidTargetError(f"unknown target {target!r}; known: {', '.join(known)}") from None


def _check_aliases(tier: Tier, aliases: Sequence[str]) -> tuple[str, ...]:
    """The aliases without white space around them; MemoryStoreError for one that no form could hold."""
    if isinstance(aliases, str):
        raise MemoryStoreError(f"aliases is the text {aliases!r}; give a list of texts")
    if aliases and tier is not Tier.NOTE:
        raise MemoryStoreError(f"target {tier.value} takes no aliases; only a note has them")
    for alias in aliases:
        if not isinstance(alias, str) or not is_alias(alias) or "," in alias:  # a comma: several in one, by mistake
            raise MemoryStoreError(
                f"alias {alias!r}: an alias is a word or a few on one line, without commas and control characters; "
                "give each alias apart"
            )
    return tuple(alias.strip() for alias in aliases)


def _refuse_name(target: str, name: str | None) -> None:
    if name is not None:
        raise InvalidNameError(f"{target} takes no name, {name!r} was given; only note and daily have names")


def _check_encodable(content: str, what: str) -> None:
    try:
        content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise MemoryStoreError(
            f"the {what} holds half a character, U+{ord(content[error.start]):04X} at position {error.start}, "
            "which no UTF-8 file can hold; give the whole character"
        ) from None


def _local_time() -> datetime:
    return datetime.now().astimezone()
