"""Checks of a wording's form: its kind, its language tag against its script, simplified and traditional Chinese."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

import regex

from memeval.testbed.lint.finding import ERROR, WARNING, Finding, Subject
from memeval.testbed.lint.words import SAME_WORDS, UNSEEN_WORDS
from memeval.testbed.scripts import (
    LANGUAGE_SCRIPTS,
    OWN_SCRIPTS,
    base_language,
    count_scripts,
    find_simplified,
    find_traditional,
)
from memeval.text import count

CROSS_LINGUAL = "cross-lingual"
SIMPLIFIED = "simplified"

_CJK = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー々]"
_GAP = regex.compile(rf"{_CJK}\s+{_CJK}")
_LONG_RUN = regex.compile(rf"{_CJK}{{3}}")
_FULL_WIDTH = regex.compile(r"[\uff01-\uff60\uffe0-\uffe6\u3000]")
_HALF_WIDTH = regex.compile(r"[\uff61-\uffdc\uffe8-\uffee]")


def _is_mixed(text: str) -> bool:
    scripts = count_scripts(text)
    return "Latin" in scripts and len(scripts) > 1


def _counts_cjk(characters: int) -> Callable[[str], bool]:
    pattern = regex.compile(rf"{_CJK}{{{characters}}}")
    return lambda text: pattern.fullmatch(unicodedata.normalize("NFKC", text).strip()) is not None


KINDS: dict[str, tuple[str, Callable[[str], bool] | None]] = {
    SAME_WORDS: ("shares a term with an expected file", None),
    "paraphrase": ("says it in other words, which may overlap", None),
    UNSEEN_WORDS: ("shares no term with any expected file", None),
    "symptom": ("what one thinks while making the mistake", None),
    CROSS_LINGUAL: ("in another language than the store, with a `lang` of its own", None),
    "spaced": ("has a space between two CJK characters", lambda text: _GAP.search(text) is not None),
    "unspaced": (
        "has three CJK characters in a row or more, and no space between two",
        lambda text: _LONG_RUN.search(text) is not None and _GAP.search(text) is None,
    ),
    SIMPLIFIED: (
        "holds a simplified character and no traditional one",
        lambda text: bool(find_simplified(text)) and not find_traditional(text),
    ),
    "traditional": (
        "holds a traditional character and no simplified one",
        lambda text: bool(find_traditional(text)) and not find_simplified(text),
    ),
    "full-width": ("holds full-width forms", lambda text: _FULL_WIDTH.search(text) is not None),
    "half-width": ("holds half-width Katakana or Hangul", lambda text: _HALF_WIDTH.search(text) is not None),
    "one-character": ("is one CJK character", _counts_cjk(1)),
    "two-character": ("is two CJK characters", _counts_cjk(2)),
    "mixed-script": ("holds letters of Latin and of another script", _is_mixed),
}
"""{kind: (what such a wording is, whether a text has that form)}; no test where its words decide, or nothing does."""


def check_forms(subject: Subject) -> Iterator[Finding]:
    """A kind that does not exist, or a wording that has not the form of its kind: errors."""
    for need in subject.suite.needs:
        for index, wording in enumerate(need.wordings):
            if wording.kind is None:
                continue
            if wording.kind not in KINDS:
                yield subject.at_wording(
                    ERROR, "unknown-kind", need, index, f"has kind {wording.kind!r}; known: {', '.join(KINDS)}"
                )
                continue
            form, has_form = KINDS[wording.kind]
            if has_form is not None and not has_form(wording.text):
                yield subject.at_wording(
                    ERROR, "wrong-form", need, index, f"has kind {wording.kind}, which {form}; this one does not"
                )


def check_languages(subject: Subject) -> Iterator[Finding]:
    """A language tag that the letters contradict is an error, as is `cross-lingual` without a language of its own.

    Wordings in Chinese, Japanese or Korean without a letter of its scripts are one warning with their count: a name or
    a command may be just what comes to mind, but such a wording is no evidence on that script. Other languages than
    those of LANGUAGE_SCRIPTS are not checked.
    """
    unshown: dict[str, list[str]] = {}
    for need in subject.suite.needs:
        usual = need.lang or subject.suite.lang
        for index, wording in enumerate(need.wordings):
            tag = subject.language(need, wording)
            if wording.kind == CROSS_LINGUAL and (
                wording.lang is None or usual is None or base_language(wording.lang) == base_language(usual)
            ):
                yield subject.at_wording(
                    ERROR,
                    "cross-lingual-untagged",
                    need,
                    index,
                    f"is cross-lingual and needs a `lang` of its own, other than that of the need ({usual})",
                )
            language = base_language(tag or "")
            scripts = set(count_scripts(unicodedata.normalize("NFKC", wording.text))) - {"other"}
            if language not in LANGUAGE_SCRIPTS or not scripts:
                continue
            foreign = sorted(scripts - LANGUAGE_SCRIPTS[language])
            if foreign and wording.kind != "mixed-script":
                yield subject.at_wording(
                    ERROR,
                    "language-contradicted",
                    need,
                    index,
                    f"is tagged {tag}, but holds {', '.join(foreign)} letters; give it its own `lang`",
                    foreign,
                )
            elif not scripts & OWN_SCRIPTS[language]:
                unshown.setdefault(language, []).append(f"{need.id}[{index}]")
    for language, queries in sorted(unshown.items()):
        scripts_meant = " or ".join(sorted(OWN_SCRIPTS[language]))
        yield subject.at_suite(
            WARNING,
            "language-unshown",
            f"{count(len(queries), 'wording is', 'wordings are')} tagged {language} without a letter of "
            f"{scripts_meant} ({', '.join(queries[:3])}{', …' if len(queries) > 3 else ''}); "
            "nothing is told about that script",
            queries,
        )


def check_simplified(subject: Subject) -> Iterator[Finding]:
    """The other Chinese script in a store that is tagged with one: a wording is an error, a document a warning.

    Checked for corpora with `zh-Hant` (also zh-TW, zh-HK, zh-MO) or `zh-Hans` (zh-CN, zh-SG) among their languages, and
    only one of the two. Wordings of the kinds simplified, traditional and cross-lingual may hold what they like.
    """
    chinese = {_chinese_script(tag) for tag in subject.suite.corpus.languages} - {None}
    if len(chinese) != 1:
        return
    other, find = ("simplified", find_simplified) if "Hant" in chinese else ("traditional", find_traditional)
    for need in subject.suite.needs:
        for index, wording in enumerate(need.wordings):
            found = find(wording.text)
            is_chinese = base_language(subject.language(need, wording) or "") == "zh"
            if found and is_chinese and wording.kind not in (SIMPLIFIED, "traditional", CROSS_LINGUAL):
                yield subject.at_wording(
                    ERROR,
                    "other-chinese-script",
                    need,
                    index,
                    f"holds {other} characters ({''.join(found)}); give it kind {other}, or write it as the store does",
                    found,
                )
    for document in subject.suite.corpus.documents:
        lines = [number for number, line in enumerate(document.text.split("\n"), start=1) if find(line)]
        if lines:
            found = find(document.text)
            yield subject.at_document(
                WARNING,
                "other-chinese-script",
                document.doc_id,
                f"holds {other} characters ({''.join(found)}) in {count(len(lines), 'line')}, "
                "unlike the rest of its store",
                line=lines[0],
                terms=found,
            )


def _chinese_script(tag: str) -> str | None:
    parts = {part.lower() for part in tag.replace("_", "-").split("-")}
    if "zh" not in parts:
        return None
    if parts & {"hant", "tw", "hk", "mo"}:
        return "Hant"
    return "Hans" if parts & {"hans", "cn", "sg"} else None
