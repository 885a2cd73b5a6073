"""The alias overlay: what a file of aliases may say, where the words are put, and that nothing else moves."""

import dataclasses
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import CorpusError
from memeval.memory.document import Document, Tier
from memeval.testbed.aliases import ALIASES_FILE, apply_aliases, load_aliases, overlay_aliases
from memeval.testbed.corpus import Corpus, digest_documents, load_corpus
from memeval.testbed.suitefile import load_suite

REDIS = "projects/shop-1/notes/redis.md"
SSO = "projects/shop-1/notes/sso.md"


def corpus_of(**texts: str) -> Corpus:
    """A corpus in memory of one note per text, called `<key>.md`."""
    documents = tuple(
        Document(doc_id=f"{key}.md", path=f"{key}.md", tier=Tier.NOTE, name=f"{key}.md", text=text)
        for key, text in sorted(texts.items())
    )
    return Corpus(name="c", documents=documents, digest=digest_documents(documents))


def put(text: str, *aliases: str) -> str:
    """The text of a note with the aliases put in."""
    [document] = apply_aliases(corpus_of(a=text), {"a.md": aliases}).documents
    return document.text


@pytest.fixture
def write_aliases(store):
    """A function: the path of an `aliases.yaml` in the store that says exactly this."""

    def write(text: str):
        path = store / ALIASES_FILE
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_file_of_aliases_is_read_in_order(write_aliases, store):
    """Paths lead to tuples; with the doc_ids of the corpus, a path may be written as in a suite."""
    path = write_aliases(f"{SSO}: [login, 'no', 單一登入]\n./{REDIS}:\n  - cache  container\n  - '6379'\n")
    doc_ids = [document.doc_id for document in load_corpus(store).documents]
    assert list(load_aliases(path, doc_ids).items()) == [
        (SSO, ("login", "no", "單一登入")),
        (REDIS, ("cache  container", "6379")),
    ]
    assert list(load_aliases(path)) == [SSO, f"./{REDIS}"]


@pytest.mark.parametrize(
    ("text", "line", "parts"),
    [
        (f"{SSO}: [a]\nnotes/redis.md: [b]\n", 2, ["'notes/redis.md'", f"Did you mean {REDIS!r}?"]),
        (f"{SSO}: [a]\nprojects/shop-1/SCRATCHPAD.md: [b]\n", 2, ["SCRATCHPAD.md", "4 files searched"]),
        (f"{SSO}: []\n", 1, ["empty list", "leave the file out"]),
        (f"{SSO}:\n", 1, ["must be a list"]),
        (f"{SSO}: login\n", 1, ["must be a list"]),
        (f"{SSO}:\n  - a\n  - 6379\n", 3, ["6379", "number", "quote it: '6379'"]),
        (f"{SSO}:\n  - a\n  - no\n", 3, ["truth value", "quote it: 'no'"]),
        (f"{SSO}:\n  - ' '\n", 2, ["an alias is empty"]),
        (f"{SSO}:\n  - a: b\n", 2, ["an alias must be a text"]),
        (f"{SSO}:\n  - Port  clash\n  - port clash\n", 3, ["stands twice", "line 2"]),
        (f'{SSO}:\n  - "a\\nb"\n', 2, ["one line"]),
        (f"{SSO}: [a]\n{SSO}: [b]\n", 2, ["stands twice", "line 1"]),
        (f"{SSO}: [a]\n./{SSO}: [b]\n", 2, ["stands twice", "line 1"]),
        ("- a\n", 1, ["mapping"]),
        ("", 1, ["empty"]),
    ],
)
def test_a_wrong_file_of_aliases_is_refused_at_its_line(write_aliases, store, text, line, parts):
    """Nothing is dropped or guessed: the line is named, with what is wrong and what to do."""
    path = write_aliases(text)
    with pytest.raises(CorpusError) as caught:
        load_aliases(path, [document.doc_id for document in load_corpus(store).documents])
    assert str(caught.value).startswith(f"{path}:{line}: ")
    for part in parts:
        assert part in str(caught.value)


def test_without_a_corpus_a_path_must_be_a_file(write_aliases):
    """The folder is what can be checked then."""
    with pytest.raises(CorpusError, match=r"aliases\.yaml:1: there is no file 'notes/redis\.md'"):
        load_aliases(write_aliases("notes/redis.md: [a]\n"))
    with pytest.raises(CorpusError, match=r"aliases\.yaml: cannot be read"):
        load_aliases(write_aliases("").with_name("none").joinpath(ALIASES_FILE))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "aliases: port clash, it's"),
        ("# A", "# A\naliases: port clash, it's"),
        ("# A\n", "# A\naliases: port clash, it's\n"),
        ("# A\r\nb\r\n", "# A\r\nb\r\naliases: port clash, it's\r\n"),
        ("# A\r\nb", "# A\r\nb\r\naliases: port clash, it's"),
        ("---\nname: a\n---\n# A\n", '---\nname: a\naliases: [port clash, "it\'s"]\n---\n# A\n'),
        ("---\r\nname: a\r\n---\r\nb", '---\r\nname: a\r\naliases: [port clash, "it\'s"]\r\n---\r\nb'),
        ("---\n  name: a\n  b: [c]\n---", '---\n  name: a\n  b: [c]\n  aliases: [port clash, "it\'s"]\n---'),
        ("---\n---\n# A\n", '---\naliases: [port clash, "it\'s"]\n---\n# A\n'),
        ("---\nno: end\n", "---\nno: end\naliases: port clash, it's\n"),
        ("---\njust words\n---\n", "---\njust words\n---\naliases: port clash, it's\n"),
        ("---\n- a\n---\n", "---\n- a\n---\naliases: port clash, it's\n"),
        ("---\n{a: b}\n---\n", "---\n{a: b}\n---\naliases: port clash, it's\n"),
        ("---\na: 'open\n---\n", "---\na: 'open\n---\naliases: port clash, it's\n"),
        ("# A\n---\nb: c\n---\n", "# A\n---\nb: c\n---\naliases: port clash, it's\n"),
    ],
)
def test_the_line_stands_in_front_matter_or_last(text, expected):
    """A list in front matter that is a mapping, else a last line; line ends and a missing last one are kept."""
    assert put(text, "port clash", "it's") == expected


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=8).map(str.strip)
ALIASES = st.lists(WORDS.filter(bool), min_size=1, max_size=4)


