"""How the program speaks and ends: streams of any encoding, one line for an error, the table of exit codes."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import memeval
from memeval.cli import main
from memeval.cli_process import Program, echo, echo_json, finish, quote_argument
from memeval.errors import CorpusError

PACKAGE = Path(memeval.__file__).parent
TEXT = "監控 café 😀 €"
WHERE = ("--root", "mem", "--project", "shop-1a2b3c4d", "--today", "2026-03-28")
OTHER_STREAM = {"PYTHONIOENCODING": "cp1252"}
OTHER_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
needs_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without /dev/full")


def start(*arguments: object, **more: object) -> subprocess.CompletedProcess[bytes]:
    """The program run as a process of its own."""
    extra = more.pop("env", {})
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))}
    environment = {**inherited, "PYTHONPATH": str(PACKAGE.parent), **extra}
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60, **more}
    command = [sys.executable, "-m", "memeval.cli", *map(str, arguments)]
    return subprocess.run(command, env=environment, check=False, **options)


def fail(error: BaseException):
    """A verb that raises."""

    def work() -> object:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (CorpusError("notes: nothing to search"), 2, "memeval: notes: nothing to search\n"),
        (CorpusError("first\nsecond"), 2, "memeval: first second\n"),
        (OSError(28, "No space left on device", "r/report.md"), 2, "memeval: r/report.md: No space left on device\n"),
        (OSError("odd"), 2, "memeval: odd\n"),
        (click.UsageError("no such thing"), 2, "memeval: no such thing\n"),
        (click.ClickException("click's own exit code is 1"), 2, "memeval: click's own exit code is 1\n"),
        (click.Abort(), 130, "memeval: stopped by the keyboard\n"),
        (KeyboardInterrupt(), 130, "memeval: stopped by the keyboard\n"),
        (UnicodeEncodeError("ascii", "x監", 1, 2, "ordinal"), 2, "memeval: '監' cannot be written as ascii\n"),
    ],
)
def test_every_error_is_one_line_and_never_a_regression(error, code, told, capsys):
    """Exit 1 is kept for what was measured."""
    assert finish(fail(error)) == code
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", told)


def test_a_fault_of_memeval_shows_its_trace_and_exits_with_2(capsys):
    """Someone has to look for it, but it is no verdict."""
    assert finish(fail(KeyError("x"))) == 2
    *trace, last = capsys.readouterr().err.splitlines()
    assert trace[0].startswith("Traceback")
    assert last == "memeval: a fault in memeval itself, please report it: KeyError: 'x'"


@pytest.mark.parametrize(("result", "code"), [(None, 0), (0, 0), (1, 1), (2, 2)])
def test_a_verb_says_its_own_code(result, code):
    """What a verb returns is the exit code."""
    assert finish(lambda: result) == code


def test_a_broken_pipe_is_quiet_in_a_verb_and_in_help():
    """`memeval … | head` is neither an error to read nor a regression."""

    @click.group(cls=Program)
    def program() -> None:
        pass

    @program.command()
    def verb() -> None:
        raise BrokenPipeError(32, "Broken pipe")

    result = CliRunner().invoke(program, ["verb"])
    assert (result.exit_code, result.output) == (141, "")


def test_click_can_still_be_called_from_a_program():
    """Without standalone mode errors are raised, as click says."""
    with pytest.raises(click.UsageError):
        main.main(["nope"], standalone_mode=False)


@pytest.mark.parametrize(
    ("path", "shown"),
    [("a.yaml", "a.yaml"), ("two words/a", "'two words/a'"), ("-x.yaml", "./-x.yaml"), ("a'b", """'a'"'"'b'""")],
)
def test_a_path_can_be_copied_into_a_shell(path, shown):
    """Blanks, quotes and a dash in front keep their meaning."""
    assert quote_argument(path) == shown


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "utf-8", "utf-16"])
def test_json_stays_json_on_any_stream(encoding, monkeypatch):
    """What the stream cannot hold is an escape of JSON, pairs for characters beyond U+FFFF included."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace")
    monkeypatch.setattr(sys, "stdout", stream)
    value = {TEXT: [TEXT, "\udce9", '"\\']}
    echo_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(stream.buffer.getvalue().decode(encoding)) == value


