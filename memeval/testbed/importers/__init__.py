"""Importers: what people already have, as suites. Each is a pure function of a path, a licence and options."""

from __future__ import annotations

import json
from pathlib import Path

from memeval.errors import BenchmarkFormatError, UnknownNameError
from memeval.testbed.importers.base import Dropped, Imported, Importer, ImportOptions, Sample
from memeval.testbed.importers.exchange import BEIR, TREC
from memeval.testbed.importers.folder import write_imported
from memeval.testbed.importers.jsonfile import read_json
from memeval.testbed.importers.locomo import LOCOMO
from memeval.testbed.importers.longmemeval import LONGMEMEVAL
from memeval.testbed.importers.paraphrases import PARAPHRASES
from memeval.testbed.importers.squad import SQUAD

__all__ = [
    "IMPORTERS",
    "Dropped",
    "ImportOptions",
    "Imported",
    "Importer",
    "detect_importer",
    "find_importer",
    "write_imported",
]

IMPORTERS: tuple[Importer, ...] = (LOCOMO, LONGMEMEVAL, SQUAD, BEIR, TREC, PARAPHRASES)
"""Every importer there is."""


def find_importer(name: str) -> Importer:
    """The importer of that name.

    Raises:
        UnknownNameError: there is none; the message lists those there are.
    """
    for importer in IMPORTERS:
        if importer.name == name:
            return importer
    raise UnknownNameError("importer", name, [importer.name for importer in IMPORTERS])


def detect_importer(path: Path | str) -> Importer:
    """The importer that recognises a file or folder by its content.

    Raises:
        BenchmarkFormatError: it cannot be read, a `.json` file is broken, or no importer recognises it.
    """
    sample = _take_sample(Path(path))
    for importer in IMPORTERS:
        if importer.recognise(sample):
            return importer
    known = "; ".join(f"{importer.name}: {importer.recognised_by}" for importer in IMPORTERS)
    raise BenchmarkFormatError(f"no importer recognises it. Known are {known}", path=str(path))


def _take_sample(path: Path) -> Sample:
    if path.is_dir():
        return Sample(path=path)
    if path.suffix.lower() == ".json":
        return Sample(path=path, value=read_json(path).value)
    try:
        with path.open("rb") as handle:
            line = next((line for line in handle if line.strip()), b"").decode("utf-8-sig")
    except OSError as exc:
        raise BenchmarkFormatError(f"cannot be read ({exc.strerror})", path=str(path)) from exc
    except UnicodeDecodeError as exc:
        raise BenchmarkFormatError("is not UTF-8; save the file as UTF-8", path=str(path)) from exc
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        # a value that goes on in the next line, or a line of another format
        value = read_json(path).value if line.lstrip().startswith(("[", "{")) else None
    return Sample(path=path, value=value, first_line=line)