@given(st.text(max_size=60), ALIASES)
def test_one_line_is_put_in_and_no_other_moves(text, aliases):
    """Taking the one new line out again gives the text back, whatever it was."""
    before, after = text.split("\n"), put(text, *aliases).split("\n")
    added = [place for place, line in enumerate(after) if line.strip(" \r").startswith("aliases: ")]
    rests = [after[:place] + after[place + 1 :] for place in added]
    assert any("\n".join(rest).rstrip("\r") == "\n".join(before).rstrip("\r") for rest in rests)


@given(
    st.dictionaries(WORDS.filter(lambda key: key and key != "aliases"), st.text(max_size=20) | st.lists(st.integers())),
    ALIASES,
    st.text(max_size=20),
)
def test_front_matter_stays_the_mapping_it_was(values, aliases, body):
    """Any front matter still reads as the same mapping, with the aliases as one key more."""
    front = yaml.safe_dump(values, allow_unicode=True, default_flow_style=False) if values else ""
    text = put(f"---\n{front}---\n{body}", *aliases)
    assert text.endswith(f"---\n{body}")
    content = text.removeprefix("---\n").removesuffix(f"---\n{body}")
    # held against what YAML reads, not against `values`: PyYAML does not give back every line end it wrote
    assert yaml.safe_load(content) == {**(yaml.safe_load(front) or {}), "aliases": aliases}


def test_everything_but_the_texts_stays(store):
    """Other documents, ids, tiers, dates and the facts of the corpus are equal; the digest tells the two apart."""
    corpus = dataclasses.replace(load_corpus(store), licence="MIT", languages=("en",))
    changed = apply_aliases(corpus, {SSO: ["login"]})
    assert changed.digest == digest_documents(changed.documents) != corpus.digest
    assert (changed.has_aliases, corpus.has_aliases) == (True, False)
    assert dataclasses.replace(changed, documents=corpus.documents, digest=corpus.digest, has_aliases=False) == corpus
    for before, after in zip(corpus.documents, changed.documents, strict=True):
        assert dataclasses.replace(after, text=before.text) == before
        assert (after.text != before.text) == (before.doc_id == SSO)


def test_aliases_that_cannot_be_put_in_are_refused():
    """A file that is not there, a second time, and a note that has aliases of its own."""
    corpus = corpus_of(a="x", b="---\naliases: [y]\n---\n")
    with pytest.raises(CorpusError, match=r"'c\.md', which is not among the 2 files"):
        apply_aliases(corpus, {"c.md": ["z"]})
    with pytest.raises(CorpusError, match=r"b\.md: its front matter has 'aliases' of its own"):
        apply_aliases(corpus, {"b.md": ["z"]})
    with pytest.raises(CorpusError, match="has its aliases already"):
        apply_aliases(apply_aliases(corpus, {"a.md": ["z"]}), {"a.md": ["z"]})


def test_aliases_of_a_file_that_cannot_be_read_are_no_error(write_suite, write_aliases, write_files, store):
    """The aliases of the others are put in."""
    write_files(store, {"projects/shop-1/notes/bad.md": b"caf\xe9"})
    write_aliases(f"projects/shop-1/notes/bad.md: [coffee]\n{SSO}: [login]\n")
    suite = load_suite(write_suite(f"  - {{id: a, expect: [{SSO}], ask: [login]}}\n"))
    texts = {document.doc_id: document.text for document in overlay_aliases(suite).corpus.documents}
    assert texts[SSO].endswith("aliases: login\n")


def test_the_overlay_of_a_suite_lies_in_its_corpus_folder(write_suite, write_aliases):
    """The name, the needs and their digest stay; without the file, or without a folder, it is said what is missing."""
    suite = load_suite(write_suite(f"  - id: a\n    expect: [{SSO}]\n    ask: [login]\n"))
    with pytest.raises(CorpusError, match=r"suite 'ops' cannot be run with aliases: there is no .*store.aliases\.yaml"):
        overlay_aliases(suite)
    with pytest.raises(CorpusError, match="has no folder"):
        overlay_aliases(dataclasses.replace(suite, corpus=dataclasses.replace(suite.corpus, root=None)))
    write_aliases(f"{SSO}: [login]\n")
    overlaid = overlay_aliases(suite)
    assert overlaid.corpus == apply_aliases(suite.corpus, {SSO: ["login"]})
    assert dataclasses.replace(overlaid, corpus=suite.corpus) == suite


@pytest.mark.parametrize(
    "path", sorted(Path(__file__).parents[2].glob(f"corpora/**/{ALIASES_FILE}")), ids=lambda path: path.parent.name
)
def test_the_bundled_aliases_fit_their_corpora(path):
    """Each names files that are searched, and can be put in."""
    corpus = load_corpus(path.parent)
    aliases = load_aliases(path, (document.doc_id for document in corpus.documents))
    changed = apply_aliases(corpus, aliases)
    lengths = [len(document.text) for document in corpus.documents]
    assert sum(len(document.text) for document in changed.documents) > sum(lengths) + len(aliases) * len("aliases: ")
