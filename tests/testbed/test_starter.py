"""First suites for a store of one's own: they load as written, name real files and say what to replace."""

import os
import shutil
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import CorpusError
from memeval.testbed.corpus import load_corpus
from memeval.testbed.lint import lint_suite
from memeval.testbed.starter import build_starter, guess_language, starter_name
from memeval.testbed.suitefile import load_suite

ODD_NAMES = (
    "two words.md",
    " leading and trailing .md",
    "it's.md",
    'say "hi".md',
    "a: b.md",
    "# heading #1.md",
    "-dash.md",
    "- item.md",
    "no.md",
    "~.md",
    "null.md",
    "a...md",
    "a...md",
    "2026-01-01.md",
    "{a}, [b].md",
    "&anchor *alias !tag %d @at `tick`.md",
    "連接埠 衝突.md",
    "設定：注意。.md",
    "🚀.md",
    "e\u0301.md",
    "tab\tand\nline.md",
    "next\x85line\u2028sep.md",
    "zero\u200bwidth\ufeff.md",
    "\x01\x7f.md",
    "back\\slash.md",
    "a...md",
    "a...md",
)


def build(store, suite_path, **options):
    """The suite that a starter file for `store` loads as, and its text."""
    text = build_starter(store, suite_path=suite_path, **options)
    suite_path.parent.mkdir(parents=True, exist_ok=True)
    suite_path.write_text(text, encoding="utf-8")
    return load_suite(suite_path), text


