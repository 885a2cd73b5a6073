"""Write memeval/ruler/frequent_pairs.txt again from the bundled stores: `python tests/rebuild_frequent_pairs.py`."""

from pathlib import Path

from memeval.ruler import render_frequent_pairs
from memeval.testbed import load_corpus

ROOT = Path(__file__).parents[1]
PAIRS = ROOT / "memeval" / "ruler" / "frequent_pairs.txt"
STORES = ("zh", "ja", "ko")


def render() -> str:
    """What the list must hold today."""
    stores = {language: load_corpus(ROOT / "corpora" / f"ops-{language}").documents for language in STORES}
    return render_frequent_pairs(
        {language: [document.text for document in documents] for language, documents in stores.items()}
    )


if __name__ == "__main__":
    PAIRS.write_text(render(), encoding="utf-8", newline="\n")
