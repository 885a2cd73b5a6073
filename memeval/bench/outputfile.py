"""What another verb of memeval wrote as JSON, read back and checked against a type."""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import Path
from typing import TypeVar, cast

from memeval.bench.shapes import make_reader
from memeval.errors import EvaluationFileError

Record = TypeVar("Record")


def load_output(path: Path, record: type[Record], command: str) -> Record:
    """The file as a value of the type; a key that the type does not name is passed over.

    Args:
        path: of the file.
        record: a dataclass of JSON values, as `make_reader` takes it.
        command: what writes such a file, for the message.

    Raises:
        EvaluationFileError: the file cannot be read, or is something else.
    """
    try:
        return cast(Record, make_reader(cast(Hashable, record))(json.loads(path.read_text(encoding="utf-8"))))
    except OSError as error:
        raise EvaluationFileError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:  # no UTF-8, no JSON, another shape
        raise EvaluationFileError(f"{path}: not what `{command}` writes ({error}); write it again with that") from error
