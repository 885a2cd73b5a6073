"""One call of a program: with it ends what it started, in whatever session that is."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from memeval.errors import ExternalSystemError
from memeval.retrieval.external import program
from memeval.retrieval.external.program import end_program, run_program, start_program

CHILD = """
import os, sys, time
_, fifo, where = sys.argv
if where == "session":
    os.setsid()
if where == "group":
    os.setpgid(0, 0)
pipe = os.open(fifo, os.O_WRONLY)
if os.fork() == 0 and where == "session":
    os.setsid()
os.write(pipe, b"here")
time.sleep(60)
"""
"""Two processes that say so in a pipe, and hold it open as long as they live."""

HERE = b"here"
PROGRAM = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-I", "-c", {CHILD!r}, *sys.argv[1:3]], stdout=subprocess.DEVNULL)
time.sleep(60)
"""


@contextmanager
def watch(fifo):
    """Gives a reading end of a named pipe that does not wait for a writer."""
    os.mkfifo(fifo)
    reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        yield reading
    finally:
        os.close(reading)


def read(reading, size):
    """The next bytes; b"" once nobody holds the other end; None when nothing comes for long."""
    return os.read(reading, size) if select.select([reading], [], [], 20)[0] else None


@pytest.mark.parametrize("where", ["same", "group", "session"])
def test_a_running_program_is_ended_with_all_below_it(tmp_path, where):
    """Its group, other groups, sessions begun by what it started and by what that started."""
    fifo = tmp_path / "fifo"
    with watch(fifo) as reading:
        with start_program([sys.executable, "-I", "-c", PROGRAM, str(fifo), where], subprocess.DEVNULL) as process:
            said = [read(reading, len(HERE)), read(reading, len(HERE))]
            end_program(process)
        assert said == [HERE, HERE]
        assert process.returncode == -signal.SIGKILL
        assert read(reading, 1) == b""


@pytest.mark.slow
def test_an_output_held_open_by_what_stays_is_told():
    """The program has ended by then: it is not what gave no answer."""
    with pytest.raises(ExternalSystemError, match=r"'sh' ended, but what it started held its output open for 1 s"):
        run_program(["sh", "-c", "sleep 30 & echo MEMORY.md"], "", timeout_seconds=1)


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_program_that_never_stops_printing_is_ended(monkeypatch, stream):
    """Long before its time is over, and before the memory is full."""
    monkeypatch.setattr(program, "MAX_PRINTED_BYTES", 2**20)
    script = f"import sys\nwhile True: sys.{stream}.write('x' * 10_000)"
    with pytest.raises(ExternalSystemError, match="printed more than 1 MiB and was ended"):
        run_program([sys.executable, "-c", script], "", timeout_seconds=60)


def test_a_long_answer_in_parts_is_whole(monkeypatch):
    """However often what has come so far is measured; what is given is read as it is."""
    monkeypatch.setattr(program, "_LOOK_SECONDS", 0.001)
    script = "import sys, time\nfor part in sys.stdin.read().split(): print(part, flush=True); time.sleep(0.005)"
    parts = [f"{number}.md" for number in range(30)]
    assert run_program([sys.executable, "-c", script], " ".join(parts), timeout_seconds=60).split() == parts
