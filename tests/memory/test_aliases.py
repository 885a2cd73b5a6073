"""Aliases that stand in a note: read, put in, taken out."""

from __future__ import annotations

import shutil

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memeval.errors import MemoryStoreError
from memeval.memory import Memory
from memeval.memory.aliases import add_aliases, find_aliases, is_alias, locate_aliases, strip_aliases
from memeval.memory.document import Document, Tier
from memeval.testbed.aliases import apply_aliases
from memeval.testbed.corpus import Corpus, digest_documents
from memeval.text import fold


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
        ("aliases: [\n  one,\n  two\n]\ntext", ("one", "two")),
        ("aliases: [\"say \\\"x\\\"\", 'it''s', plain]", ('say "x"', "it's", "plain")),
        ("ALIASES: one", ("one",)),
        ("\ufeffaliases: one", ("one",)),
        ("aliases: one\n\naliases: two", ("one", "two")),
        ("see aliases: none\n  aliases: nor this", ()),
        ("aliases:\n- one\ntext\n- two", ("one",)),
        ('aliases: 5" disk, say "hi", "quoted", the \'90s\'', ('5" disk', 'say "hi"', "quoted", "the '90s'")),
        ('aliases: "a, b", "c" d, "e', ("a, b", '"c" d', '"e')),
        ("aliases: 'tis, rock 'n' roll", ("'tis", "rock 'n' roll")),
        ("aliases: 監視、設定, 「引用」", ("監視、設定", "「引用」")),
        ('aliases:\n- say "hi"\n- "5\\" disk"\n- \'C:\\dir\'', ('say "hi"', '5" disk', "C:\\dir")),
        ('aliases: [say "hi", "a]", \'[b\'] # more', ('say "hi"', "a]", "[b")),
        ('aliases: ["a]",\n  "b, c",\n  d\n  e]\n- f', ("a]", "b, c", "d e")),
        ("aliases: [a [x], b]", ("a [x]", "b")),
        ("aliases: [a,\nb]", ("a",)),
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
    aliases = ("port clash", "cache container", "埠號衝突", 'say "hi"', "a, b", "'tis")
    assert find_aliases(apply_aliases(corpus, {"a.md": aliases}).documents[0].text) == aliases


MARKS = "'\"\\,:;#[]{}()&*!|>%@`?=~-_.“”「」、，：。\u200d\u200f"
WORDS = st.text(alphabet=f"ab yesnoéB設定👩🔧{MARKS}", min_size=1, max_size=8)
WORDS = WORDS.filter(lambda word: is_alias(word) and word == word.strip())
ALIASES = st.lists(WORDS, max_size=4)
HEADS = st.sampled_from(
    [
        "",
        "# head\n",
        "no line end",
        "aliases: cache\n",
        "aliases: [cache]\n",
        "aliases: []\n",
        "aliases:\n  - cache\n",
        "aliases:\n",
        "---\ntitle: x\n---\n",
        "---\naliases: [one,\n  two]\n---\n",
        "\ufeff---\r\ntitle: x\r\n---\r\n",
    ]
)
BODIES = st.sampled_from(["", "text", "text\n", "text\r\nmore\r\n", "\n\n- item"])


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("# head\n", "# head\naliases: k8s, kube\n"),
        ("# head", "# head\naliases: k8s, kube\n"),
        ("# head\r\n", "# head\r\naliases: k8s, kube\r\n"),
        ("", "aliases: k8s, kube\n"),
        ("aliases: cache\n", "aliases: cache, k8s, kube\n"),
        ("aliases: K8S\n", "aliases: K8S, kube\n"),
        ("aliases: [cache]\n", "aliases: [cache, k8s, kube]\n"),
        ("aliases: []\n", "aliases: [k8s, kube]\n"),
        ("aliases:\n- cache\ntext", "aliases:\n- cache\n- k8s\n- kube\ntext"),
        ("---\ntitle: x\n---\ntext", "---\ntitle: x\naliases: [k8s, kube]\n---\ntext"),
        ("---\r\ntitle: x\r\n---\r\n", "---\r\ntitle: x\r\naliases: [k8s, kube]\r\n---\r\n"),
    ],
)
def test_added_in_the_form_that_stands_there(text, added):
    """After a comma, in brackets, as items; without any yet, in the front matter or as the last line."""
    assert add_aliases(text, ["k8s", "kube"]) == added


def keep_new(aliases, known):
    """The last spelling of each alias that is not known, where its first stands."""
    given = {fold(alias): alias for alias in aliases}
    return [given[key] for key in given if key not in {fold(alias) for alias in known}]


@given(HEADS, BODIES, ALIASES, ALIASES)
def test_more_are_added_without_a_loss(head, body, first, second):
    """A second time, whatever the form has become by the first."""
    text = add_aliases(head + body, first)
    before = find_aliases(text)
    assert find_aliases(add_aliases(text, second)) == (*before, *keep_new(second, before))


@given(HEADS, BODIES, ALIASES)
def test_what_is_added_is_read_back(head, body, aliases):
    """As it was given, behind those that were there, each once whatever its case; added again it changes nothing."""
    text = head + body
    before = find_aliases(text)
    added = add_aliases(text, aliases)
    assert find_aliases(added) == (*before, *keep_new(aliases, before))
    assert add_aliases(added, aliases) == added
    assert strip_aliases(added).rstrip("\r\n") == strip_aliases(text).rstrip("\r\n")
    assert add_aliases(text, []) == text


