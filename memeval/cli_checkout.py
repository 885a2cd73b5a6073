"""Where evaluations come from: the last run, saved baselines, the committed one, and what git knows of any commit."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memeval.errors import EvaluationFileError

if TYPE_CHECKING:
    from collections.abc import Collection

    from memeval.bench.baseline import Baseline
    from memeval.bench.comparison import Side
    from memeval.bench.evaluation import Evaluation

LATEST = Path("reports/latest")
COMMITTED = Path("reports/baseline")
BASELINES = Path("reports/baselines")
EVALUATION_FILE = "evaluation.json"
_CURES = {
    LATEST: "`memeval run` writes it",
    COMMITTED: '`memeval baseline bless --why "…"` accepts the last run as the baseline',
}
HERE = Path()
"""The working directory."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """What is checked out here; all None and False where there is no git, or no repository."""

    commit: str | None = None
    """In full."""
    branch: str | None = None
    is_dirty: bool = False
    """Tracked files have changes that no commit holds."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An evaluation that was asked for, and how a reader knows it."""

    evaluation: Evaluation
    side: Side


def describe_checkout() -> Checkout:
    """What is checked out in the working directory; a build server that checks out no branch says which it meant."""
    commit = ask_git("rev-parse", "--verify", "--quiet", "HEAD")
    if commit is None:
        return Checkout()
    branch = ask_git("symbolic-ref", "--short", "--quiet", "HEAD")
    meant = os.environ.get("GITHUB_HEAD_REF") or os.environ.get("GITHUB_REF_NAME")
    return Checkout(
        commit=commit,
        branch=branch or meant or None,
        is_dirty=bool(ask_git("status", "--porcelain", "--untracked-files=no")),
    )


def ask_git(*arguments: str, root: Path = HERE) -> str | None:
    """What git says, without white space at its ends; None where it says no, or where there is no git."""
    content = _run_git(*arguments, root=root)
    return None if content is None else content.decode("utf-8", "replace").strip()


def _run_git(*arguments: str, root: Path) -> bytes | None:
    try:
        run = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
    except OSError:
        return None
    return run.stdout if run.returncode == 0 else None


def open_evaluation(address: str, root: Path = HERE, variants: Collection[str] = ()) -> Opened:
    """The evaluation that an address means, in the project at `root`; with names of variants, of them alone.

    In this order: `latest`, `baseline` (the committed one), an evaluation file or a folder with one, a saved baseline
    by its number, name, branch or commit, and the committed baseline as it stands on a branch or commit of git.

    Raises:
        UnknownNameError: it means nothing; the message names what there is.
        RunSettingError: it begins several commits.
        EvaluationFileError: what it means cannot be read.
    """
    from memeval.bench.baseline import find_baseline, list_baselines, unknown_baseline
    from memeval.bench.evaluation import Evaluation

    place = {"latest": LATEST, "baseline": COMMITTED}.get(address, Path(address))
    file = root / (place / EVALUATION_FILE if (root / place).is_dir() or place in (LATEST, COMMITTED) else place)
    if place in _CURES and not file.exists():
        raise EvaluationFileError(f"{file}: cannot be read, it is not there yet; {_CURES[place]}")
    if file.is_file() or place in (LATEST, COMMITTED):
        return Opened(Evaluation.load(file, variants), _describe_file(file, str(place)))
    saved = list_baselines(root / BASELINES)
    found = find_baseline(address, saved)
    if found is not None:
        return Opened(Evaluation.load(found.path, variants), _describe(found, found.label))
    committed = _open_committed(address, root, variants)
    if committed is None:
        raise unknown_baseline(address, saved, _tell_git(address, root))
    return committed


def _tell_git(address: str, root: Path) -> str:
    """Why git has no baseline at this address."""
    if ask_git("rev-parse", "--git-dir", root=root) is None:
        return "There is no git repository here (or no git), so that no branch or commit can be meant."
    if _find_commit(address, root) is None:
        return "Git knows no such branch or commit here."
    return f"Git knows it, but there is no {(COMMITTED / EVALUATION_FILE).as_posix()} in it."


def _find_commit(address: str, root: Path) -> str | None:
    return ask_git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{address}^{{commit}}", root=root)


def _describe_file(file: Path, label: str) -> Side:
    from memeval.bench.baseline import read_head

    return _describe(read_head(file), label)


def _describe(baseline: Baseline, label: str) -> Side:
    from memeval.bench.comparison import Side

    return Side(label=label, commit=baseline.stamp.commit, is_dirty=baseline.stamp.is_dirty)


def _open_committed(address: str, root: Path, variants: Collection[str]) -> Opened | None:
    """The committed baseline as a branch or commit has it; None where git knows none."""
    from memeval.bench.comparison import Side
    from memeval.bench.record import decode_content

    commit = _find_commit(address, root)
    if commit is None:
        return None
    path = (COMMITTED / EVALUATION_FILE).as_posix()
    content = _run_git("show", f"{commit}:./{path}", root=root)
    if content is None:
        return None
    label = f"{address} ({path} at {commit[:7]})"
    return Opened(decode_content(content, label, variants), Side(label=label, commit=commit))
