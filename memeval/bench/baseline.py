"""Saved evaluations: numbered, each saying of itself what it is, found again by number, name, branch or commit.

A baseline is an evaluation as `memeval run` writes it, with one key more, `baseline`, at its beginning: whatever reads
the one reads the other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from memeval.bench.evaluation import Evaluation
from memeval.bench.record import encode_evaluation, render_json
from memeval.bench.shapes import ShapeError, make_reader
from memeval.bench.summary import check_cutoffs
from memeval.errors import RunSettingError, UnknownNameError
from memeval.memory.disk import replace_file

KEY = "baseline"
MIN_COMMIT = 4
"""Characters of a commit that are taken for one."""

_FILE = re.compile(r"(?P<number>[0-9]{4,})\.json")
_HEAD = re.compile(rf'\s*\{{\s*"schema":\s*[0-9]+,\s*"{KEY}":\s*')
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,79}")
_RESERVED = ("baseline", "latest")
_HEADING_BYTES = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Where an evaluation comes from, and why it is kept."""

    name: str | None = None
    branch: str | None = None
    commit: str | None = None
    """In full."""
    is_dirty: bool = False
    """The checkout had changes that no commit holds."""
    saved_on: str | None = None
    """`YYYY-MM-DD`."""
    why: str | None = None
    """Of a blessed one: why what changed is accepted."""
    changes: tuple[str, ...] = ()
    """Of a blessed one: what changed against the one before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """A saved evaluation, without its results."""

    path: Path
    number: int | None = None
    """None for one that is not in the numbered folder."""
    stamp: Stamp = Stamp()
    problem: str | None = None
    """Why its head cannot be read; None where it can."""

    @property
    def label(self) -> str:
        """How it is told from others in a line: name or branch, number and commit."""
        stamp = self.stamp
        known = [f"baseline {self.number}"] if self.number is not None else []
        known += [stamp.commit[:7]] if stamp.commit else []
        title = stamp.name or stamp.branch
        if title is None:
            return ", ".join(known) or str(self.path)
        return f"{title} ({', '.join(known)})" if known else title


_READ_STAMP = make_reader(Stamp)


def render_baseline(evaluation: Evaluation, stamp: Stamp) -> str:
    """The text of a baseline file, ending in a newline."""
    content = encode_evaluation(evaluation)
    head = {entry.name: _plain(getattr(stamp, entry.name)) for entry in fields(stamp)}
    text = render_json({"schema": content.pop("schema"), KEY: head, **content}) + "\n"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    return list(value) if isinstance(value, tuple) else value


def save_baseline(evaluation: Evaluation, stamp: Stamp, folder: Path) -> Baseline:
    """The baseline as it was saved, under the number after the highest in `folder`, which is made where it is missing.

    Two that save at once get two numbers.

    Raises:
        OSError: the folder or the file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    number = max((one.number for one in list_baselines(folder) if one.number is not None), default=0) + 1
    while True:
        path = folder / f"{number:04}.json"
        try:
            path.touch(exist_ok=False)
            break
        except FileExistsError:
            number += 1
    try:
        replace_file(path, render_baseline(evaluation, stamp), str(path))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return Baseline(path=path, number=number, stamp=stamp)


def list_baselines(folder: Path) -> tuple[Baseline, ...]:
    """The numbered baselines of a folder, the oldest first; () where there is no such folder."""
    if not folder.is_dir():
        return ()
    numbered = [(int(match["number"]), path) for path in folder.iterdir() if (match := _FILE.fullmatch(path.name))]
    return tuple(read_head(path, number) for number, path in sorted(numbered))


def read_head(path: Path, number: int | None = None) -> Baseline:
    """What a file says of itself, without its results: an evaluation that was only run says nothing."""
    try:
        stamp = _read_stamp(path)
    except (OSError, ValueError, RecursionError) as error:
        problem = error.strerror if isinstance(error, OSError) else str(error)
        return Baseline(path=path, number=number, problem=problem or type(error).__name__)
    return Baseline(path=path, number=number, stamp=stamp)


