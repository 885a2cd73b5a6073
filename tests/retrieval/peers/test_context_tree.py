"""The context tree: how lines are made, and how a question descends by them."""

from __future__ import annotations

import pytest

from memeval.memory.document import Document
from memeval.retrieval.peers.context_tree import ContextTree, grow_tree

TREE = {
    "MEMORY.md": "# Rules\nask first\n",
    "coffee/README.md": "# Coffee\nbeans, roasts, soup and tea\n",
    "coffee/soup-method.md": "# Soup method\nno bypass, 94 degrees\n",
    "coffee/grinders.md": "# Grinders\nburrs wear out\n",
    "infra/net/wireguard.md": "---\ndescription: tunnel between home and office\n---\n# WireGuard\nport 51820\n",
    "infra/net/dns.md": "# DNS\nsplit horizon\n",
}


@pytest.fixture
def tree(make_document) -> list[Document]:
    """Two topics, one of them with a folder that stands for it."""
    return [make_document(doc_id, text) for doc_id, text in TREE.items()]


def test_a_tree_has_a_line_for_each_folder_and_file(tree):
    """Summary file, description, title and first line; a folder of one folder is listed as that one."""
    root = grow_tree(tree)
    assert [entry.line for entry in root.entries] == [
        "coffee/: beans, roasts, soup and tea",
        "infra/net/: DNS; WireGuard",
        "MEMORY.md: Rules. ask first",
    ]
    assert [entry.line for entry in root.entries[1].entries] == [
        "dns.md: DNS. split horizon",
        "wireguard.md: tunnel between home and office",
    ]


def test_a_summary_is_cut_at_240_bytes(make_document):
    """On a character boundary."""
    root = grow_tree([make_document("a.md", "# " + "長" * 100 + "\n")])
    assert root.entries[0].summary == "長" * 80


def test_words_descend_to_the_file(tree):
    """The topic line with the words is followed, then the nearest file lines; listings and files are shown."""
    answer = ContextTree(tree, 16_384).search("soup method")
    assert [(hit.doc_id, hit.score) for hit in answer.hits] == [("coffee/soup-method.md", 2)]
    assert answer.text == (
        "coffee/: beans, roasts, soup and tea\ninfra/net/: DNS; WireGuard\nMEMORY.md: Rules. ask first\n\n"
        "README.md: Coffee. beans, roasts, soup and tea\ngrinders.md: Grinders. burrs wear out\n"
        "soup-method.md: Soup method. no bypass, 94 degrees\n\n"
        "store/coffee/soup-method.md\n# Soup method\nno bypass, 94 degrees"
    )


def test_a_word_that_no_line_has_leads_nowhere(tree):
    """`51820` stands in a file, in no summary: every folder is looked into, no file is opened, the looks are paid."""
    answer = ContextTree(tree, 16_384).search("51820")
    assert answer.hits == ()
    assert answer.text.count("\n\n") == 2


def test_the_wrong_topic_hides_the_file(tree):
    """`home beans`: the coffee line has a word, so that the tunnel's own line is never read."""
    answer = ContextTree(tree, 16_384).search("home beans")
    assert [hit.doc_id for hit in answer.hits] == ["coffee/README.md"]


def test_a_query_of_fillers_reads_nothing(tree):
    """No word to descend by: nothing is looked at."""
    assert ContextTree(tree, 16_384).search("what is it").text == ""


def test_files_are_opened_while_the_budget_lasts(tree):
    """Listings come on top; a file that does not fit is found and not shown."""
    exact = len("store/coffee/soup-method.md\n# Soup method\nno bypass, 94 degrees") + 2
    assert ContextTree(tree, exact).search("soup method").shown == ("coffee/soup-method.md",)
    short = ContextTree(tree, exact - 1).search("soup method")
    assert (len(short.hits), short.shown) == (1, ())
