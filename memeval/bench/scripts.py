"""What each variant finds by the script of the wording, over all suites of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memeval.bench.evaluation import Evaluation, Value
from memeval.bench.summary import UNGRADABLE
from memeval.metrics.mean import mean
from memeval.testbed.scripts import count_scripts

_KANA = {"Hiragana": "Kana", "Katakana": "Kana"}


@dataclass(frozen=True, slots=True)
class ScriptShare:
    """The wordings of one script."""

    script: str
    """As in `Han+Latin`; `none` without a letter."""
    found: Mapping[str, Value]
    """{variant: share of wordings with something stored that find an expected file}; a variant never asked is not in
    it."""


def name_script(text: str) -> str:
    """The scripts of a text, joined by `+`; Hiragana and Katakana are one, `none` is a text without a letter."""
    return "+".join(sorted({_KANA.get(script, script) for script in count_scripts(text)})) or "none"


def share_scripts(evaluation: Evaluation) -> tuple[ScriptShare, ...]:
    """What is found of the wordings of each script, the commonest first; a wording of two suites counts in both."""
    answers: dict[str, dict[str, list[bool]]] = {}
    names: dict[str, str] = {}  # the same texts are asked of every variant
    for suite in evaluation.suites:
        for variant in suite.variants:
            for query in variant.queries:
                if query.found is None or query.verdict == UNGRADABLE:
                    continue
                if query.text not in names:
                    names[query.text] = name_script(query.text)
                answers.setdefault(names[query.text], {}).setdefault(variant.name, []).append(query.found)
    ordered = sorted(answers.items(), key=lambda entry: (-max(map(len, entry[1].values())), entry[0]))
    return tuple(
        ScriptShare(script, {variant: Value(*mean(found)) for variant, found in of_variants.items()})
        for script, of_variants in ordered
    )