def test_the_first_suite_of_a_store_loads_as_written(store, tmp_path):
    """Real files, headings as wordings, the project and a relative path to the store."""
    suite, text = build(store, tmp_path / "queries" / "mine.recall.yaml", name="mine")
    assert (suite.name, suite.lang, suite.corpus.project) == ("mine", "en", "shop-1")
    assert {need.id: (list(need.expected), need.wordings[0].text) for need in suite.needs} == {
        "memory": (["MEMORY.md"], "deploys need ticket"),
        "log-2026-05-30": (["projects/shop-1/daily/2026-05-30.md"], "standup"),
        "redis": (["projects/shop-1/notes/redis.md"], "Redis deploy"),
        "sso": (["projects/shop-1/notes/sso.md"], "Single sign-on"),
    }
    assert "corpus: ../store " in text
    assert text.count("replace with what you would really ask") == 4
    assert "#   expect: []" in text


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="every name is UTF-8 there")
def test_a_store_whose_path_is_not_utf8_is_refused(tmp_path):
    """No suite file, which is UTF-8, could name it."""
    store = tmp_path / "caf\udce9"
    store.mkdir()
    (store / "a.md").write_text("# Build\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="not UTF-8"):
        build_starter(store, suite_path=tmp_path / "mine.recall.yaml")


def test_the_commented_need_works_when_it_is_uncommented(store, tmp_path):
    """The template for a need with nothing stored is valid as soon as its marks are removed."""
    path = tmp_path / "mine.recall.yaml"
    head, template = build_starter(store, suite_path=path).rsplit("  # - id", 1)
    template = f"  # - id{template}".replace("  # ", "  ")
    path.write_text(head + template, encoding="utf-8")
    assert load_suite(path).needs[-1].relevant == frozenset()


def test_a_suite_in_the_current_folder_finds_a_store_elsewhere(store, tmp_path, monkeypatch):
    """A relative suite path and a store given absolutely, relatively or as the folder itself."""
    here = tmp_path / "a" / "b"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    expected = load_corpus(store).digest
    for given_store in (str(store), "../../store", store):
        text = build_starter(given_store, suite_path="x.recall.yaml")
        assert "corpus: ../../store " in text
        (here / "x.recall.yaml").write_text(text, encoding="utf-8")
        assert load_suite("x.recall.yaml").corpus.digest == expected
    monkeypatch.chdir(store)
    text = build_starter(".", suite_path="x.recall.yaml")
    assert "corpus: . " in text
    monkeypatch.chdir(tmp_path)
    store.rename("~store")
    (tmp_path / "x.recall.yaml").write_text(build_starter("~store", suite_path="x.recall.yaml"), encoding="utf-8")
    assert load_suite("x.recall.yaml").corpus.digest == expected
    assert "suite: store\n" in text


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege there")
def test_a_suite_behind_a_linked_folder_finds_the_store(store, tmp_path):
    """`..` is counted from where the suite's folder really lies."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "er")
    suite, text = build(store, tmp_path / "link" / "x.recall.yaml")
    assert "corpus: ../../store " in text
    assert suite.corpus.digest == load_corpus(store).digest


def test_another_drive_gives_an_absolute_path(store, tmp_path, monkeypatch):
    """Where no relative path exists, the absolute one is written."""

    def no_common_path(*_):
        raise ValueError("path is on mount 'C:', start on mount 'D:'")

    monkeypatch.setattr(os.path, "relpath", no_common_path)
    suite, text = build(store, tmp_path / "x.recall.yaml")
    assert f"corpus: {store.as_posix()}" in text.replace("'", "")
    assert suite.corpus.digest == load_corpus(store).digest


@pytest.mark.skipif(sys.platform == "win32", reason="such names are not allowed there")
@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("kind", ["plain", "store"])
def test_odd_file_names_load(tmp_path, write_files, name, kind):
    """Whatever a file is called, the written suite loads and expects that very file."""
    place = f"projects/p-1/notes/{name}" if kind == "store" else name
    root = write_files(tmp_path / "my: notes #1 ~", {place: "# Title: it's #1\n"})
    suite, _ = build(root, tmp_path / "x.recall.yaml")
    assert [list(need.expected) for need in suite.needs] == [[place]]
    assert suite.needs[0].wordings[0].text == "Title: it's #1"


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\x00"), min_size=1, max_size=12)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="not every name is allowed there")
@given(st.dictionaries(NAMES.filter(lambda name: name[0] != "."), st.text(max_size=40), min_size=1, max_size=8))
def test_any_folder_of_markdown_gets_a_suite_that_loads(tmp_path_factory, files):
    """Any names and contents: the suite loads, its files are distinct, its wordings are texts."""
    root = tmp_path_factory.mktemp("any") / "notes"
    root.mkdir()
    for name, text in files.items():
        (root / f"{name}.md").write_bytes(text.encode("utf-8", "ignore"))
    suite, _ = build(root, root.parent / "x.recall.yaml")
    expected = [doc_id for need in suite.needs for doc_id in need.expected]
    assert len(set(expected)) == len(expected) == min(6, len(files))
    assert all(need.wordings[0].text.strip() for need in suite.needs)
    shutil.rmtree(root.parent)


def test_files_with_a_heading_come_first_and_are_spread(tmp_path, write_files):
    """Six of many: notes with a heading, from the first to the last third, no file from the top of the store."""
    notes = {f"projects/p-1/notes/n{number:02}.md": f"# Heading {number}\n" for number in range(30)}
    bare = {f"projects/p-1/notes/b{number:02}.md": "no heading here\n" for number in range(30)}
    top = {f"{name}.md": "# At the top\n" for name in ("MEMORY", *"abcdefgh")}
    root = write_files(tmp_path / "s", {**top, **notes, **bare})
    suite, _ = build(root, tmp_path / "x.recall.yaml")
    ids = [need.id for need in suite.needs]
    assert ids == ["n00", "n05", "n10", "n15", "n20", "n25"]


def test_a_file_without_a_heading_is_asked_by_its_rarest_words(tmp_path, write_files):
    """Words that stand in few files, in the order of the text; a heading that is only a date is none."""
    common = {f"c{number}.md": "the server needs the usual restart\n" for number in range(4)}
    root = write_files(
        tmp_path / "s", {**common, "x.md": "# 2026-01-31\n\nthe kestrel server needs a mauve restart plinth\n"}
    )
    suite, text = build(root, tmp_path / "x.recall.yaml")
    [need] = [need for need in suite.needs if "x.md" in need.expected]
    assert need.wordings[0].text == "kestrel mauve plinth"
    assert "the file's rarest words: replace" in text


@pytest.mark.parametrize(
    ("heading", "wording"),
    [
        ("09:12 — standup", "standup"),
        ("2026-03-02 (月) 棚卸し", "棚卸し"),
        ("2026年3月2日 会議メモ", "会議メモ"),
        ("6/22 EK 오픈날", "EK 오픈날"),
        ("3. Roll back", "Roll back"),
        ("802.1x setup", "802.1x setup"),
        ("3rd attempt", "3rd attempt"),
    ],
)
def test_a_date_before_a_heading_is_left_out(tmp_path, write_files, heading, wording):
    """Nobody asks with the time of an entry."""
    root = write_files(tmp_path / "s", {"a.md": f"## {heading}\n"})
    suite, _ = build(root, tmp_path / "x.recall.yaml")
    assert suite.needs[0].wordings[0].text == wording


def test_an_empty_file_is_asked_by_its_name(tmp_path, write_files):
    """With no word to take, the name is the wording."""
    suite, text = build(write_files(tmp_path / "s", {"tea house.md": ""}), tmp_path / "x.recall.yaml")
    assert suite.needs[0].wordings[0].text == "tea house"
    assert "the file's name: replace" in text


def test_a_long_heading_is_cut_between_words(tmp_path, write_files):
    """The first wording has a length one would type."""
    root = write_files(tmp_path / "s", {"a.md": "# " + "word " * 40, "b.md": "# " + "設" * 200})
    suite, _ = build(root, tmp_path / "x.recall.yaml")
    texts = [need.wordings[0].text for need in suite.needs]
    assert texts == [("word " * 12).strip(), "設" * 60]


def test_several_projects_need_a_name(store, tmp_path, write_files):
    """As anywhere else: the slugs are listed; the one that is named is written down."""
    write_files(store, {"projects/blog-2/notes/post.md": "# Draft\n"})
    with pytest.raises(CorpusError, match="blog-2, shop-1"):
        build_starter(store, suite_path=tmp_path / "x.recall.yaml")
    suite, text = build(store, tmp_path / "x.recall.yaml", project="blog-2")
    assert "project: blog-2" in text
    assert {doc_id for need in suite.needs for doc_id in need.expected} == {
        "MEMORY.md",
        "projects/blog-2/notes/post.md",
    }


def test_same_file_names_get_distinct_ids(tmp_path, write_files):
    """Two files of one name are two needs."""
    root = write_files(tmp_path / "s", {"a/x.md": "# One\n", "b/x.md": "# Two\n", "x-2.md": "# Three\n"})
    suite, _ = build(root, tmp_path / "x.recall.yaml")
    assert [need.id for need in suite.needs] == ["x", "x-2", "x-2-2"]


@pytest.mark.parametrize(
    ("folder", "name"),
    [("my notes", "my-notes"), (".memory", "memory"), ("筆記", "筆記"), ("Not", "memory-not"), ("🚀", "memory")],
)
def test_the_name_comes_from_the_folder(tmp_path, folder, name):
    """A name that can stand in a file name, in `suite:` and in pytest's `-k`."""
    assert starter_name(tmp_path / folder) == name


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("The cache will not start", "en"),
        ("快取容器起不來", "zh"),
        ("キャッシュのコンテナが起動しない", "ja"),
        ("캐시 컨테이너가 시작되지 않는다", "ko"),
        ("快取容器起不來，先看 docker compose logs", "zh"),
        ("Кэш не запускается", None),
        ("123 !?", None),
        ("", None),
    ],
)
def test_the_language_is_guessed_by_script(text, lang):
    """Han, kana, Hangul or Latin letters, whichever say most; other scripts are not guessed."""
    assert guess_language([text]) == lang


