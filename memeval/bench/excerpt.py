"""Some variants of a stored evaluation, cut from its text before that is parsed: they may be a tenth of it.

A line end in JSON is never inside a string. So the lines that `render_json` begins and ends a suite's variants with can
be looked for as they stand; a text that is laid out otherwise is left whole.
"""

from __future__ import annotations

import json
from collections.abc import Collection

_FIRST = '\n   "variants": [\n    {\n'
_BETWEEN = "\n    },\n    {\n"
_LAST = "\n    }\n   ]"
_NAME = '     "name": '


def cut_variants(text: str, names: Collection[str]) -> str:
    """The JSON text of an evaluation without most of the variants that have other names.

    Args:
        text: as `Evaluation.to_json` gives it; of any other layout nothing is cut.
        names: of the variants that stay, as many of them as there are.
    """
    pieces: list[str] = []
    done = 0
    while (start := text.find(_FIRST, done)) >= 0:
        start += len(_FIRST)
        end = text.find(_LAST, start)
        variants = text[start:end].split(_BETWEEN)
        if end < 0 or not all(variant.startswith(_NAME) for variant in variants):
            return text
        kept = [variant for variant in variants if _read_name(variant) in names]
        # an empty list would leave an object open; one that is too many is dropped once it is read
        pieces += [text[done:start], _BETWEEN.join(kept or variants[:1])]
        done = end
    return "".join([*pieces, text[done:]])


def _read_name(variant: str) -> object:
    """The name that a variant's first line gives; None where that is no JSON."""
    first, _, _ = variant.partition("\n")
    try:
        return json.loads(first.removeprefix(_NAME).removesuffix(","))
    except ValueError:
        return None