@given(HEADS, BODIES, ALIASES)
def test_what_is_taken_out_is_gone(head, body, aliases):
    """No alias is left, nothing else is lost, and taking out again changes nothing."""
    text = add_aliases(head + body, aliases)
    bare = strip_aliases(text)
    assert find_aliases(bare) == ()
    assert strip_aliases(bare) == bare
    done, kept = 0, []
    for start, end in locate_aliases(text):
        kept.append(text[done:start])
        done = end
    assert "".join(bare.split()) == "".join("".join([*kept, text[done:]]).split())


@pytest.mark.parametrize(
    ("line", "alias", "extended"),
    [
        ("cache", "port clash", "aliases: cache, port clash"),
        ("cache", "redis: port", 'aliases: [cache, "redis: port"]'),
        ("cache", "c #", 'aliases: [cache, "c #"]'),
        ("cache", "a, b", 'aliases: [cache, "a, b"]'),
        ('5" disk', 'say "hi"', 'aliases: 5" disk, say "hi"'),
        ('"one"', "two", "aliases: [one, two]"),
        ("cache", '"bus"', """aliases: [cache, '"bus"']"""),
        ("cache", "''", """aliases: [cache, "''"]"""),
    ],
)
def test_a_line_in_front_matter_becomes_a_list_where_yaml_would_not_read_it(line, alias, extended):
    """A colon, a hash, a comma, quotation marks in front; anything else stays a line."""
    assert add_aliases(f"---\naliases: {line}\n---\n", [alias]) == f"---\n{extended}\n---\n"


@given(ALIASES)
def test_a_list_in_front_matter_is_a_list_of_texts_for_yaml(aliases):
    """Whoever reads the note as YAML sees the same words, and no truth value, date or number."""
    text = add_aliases("---\ntitle: x\n---\n", aliases)
    read = yaml.safe_load(text[4 : text.index("\n---\n", 4)])
    assert tuple(read.get("aliases", ())) == find_aliases(text)


@given(st.text(alphabet="aliases: \n-[],'\"x\r\ufeff", max_size=60))
def test_any_text_is_read(text):
    """Places in order, without overlap; aliases distinct, none of them empty."""
    end = 0
    for start, stop in locate_aliases(text):
        assert end <= start < stop <= len(text)
        end = stop
    assert all(alias.strip() == alias and alias for alias in find_aliases(text))
    assert len(set(find_aliases(text))) == len(find_aliases(text))


def test_a_code_block_is_nobodys_to_add_to():
    """Aliases in an example stay as they are; new ones go into the front matter, or to the end."""
    block = "```yaml\naliases:\n  - web\n```\n"
    assert add_aliases(f"---\ntitle: x\n---\n{block}", ["port"]) == f"---\ntitle: x\naliases: [port]\n---\n{block}"
    assert add_aliases(block, ["port"]) == f"{block}aliases: port\n"
    assert add_aliases(f"{block}aliases: a\n{block}", ["port"]) == f"{block}aliases: a, port\n{block}"
    assert add_aliases(f"{block}{block}", ["port"]) == f"{block}{block}aliases: port\n"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(HEADS, BODIES, ALIASES, ALIASES)
def test_a_store_keeps_what_was_given(tmp_path, head, body, first, second):
    """Through a write, an overwrite and an append, read back from the file; and each that has a word finds its note."""
    shutil.rmtree(tmp_path / "store", ignore_errors=True)
    memory = Memory(tmp_path / "store", project="shop", today="2026-07-03")
    first, second = ([alias for alias in aliases if "," not in alias] for aliases in (first, second))
    memory.write("note", head + body, mode="overwrite", name="n", aliases=first)
    before = find_aliases(memory.read("note", "n"))
    assert before == (*find_aliases(head + body), *keep_new(first, find_aliases(head + body)))
    memory.write("note", "# new\n", mode="overwrite", name="n")
    assert find_aliases(memory.read("note", "n")) == before
    memory.write("note", "more\n", name="n", aliases=second)
    assert find_aliases(memory.read("note", "n")) == (*before, *keep_new(second, before))
    for alias in second:
        if any(character.isalnum() for character in alias):
            assert memory.search(alias).hits, alias


@pytest.mark.parametrize(
    "alias", ["", " ", "\u3000", "a, b", "a\nb", "a\tb", "a\u2028b", "a\x85b", "a\ufeffb", "half \ud83d", 7]
)
def test_what_cannot_be_an_alias_is_refused(tmp_path, alias):
    """Several in one text, more than one line, nothing to read; and no file is made."""
    with pytest.raises(MemoryStoreError, match="give each alias apart"):
        Memory(tmp_path, project="shop").write("note", "x", name="n", aliases=["fine", alias])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "alias", ["می\u200cخواهم", "👩\u200d🔧", "10\xa0km", "全角\u3000空白", "- x", "[x]", "'tis", 'say "hi"']
)
def test_any_other_text_on_one_line_is_an_alias(tmp_path, alias):
    """Joiners of scripts and emoji, spaces of any width, dashes, brackets and quotation marks."""
    memory = Memory(tmp_path, project="shop")
    memory.write("note", "x", name="n", aliases=[alias])
    assert find_aliases(memory.read("note", "n")) == (alias,)
