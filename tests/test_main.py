"""The beginning of the program: `python -m memeval`, and Ctrl-C before it has begun."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import memeval
from memeval.__main__ import THREADS, main

PACKAGE = Path(memeval.__file__).parent
INTERRUPTED = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == "memeval.cli_process":
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                raise RuntimeError("what a library makes of it")

sys.meta_path.insert(0, Interrupt())
from memeval.__main__ import main
main()
"""


def start(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """A Python that has the package."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=False, timeout=60)


def test_the_package_runs_as_a_module():
    """As the program does, with its exit codes."""
    assert start("-m", "memeval", "--version").stdout.startswith(b"memeval, version")
    assert start("-m", "memeval", "nope").returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_ctrl_c_while_loading_is_one_line():
    """Exit code 130 and no trace, whatever would become of the exception."""
    result = start("-c", INTERRUPTED)
    assert result.returncode == 130
    assert result.stderr.decode().split("\n") == ["", "memeval: stopped by the keyboard", ""]


def test_the_program_begins_there():
    """What is installed is this entry, not the one that loads everything first."""
    project = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert '\nmemeval = "memeval.__main__:main"\n' in project


def test_linear_algebra_takes_one_thread(monkeypatch):
    """Unless somebody has set it otherwise; it has to be so before numpy is loaded."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr("memeval.cli.main", lambda: None)
    monkeypatch.setattr("signal.signal", lambda number, handler: None)
    main()
    assert [os.environ[name] for name in THREADS] == ["2", "1", "1"]
