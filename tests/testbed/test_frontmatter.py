"""Aliases may not spoil front matter that other programs read."""

from __future__ import annotations

import pytest

from memeval.memory.aliases import add_aliases
from memeval.testbed.frontmatter import keeps_front_matter


@pytest.mark.parametrize(
    ("matter", "alias", "is_kept"),
    [
        ("aliases: cache, box", "port", True),
        ("aliases: cache, box", "redis: port", True),
        ("aliases: [cache]", "redis: port", True),
        ("aliases:\n  - cache", "redis: port", True),
        ("aliases: one # two", "port", True),
        ("aliases: |\n  one", "port", False),
        ("aliases:\n  one, two", "port", False),
        ("title: x", "redis: port", True),
        ("title: [x", "port", True),
    ],
)
def test_what_yaml_reads_is_read_after_it(matter, alias, is_kept):
    """The same mapping with the alias in it; where YAML read nothing before, nothing can be spoilt."""
    before = f"---\n{matter}\n---\nbody\n"
    assert keeps_front_matter(before, add_aliases(before, [alias]), [alias]) is is_kept


def test_without_front_matter_there_is_nothing_to_spoil():
    """Aliases of the last line, too."""
    assert keeps_front_matter("body\n", "body\naliases: a: b\n", ["a: b"])
    assert keeps_front_matter("---\ntitle: x\n---\naliases: a\n", "---\ntitle: x\n---\naliases: a, b\n", ["b"])
