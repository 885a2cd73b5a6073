"""A first suite file for a store that a person already has: real files, checked paths, wordings to replace."""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import regex

from memeval.errors import CorpusError
from memeval.memory.disk import decode_name
from memeval.memory.document import Document, Tier
from memeval.testbed.corpus import Corpus, load_corpus
from memeval.testbed.scripts import LANGUAGE_SCRIPTS, OWN_SCRIPTS, count_scripts
from memeval.testbed.suitefile import is_valid_id
from memeval.testbed.yamlfile import quote_scalar

MOST_NEEDS = 6
"""Needs of a first suite."""
_LONGEST_WORDING = 60
_RARE_WORDS = 3
_LANGUAGE_SAMPLE = 2_000
_BY_HEADING, _BY_WORDS, _BY_NAME = "the file's heading", "the file's rarest words", "the file's name"
_WORD = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー]{2,12}|[\p{L}\p{M}\p{N}]{3,30}")
_HEADING = regex.compile(r"^#{1,6}[ \t]+([^\r\n]{1,200})", regex.MULTILINE)
_HALF_CHARACTER = regex.compile("[\ud800-\udfff]")
_LEADING_DATE = regex.compile(r"^(?:\d+[年月日時分]|[(（]\p{L}{1,3}[)）]|[\d:./-]+(?=[^\p{L}\d:./-]|$)|[^\p{L}\d])+")
_SCRIPTS = {script: regex.compile(rf"\p{{{script}}}") for script in ("Latin", "Han", "Hiragana", "Katakana", "Hangul")}

_HEAD = """\
# What should a search of this memory find? Each need is one thing the agent wants back:
#   id      short name; pytest -k picks it
#   expect  the file or files that answer it, as paths below the corpus folder; [] when nothing is stored
#   ask     ways of asking for it, what comes to mind first standing first
# Optional: must_find: true (losing it fails the check), evidence: 'text to recognise', tags: [a, b], lang, note.
# Quote a text that looks like something else to YAML: 'no', '010', '2026-01-31', 'error: #12'.
"""

_TEMPLATE = """
  # A need with nothing stored: the search should stay silent.
  # - id: never-written-down
  #   expect: []
  #   ask:
  #     - words for something this memory does not know
"""


@dataclass(frozen=True, slots=True)
class _Pick:
    document: Document
    wording: str
    origin: str
    """Where the wording comes from, in words."""


def starter_name(store: Path | str) -> str:
    """A name for a store's first suite: its folder's name in letters, digits, `-`, `_` and `.`."""
    return _slug(decode_name(Path(store).resolve().name), fallback="memory")


def build_starter(
    store: Path | str, *, name: str | None = None, project: str | None = None, suite_path: Path | str
) -> str:
    """The text of a first suite file for a store; written to `suite_path`, it loads as it is.

    It holds up to six needs (fewer when the store has fewer files) for files with a heading before others, notes and
    logs before the rest, spread over the store. The first wording is the file's heading, else its rarest words, and
    is marked as one to replace. `lang` is guessed from the script: zh for Han, ja where kana stands with it, ko for
    Hangul, en for Latin, and left out for any other; a need in another language than most of the store has its own.

    Args:
        store: a folder of any kind that `load_corpus` reads.
        name: name of the suite; else `starter_name(store)`. Other characters than an id may hold become `-`.
        project: slug of the project to search, for a store with several.
        suite_path: where the text will be written; `corpus:` is relative to its folder where that is possible.

    Raises:
        CorpusError: the store cannot be loaded, or has a path that is not UTF-8.
    """
    corpus = load_corpus(store, project=project)
    suite = _slug(name, fallback="memory") if name else starter_name(store)
    lang = guess_language(document.text[:_LANGUAGE_SAMPLE] for document in corpus.documents)
    lines = [_HEAD, f"suite: {quote_scalar(suite)}"]
    lines.append(f"corpus: {quote_scalar(relative_path(store, suite_path))}    # a relative path counts from this file")
    if corpus.project is not None:
        lines.append(f"project: {quote_scalar(corpus.project)}    # whose memory is searched")
    if lang is not None:
        lines.append(f"lang: {lang}    # guessed from the script; correct it")
    lines.append("\nneeds:")
    ids: set[str] = set()
    for pick in _choose(corpus):
        need_id = unique_id(pick.document, ids)
        lines.append(f"  - id: {quote_scalar(need_id)}")
        need_lang = _choose_language(pick, lang)
        if need_lang != lang:
            lines.append(f"    lang: {need_lang}")
        lines.append(f"    expect: [{quote_scalar(pick.document.doc_id)}]")
        lines.append("    ask:")
        lines.append(f"      - {quote_scalar(pick.wording)}    # {pick.origin}: replace with what you would really ask")
    return "\n".join(lines) + "\n" + _TEMPLATE


