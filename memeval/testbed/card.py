"""The card of a corpus: how it was made, by which rule, what is in it and what is wrong with it, as Markdown.

A card is generated from `corpus.yaml`, the files and the suites, so that it cannot say anything else than they do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memeval.errors import CorpusError
from memeval.testbed.aliases import read_overlay
from memeval.testbed.corpus import CARD_FILE, CARD_MARK, CORPUS_FILE, Corpus, is_card, load_corpus
from memeval.testbed.description import (
    CorpusDescription,
    describe_aliases,
    describe_corpus,
    describe_days,
    describe_duplicates,
    describe_scripts,
    describe_sizes,
)
from memeval.testbed.lint import KINDS, UNSEEN_WORDS, compute_kinds, lint_suite
from memeval.testbed.needs import Suite
from memeval.testbed.storekinds import find_kind

_HEAD = f"{CARD_MARK}; change {CORPUS_FILE} or the suite, then write it again -->"
_TITLES = {
    "origin": "Origin",
    "shared": "Shared with others",
    "files": "Files",
    "wordings": "Wordings",
    "aliases": "Aliases",
    "judgements": "Judgements",
}
_BLIND = {
    True: "Blind: whoever wrote the wordings had not read the files.",
    False: "Not blind: whoever wrote the wordings may have read the files.",
    None: f"Whether whoever wrote the wordings had read the files, {CORPUS_FILE} does not say.",
}
_UNSAID = "not said"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a card is about: a corpus, its aliases, and the suites that ask it."""

    corpus: Corpus
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    suites: tuple[Suite, ...] = ()


def find_corpora(folder: Path) -> tuple[Path, ...]:
    """The folders a card of `folder` is about: itself, or those directly in it that have a `corpus.yaml`, sorted.

    Raises:
        CorpusError: there is none.
    """
    if (folder / CORPUS_FILE).is_file():
        return (folder,)
    found = tuple(sorted(path.parent for path in folder.glob(f"*/{CORPUS_FILE}")))
    if not found:
        raise CorpusError(
            f"{folder}: neither a {CORPUS_FILE} here nor one in a folder directly below; a card says what stands in it"
        )
    return found


def read_card(folder: Path, suites: Iterable[Suite]) -> str:
    """The card of a folder: of the corpus in it, or one for all corpora directly in it.

    Args:
        folder: with a `corpus.yaml`, or with folders that have one.
        suites: of which those on these corpora are taken, known by the place of their corpus.

    Raises:
        CorpusError: no corpus, or one that cannot be read.
    """
    given = tuple(suites)
    subjects = []
    for root in find_corpora(folder):
        corpus = load_corpus(root)
        if corpus.unreadable:
            raise CorpusError(
                f"{root}: no card without {', '.join(map(str, corpus.unreadable))}; make it readable UTF-8"
            )
        own = tuple(suite for suite in given if lies_on(suite, root))
        subjects.append(Subject(corpus, read_overlay(corpus), own))
    if (folder / CORPUS_FILE).is_file():
        return render_card(subjects[0])
    return render_collection(folder.resolve().name, subjects)


def lies_on(suite: Suite, root: Path) -> bool:
    """Whether the suite asks the corpus in that folder."""
    return suite.corpus.root is not None and Path(suite.corpus.root).resolve() == root.resolve()