def _read_stamp(path: Path) -> Stamp:
    with path.open(encoding="utf-8") as file:
        beginning = file.read(_HEADING_BYTES)
        match = _HEAD.match(beginning)
        if match is not None:
            try:
                head, _ = json.JSONDecoder().raw_decode(beginning, match.end())
            except ValueError:
                head = json.loads(beginning + file.read()).get(KEY)
        elif beginning.lstrip().startswith("{"):
            whole = json.loads(beginning + file.read()) if f'"{KEY}"' in beginning else {}
            head = whole.get(KEY)
        else:
            raise ShapeError("is no evaluation")
    stamp: Stamp = Stamp() if head is None else _READ_STAMP(head)
    return stamp


def find_baseline(address: str, baselines: Sequence[Baseline]) -> Baseline | None:
    """The baseline that an address means: its number, else the newest of that name, of that branch, or of that commit.

    None where there is none.

    Raises:
        RunSettingError: the beginning of several commits.
    """
    newest = list(reversed(baselines))
    if address.isascii() and address.isdigit():
        for one in newest:
            if one.number == int(address):
                return one
    for by in ("name", "branch"):
        for one in newest:
            if getattr(one.stamp, by) == address:
                return one
    if len(address) < MIN_COMMIT or not re.fullmatch("[0-9a-f]+", address):
        return None
    of_commit = [one for one in newest if one.stamp.commit is not None and one.stamp.commit.startswith(address)]
    commits = dict.fromkeys(one.stamp.commit for one in of_commit)
    if len(commits) > 1:
        raise RunSettingError(f"{address} begins {len(commits)} commits that were saved; write more of it")
    return of_commit[0] if of_commit else None


def check_name(name: str) -> str:
    """The name, once it is one that an address can mean.

    Raises:
        RunSettingError: it is a number, a word that stands for something else, or has characters a shell minds.
    """
    if not _NAME.fullmatch(name) or name in _RESERVED:
        raise RunSettingError(
            f"{name!r} cannot name a baseline: a letter or '_' first, then letters, digits, '_', '-' and '.'; "
            f"{' and '.join(_RESERVED)} stand for the committed one and for the last run"
        )
    return name


def find_namesakes(name: str, baselines: Sequence[Baseline]) -> tuple[Baseline, ...]:
    """Those that have the name already, the oldest first: of two with one name an address would mean the newer."""
    return tuple(one for one in baselines if one.stamp.name == name)


def unknown_baseline(address: str, baselines: Sequence[Baseline], note: str | None = None) -> UnknownNameError:
    """The error for an address that means nothing; it names what there is, and where else was looked (`note`)."""
    known = {*_RESERVED}
    for one in baselines:
        stamp = one.stamp
        known.update(part for part in (str(one.number), stamp.name, stamp.branch) if part is not None)
        known.update([stamp.commit[:7]] if stamp.commit else [])
    return UnknownNameError("baseline", address, known, note)


def choose_prunable(baselines: Sequence[Baseline], keep: int) -> tuple[Baseline, ...]:
    """Those that go when the newest `keep` of each branch stay; one that has a name stays, too.

    Raises:
        RunSettingError: a number below 0.
    """
    if keep < 0:
        raise RunSettingError(f"keep is {keep}; it must be a whole number from 0")
    kept: dict[str | None, int] = {}
    prunable = []
    for one in reversed(baselines):
        if one.stamp.name is not None or one.problem is not None:
            continue
        kept[one.stamp.branch] = kept.get(one.stamp.branch, 0) + 1
        if kept[one.stamp.branch] > keep:
            prunable.append(one)
    return tuple(reversed(prunable))


def trim_depth(evaluation: Evaluation, depth: int) -> Evaluation:
    """The evaluation as a run with that depth stores it: the first ranks of each wording, and the curve as far.

    As it is where it is no deeper.

    Raises:
        RunSettingError: a depth below 1, or below a cutoff of the run.
    """
    check_cutoffs(tuple(evaluation.manifest.get("ks", ())), depth)
    if evaluation.manifest.get("depth", depth) <= depth:
        return evaluation
    suites = tuple(
        replace(
            suite,
            variants=tuple(
                replace(
                    variant,
                    recall_curve=tuple((k, value) for k, value in variant.recall_curve if k <= depth),
                    queries=tuple(replace(query, ranking=query.ranking[:depth]) for query in variant.queries),
                )
                for variant in suite.variants
            ),
        )
        for suite in evaluation.suites
    )
    return replace(evaluation, manifest={**evaluation.manifest, "depth": depth}, suites=suites)
