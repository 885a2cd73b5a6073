"""A suite of the recorded needs: what was asked first, how it was worded later, which file was finally read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memeval.errors import TranscriptError
from memeval.memory.document import Document
from memeval.sessions.episodes import RecordedNeed
from memeval.sessions.memoryfiles import is_same_file, is_within, normalise_path
from memeval.testbed.corpus import Corpus
from memeval.testbed.starter import guess_language, relative_path, unique_id
from memeval.testbed.yamlfile import quote_scalar
from memeval.text import count

TAG = "recorded"
"""On every need that comes from a recording."""

NO_ANSWER = "need that ended in no read"
NO_WORDS = "need whose queries were kept as hashes"
ELSEWHERE = "need whose file is not among those of the corpus"
AMBIGUOUS = "need whose file may be one of several"

_HEAD = f"""\
# Needs as they were recorded: the first query, the later wordings in their order, the file finally read.
# They inform and gate nothing until a person has looked at each of them:
#   - Is the file the answer, or only what was opened last? Is another one an answer, too?
#   - Are the wordings of one need? A change of topic is guessed, not known.
#   - Is anything in them that is nobody else's business? Keys and passwords of known forms are gone, names are not.
# What they were distilled from cannot be predicted by them: they would only repeat it. Keep the tag {TAG!r}.
"""
_HALF_CHARACTERS = range(0xD800, 0xE000)


@dataclass(frozen=True, slots=True)
class RecordedSuite:
    """The text of a suite file, and what it does without."""

    text: str
    needs: int
    left_out: Mapping[str, int]
    """{why: how many recorded needs}."""


@dataclass(slots=True)
class _Kept:
    """Recorded needs of one file that began with one wording."""

    document: Document
    wordings: list[str] = field(default_factory=list)
    needs: list[RecordedNeed] = field(default_factory=list)


def build_recorded_suite(
    needs: Iterable[RecordedNeed],
    corpus: Corpus,
    *,
    folder: Path | str,
    name: str,
    suite_path: Path | str,
    recorded_folders: Iterable[str] = (),
) -> RecordedSuite:
    """A suite of the needs that ended in a read of a file of the corpus; written to `suite_path`, it loads as it is.

    Needs of one file that began with the same words are one. Every need has the tag `recorded`, and a note that says
    where it comes from. Needs that ended in no read stand below as comments: nobody knows their file.

    Args:
        needs: as `find_needs` gives them.
        corpus: the store that was searched, as it is now.
        folder: where it lies.
        name: of the suite.
        suite_path: where the text will be written; `corpus:` in it is relative to its folder.
        recorded_folders: where it lay when it was searched, normalised, if that was elsewhere, or is written otherwise.

    Raises:
        TranscriptError: no need is left.
        CorpusError: a path that no suite file can name.
    """
    needs = tuple(needs)
    roots = tuple(normalise_path(place) for place in (str(Path(folder).absolute()), *recorded_folders))
    kept: dict[tuple[str, str], _Kept] = {}
    left_out: Counter[str] = Counter()
    for need in needs:
        found = find_document(need, corpus, roots)
        wordings = _list_wordings(need)
        if isinstance(found, str):
            left_out[found] += 1
        elif not wordings:
            left_out[NO_WORDS] += 1
        else:
            one = kept.setdefault((found.doc_id, wordings[0].casefold()), _Kept(found))
            one.wordings += [wording for wording in wordings if wording not in one.wordings]
            one.needs.append(need)
    if not kept:
        reasons = ", ".join(f"{count(number, 'need')}: {reason}" for reason, number in left_out.items())
        raise TranscriptError(
            f"no recorded need ended in a read of one of its {count(len(corpus.documents), 'file')}"
            + (f" ({reasons})" if reasons else ""),
            path=str(folder),
        )
    lines = [_HEAD, f"suite: {quote_scalar(name)}", f"corpus: {quote_scalar(relative_path(folder, suite_path))}"]
    if corpus.project is not None:
        lines.append(f"project: {quote_scalar(corpus.project)}")
    language = guess_language(wording for one in kept.values() for wording in one.wordings)
    if language is not None:
        lines.append(f"lang: {language}    # guessed from the script of the queries; correct it")
    told = f"{count(len(kept), 'need')} distilled from {count(len(needs), 'recorded need')}; to be confirmed."
    lines += [f"description: {quote_scalar(told)}", "needs:"]
    ids: set[str] = set()
    for one in kept.values():
        lines += _describe(one, unique_id(one.document, ids))
    lost = [need for need in needs if need.answer is None and _list_wordings(need)]
    if lost:
        lines += ["", "# Asked, and nothing was read: nobody knows whether, or where, it is stored."]
        lines += [f"#   {', '.join(quote_scalar(wording) for wording in _list_wordings(need))}" for need in lost]
    return RecordedSuite("\n".join(lines) + "\n", len(kept), dict(left_out))


def _describe(one: _Kept, need_id: str) -> Iterator[str]:
    first = one.needs[0]
    time = first.attempts[0].search.time
    when = "" if time is None else f" of {time.date().isoformat()}"
    often = f"; asked {len(one.needs)} times" if len(one.needs) > 1 else ""
    place = (first.found_at or 0) + 1
    note = f"{first.reader}{when}; {count(first.searches, 'search', 'searches')}, shown at wording {place}{often}"
    yield f"  - id: {quote_scalar(need_id)}"
    yield f"    expect: [{quote_scalar(one.document.doc_id)}]"
    yield "    ask:"
    yield from (f"      - {quote_scalar(wording)}" for wording in one.wordings)
    yield f"    tags: [{TAG}]"
    yield f"    note: {quote_scalar(note)}"


def _list_wordings(need: RecordedNeed) -> list[str]:
    """The distinct wordings on one line each, without what no YAML can hold; [] where they were kept as hashes."""
    texts = (attempt.search.query or "" for attempt in need.wordings)
    lines = (" ".join("".join(c for c in text if ord(c) not in _HALF_CHARACTERS).split()) for text in texts)
    return list(dict.fromkeys(line for line in lines if line))


def find_document(need: RecordedNeed, corpus: Corpus, roots: Sequence[str]) -> Document | str:
    """The document of the corpus that was finally read; else why there is none.

    An absolute path counts only below one of the roots, normalised folders where the corpus lies or lay.
    """
    path = need.answer
    if path is None:
        return NO_ANSWER
    if path.startswith(("/", "~")) or path[1:2] == ":":
        inside = [path[len(root.rstrip("/")) + 1 :] for root in roots if is_within(path, root)]
        found = [document for document in corpus.documents if document.doc_id in inside]
    else:
        found = [document for document in corpus.documents if is_same_file(path, document.doc_id)]
        longest = max((len(document.doc_id) for document in found if len(document.doc_id) <= len(path)), default=0)
        found = [document for document in found if len(document.doc_id) == longest] or found
    return found[0] if len(found) == 1 else AMBIGUOUS if found else ELSEWHERE
