"""Aliases that stand in a note."""

import pytest

from memeval.memory.aliases import find_aliases
from memeval.memory.document import Document, Tier
from memeval.testbed.aliases import apply_aliases
from memeval.testbed.corpus import Corpus, digest_documents


@pytest.mark.parametrize(
    ("text", "aliases"),
    [
        ("# Redis\naliases: port clash, cache", ("port clash", "cache")),
        ('---\ntitle: x\naliases: [port clash, "a, b", 6380]\n---\ntext', ("port clash", "a, b", "6380")),
        ("---\naliases:\n  - port clash\n  - 'cache'\ntitle: x\n---\n", ("port clash", "cache")),
        ("aliases:\r\n- one\r\n- two\r\n\r\n- three", ("one", "two")),
        ("Aliases: cache, , cache", ("cache",)),
        ("aliases: [broken, one", ("broken", "one")),
        ("the aliases: none of them", ()),
        ("aliases:\n\ntext", ()),
        ("", ()),
    ],
)
def test_forms(text, aliases):
    """A line with commas, a list in brackets, a list below; each alias once."""
    assert find_aliases(text) == aliases


@pytest.mark.parametrize("text", ["# Redis\n", "---\ntitle: x\n---\n# Redis", "# Redis\r\n"])
def test_an_applied_overlay_is_read_back(text):
    """What the overlay writes into a note is found there."""
    document = Document(doc_id="a.md", path="a.md", tier=Tier.NOTE, name="a.md", text=text)
    corpus = Corpus(name="c", documents=(document,), digest=digest_documents([document]))
    aliases = ("port clash", "cache container", "埠號衝突")
    assert find_aliases(apply_aliases(corpus, {"a.md": aliases}).documents[0].text) == aliases
