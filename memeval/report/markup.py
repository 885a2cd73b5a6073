"""The Markdown that the report's own functions write, as HTML.

Only that dialect: paragraphs, lists, tables, quotes, folded parts, code, bold, links within the page. Whatever else
stands in a text is text: nothing passes that is not made here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence

_INLINE = re.compile(
    r"`(?P<span>[^`]*)`"
    r"|<code>(?P<code>[^<]*)</code>"
    r"|(?P<entity>&(?:#[0-9]+|#x[0-9a-f]+|amp|lt|gt|quot);)"
    r"|\*\*(?P<bold>(?:`[^`]*`|[^*`])+)\*\*"
    r"|\[(?P<label>(?:`[^`]*`|[^\]`])*)\]\(#(?P<anchor>[a-z0-9-]+)\)"
)
_ENTITY = re.compile(r"(&(?:#[0-9]+|#x[0-9a-f]+|amp|lt|gt|quot);)")
_SUMMARY = re.compile(r"<details>\n<summary>(?P<summary>.*)</summary>", re.DOTALL)
_RULE = re.compile(r":?-+:?")


def render_inline(text: str) -> str:
    """A line of the report as HTML."""
    parts, end = [], 0
    for match in _INLINE.finditer(text):
        parts.append(html.escape(text[end : match.start()]))
        parts.append(_render_match(match))
        end = match.end()
    return "".join([*parts, html.escape(text[end:])])


def _render_match(match: re.Match[str]) -> str:
    kind = match.lastgroup
    if kind == "span":
        return f"<code>{html.escape(match['span'])}</code>"
    if kind == "code":
        return f"<code>{_keep_entities(match['code'])}</code>"
    if kind == "entity":
        return match["entity"]
    if kind == "bold":
        return f"<strong>{render_inline(match['bold'])}</strong>"
    return f'<a href="#{match["anchor"]}">{render_inline(match["label"])}</a>'


def _keep_entities(text: str) -> str:
    return "".join(part if place % 2 else html.escape(part) for place, part in enumerate(_ENTITY.split(text)))


def render_blocks(blocks: Iterable[str]) -> str:
    """Blocks of the report as HTML, one after the other."""
    return "\n".join(_render(part) for block in blocks for part in block.split("\n\n") if part)


def _render(block: str) -> str:
    folded = _SUMMARY.fullmatch(block)
    if folded is not None:
        return f"<details><summary>{render_inline(folded['summary'])}</summary>"
    if block == "</details>":
        return block
    if block.startswith("| "):
        return _render_table(block.split("\n"))
    if block.startswith("- "):
        return _render_list(block.split("\n"))
    if block.startswith("> "):
        lines = [line.removeprefix(">").removeprefix(" ") for line in block.split("\n")]
        inner = "\n".join(line for line in lines if not line.startswith("[!"))
        return f'<div class="caution" role="note">{render_blocks(_split_quote(inner))}</div>'
    return f"<p>{render_inline(block)}</p>"


def _split_quote(text: str) -> list[str]:
    return [part.strip("\n") for part in text.split("\n\n")]


def _render_list(lines: Sequence[str]) -> str:
    """A list, its items of a second level below the one they follow."""
    parts, is_nested = ["<ul>"], False
    for line in lines:
        nested = line.startswith("  - ")
        if nested and not is_nested:
            parts[-1] = parts[-1].removesuffix("</li>")
            parts.append("<ul>")
        elif is_nested and not nested:
            parts.append("</ul></li>")
        is_nested = nested
        parts.append(f"<li>{render_inline(line.strip().removeprefix('- '))}</li>")
    return "".join([*parts, "</ul></li>" * is_nested, "</ul>"])


def _render_table(lines: Sequence[str]) -> str:
    head, rules, *rows = [_split_cells(line) for line in lines]
    numeric = [rule.endswith(":") and not rule.startswith(":") for rule in rules]
    return render_table(
        [render_inline(cell) for cell in head], [[render_inline(cell) for cell in row] for row in rows], numeric
    )


def _split_cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")]


def render_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], numeric: Sequence[bool], *, caption: str = ""
) -> str:
    """An HTML table of cells that are HTML already, in a frame that scrolls; the first cell of a row is its heading."""
    return "".join(_write_table(head, rows, numeric, caption))


def _write_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], numeric: Sequence[bool], caption: str
) -> Iterator[str]:
    marks = [' class="n"' if is_number else "" for is_number in numeric]
    yield '<div class="scroll"><table>'
    yield f"<caption>{caption}</caption>" if caption else ""
    yield "<thead><tr>"
    yield from (f'<th scope="col"{mark}>{cell}</th>' for cell, mark in zip(head, marks, strict=True))
    yield "</tr></thead><tbody>"
    for first, *others in rows:
        yield f'<tr><th scope="row">{first}</th>'
        yield from (f"<td{mark}>{cell}</td>" for cell, mark in zip(others, marks[1:], strict=True))
        yield "</tr>"
    yield "</tbody></table></div>"
