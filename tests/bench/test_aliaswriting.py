"""A decided patch into a store: only what was accepted, in the note's own form, all files or none, nothing lost."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memeval.bench import aliaswriting
from memeval.bench.aliaslearning import Lesson, propose_aliases
from memeval.bench.aliaswriting import apply_patch
from memeval.errors import CorpusError, MemoryStoreError
from memeval.memory import Memory
from memeval.memory.aliases import find_aliases, strip_aliases
from memeval.testbed.aliaspatch import load_patch, render_patch
from memeval.testbed.corpus import load_corpus

PROJECT = "shop-1a2b3c4d"
NOTES = f"projects/{PROJECT}/notes"
REDIS, NAMING = f"{NOTES}/redis-deploy.md", f"{NOTES}/naming.md"


@pytest.fixture
def store(small_suite):
    """The store of the small suite."""
    return small_suite.parents[1] / "store"


@pytest.fixture
def apply(store):
    """Apply a patch to the store, of {file: {alias: accept}} or as text."""

    def run(content: dict[str, dict[str, str]] | str, **more):
        path = store.parent / "patch.yaml"
        if not isinstance(content, str):
            lines = ["patch: aliases", "files:"]
            for doc_id, entries in content.items():
                lines.append(f"  {doc_id}:")
                lines += [f"    - {{alias: '{alias}', accept: {accept}}}" for alias, accept in entries.items()]
            content = "\n".join(lines) + "\n"
        path.write_text(content, encoding="utf-8", newline="")
        return apply_patch(load_patch(path), load_corpus(store), store, **more)

    return run


def read_all(store: Path) -> dict[str, bytes]:
    """Every file of the store."""
    return {path.relative_to(store).as_posix(): path.read_bytes() for path in store.rglob("*") if path.is_file()}


def test_only_what_was_accepted_is_written(apply, store):
    """Declined and undecided entries change nothing and are counted; the file before lies beside its note."""
    before = read_all(store)
    applied = apply({REDIS: {"port clash": "true", "yesterday": "false", "maybe": "null"}, NAMING: {"style": "null"}})
    after = read_all(store)
    assert after.pop(REDIS) == before[REDIS] + b"aliases: port clash\n"
    assert after.pop(REDIS.replace(".md", ".bak")) == before.pop(REDIS)
    assert after == before
    assert (applied.added, applied.declined, len(applied.undecided)) == (1, 1, 2)
    (change,) = applied.changes
    assert (change.added, change.backup) == (("port clash",), REDIS.replace(".md", ".bak"))
    assert "redis-deploy" in Memory(store, project=PROJECT).search("port clash").text()


def test_applied_again_it_changes_nothing(apply, store):
    """Not even the backup; what is there already is said, whatever its case."""
    apply({REDIS: {"port clash": "true"}})
    once = read_all(store)
    applied = apply({REDIS: {"Port Clash": "true"}})
    assert read_all(store) == once
    assert (applied.added, applied.changes[0].known, applied.changes[0].backup) == (0, ("Port Clash",), None)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"---\r\ntitle: x\r\n---\r\nbody\r\n", b"---\r\ntitle: x\r\naliases: [port clash]\r\n---\r\nbody\r\n"),
        (b"\xef\xbb\xbf---\naliases: [a]\n---\nbody", b"\xef\xbb\xbf---\naliases: [a, port clash]\n---\nbody"),
        (b"\xef\xbb\xbfbody\r\nmore", b"\xef\xbb\xbfbody\r\nmore\r\naliases: port clash\r\n"),
        (b"---\naliases:\n  - a\ntitle: x\n---\n", b"---\naliases:\n  - a\n  - port clash\ntitle: x\n---\n"),
        (b"body\naliases: a, b\nmore\n", b"body\naliases: a, b, port clash\nmore\n"),
    ],
)
def test_the_form_of_the_note_is_kept(apply, store, before, after):
    """Front matter, a list, a line; line ends and the byte order mark stay as they are."""
    (store / REDIS).write_bytes(before)
    apply({REDIS: {"port clash": "true"}})
    assert (store / REDIS).read_bytes() == after
    assert (store / REDIS.replace(".md", ".bak")).read_bytes() == before


@pytest.mark.parametrize(
    ("patch", "line", "said"),
    [
        ({REDIS: {"port clash": "true"}, f"{NOTES}/gone.md": {"x": "true"}}, 6, "was it deleted or renamed?"),
        ({REDIS: {"port clash": "true"}, f"projects/{PROJECT}/daily/2026-03-28.md": {"x": "true"}}, 6, "no note"),
        ({REDIS: {"port clash": "true"}, "MEMORY.md": {"x": "true"}}, 6, "takes no aliases"),
        ({REDIS: {"port clash": "true"}, NAMING: {"a\tb": "true"}}, 6, "on one line, without control characters"),
        ({REDIS: {"port clash": "true"}, "../patch.yaml": {"x": "true"}}, 6, "not among the 6 files"),
    ],
)
def test_every_check_comes_before_the_first_write(apply, store, patch, line, said):
    """One entry that cannot be written, told with its line, and the store is as it was."""
    before = read_all(store)
    with pytest.raises(CorpusError) as caught:
        apply(patch)
    assert f"patch.yaml:{line}: " in str(caught.value)
    assert said in str(caught.value)
    assert read_all(store) == before


def test_what_is_not_accepted_may_be_about_files_that_are_gone(apply, store):
    """A declined entry of a deleted file stops nobody."""
    assert apply({f"{NOTES}/gone.md": {"x": "false", "y": "null"}, REDIS: {"port clash": "true"}}).added == 1


def test_a_trial_writes_nothing(apply, store):
    """Every check is made, and what would be done is said."""
    before = read_all(store)
    assert apply({REDIS: {"port clash": "true"}}, is_trial=True).added == 1
    assert read_all(store) == before


def test_a_write_that_fails_undoes_those_before_it(apply, store, monkeypatch):
    """The second file cannot be written: the first is as it was, and so is the backup it had."""
    (store / REDIS.replace(".md", ".bak")).write_text("older", encoding="utf-8")
    before = read_all(store)
    write = aliaswriting.replace_file

    def refuse(path, text, shown, backup=None):
        if path.name == "naming.md":
            raise OSError(28, "No space left on device")
        write(path, text, shown, backup)

    monkeypatch.setattr(aliaswriting, "replace_file", refuse)
    with pytest.raises(MemoryStoreError, match="No space left"):
        apply({REDIS: {"port clash": "true"}, NAMING: {"style": "true"}})
    assert read_all(store) == before
    (store / REDIS.replace(".md", ".bak")).unlink()
    before = read_all(store)
    with pytest.raises(MemoryStoreError, match="No space left"):
        apply({REDIS: {"port clash": "true"}, NAMING: {"style": "true"}})
    assert read_all(store) == before


def test_two_names_of_one_file_are_refused(apply, store):
    """The second would overwrite what the first added."""
    link = store / "projects" / "shop-1a2b3c4d" / "notes" / "link.md"
    link.symlink_to(store / REDIS)
    before = read_all(store)
    with pytest.raises(CorpusError, match="are one file"):
        apply({REDIS: {"port clash": "true"}, link.relative_to(store).as_posix(): {"other": "true"}})
    assert read_all(store) == before


def test_what_yaml_would_not_read_is_refused(apply, store):
    """A form that cannot be added to: other programs would lose the whole front matter."""
    (store / REDIS).write_text("---\naliases: |\n  cache, box\n---\nbody\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="would not be read as YAML"):
        apply({REDIS: {"redis: port": "true"}})


def test_a_file_deleted_under_way_is_an_error(store, apply):
    """Read with the store, gone when it is to be written: nothing is made in its place."""
    path = store.parent / "patch.yaml"
    path.write_text(f"patch: aliases\nfiles:\n  {REDIS}:\n    - {{alias: x, accept: true}}\n", encoding="utf-8")
    corpus = load_corpus(store)
    (store / REDIS).unlink()
    with pytest.raises(CorpusError, match=r"patch\.yaml:4: .*deleted just now"):
        apply_patch(load_patch(path), corpus, store)
    assert not (store / REDIS).exists()


LINES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
    | st.sampled_from(["---", "aliases: a, b", "aliases: [a]", "aliases:", "  - a", "aliases: [a", "  b]", "title: x"]),
    max_size=7,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, end=st.sampled_from(["\n", "\r\n"]), bom=st.booleans(), wording=st.text(max_size=20))
def test_no_byte_of_the_body_is_lost(tmp_path, lines, end, bom, wording):
    """Whatever a note looks like and whatever was asked: with every proposal accepted, the text without its aliases is
    the text before, but for a last line end; or it is refused, and the file is as it was."""
    root = tmp_path / "store"
    shutil.rmtree(root, ignore_errors=True)
    path = root / NOTES / "a.md"
    path.parent.mkdir(parents=True)
    text = "\ufeff" * bom + end.join(lines)
    path.write_bytes(text.encode())
    corpus = load_corpus(root)
    lesson = Lesson(need="n", doc_id=f"{NOTES}/a.md", wordings=(wording, "zebra crossing 快取容器"))
    proposals = propose_aliases([lesson], corpus.documents).proposals
    patch = tmp_path / "patch.yaml"
    written = render_patch(proposals, store="s").replace("accept: null", "accept: true")
    patch.write_text(written, encoding="utf-8", newline="")
    try:
        applied = apply_patch(load_patch(patch), corpus, root)
    except CorpusError:
        assert path.read_bytes() == text.encode()
        return
    after = path.read_bytes().decode()
    assert strip_aliases(after).rstrip("\r\n") == strip_aliases(text).rstrip("\r\n")
    assert set(find_aliases(text)) <= set(find_aliases(after))
    assert applied.added == 0 or path.with_suffix(".bak").read_bytes() == text.encode()
