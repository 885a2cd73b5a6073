"""A command as a variant: it reads a query and prints the files it found."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial

from memeval.embedding.base import make_encodable
from memeval.errors import ContractError, ExternalSystemError
from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Settings, Variant
from memeval.retrieval.external.program import fill_words, run_program, split_command
from memeval.retrieval.external.results import Result, ResultCut
from memeval.retrieval.external.storefolder import StoreFolder

DEFAULT_K = 10
"""Results asked for."""
DEFAULT_TIMEOUT_SECONDS = 60.0
MAX_TIMEOUT_SECONDS = 86_400
"""The clocks that a wait is measured with end somewhere above."""

_NAME = re.compile(r"[^\W_][\w.+-]*")
_TOLD = 80


class CommandRetriever:
    """A program that is started for every query; see `command_variant`."""

    def __init__(
        self,
        documents: Sequence[Document],
        settings: Settings,
        *,
        words: Sequence[str],
        k: int,
        timeout_seconds: float,
        no_match_exit: int | None,
    ) -> None:
        self._folder = StoreFolder(documents)
        self._cut = ResultCut(documents, settings.budget_bytes)
        self._words = fill_words(words, {"root": str(self._folder.path), "k": str(k)})
        self._timeout_seconds = timeout_seconds
        self._no_match_exit = no_match_exit

    def search(self, query: str) -> Answer:
        """The files printed, in their order.

        Raises:
            ExternalSystemError: the program failed, or what it printed cannot be read.
            ContractError: it named a file that is none of the corpus, or scores that rise.
        """
        printed = run_program(
            fill_words(self._words, {"query": query}),
            query,
            timeout_seconds=self._timeout_seconds,
            no_match_exit=self._no_match_exit,
        )
        return self._cut.show(query, read_results(printed, self._folder))


def read_results(printed: str, folder: StoreFolder) -> list[Result]:
    """The results of an output: a JSON list, else one path a line; blank lines aside.

    An item of the list is a path, or an object with `path`, and where there are any, `score` and `text`.

    Raises:
        ExternalSystemError: a JSON list that is broken, or an item of another shape.
        ContractError: a path that is no file of the corpus.
    """
    if printed.lstrip().startswith("["):
        try:
            items = json.loads(printed)
        except ValueError as error:
            lines = printed.splitlines()
            if folder.find(lines[0].strip()) is None:
                raise ExternalSystemError(f"the output begins as a JSON list and is none: {error}") from None
        else:
            return [_read_item(item, place, folder) for place, item in enumerate(items, start=1)]
    lines = [line.strip() for line in printed.splitlines()]
    return [Result(_find(line, place, folder)) for place, line in enumerate(lines, start=1) if line]


def _read_item(item: object, place: int, folder: StoreFolder) -> Result:
    if isinstance(item, str):
        return Result(_find(item, place, folder))
    if not isinstance(item, dict) or not isinstance(item.get("path"), str):
        told = json.dumps(item, ensure_ascii=False)[:_TOLD]
        raise ExternalSystemError(f'result {place}: {told} is neither a path nor {{"path": …, "score": …, "text": …}}')
    score, text = item.get("score"), item.get("text")
    if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
        raise ExternalSystemError(f"result {place}: score {score!r} is no number; leave it out where there is none")
    if text is not None and not isinstance(text, str):
        raise ExternalSystemError(f"result {place}: text {text!r} is no text; leave it out where there is none")
    shown = None if text is None else make_encodable(folder.shorten(text))
    return Result(_find(item["path"], place, folder), None if score is None else float(score), shown)


def _find(path: str, place: int, folder: StoreFolder) -> str:
    doc_id = folder.find(path)
    if doc_id is None:
        raise ContractError(
            f"result {place}: {path[:_TOLD]!r} is not a document of this corpus; "
            "a path below {root}, or relative to it, is expected"
        )
    return doc_id


def command_variant(
    name: str,
    command: str | Sequence[str],
    *,
    k: int = DEFAULT_K,
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
    no_match_exit: int | None = None,
) -> Variant:
    """A variant that starts a program for every query and reads the files it prints.

    The documents are written into a temporary folder first. In every word of the command `{query}`, `{root}` (that
    folder) and `{k}` are replaced; the query is on standard input as well. The program prints the files it found, the
    best one first: a path a line, absolute or relative to `{root}`, or a JSON list of paths or of objects
    `{"path": …, "score": …, "text": …}`. What is shown stays within the budget of the run. A program that fails, takes
    too long, names a file that is not there, or prints what is not UTF-8, makes its query ungradable, with the reason.

    Args:
        name: of the variant, in tables and files.
        command: the program and its arguments, in one line with the quotes of a shell, or as words. No shell runs it.
        k: what `{k}` stands for: how many results are asked for.
        timeout_seconds: of one query.
        no_match_exit: an exit code besides 0 that is no failure and says that nothing was found, as 1 of grep does.

    Raises:
        ExternalSystemError: the name or the command is none, or a number is not above 0.
    """
    words = split_command(command) if isinstance(command, str) else tuple(command)
    check_name(name)
    check_limits(k, timeout_seconds)
    line = command if isinstance(command, str) else " ".join(words)
    configuration: dict[str, str | int | float] = {"command": line, "k": k, "timeout_seconds": timeout_seconds}
    if no_match_exit is not None:
        configuration["no_match_exit"] = no_match_exit
    return Variant(
        name=name,
        description=f"the command {words[0]}, started for every query",
        source="given for this run",
        build=partial(CommandRetriever, words=words, k=k, timeout_seconds=timeout_seconds, no_match_exit=no_match_exit),
        configuration=configuration,
        always_answers=True,
    )


def check_name(name: str) -> None:
    """Raise ExternalSystemError for a name that cannot stand in tables and files."""
    if name == "all":
        raise ExternalSystemError("'all' cannot name a variant: it stands for every one; give this one another name")
    if not _NAME.fullmatch(name) or name != name.lower():
        raise ExternalSystemError(
            f"{name!r} cannot name a variant: small letters, digits, '_', '-', '.' and '+', a letter or digit first"
        )


def check_limits(k: int, timeout_seconds: float) -> None:
    """Raise ExternalSystemError for limits that are not above 0, or for a wait of more than a day."""
    if k < 1 or not timeout_seconds > 0:
        raise ExternalSystemError(f"k {k!r} and timeout_seconds {timeout_seconds!r} have to be above 0")
    if timeout_seconds > MAX_TIMEOUT_SECONDS:
        raise ExternalSystemError(
            f"timeout_seconds {timeout_seconds!r} is more than a day; at most {MAX_TIMEOUT_SECONDS} may pass"
        )
