"""Traditional characters and the Simplified ones that stand for them, from OpenCC."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from memeval.errors import NotInstalledError, advise_install

_HAN = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00))


@lru_cache(maxsize=1)
def load_simplified() -> Mapping[str, str]:
    """{Traditional character: Simplified character}, one for one, of the characters that differ.

    By character, not by phrase: a file that is cut into pairs has no phrases, and offsets stay valid.

    Raises:
        NotInstalledError: the package OpenCC is not installed.
    """
    try:
        import opencc
    except ImportError:
        raise NotInstalledError(
            "Traditional and Simplified Chinese are read as one through OpenCC, which is not installed: "
            f"pip install opencc, or {advise_install('opencc')}"
        ) from None
    characters = [chr(point) for first, end in _HAN for point in range(first, end)]
    converted = opencc.OpenCC("t2s").convert("\n".join(characters)).split("\n")
    return {old: new for old, new in zip(characters, converted, strict=True) if old != new and len(new) == 1}
