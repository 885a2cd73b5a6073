"""One small store and suite with known answers, shared by the tests of the bench and the front doors."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    from memeval.testbed.needs import Suite

pytest_plugins = ["pytester"]

# Workers share the cores already: threads of numpy on top of them wait for each other, several times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A busy machine is no failed property, and the same examples run everywhere; the first of them where time counts.
settings.register_profile("patient", deadline=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("patient"), max_examples=6)

PROJECT = "shop-1a2b3c4d"

FILES = {
    "MEMORY.md": "# Rules\n- Answer in English\n- Deploys happen on Tuesdays\n",
    f"projects/{PROJECT}/notes/redis-deploy.md": "# Redis\ndocker-compose port mapping: host 6380 to 6379\n",
    f"projects/{PROJECT}/notes/naming.md": "# Naming\nQueues are named by verb, e.g. ship-order\n",
    f"projects/{PROJECT}/notes/naming-topics.md": "# Naming of topics\nTopics are named by noun\n",
    f"projects/{PROJECT}/notes/監控.md": "# 監控\n監控的設定在夜間批次之前修改\n",
    f"projects/{PROJECT}/daily/2026-03-28.md": "### 14:32 — deploy\nthe redis container could not bind\n",
    f"projects/{PROJECT}/SCRATCHPAD.md": "- [ ] port the scratchpad\n",
}

SUITE = f"""\
suite: shop
corpus: ../store
lang: en
needs:
  - id: redis-port
    expect: [projects/{PROJECT}/notes/redis-deploy.md]
    ask:
      - port conflict
      - {{text: cache container will not start, kind: unseen-words}}
    must_find: true
    evidence: "6380"
    tags: [ops]
  - id: naming-rules
    expect:
      projects/{PROJECT}/notes/naming.md: 2
      projects/{PROJECT}/notes/naming-topics.md: 1
    ask: [naming]
    tags: [conventions]
  - id: monitoring
    lang: zh
    expect: [projects/{PROJECT}/notes/監控.md]
    ask:
      - {{text: 監控設定, kind: unspaced}}
      - {{text: 監控 設定, kind: spaced}}
  - id: vacation-days
    expect: []
    ask: [holiday allowance, vacation Tuesdays]
"""


def pytest_configure(config: pytest.Config) -> None:
    """Try a few of the examples of each property where the slow tests are left out, as `make check` does."""
    settings.load_profile("quick" if config.getoption("markexpr") == "not slow" else "patient")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the garbage collector what stays to the end, tests and modules: it would look at them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def write_files(root: Path, files: dict[str, str]) -> None:
    """Write each text below `root`, folders included."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


@pytest.fixture
def small_suite(tmp_path: Path) -> Path:
    """The path of a suite of four needs and seven wordings over six searched files."""
    write_files(tmp_path / "store", FILES)
    path = tmp_path / "queries" / "shop.recall.yaml"
    write_files(path.parent, {path.name: SUITE})
    return path


@pytest.fixture(scope="session")
def load_bundled(request) -> Callable[[Path], Suite]:
    """A function: the bundled suite of a path, loaded once; those that pytest collects are there already."""
    from memeval.bench.suite import load_suite
    from memeval.pytest_plugin import WordingItem

    collected = {item.path: item.runner.suite for item in request.session.items if isinstance(item, WordingItem)}
    return cache(lambda path: collected.get(path) or load_suite(path))


@pytest.fixture(scope="session")
def bundled(load_bundled) -> dict[Path, Suite]:
    """{path: suite} of every bundled suite, which takes seconds: for slow tests."""
    from memeval.bench.suite import bundled_suites

    return {path: load_bundled(path) for path in bundled_suites()}


@pytest.fixture
def no_pictures(monkeypatch) -> None:
    """Reports are written without their plots: to draw one takes longer than most tests do."""
    monkeypatch.setattr("memeval.report.markdown.write_plots", lambda evaluation, folder: ())
    monkeypatch.setattr("memeval.report.page.write_plots", lambda evaluation, plotted: "")


@pytest.fixture
def cli(monkeypatch, small_suite, no_pictures) -> Callable[..., Result]:
    """A function that runs the command line in the folder that holds store/ and queries/."""
    from click.testing import CliRunner

    from memeval.cli import main

    monkeypatch.chdir(small_suite.parent.parent)

    def run(*args: object, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin, catch_exceptions=False)

    return run


@pytest.fixture
def no_models(monkeypatch) -> None:
    """No embedding model is on this machine, whatever is: to load one takes longer than most tests do."""
    from memeval.errors import EmbedderUnavailableError

    def find_nothing(model: str, *_: object) -> None:
        raise EmbedderUnavailableError(f"no model {model} here")

    monkeypatch.setattr("memeval.embedding.sources._find", find_nothing)