def write_card(folder: Path, text: str) -> Path:
    """The path of the card, once it stands in the folder.

    Raises:
        CorpusError: a `README.md` stands there that is no card; it is left as it is.
    """
    path = folder / CARD_FILE
    if path.exists() and not is_card(path.read_text(encoding="utf-8", errors="replace")):
        raise CorpusError(f"{path}: is no corpus card and is left alone; rename it, then write the card")
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def render_card(subject: Subject) -> str:
    """The card of one corpus, ending in a newline."""
    corpus = subject.corpus
    description = describe_corpus(corpus, subject.aliases)
    blocks = [
        _HEAD,
        f"# {corpus.name}",
        _join(corpus.description),
        _render_facts(corpus),
        "## How it was made",
        _list(_tell_provenance(corpus)),
        "## What is wrong with it",
        _list(map(_join, corpus.flaws)) or f"{CORPUS_FILE} names no flaw.",
        "## The files",
        _render_tiers(description),
        _list(_tell_files(description)),
        "## The needs",
        *(block for suite in subject.suites for block in _render_suite(suite)),
        *([] if subject.suites else ["No suite asks this corpus."]),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def render_collection(name: str, subjects: Sequence[Subject]) -> str:
    """One card for several small corpora, ending in a newline: a table of counts, then each in words."""
    columns = ("corpus", "languages", "files", "bytes", "logs", "needs", "nothing stored", "wordings", "aliases")
    rows = []
    for subject in subjects:
        description = describe_corpus(subject.corpus, subject.aliases)
        needs = [need for suite in subject.suites for need in suite.needs]
        counts = (
            description.files,
            description.size_bytes,
            description.days,
            len(needs),
            sum(not need.relevant for need in needs),
            sum(len(need.wordings) for need in needs),
            sum(description.own_aliases.values()) + sum(description.overlay_aliases.values()),
        )
        languages = ", ".join(subject.corpus.languages) or _UNSAID
        rows.append([f"[{subject.corpus.name}](#{subject.corpus.name})", languages, *map(_number, counts)])
    told = [_tell_briefly(subject) for subject in subjects]
    common = [line for line in told[0] if all(line in lines for lines in told)]
    blocks = [_HEAD, f"# {name}", f"{len(subjects)} corpora. What holds for all of them:", _list(common)]
    blocks.append(_table(columns, rows, left=2))
    for subject, lines in zip(subjects, told, strict=True):
        own = [line for line in lines if line not in common]
        blocks += [f"## {subject.corpus.name}", _join(subject.corpus.description), _list(own)]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _tell_briefly(subject: Subject) -> list[str]:
    """What a collection tells of one of its corpora, beyond counts."""
    corpus = subject.corpus
    return [
        *_tell_provenance(corpus),
        f"Licence: {corpus.licence or _UNSAID}",
        *(f"**Flaw**: {_join(flaw)}" for flaw in corpus.flaws),
        *(f"Judged: {_tell_judged(suite)}" for suite in subject.suites if suite.judged_on),
    ]


def _render_facts(corpus: Corpus) -> str:
    kind = find_kind(corpus.kind)
    facts = [
        f"Languages: {', '.join(corpus.languages) or _UNSAID}",
        f"Licence: {corpus.licence or _UNSAID}",
        f"Layout: {kind.description if kind else corpus.kind}",
    ]
    return _list([*facts, f"Project: `{corpus.project}`"] if corpus.project else facts)


def _tell_provenance(corpus: Corpus) -> list[str]:
    told = [f"**{_TITLES[key]}**: {_join(text)}" for key, text in corpus.provenance.items()]
    return [*told, *([_join(corpus.made)] if corpus.made else []), _BLIND[corpus.blind]]


def _render_tiers(description: CorpusDescription) -> str:
    rows = [
        [tier.tier.value.replace("_", "-"), _number(tier.files), _number(tier.size_bytes)] for tier in description.tiers
    ]
    rows.append(["all", _number(description.files), _number(description.size_bytes)])
    return _table(("tier", "files", "bytes"), rows)


def _tell_files(description: CorpusDescription) -> list[str]:
    return [
        f"Bytes: {describe_sizes(description)}",
        f"Daily logs: {describe_days(description)}",
        f"Scripts: {describe_scripts(description)}",
        f"Near-duplicates: {describe_duplicates(description.duplicates)}",
        f"Aliases: {describe_aliases(description)}",
    ]


def _render_suite(suite: Suite) -> list[str]:
    needs = suite.needs
    stored = [need for need in needs if need.relevant]
    rows = [
        ("needs", len(needs)),
        ("of them with nothing stored", len(needs) - len(stored)),
        ("with several files that answer", sum(len(need.relevant) > 1 for need in stored)),
        ("with evidence", sum(need.evidence is not None for need in stored)),
        ("that must be found", sum(need.must_find or any(w.must_find for w in need.wordings) for need in stored)),
        ("wordings", len(suite.queries())),
    ]
    return [
        f"Suite `{suite.name}`, in `{Path(suite.path).name}`:",
        _join(suite.description),
        _table(("", "number"), [[name, _number(number)] for name, number in rows]),
        _render_wordings(suite),
        _list([*_tell_free(suite), f"Judged: {_tell_judged(suite)}", f"Checked: {_tell_checks(suite)}"]),
    ]


def _render_wordings(suite: Suite) -> str:
    """How many wordings there are of each kind, asked for or free, and from how many writers."""
    counts: Counter[tuple[str, str]] = Counter()
    writers: dict[tuple[str, str], set[str | None]] = {}
    for query in suite.queries():
        key = (query.wording.elicited or _UNSAID, query.wording.kind or "–")
        counts[key] += 1
        writers.setdefault(key, set()).add(query.wording.writer)
    known = [*KINDS]
    places = {kind: place for place, kind in enumerate(known)}
    ordered = sorted(counts, key=lambda key: (key[0], places.get(key[1], -1), key[1]))
    rows = [
        [elicited, kind, _number(counts[elicited, kind]), str(len(writers[elicited, kind]))]
        for elicited, kind in ordered
    ]
    return _table(("elicited", "kind", "wordings", "writers"), rows, left=2)


def _tell_free(suite: Suite) -> list[str]:
    kinds = compute_kinds(suite)
    free = [kinds[query.id] for query in suite.queries() if query.wording.elicited == "free" and query.id in kinds]
    if not free:
        return []
    return [
        f"Free wordings: {_number(free.count(UNSEEN_WORDS))} of the {_number(len(free))} with something to find share "
        "no word with a file that answers; computed, not chosen"
    ]


def _tell_judged(suite: Suite) -> str:
    grades = [grade for need in suite.needs for grade in need.expected.values()]
    when = f"on {suite.judged_on}" if suite.judged_on else "on a day that the suite does not say"
    return (
        f"{_number(len(grades))} pairs of need and file, {when}; {_number(sum(grade > 0 for grade in grades))} answer"
    )


def _tell_checks(suite: Suite) -> str:
    found = Counter((finding.severity, finding.code) for finding in lint_suite(suite))
    told = [f"{number} {severity} `{code}`" for (severity, code), number in sorted(found.items())]
    return f"`memeval corpus lint` finds {', '.join(told) or 'nothing'}"


def _number(number: int) -> str:
    return f"{number:,}"


def _join(text: str) -> str:
    """A text on one line: a blank line, a heading or a list in it would be read as part of the card."""
    return " ".join(text.split())


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _table(headers: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    rules = [":---" if place < left else "---:" for place in range(len(headers))]
    lines = [[cell.replace("|", "\\|") for cell in row] for row in (headers, rules, *rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