def guess_language(texts: Iterable[str]) -> str | None:
    """`zh`, `ja`, `ko` or `en` by the script of most letters; None without such letters."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({script: len(pattern.findall(text)) for script, pattern in _SCRIPTS.items()})
    kana = counts["Hiragana"] + counts["Katakana"]
    # a character of Han, kana or Hangul says about as much as two or three Latin letters
    east = {"ko": counts["Hangul"], "ja" if kana * 5 > counts["Han"] else "zh": counts["Han"] + kana}
    weights = {"en": counts["Latin"] / 2.5, **east}
    best = max(weights, key=lambda lang: (weights[lang], lang))
    return best if weights[best] else None


def _choose_language(pick: _Pick, usual: str | None) -> str | None:
    """The language of a pick: the file's, the usual one or the wording's, the first that the wording can be in."""
    scripts = set(count_scripts(unicodedata.normalize("NFKC", pick.wording))) - {"other"}
    guesses = (guess_language([pick.document.text[:_LANGUAGE_SAMPLE]]), usual, guess_language([pick.wording]))
    for lang in guesses:
        if lang is not None and scripts <= LANGUAGE_SCRIPTS[lang] and scripts & OWN_SCRIPTS[lang]:
            return lang
    return usual


def _choose(corpus: Corpus) -> list[_Pick]:
    """The files to start from, spread evenly over the best class that has enough of them."""
    frequency = Counter(word for document in corpus.documents for word in set(_words(document.text)))
    picks = [_describe(document, frequency) for document in corpus.documents]
    picks.sort(
        key=lambda pick: (pick.origin != _BY_HEADING, pick.document.tier == Tier.LONG_TERM, pick.origin == _BY_NAME)
    )
    good = [pick for pick in picks if pick.origin == _BY_HEADING and pick.document.tier != Tier.LONG_TERM]
    pool = good if len(good) >= MOST_NEEDS else picks[:MOST_NEEDS]
    count = min(MOST_NEEDS, len(pool))
    return sorted((pool[index * len(pool) // count] for index in range(count)), key=lambda pick: pick.document.doc_id)


def _describe(document: Document, frequency: Counter[str]) -> _Pick:
    for heading in _HEADING.findall(document.text):
        topic = _LEADING_DATE.sub("", heading).rstrip("# \t")
        if _words(topic):
            return _Pick(document, _shorten(topic), _BY_HEADING)
    words = list(dict.fromkeys(_words(document.text)))
    if not words:
        return _Pick(document, _shorten(Path(document.name).stem) or document.name, _BY_NAME)
    rarest = sorted(words, key=lambda word: (frequency[word], -len(word)))[:_RARE_WORDS]
    return _Pick(document, _shorten(" ".join(word for word in words if word in rarest)), _BY_WORDS)


def _words(text: str) -> list[str]:
    found: list[str] = _WORD.findall(text)
    return found


def _shorten(text: str) -> str:
    """The text on one line, cut to a length one would type, between words where that is possible."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    if len(line) <= _LONGEST_WORDING:
        return line
    cut = line[: _LONGEST_WORDING + 1]
    return cut.rsplit(" ", 1)[0] if " " in cut else line[:_LONGEST_WORDING]


def relative_path(store: Path | str, suite_path: Path | str) -> str:
    """The path of a store as a suite file written to `suite_path` can name it, with `/` separators.

    Raises:
        CorpusError: the path is not UTF-8.
    """
    # `..` is followed by the system from where the suite's folder really lies
    start = os.path.realpath(Path(suite_path).parent)
    try:
        path = os.path.relpath(store, start)
    except ValueError:  # another drive
        path = str(Path(store).absolute())
    posix = decode_name(Path(path).as_posix())
    if _HALF_CHARACTER.search(posix):
        raise CorpusError(f"{store}: the path is not UTF-8, so that no suite file can name it; rename the folder")
    return f"./{posix}" if posix.startswith("~") else posix


def unique_id(document: Document, taken: set[str]) -> str:
    """An id for a need that a document answers, made of its name; it is added to those that are taken."""
    stem = Path(document.name).stem
    base = _slug(f"log-{stem}" if document.tier == Tier.DAILY else stem, fallback="file")
    need_id = base
    number = 2
    while need_id in taken:
        need_id = f"{base}-{number}"
        number += 1
    taken.add(need_id)
    return need_id


def _slug(text: str, *, fallback: str) -> str:
    composed = unicodedata.normalize("NFC", text).lower()
    slug = regex.sub(r"-{2,}", "-", "".join(char if is_valid_id(f"x{char}") else "-" for char in composed)).strip("-.")
    return slug if is_valid_id(slug) else f"{fallback}-{slug}" if slug else fallback
