"""The processes below a running one: who is, and how they are listed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memeval.retrieval.external import processtree
from memeval.retrieval.external.processtree import Process, find_below, list_processes

OURS = 10


@pytest.mark.parametrize(
    ("processes", "below"),
    [
        ([], set()),
        ([Process(OURS, 1, OURS), Process(5, 1, 5)], set()),
        ([Process(OURS, 1, OURS), Process(11, OURS, OURS), Process(12, 11, 12), Process(13, 12, 13)], {11, 12, 13}),
        ([Process(13, 12, 13), Process(12, 11, 12), Process(11, OURS, 11), Process(OURS, 1, OURS)], {11, 12, 13}),
        ([Process(OURS, 1, OURS), Process(11, 1, OURS), Process(12, 11, 12)], {11, 12}),
        ([Process(OURS, 1, OURS), Process(12, 1, 12)], set()),
        ([Process(0, 0, 0), Process(1, 0, 1), Process(OURS, 1, OURS)], set()),
    ],
    ids=["none", "alone", "down", "in any order", "orphan of the group", "orphan of its own", "the system's first"],
)
def test_below_are_the_group_and_what_it_started(processes, below):
    """However deep, in whatever session; never the process itself, its parent, or others."""
    assert find_below(OURS, processes) == below


@pytest.mark.parametrize("way", ["proc", "ps"])
def test_processes_are_listed(tmp_path, monkeypatch, way):
    """By /proc, or by ps where there is none: ourselves, and a child that leads a group of its own."""
    if way == "ps":
        if shutil.which("ps") is None:
            pytest.skip("no ps")
        monkeypatch.setattr(processtree, "_PROCESSES", tmp_path)
    elif not Path("/proc/self/stat").exists():
        pytest.skip("no /proc")
    command = [sys.executable, "-I", "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as child:
        listed = list_processes()
        child.communicate(b"\n")
    assert Process(child.pid, os.getpid(), child.pid) in listed
    assert Process(os.getpid(), os.getppid(), os.getpgrp()) in listed


def test_a_system_that_lists_nothing_is_no_error(tmp_path, monkeypatch):
    """Neither /proc nor ps: what is left is the process itself and its group."""
    monkeypatch.setattr(processtree, "_PROCESSES", tmp_path)
    monkeypatch.setattr(processtree, "_PS", ("no-such-program-7f",))
    assert list_processes() == []
