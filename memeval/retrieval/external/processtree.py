"""The processes below a running one, in whatever groups and sessions: found, and ended with it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_PROCESSES = Path("/proc")
_PS = ("ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "pgid=")
"""As POSIX has it, for systems without /proc."""
_PS_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Process:
    """A process as the system lists it."""

    pid: int
    parent: int
    group: int


def end_tree(pid: int) -> None:
    """None, once a running process and all below it have been ended.

    All are stopped before the first is ended: what is stopped starts nothing more, and what it started stays its own.
    Where the system lists no processes, it is the one alone.
    """
    stopped: list[int] = []
    new = [pid]
    while new:
        _signal_all(new, signal.SIGSTOP)
        stopped += new
        new = sorted(find_below(pid, list_processes()) - {*stopped})
    _signal_all(stopped, signal.SIGKILL)


def find_below(pid: int, processes: Iterable[Process]) -> set[int]:
    """The pids of those in the group of a process, of what these have started, and so on; without its own.

    What a process outside the group started is not below once that has ended: the system gives it to another parent.
    """
    children: dict[int, list[int]] = {}
    found: set[int] = set()
    for process in processes:
        children.setdefault(process.parent, []).append(process.pid)
        if process.group == pid:
            found.add(process.pid)
    waiting = [pid, *found]
    while waiting:
        new = {*children.get(waiting.pop(), ())} - found
        found |= new
        waiting += new
    return found - {pid}


def list_processes() -> list[Process]:
    """Every process that can be seen, as /proc has it, else as `ps` tells; none where there is neither."""
    if (_PROCESSES / "self" / "stat").exists():
        return [process for entry in _PROCESSES.iterdir() if (process := _read_entry(entry)) is not None]
    try:
        listed = subprocess.run(_PS, capture_output=True, timeout=_PS_SECONDS, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    return [Process(*map(int, line.split())) for line in listed.splitlines()]


def _read_entry(entry: Path) -> Process | None:
    if not entry.name.isdecimal():
        return None
    try:
        told = (entry / "stat").read_bytes()
    except OSError:  # it has ended meanwhile
        return None
    parent, group = told.rpartition(b")")[2].split()[1:3]  # behind the name, which may hold anything, is the state
    return Process(int(entry.name), int(parent), int(group))


def _signal_all(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
