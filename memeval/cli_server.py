"""What a build server shows beside its log: a step's summary, and a comment that is replaced by the next run's."""

from __future__ import annotations

import os
from pathlib import Path

from memeval.errors import RunSettingError
from memeval.memory.disk import replace_file

SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
"""Names the file whose Markdown the server shows with the step."""
COMMENT_VARIABLE = "MEMEVAL_COMMENT"
"""Names the file that a comment's text is written to."""


def append_step_summary(text: str) -> str | None:
    """Why the summary could not be written; None where it was, or where no server asks for one.

    Args:
        text: Markdown that ends in a newline.
    """
    path = os.environ.get(SUMMARY_VARIABLE)
    if not path:
        return None
    try:
        with Path(path).open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text + "\n")
    except OSError as error:
        return f"{SUMMARY_VARIABLE}: {path} cannot be written ({error.strerror}); the summary is left out"
    return None


def write_comment(text: str) -> None:
    """Write the text of a comment to the file that MEMEVAL_COMMENT names; nothing without it.

    Raises:
        RunSettingError: it cannot be written.
    """
    path = os.environ.get(COMMENT_VARIABLE)
    if not path:
        return
    try:
        replace_file(Path(path), text, path)
    except OSError as error:
        raise RunSettingError(f"{COMMENT_VARIABLE}: {path} cannot be written ({error.strerror or error})") from error