LANGUAGES = {
    "a.md": "# Redis deploy\nthe cache listens on another port than usual, and every morning it is restarted\n",
    "b.md": "# 快取容器\n快取容器起不來，先看紀錄\n",
    "c.md": "# 監視設定\nキャッシュのコンテナが起動しないときは、まずログを見る。\n",
    "d.md": "# 캐시 컨테이너\n캐시가 시작되지 않으면 로그를 본다\n",
    "e.md": "# nginx\n反向代理設定在這裡，先看紀錄再重啟\n",
    "f.md": "no heading, and words enough for the language of most files to be told by what it is written in\n",
}


def test_needs_of_a_store_of_several_languages_have_their_own(tmp_path, write_files):
    """By the script of the file, where the wording can be in that language; its own lint finds nothing against it."""
    suite, _ = build(write_files(tmp_path / "s", LANGUAGES), tmp_path / "x.recall.yaml")
    assert suite.lang == "en"
    assert [need.lang or suite.lang for need in suite.needs] == ["en", "zh", "ja", "ko", "en", "en"]
    assert [finding for finding in lint_suite(suite) if "language" in finding.code] == []


def test_the_same_store_gives_the_same_text(store, tmp_path):
    """Nothing in the text depends on the run."""
    texts = {build_starter(store, suite_path=tmp_path / "x.recall.yaml") for _ in range(3)}
    assert len(texts) == 1
    assert all(line == line.rstrip() for line in texts.pop().split("\n"))
