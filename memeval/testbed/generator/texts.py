"""The text of each planned file. A file's text depends on its own stream alone, a copy's on that of its origin too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from memeval.memory.document import Document, Tier
from memeval.testbed.generator.lexicon import Lexicon
from memeval.testbed.generator.parameters import Parameters
from memeval.testbed.generator.plan import Fact, FilePlan, Role
from memeval.testbed.generator.streams import draw_below, open_stream

_LINES = (6, 18)
"""Fewest and most lines beside those with facts: files of about 0.9 kB."""
_LONG_TERM_LINES = 24
_NOISE_LINES = (3, 8)
_NOISE_WORDS = (2, 5)
_CHANGED_LINES = 0.15
"""Share of a copy's lines without a fact that are written anew."""
_PARAGRAPH_LINES = 5


@dataclass(frozen=True, slots=True)
class _Body:
    """What a file says, without the day and the headings of its tier."""

    title: str
    lines: Sequence[str]
    fixed: frozenset[int]
    """Which lines a copy keeps: those that hold a form."""


def write_documents(
    parameters: Parameters, seed: int, files: Iterable[FilePlan], lexicons: Mapping[str, Lexicon]
) -> tuple[Document, ...]:
    """The documents, sorted by doc_id. A copy has to come after its origin."""
    files = tuple(files)
    origins = {file.origin for file in files if file.role is Role.DUPLICATE}
    bodies: dict[str, _Body] = {}
    documents = []
    for file in files:
        stream = open_stream(seed, "text", file.slot)
        lexicon = lexicons[file.language]
        if file.role is Role.DUPLICATE and file.origin is not None:
            body = _copy(stream, lexicon, bodies[file.origin])
        else:
            body = _compose(stream, lexicon, file)
        if file.doc_id in origins:
            bodies[file.doc_id] = body
        day = parameters.day(file.day_number)
        documents.append(
            Document(
                doc_id=file.doc_id,
                path=file.doc_id,
                tier=file.tier,
                name=file.doc_id.rsplit("/", 1)[-1],
                text=_render(stream, file.tier, day, body),
                date=day if file.tier is Tier.DAILY else None,
            )
        )
    return tuple(sorted(documents, key=lambda document: document.doc_id))


def _compose(stream: Random, lexicon: Lexicon, file: FilePlan) -> _Body:
    if file.role is Role.LONG_TERM:
        return _Body(lexicon.join(lexicon.draw_words(stream, 3)), _write_rules(stream, lexicon), frozenset())
    if file.role is Role.NOISE:
        return _write_chatter(stream, lexicon, file.mentions)
    fewest, most = _LINES
    filler = _write_lines(stream, lexicon, fewest + draw_below(stream, most - fewest + 1))
    about = lexicon.inflect(stream, file.facts[0].subject.forms[0])
    title = lexicon.join([about, *lexicon.draw_words(stream, 2)])
    return _mix(stream, title, filler, [line for fact in file.facts for line in _state(stream, lexicon, fact)])


def _write_lines(stream: Random, lexicon: Lexicon, count: int) -> list[str]:
    lengths = [lexicon.draw_length(stream) for _ in range(count)]
    words = lexicon.draw_words(stream, sum(lengths))
    lines, first = [], 0
    for length in lengths:
        lines.append(lexicon.make_line(words[first : first + length]))
        first += length
    return lines


def _write_rules(stream: Random, lexicon: Lexicon) -> list[str]:
    return [f"- {line}" for line in _write_lines(stream, lexicon, _LONG_TERM_LINES)]


def _write_chatter(stream: Random, lexicon: Lexicon, mentions: Sequence[str]) -> _Body:
    (fewest, most), (shortest, longest) = _NOISE_LINES, _NOISE_WORDS
    stop = lexicon.style.stop
    filler = [
        lexicon.join(lexicon.draw_words(stream, shortest + draw_below(stream, longest - shortest + 1))) + stop
        for _ in range(fewest + draw_below(stream, most - fewest + 1))
    ]
    title = lexicon.join(lexicon.draw_words(stream, 2))
    said = []
    for form in mentions:
        before, after = lexicon.draw_words(stream, 2)
        said.append(lexicon.join([before, lexicon.inflect(stream, form), after]) + stop)
    return _mix(stream, title, filler, said)


def _state(stream: Random, lexicon: Lexicon, fact: Fact) -> Iterator[str]:
    """The line with the value, and one that names the subject by its other form."""
    words = lexicon.draw_words(stream, 8)
    subject, other = (lexicon.inflect(stream, form) for form in fact.subject.stored_forms)
    aspect = lexicon.inflect(stream, fact.aspect.forms[0])
    style = lexicon.style
    # at least one filler word between two forms: side by side they would make a pair of characters of their own
    yield f"- {lexicon.join([words[0], subject, *words[1:3], aspect, words[3]])}{style.colon}{fact.value}{style.stop}"
    yield lexicon.join([words[4], other, *words[5:]]) + style.stop


def _mix(stream: Random, title: str, filler: Sequence[str], fixed: Sequence[str]) -> _Body:
    """The lines with a form among the others, in order, at random places."""
    total = len(filler) + len(fixed)
    places: set[int] = set()
    while len(places) < len(fixed):
        places.add(draw_below(stream, total))
    kept, others = iter(fixed), iter(filler)
    return _Body(title, [next(kept if place in places else others) for place in range(total)], frozenset(places))


def _copy(stream: Random, lexicon: Lexicon, origin: _Body) -> _Body:
    """The same title and facts, and at least one other line anew."""
    free = [place for place in range(len(origin.lines)) if place not in origin.fixed]
    changed = [place for place in free if stream.random() < _CHANGED_LINES] or free[:1]
    lines = list(origin.lines)
    for place, line in zip(changed, _write_lines(stream, lexicon, len(changed)), strict=True):
        lines[place] = line
    return _Body(origin.title, lines, origin.fixed)


def _render(stream: Random, tier: Tier, day: str, body: _Body) -> str:
    if tier is Tier.LONG_TERM:
        return f"# {body.title}\n\n{_set(body.lines)}\n"
    if tier is Tier.NOTE:
        return f"# {body.title}\n\n{day}\n\n{_set(body.lines)}\n"
    half = len(body.lines) // 2
    hour, minute = 8 + draw_below(stream, 4), draw_below(stream, 60)
    morning, later = f"{hour:02}:{minute:02}", f"{hour + 5:02}:{minute:02}"
    return (
        f"# {day}\n\n### {morning} — {body.title}\n{_set(body.lines[:half])}\n\n"
        f"### {later}\n{_set(body.lines[half:])}\n"
    )


def _set(lines: Sequence[str]) -> str:
    """The lines in paragraphs."""
    starts = range(0, len(lines), _PARAGRAPH_LINES)
    return "\n\n".join("\n".join(lines[start : start + _PARAGRAPH_LINES]) for start in starts)