def test_text_is_written_as_it_is_and_at_once(monkeypatch):
    """Colours of a stored text are not taken out, as click would."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", stream)
    echo("\x1b[31mred\r\n", end="")
    assert stream.buffer.getvalue() == b"\x1b[31mred\r\n"


@pytest.fixture
def store(small_suite, monkeypatch) -> Path:
    """The folder that holds store/ and queries/, and a note of many scripts in mem/."""
    folder = small_suite.parents[1]
    monkeypatch.chdir(folder)
    monkeypatch.setattr("memeval.report.write_report", lambda evaluation, place: [])  # plots take their time
    monkeypatch.setattr("memeval.report.write_page", lambda evaluation, place: [])
    note = folder / "mem/projects/shop-1a2b3c4d/notes/監控.md"
    note.parent.mkdir(parents=True)
    note.write_text(f"{TEXT}\n", encoding="utf-8")
    return folder


VERBS = (
    ("memory", "list", *WHERE),
    ("memory", "search", "監控", *WHERE),
    ("memory", "read", "note", "--name", "監控", *WHERE),
    ("memory", "context", *WHERE),
    ("memory", "write", "daily", TEXT, *WHERE),
    ("corpus", "describe", "mem"),
    ("corpus", "lint", "queries"),
    ("run", "--variant", "grep", "--out", "報告"),
    ("init", "mem", "--name", "監控"),
    ("export", "queries/shop.recall.yaml", "--out", "匯出"),
    ("corpus", "generate", "--documents", "10", "--needs", "1", "--sessions", "1", "--out", "世界"),
)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: " ".join(verb[:2]))
def test_text_that_a_stream_cannot_hold_is_escaped(store, verb):
    """A pipe of an old code page loses no finished work and no character."""
    plain = CliRunner().invoke(main, verb)
    for made in ("報告", "監控.recall.yaml", "匯出", "世界"):
        if Path(made).exists():
            Path(made).rename(f"first-{made}")
    escaped = CliRunner(charset="cp1252").invoke(main, verb)
    assert (plain.exit_code, escaped.exit_code) == (0, 0), plain.output + escaped.output
    today = plain.stdout.encode("cp1252", "backslashreplace").decode("cp1252")
    assert escaped.stdout == today


@pytest.mark.parametrize(
    "verb",
    [
        ("memory", "list", "--json", *WHERE),
        ("memory", "search", TEXT, "--json", *WHERE),
        ("memory", "read", "note", "--name", "監控", "--json", *WHERE),
        ("corpus", "lint", "queries", "--json"),
        ("run", "--variant", "grep", "--json", "-", "--out", "r"),
    ],
    ids=lambda verb: " ".join(verb[:2]),
)
def test_json_of_every_verb_is_ascii_where_the_stream_is_not_utf8(store, verb):
    """The same values, whatever the code page."""
    plain = json.loads(CliRunner().invoke(main, verb).stdout)
    result = CliRunner(charset="cp1252").invoke(main, verb)
    assert result.stdout.isascii()
    values = json.loads(result.stdout)
    if verb[0] == "run":
        del values["timings"], plain["timings"]
    assert values == plain


def walk(command: click.Command, path: tuple[str, ...] = ()):
    """Every verb with its words."""
    yield path
    for name, part in getattr(command, "commands", {}).items():
        yield from walk(part, (*path, name))


@pytest.mark.parametrize("words", list(walk(main)), ids=" ".join)
def test_help_is_ascii(words):
    """click writes it by itself, past our streams, so it has to fit any of them."""
    assert CliRunner().invoke(main, [*words, "--help"]).stdout.isascii()


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("cli*.py")), ids=lambda path: path.name)
def test_no_front_door_writes_or_exits_past_the_one_place(path):
    """Only there is known what a stream can hold, and which codes there are."""
    source = path.read_text(encoding="utf-8")
    outside = ("click.echo", "click.secho", "print(", "sys.stdout.write", "sys.exit", "click.open_file", "input(")
    found = {word for word in outside if word in source.replace("read_input(", "")}
    assert found <= ({"sys.exit"} if path.name == "cli_process.py" else set())


def test_the_exit_codes_stand_in_the_help():
    """One table for all verbs."""
    text = CliRunner().invoke(main, ["--help"]).stdout
    lines = [line.split()[0] for line in text.partition("Exit codes:")[2].partition("Options:")[0].splitlines() if line]
    assert [first for first in lines if first.isdigit()] == ["0", "1", "2", "3", "130", "141"]


@needs_full_device
@pytest.mark.parametrize(
    "verb",
    [
        ("variants", "--help"),
        pytest.param(("variants",), marks=pytest.mark.slow),
        pytest.param(("memory", "list", "--json", "--root", "."), marks=pytest.mark.slow),
    ],
)
def test_a_full_disk_behind_the_output_exits_with_2(tmp_path, verb):
    """Output that is lost is an error with one line, and Python's own end adds nothing."""
    with Path("/dev/full").open("wb") as full:
        result = start(*verb, stdout=full, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.decode().splitlines() in (
        ["memeval: standard output: No space left on device"],
        ["memeval: No space left on device"],
    )


@pytest.mark.slow
@needs_full_device
def test_an_error_that_cannot_be_told_still_exits_with_2(tmp_path):
    """A full disk behind stderr turns nothing into a regression."""
    with Path("/dev/full").open("wb") as full:
        assert start("run", "nowhere", stderr=full, cwd=tmp_path).returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="pipes of another kind")
