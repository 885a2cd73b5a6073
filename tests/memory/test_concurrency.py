"""Writers at the same time: every call that succeeds has left its line (reported fault B06)."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

PROJECT = "shop-1a2b3c4d"
WRITERS = 20
ROUNDS = 5

# The processes are forked from one that has loaded the engine, and start each round together.
WRITERS_SCRIPT = """
import sys
from multiprocessing import get_context
from memeval.memory import Memory
root, project, writers, rounds, *profiles = sys.argv[1:]
context = get_context("fork")
start = context.Barrier(int(writers), timeout=60)
def write(number):
    memories = [Memory(f"{root}/{name}", project=project, today="2026-07-03", profile=name) for name in profiles]
    for turn in range(int(rounds)):
        start.wait()
        for memory in memories:
            for target in ("daily", "long_term"):
                memory.write(target, f"- w{number} round {turn}\\n", "append")
processes = [context.Process(target=write, args=(number,)) for number in range(int(writers))]
for process in processes:
    process.start()
for process in processes:
    process.join()
sys.exit(any(process.exitcode for process in processes))
"""


def expected(rounds):
    return sorted(f"- w{number} round {turn}" for number in range(WRITERS) for turn in range(rounds))


@pytest.mark.slow
def test_processes_lose_no_line(desks, tmp_path):
    """Twenty processes, five rounds, a log and long-term memory of each profile: as many whole lines as calls."""
    arguments = [str(tmp_path), PROJECT, str(WRITERS), str(ROUNDS), *desks]
    subprocess.run([sys.executable, "-c", WRITERS_SCRIPT, *arguments], check=True)
    for desk in desks.values():
        for file in (desk.daily / "2026-07-03.md", desk.long_term):
            assert sorted(file.read_text().splitlines()) == expected(ROUNDS)
        assert sorted(desk.files()) == ["MEMORY.md", f"projects/{PROJECT}/daily/2026-07-03.md"]


@pytest.mark.parametrize("target", ["daily", "long_term", "scratchpad"])
def test_threads_lose_no_line(desk, profile, target):
    """The same within one process, through one store object and through one for each thread."""
    shared = desk.open(profile)
    start = threading.Barrier(WRITERS)
    refused = []

    def write(number):
        memory = shared if number % 2 else desk.open(profile)
        start.wait()
        try:
            for turn in range(ROUNDS):
                memory.write(target, f"- w{number} round {turn}\n")
        except Exception as error:
            refused.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == []
    assert sorted(shared.read(target).splitlines()) == expected(ROUNDS)


def test_the_duplicate_check_is_under_the_lock(desk):
    """Of twenty threads that append the same line, one writes it."""
    start = threading.Barrier(WRITERS)
    said = []

    def write():
        memory = desk.open("current")
        start.wait()
        said.append(memory.write("long_term", "- the same\n"))

    threads = [threading.Thread(target=write) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(message.startswith("Wrote") for message in said) == 1
    assert desk.long_term.read_text() == "- the same\n"


def test_a_reader_sees_a_whole_file(desk):
    """While a file is replaced again and again, every read gives one of the two texts, never a part or nothing."""
    versions = {"a" * 30_000, "b" * 20_000}
    memory = desk.open("current")
    memory.write("note", "a" * 30_000, "overwrite", name="n")
    stop = threading.Event()

    def write():
        while not stop.is_set():
            for text in sorted(versions):
                memory.write("note", text, "overwrite", name="n")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        seen = {memory.read("note", "n") for _ in range(300)}
    finally:
        stop.set()
        writer.join()
    assert seen <= versions
