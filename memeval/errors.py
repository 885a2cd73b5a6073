"""Every error the package raises on purpose.

MemevalError
├── MemoryStoreError          a call on the memory engine was refused; nothing was written
│   ├── InvalidTargetError        no such target, mode or source, or one that needs a project
│   ├── InvalidNameError          a note name or a daily date that could leave its folder
│   ├── EditError                 the text to replace is absent, ambiguous, or editing is not offered
│   └── UnreadableFileError       a file that is not UTF-8, or that the system refuses to open
├── CorpusError               a corpus or store folder that cannot be used as one
├── SuiteFileError            a suite file that does not say what it should (carries path, line, value)
├── BenchmarkFormatError      a BEIR folder or TREC file with a broken row (carries path, line)
├── TranscriptError           a recorded session that no reader takes, or that is damaged where none may be (path, line)
├── UnknownNameError          a variant, metric or profile that does not exist; names the choices
├── RunSettingError           a cutoff, depth or budget that a run cannot measure with
├── EmbeddingError            an embedding model or its folder that cannot be used as one
│   └── EmbedderUnavailableError  it is not on this machine, or a library it needs is not installed
├── NotInstalledError         an optional library or program that a variant needs; says how to get it
├── ExternalSystemError       a system beside this package that failed: a package, a command, a server
├── ContractError             a retriever that broke the rules every variant keeps
├── UngradableError           a wording that cannot be graded, since the variant is broken
└── EvaluationFileError       an evaluation.json that cannot be read back
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def advise_install(extra: str) -> str:
    """How an optional part of this package is installed, as `pip install "memeval[opencc] @ git+<address …>"`.

    Never by the bare name: on the public index that is another project's.
    """
    return f'pip install "memeval[{extra}] @ git+<address of the memeval repository>"'


class MemevalError(Exception):
    """Root of the tree: catch this to catch whatever the package refuses."""


class MemoryStoreError(MemevalError):
    """A call on the memory engine was refused; the store is as it was before."""


class InvalidTargetError(MemoryStoreError):
    """The target, mode or source does not exist, or needs a project that was not given."""


class InvalidNameError(MemoryStoreError):
    """A note name or daily date that is not a plain file name."""


class EditError(MemoryStoreError):
    """The text to replace is absent or not unique, or the profile offers no edit."""


class UnreadableFileError(MemoryStoreError):
    """A file that cannot be decoded as UTF-8 or that the system refuses to read."""


class CorpusError(MemevalError):
    """A folder that cannot be used as a corpus or memory store."""


class _LocatedError(MemevalError):
    """An error in a file: the message begins with `path:line:` so that editors can jump there."""

    def __init__(self, message: str, *, path: str, line: int | None = None) -> None:
        place = path if line is None else f"{path}:{line}"
        super().__init__(f"{place}: {message}")
        self.message = message
        self.path = path
        self.line = line


class SuiteFileError(_LocatedError):
    """A suite file with an unknown key, a missing file, a duplicate id or a YAML trap."""


class BenchmarkFormatError(_LocatedError):
    """A BEIR or TREC file with a row that cannot be used."""


class TranscriptError(_LocatedError):
    """A recorded session that no reader takes, or that is damaged where that is not to be passed over."""


class UnknownNameError(MemevalError):
    """A name that is in no registry; the message lists the choices and the nearest one, then a note if there is one.

    Where another verb lists the choices (`listing`), the nearest one and that verb stand in for the list.
    """

    def __init__(
        self, kind: str, name: str, choices: Iterable[str], note: str | None = None, *, listing: str | None = None
    ) -> None:
        known = sorted(choices)
        near = _find_near(name, known)
        hint = "" if near is None else f" Did you mean {near!r}?"
        if near is None or listing is None:
            told = f"unknown {kind} {name!r}; known: {', '.join(known)}.{hint}"
        else:
            told = f"unknown {kind} {name!r}.{hint} `{listing}` lists all {len(known)}."
        super().__init__(f"{told}{f' {note}' if note else ''}")
        self.name = name
        self.choices = tuple(known)


def _find_near(name: str, known: Sequence[str]) -> str | None:
    """The choice nearest in letters; else the only one that has the name among its parts, or as its initials."""
    near = get_close_matches(name, known, n=1)
    if near:
        return near[0]
    wanted = _split_name(name)
    having = [
        choice
        for choice in known
        if wanted
        and (
            f"-{'-'.join(wanted)}-" in f"-{'-'.join(_split_name(choice))}-"
            or wanted == ["".join(part[0] for part in _split_name(choice))]
        )
    ]
    return having[0] if len(having) == 1 else None


def _split_name(name: str) -> list[str]:
    return [part for part in re.split(r"[\W_]+", name.casefold()) if part]


class RunSettingError(MemevalError):
    """A cutoff, depth or budget that no run can measure with, alone or together."""


class EmbeddingError(MemevalError):
    """An embedding model, or a folder that should hold one, that cannot be used."""


class EmbedderUnavailableError(EmbeddingError):
    """The model is not on this machine, or a library it needs is not installed; the message says how to get it."""


class NotInstalledError(MemevalError):
    """An optional library or program that a variant needs is not here; the message says how to get it."""


class ExternalSystemError(MemevalError):
    """A search of another system could not be used: its package is broken, its command or server failed."""


class ContractError(MemevalError):
    """A retriever returned something no variant may return (an unknown or repeated id, a NaN)."""


class UngradableError(MemevalError):
    """A wording of which nobody can say whether it missed: the variant, or its answer, is broken."""


class EvaluationFileError(MemevalError):
    """A stored evaluation that cannot be read back."""
