"""How the program speaks and ends: any text on any stream, one line for an error, one table of exit codes."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import shlex
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from memeval.errors import MemevalError, UnreadableFileError

if TYPE_CHECKING:
    from memeval.memory.document import UnreadableFile

EXIT_REGRESSION = 1
EXIT_HARNESS_ERROR = 2
EXIT_STOPPED = 130
"""128 + SIGINT, as shells have it."""
EXIT_UNREAD = 141
"""128 + SIGPIPE, as shells have it: who read the output has gone."""

MAX_NAMED_FILES = 5
_ANY_LENGTH = 1000
"""Characters of a first sentence: none is so long."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


class Verbs(click.Group):
    """A group that lists its verbs in the order they were added, each with its whole first sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the verbs."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list that `--help` ends with."""
        listed = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, verb.get_short_help_str(_ANY_LENGTH)) for name, verb in listed if verb and not verb.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


class Program(Verbs):
    """A group whose every end is in the table: what goes wrong is one line on stderr and an exit code, never a trace.

    Only a fault of memeval itself shows its trace, since someone has to look for it; it exits with 2 like the rest.
    """

    def main(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - click's own signature
        """Run the command line and exit; with `standalone_mode=False`, click's own behaviour."""
        if not options.get("standalone_mode", True):
            return super().main(*args, **options)
        options["standalone_mode"] = False
        prepare_streams()
        sys.exit(finish(lambda: super(Program, self).main(*args, **options)))

    def make_context(self, *args: Any, **options: Any) -> click.Context:  # noqa: ANN401 - click's own signature
        """The context of the command line; here `--help` is printed."""
        with _notice_reader():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """What the verb returns."""
        with _notice_reader():
            return super().invoke(ctx)


class _ReaderGoneError(Exception):
    """A broken pipe. click would make an exit code of 1 of it, which stands for a regression here."""


@contextmanager
def _notice_reader() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise _ReaderGoneError from error


def prepare_streams() -> None:
    """Let both streams take any text: what they cannot encode is written as an escape, so that nothing is lost."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def echo(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Write to standard output, or to standard error, at once and as it is.

    Raises:
        OSError: the stream cannot be written; it names the stream.
    """
    stream = sys.stderr if err else sys.stdout
    if stream is None:  # closed by whoever started the program
        return
    try:
        stream.write(text + end)
        stream.flush()
    except OSError as error:
        name = "standard error" if err else "standard output"
        raise OSError(error.errno, error.strerror or str(error), name) from error


def echo_json(text: str, *, end: str = "\n") -> None:
    """Write JSON text to standard output; as ASCII where the stream is not UTF-8, so that it stays JSON."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if codecs.lookup(encoding).name != "utf-8":
        text = _NOT_ASCII.sub(lambda match: json.dumps(match.group())[1:-1], text)
    echo(text, end=end)


def read_input() -> str:
    """Standard input as UTF-8 text, every line end as it came.

    Raises:
        click.UsageError: there is no standard input.
        UnreadableFileError: it is not UTF-8.
    """
    if sys.stdin is None:
        raise click.UsageError("there is no standard input to read, and no CONTENT")
    content = sys.stdin.buffer.read()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableFileError(
            f"standard input is not UTF-8: byte 0x{content[error.start]:02x} in line {line}; nothing was written"
        ) from error


def quote_argument(path: Path | str) -> str:
    """A path as it can be typed behind a command."""
    text = str(path)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)


def finish(work: Callable[[], object]) -> int:
    """The exit code of `work`, whose own result is one where it is a number; every error is told on stderr."""
    code = EXIT_HARNESS_ERROR
    with _notice_stop() as stop:
        try:
            result = work()
            code = result if isinstance(result, int) else 0
        except (click.Abort, KeyboardInterrupt):
            stop.set()
        except _ReaderGoneError:
            code = EXIT_UNREAD
        except Exception as error:
            if not stop.is_set():
                _tell_error(error)
        if code and stop.is_set():
            code = EXIT_STOPPED
            tell("stopped by the keyboard")
        return code if drain_streams() or code else EXIT_HARNESS_ERROR


@contextmanager
def _notice_stop() -> Iterator[threading.Event]:
    """Whether Ctrl-C was pressed: a library that is just being loaded makes another error of the interrupt."""
    pressed = threading.Event()

    def note(number: int, frame: object) -> None:
        pressed.set()
        raise KeyboardInterrupt

    is_ours = threading.current_thread() is threading.main_thread()
    is_ours = is_ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        if is_ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _tell_error(error: Exception) -> None:
    """What went wrong, in one line; a fault of memeval itself with its trace before it."""
    if isinstance(error, click.ClickException):
        tell_refusal(error)
    elif isinstance(error, MemevalError):
        tell(str(error))
    elif isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename is not None else ""
        tell(f"{place}{error.strerror or error}")
    elif isinstance(error, UnicodeEncodeError):
        tell(f"{error.object[error.start : error.end]!r} cannot be written as {error.encoding}")
    else:
        with suppress(OSError):
            traceback.print_exception(error)
        tell(f"a fault in memeval itself, please report it: {type(error).__name__}: {error}")


def tell(message: str) -> None:
    """Write one line on stderr; nothing where that cannot be written."""
    if sys.getfilesystemencoding() != "utf-8" and not (message.isascii() and "\\udc" not in message):
        message += f" (file names are {sys.getfilesystemencoding()} here: set PYTHONUTF8=1, or LC_ALL=C.UTF-8)"
    with suppress(OSError):
        echo(f"memeval: {' '.join(message.splitlines())}", err=True)


def warn_of_unreadable(root: str | None, files: Sequence[UnreadableFile]) -> None:
    """Name on stderr, in one line, the files of a store that cannot be read; nothing where all can."""
    if files:
        more = f" and {len(files) - MAX_NAMED_FILES} more" if len(files) > MAX_NAMED_FILES else ""
        named = ", ".join(map(str, files[:MAX_NAMED_FILES]))
        left_out = "it is" if len(files) == 1 else "they are"
        tell(
            f"warning: {root}: cannot read {named}{more}; {left_out} left out. Make it readable UTF-8, or move it away"
        )


def tell_refusal(error: click.ClickException) -> None:
    """What click refuses, as one line with the way to the help; `memeval` alone shows the help."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
        with suppress(OSError):
            echo(error.format_message(), err=True)
        return
    message = " ".join(error.format_message().split())
    tell(message if context is None else f"{message} (see `{context.command_path} --help`)")


def drain_streams() -> bool:
    """Whether everything written has gone out; where not, the rest goes nowhere and Python's end stays quiet."""
    drained = True
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:
                stream.flush()
            except OSError:
                drained = False
                _abandon(stream)
    return drained


def _abandon(stream: TextIO) -> None:
    with suppress(OSError):  # a stream of a test has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
