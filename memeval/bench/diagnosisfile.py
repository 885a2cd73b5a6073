"""What `memeval diagnose --json` wrote, read back: the class of each miss and its cheapest cure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memeval.bench.evaluation import QueryResult
from memeval.bench.outputfile import load_output
from memeval.errors import EvaluationFileError

SCHEMA = 1

MissKey = tuple[str, str, str, str]
"""Suite, variant, id of the wording, and its text: ids move when a wording is put in front."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldMiss:
    """Why a wording missed, as a diagnosis told it."""

    id: str
    query: str
    miss_class: str
    rule: str
    """What decided the class, in words."""
    cure: str | None
    """The cheapest that works; None where none of those tried does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    suite: str
    variant: str
    misses: tuple[ToldMiss, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    schema: int
    diagnoses: tuple[_Told, ...]


def load_diagnoses(path: Path) -> dict[MissKey, ToldMiss]:
    """{miss: why}, of all suites and variants in the file.

    Raises:
        EvaluationFileError: the file cannot be read, or is not what `memeval diagnose --json` writes: a wording that
            stands twice is of two diagnoses, of which one would be shown.
    """
    read = load_output(path, _File, "memeval diagnose --json")
    if read.schema != SCHEMA:
        raise EvaluationFileError(f"{path}: schema {read.schema}; {SCHEMA} can be read. Write it again")
    diagnoses: dict[MissKey, ToldMiss] = {}
    for told in read.diagnoses:
        for miss in told.misses:
            key = (told.suite, told.variant, miss.id, miss.query)
            if key in diagnoses:
                raise EvaluationFileError(
                    f"{path}: wording {miss.id} of suite {told.suite}, variant {told.variant}, stands twice; write it "
                    "again with `memeval diagnose --json`"
                )
            diagnoses[key] = miss
    return diagnoses


def find_diagnosis(
    diagnoses: Mapping[MissKey, ToldMiss], suite: str, variant: str, query: QueryResult
) -> ToldMiss | None:
    """What is told of this very wording; None for one that was not diagnosed, or asks something else by now."""
    return diagnoses.get((suite, variant, query.id, query.text))