@pytest.mark.parametrize("verb", ["variants", pytest.param("--help", marks=pytest.mark.slow)])
def test_a_reader_that_has_gone_is_no_error(verb):
    """The conventional code of a shell, and nothing on stderr."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = start(verb, stdout=writing)
    finally:
        os.close(writing)
    assert (result.returncode, result.stderr) == (141, b"")


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_ctrl_c_exits_with_130_without_a_trace(tmp_path):
    """The conventional code of a shell, and one line."""
    script = "import os, signal; from memeval import cli_memory; from memeval.cli import main\n"
    script += f"cli_memory.read_input = lambda: os.kill(os.getpid(), {int(signal.SIGINT)})\n"
    script += "main(['memory', 'write', 'daily', '--root', 'm', '--project', 'p-12345678'])"
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    result = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, check=False, cwd=tmp_path, timeout=60
    )
    assert result.returncode == 130
    assert result.stderr.decode().split("\n") == ["", "memeval: stopped by the keyboard", ""]


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_what_a_library_makes_of_ctrl_c_is_no_fault(capsys):
    """An interrupt amid an import may come out as another error; it stays one line and exit code 130."""

    def work():
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("cannot load module more than once per process") from None

    assert finish(work) == 130
    assert capsys.readouterr().err == "memeval: stopped by the keyboard\n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize(
    "environment",
    [pytest.param(OTHER_STREAM, id="code page", marks=pytest.mark.slow), pytest.param(OTHER_LOCALE, id="C locale")],
)
def test_a_store_of_any_script_is_read_under_any_locale(store, environment):
    """Names, words and texts in Han come through as a process gets them."""
    found = start("memory", "search", "監控", "--json", *WHERE, env=environment, cwd=store)
    assert found.returncode == 0, found.stderr
    (hit,) = json.loads(found.stdout.decode("ascii"))["hits"]
    assert hit["doc_id"] == "projects/shop-1a2b3c4d/notes/監控.md"
    shown = start("memory", "read", "note", "--name", "監控", *WHERE, env=environment, cwd=store)
    encoding = "cp1252" if environment is OTHER_STREAM else "ascii"
    assert shown.stdout == f"{TEXT}\n\n".encode(encoding, "backslashreplace").replace(b"\n", os.linesep.encode())


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="file names are always UTF-8 there")
def test_a_name_that_the_locale_cannot_hold_is_one_line(store):
    """It works or it is told what to set."""
    result = start("run", "沒有", env=OTHER_LOCALE, cwd=store)
    assert result.returncode == 2
    (line,) = result.stderr.decode("ascii").splitlines()
    assert "does not exist" in line
    assert "set PYTHONUTF8=1" in line
    made = start("init", "mem", "--name", "監控", env=OTHER_LOCALE, cwd=store)
    assert made.returncode == 0, made.stderr
    assert (store / "監控.recall.yaml").is_file()
