"""How strings and figures are written down, so that nothing measured can break a page, a table or a terminal."""

from __future__ import annotations

import html
import re
import unicodedata
from decimal import Decimal

from memeval.bench.evaluation import Value
from memeval.text import count as count

UNDEFINED = "–"
"""Stands for a figure that is not defined."""

MAX_CHARACTERS = 160
"""Longest text quoted in a report; the record holds the whole."""

MAX_FAULT_CHARACTERS = 4_000
"""Longest reason why something is ungradable: in full but for a page that somebody put into an error."""

_KEPT_FORMAT_CHARACTERS = {"\u200c", "\u200d"}
"""Joiners: without them emoji and Indic words fall apart."""

_CODE_SPAN_BREAKERS = frozenset("`|\\")
_PROSE_SPECIALS = re.compile(r"[&<>|\\`*\[\]~$]|(?<![^\W_])_|_(?![^\W_])")
"""An underscore between two letters or digits starts nothing."""
_ASCII_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")


def make_visible(text: str) -> str:
    """`text` on one line; a control, formatting or unencodable character becomes its symbol or code point."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_draw(character) for character in text)


def _draw(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cc" and ord(character) < 0x20:
        return chr(0x2400 + ord(character))
    if category in {"Cc", "Cs", "Zl", "Zp"} or (category == "Cf" and character not in _KEPT_FORMAT_CHARACTERS):
        return f"⟨U+{ord(character):04X}⟩"
    return character


def shorten(text: str, limit: int = MAX_CHARACTERS) -> str:
    """`text`, its end replaced by `…` when it is longer than `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def shorten_middle(text: str, limit: int) -> str:
    """`text`, its middle replaced by `…` when it is longer than `limit`: names often differ only at their ends."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return text[: limit - 1 - tail] + "…" + text[len(text) - tail :]


def quote_code(text: str, limit: int = MAX_CHARACTERS) -> str:
    """`text` as inline code in Markdown, safe inside a table cell, a list and a heading.

    A code span, whose content is literal; where the content would end the span or the cell, `<code>` with every
    punctuation mark as an entity instead, since parsers disagree about escapes inside a code span.
    """
    shown = shorten(make_visible(text), limit)
    if not shown.strip():
        return "(empty)" if not shown else "(blank)"
    if _CODE_SPAN_BREAKERS.isdisjoint(shown):
        return f"`{shown}`"
    return f"<code>{_ASCII_PUNCTUATION.sub(_as_entity, shown)}</code>"


def quote_html(text: str, limit: int = MAX_CHARACTERS) -> str:
    """`text` as inline code in HTML, for the places of a page where Markdown is not read."""
    return f"<code>{html.escape(shorten(make_visible(text), limit))}</code>"


def escape_prose(text: str, limit: int = 2 * MAX_CHARACTERS) -> str:
    """`text` on one line as running text in Markdown: no markup, HTML, table cell or formula can start in it."""
    return _PROSE_SPECIALS.sub(_as_entity, shorten(make_visible(" ".join(text.split())), limit))


def _as_entity(match: re.Match[str]) -> str:
    return f"&#{ord(match.group())};"


def format_rate(value: float | None) -> str:
    """A share in [0, 1] with two decimals; `–` when undefined, and never 0.00 or 1.00 unless it is that exactly."""
    if value is None:
        return UNDEFINED
    if 0.0 < value < 0.005:
        return "<0.01"
    if 0.995 <= value < 1.0:
        return ">0.99"
    return f"{value:.2f}"


def format_difference(value: float | None) -> str:
    """A difference of shares in [-1, 1] with two decimals and its sign; `–` when undefined, `0.00` for exactly 0."""
    return UNDEFINED if value is None else "0.00" if value == 0 else f"{value:+.2f}".replace("-", "−")


def format_kibibytes(value: float | None) -> str:
    """A number of bytes in KiB with one decimal; `–` when undefined."""
    return UNDEFINED if value is None else f"{value / 1024:.1f}"


def format_mean(value: float | None) -> str:
    """A mean of counts with one decimal; `–` when undefined."""
    return UNDEFINED if value is None else f"{value:.1f}"


def format_budget(value: float) -> str:
    """A cap in bytes, as whole KiB where it is that: `16 KiB`, `500 B`, `1.5 KiB`."""
    if value < 1024:
        return f"{value:g} B"
    return f"{Decimal(value) / 1024:.4g} KiB"  # a cap that means "no cap" may be beyond any float


def format_milliseconds(value: float | None) -> str:
    """Milliseconds with three significant digits or whole; `–` when not measured."""
    if value is None:
        return UNDEFINED
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def add_n(figure: str, value: Value) -> str:
    """A written figure with the number of cases it stands on: `0.71 (n 135)`; a bare `–` when undefined."""
    return UNDEFINED if value.value is None else f"{figure} (n {value.n:,})"


def add_interval(figure: str, low: str, high: str) -> str:
    """A written figure with the ends of its interval: `0.41 [0.36, 0.47]`."""
    return f"{figure} [{low}, {high}]"


def list_names(names: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" and {names[-1]}"


def measure_width(text: str) -> int:
    """Columns that `text` takes on a terminal: two for a wide character, none for a combining one."""
    return sum(
        0
        if unicodedata.combining(character) or character in _KEPT_FORMAT_CHARACTERS
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def pad(text: str, width: int) -> str:
    """`text` filled with spaces at its end to `width` columns of a terminal."""
    return text + " " * (width - measure_width(text))
