"""One call of a program: text in, text out, never longer than it may take."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from memeval.errors import ExternalSystemError
from memeval.retrieval.external.processtree import end_tree

_PLACE = re.compile(r"\{(query|root|k)\}")
_MAX_TOLD = 200
"""Characters of what a program says about its failure."""
MAX_PRINTED_BYTES = 64 * 2**20
"""Of one answer. A program that never stops would fill the memory long before its time is over."""
_LOOK_SECONDS = 0.1
"""How often what has come so far is measured."""


def split_command(command: str) -> tuple[str, ...]:
    """The words of a command line, by the rules of a POSIX shell; nothing of it is run by a shell.

    Raises:
        ExternalSystemError: it is empty, or a quotation is not closed.
    """
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise ExternalSystemError(f"{command!r} is no command line: {error}") from None
    if not words or not words[0]:
        raise ExternalSystemError("the command is empty; write the program and its arguments")
    return words


def fill_words(words: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """The words with {query}, {root} and {k} in them replaced by the values there are; other braces stay."""
    return [_PLACE.sub(lambda place: values.get(place[1], place[0]), word) for word in words]


def start_program(words: Sequence[str], stderr: int) -> subprocess.Popen[bytes]:
    """The program, started in a group of its own, so that what it starts can be ended with it.

    Raises:
        ExternalSystemError: it is not there, may not be run, or an argument cannot be passed.
    """
    try:
        return subprocess.Popen(
            [_encode(word) for word in words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
    except FileNotFoundError:
        raise ExternalSystemError(f"there is no program {words[0]!r}; install it, or write its whole path") from None
    except (OSError, ValueError) as error:  # UnicodeError is a ValueError
        raise ExternalSystemError(f"{words[0]!r} cannot be started: {error}") from error


def end_program(process: subprocess.Popen[bytes]) -> None:
    """None, once the program and those it started are gone.

    What a program that has ended by itself left behind in a session of its own was meant to stay, and does.
    """
    if sys.platform == "win32":
        process.kill()
    else:
        if process.poll() is None:
            end_tree(process.pid)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        except PermissionError:  # what is left of a group that ended, on macOS
            process.kill()
    process.wait()


def run_program(words: Sequence[str], given: str, *, timeout_seconds: float, no_match_exit: int | None = None) -> str:
    """What the program printed, as UTF-8 text; empty when it ended with the code that says nothing was found.

    Args:
        words: the program and its arguments.
        given: its standard input.
        timeout_seconds: how long it may take.
        no_match_exit: the exit code that says nothing was found; 0 is one anyway.

    Raises:
        ExternalSystemError: it cannot be started, took too long, ended with another code, or printed what is not UTF-8
            or more than MAX_PRINTED_BYTES.
    """
    process = start_program(words, subprocess.PIPE)
    try:
        printed, told = _communicate(process, words[0], given.encode("utf-8", "replace"), timeout_seconds)
    except subprocess.TimeoutExpired:
        if process.poll() is not None:
            raise ExternalSystemError(
                f"{words[0]!r} ended, but what it started held its output open for {timeout_seconds:g} s; "
                "a program that goes on in the background closes its output"
            ) from None
        raise ExternalSystemError(f"{words[0]!r} gave no answer in {timeout_seconds:g} s and was ended") from None
    finally:
        end_program(process)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    if no_match_exit is not None and process.returncode == no_match_exit:
        return ""
    if process.returncode != 0:
        reason = describe_failure(told)
        # grep and its like end with 1, in silence, where nothing matches
        if not reason and not printed.strip() and no_match_exit is None and process.returncode > 0:
            reason = (
                f" and printed nothing; where that says that nothing was found, add --external-no-match "
                f"{process.returncode} (no_match_exit={process.returncode} in Python)"
            )
        raise ExternalSystemError(f"{words[0]!r} ended with exit code {process.returncode}{reason}")
    try:
        return printed.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ExternalSystemError(
            f"{words[0]!r} printed what is not UTF-8: byte 0x{printed[error.start]:02x} at {error.start}"
        ) from None


def _communicate(
    process: subprocess.Popen[bytes], program: str, given: bytes, timeout_seconds: float
) -> tuple[bytes, bytes]:
    """(standard output, standard error); raises TimeoutExpired as `Popen.communicate` does."""
    deadline = time.monotonic() + timeout_seconds
    data: bytes | None = given
    ended: tuple[bytes, bytes] | None = None
    while ended is None:
        left = deadline - time.monotonic()
        try:
            ended = process.communicate(data, timeout=max(min(left, _LOOK_SECONDS), 0))
            size = sum(map(len, ended))
        except subprocess.TimeoutExpired as expired:
            data = None  # it is being written
            size = len(expired.output or b"") + len(expired.stderr or b"")
            if left <= _LOOK_SECONDS and size <= MAX_PRINTED_BYTES:
                raise
        if size > MAX_PRINTED_BYTES:
            limit = MAX_PRINTED_BYTES // 2**20
            raise ExternalSystemError(f"{program!r} printed more than {limit} MiB and was ended; print the best files")
    return ended


def describe_failure(told: bytes) -> str:
    """`: ` and the last line of what a program said on standard error; empty when it said nothing."""
    lines = told.decode("utf-8", "replace").strip().splitlines()
    return f": {lines[-1].strip()[:_MAX_TOLD]}" if lines else ""


def _encode(word: str) -> str:
    """The word as the system takes it: UTF-8 whatever the locale is."""
    return os.fsdecode(word.encode("utf-8", "surrogateescape"))
