"""What is checked out, as git and a build server tell it."""

from __future__ import annotations

import subprocess

import pytest

from memeval.cli_checkout import Checkout, ask_git, describe_checkout, open_evaluation
from memeval.errors import EvaluationFileError


@pytest.fixture
def outside(monkeypatch, tmp_path):
    """A folder outside of any checkout, on no build server."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    for name in ("GITHUB_HEAD_REF", "GITHUB_REF_NAME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_outside_of_a_checkout_nothing_is_known(outside, monkeypatch):
    """Nor where there is no git at all."""
    assert describe_checkout() == Checkout()
    monkeypatch.setenv("PATH", "")
    assert ask_git("--version") is None


@pytest.mark.parametrize(
    ("address", "cure"),
    [("latest", "`memeval run` writes it"), ("baseline", '`memeval baseline bless --why "…"` accepts the last run')],
)
def test_an_evaluation_that_is_not_there_yet_says_what_makes_it(outside, address, cure):
    """Who compares for the first time learns what to type."""
    with pytest.raises(EvaluationFileError, match="it is not there yet") as caught:
        open_evaluation(address)
    assert cure in str(caught.value)


def test_a_detached_checkout_takes_the_branch_that_the_server_means(outside, monkeypatch):
    """Build servers check out a commit; changes to files that git does not know are none."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (
        ["init", "-q", "-b", "main"],
        ["commit", "-q", "--allow-empty", "-m", "x"],
        ["checkout", "-q", "--detach"],
    ):
        subprocess.run(["git", *who, *arguments], check=True, capture_output=True)
    (outside / "new.txt").write_text("x")
    known = describe_checkout()
    assert (known.branch, known.is_dirty, len(known.commit)) == (None, False, 40)
    monkeypatch.setenv("GITHUB_REF_NAME", "feature")
    assert describe_checkout().branch == "feature"
    monkeypatch.setenv("GITHUB_HEAD_REF", "topic")
    assert describe_checkout().branch == "topic"
