"""JSON whose every value knows where it stands, so that a refusal can say `locomo.json: $[0].qa[3].category`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memeval.errors import BenchmarkFormatError


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value of a JSON file and its place; every method refuses with both."""

    value: object
    file: str
    """As shown in messages."""
    place: str = "$"
    """Its JSON path."""
    line: int | None = None
    """For JSON Lines."""

    def fail(self, message: str) -> BenchmarkFormatError:
        """The error to raise about this value."""
        return BenchmarkFormatError(f"{self.place} {message}", path=self.file, line=self.line)

    def find(self, key: str) -> JsonNode | None:
        """The value at a key of this object; None where it is absent or null."""
        value = self.fields().get(key)
        return None if value is None else JsonNode(value, self.file, f"{self.place}.{key}", self.line)

    def child(self, key: str) -> JsonNode:
        """The value at a key of this object, which must be there."""
        node = self.find(key)
        if node is None:
            raise self.fail(f"has no {key!r}; it has {', '.join(self.fields()) or 'no key'}")
        return node

    def fields(self) -> dict[str, object]:
        """The plain content of this object."""
        if not isinstance(self.value, dict):
            raise self.fail(f"must be an object ({{…}}), not {_describe(self.value)}")
        return self.value

    def items(self) -> list[JsonNode]:
        """The values of this list."""
        if not isinstance(self.value, list):
            raise self.fail(f"must be a list ([…]), not {_describe(self.value)}")
        return [
            JsonNode(value, self.file, f"{self.place}[{index}]", self.line) for index, value in enumerate(self.value)
        ]

    def text(self) -> str:
        """This text, as it is."""
        if not isinstance(self.value, str):
            raise self.fail(f"must be a text, in double quotes, not {_describe(self.value)}")
        if not self.value.isascii() and any("\ud800" <= char <= "\udfff" for char in self.value):
            raise self.fail("has half of a surrogate pair (\\ud800 to \\udfff), which is no character; write the pair")
        return self.value

    def label(self) -> str:
        """This text, which must not be blank, without white space around it."""
        text = self.text().strip()
        if not text:
            raise self.fail("is empty")
        return text

    def whole_number(self) -> int:
        """This whole number."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.fail(f"must be a whole number, not {_describe(self.value)}")
        return self.value

    def id(self) -> str:
        """This id: a text that is not blank, or a whole number as text."""
        return self.label() if isinstance(self.value, str) else str(self.whole_number())

    def truth(self) -> bool:
        """This truth value."""
        if not isinstance(self.value, bool):
            raise self.fail(f"must be true or false, not {_describe(self.value)}")
        return self.value

    def claim(self, name: str, places: dict[str, str]) -> None:
        """Note in `places` that a name is made of this value; refused where it was made of another before."""
        if name in places:
            raise self.fail(f"makes the id {name!r}, as {places[name]} does; keep one")
        places[name] = self.place


def read_json(path: Path) -> JsonNode:
    """The value of a JSON file.

    Raises:
        BenchmarkFormatError: the file cannot be read, is not UTF-8 or no JSON, or an object has a key twice.
    """
    text = _decode(_read(path), path)
    try:
        return JsonNode(_parse(text), str(path))
    except json.JSONDecodeError as exc:
        raise BenchmarkFormatError(f"broken JSON: {exc.msg}", path=str(path), line=exc.lineno) from exc
    except (ValueError, RecursionError) as exc:
        raise BenchmarkFormatError(f"broken JSON: {exc}", path=str(path)) from exc


def read_json_lines(path: Path) -> Iterator[JsonNode]:
    """The value of each line that is not blank; only a line feed ends a line, since JSON may hold U+2028.

    Raises:
        BenchmarkFormatError: the file cannot be read, or a line is not UTF-8, no JSON, or has a key twice.
    """
    for number, content in enumerate(_read(path).split(b"\n"), start=1):
        text = _decode(content, path, number)
        if not text.strip():
            continue
        try:
            yield JsonNode(_parse(text), str(path), line=number)
        except (ValueError, RecursionError) as exc:
            raise BenchmarkFormatError(f"no JSON value on one line: {exc}", path=str(path), line=number) from exc


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as exc:
        raise BenchmarkFormatError(f"cannot be read ({exc.strerror})", path=str(path)) from exc


def _decode(content: bytes, path: Path, line: int | None = None) -> str:
    try:
        return content.decode("utf-8-sig" if line in (None, 1) else "utf-8")
    except UnicodeDecodeError as exc:
        place = line or exc.object.count(b"\n", 0, exc.start) + 1
        raise BenchmarkFormatError("is not UTF-8; save the file as UTF-8", path=str(path), line=place) from exc


def _parse(text: str) -> object:
    return json.loads(text, object_pairs_hook=_build_object)


def _build_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        # the last would win, and what the first holds be lost without a word
        raise ValueError(f"an object has the key {twice!r} twice; keep one")
    return found


def _describe(value: object) -> str:
    for kind, name in ((bool, "a truth value"), (dict, "an object"), (list, "a list"), (str, "a text")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else f"the number {value}"
