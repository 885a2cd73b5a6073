"""Writing, editing, reading and listing; what is refused, and that a refusal changes nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memeval.errors import EditError, InvalidNameError, InvalidTargetError, MemoryStoreError, UnknownNameError
from memeval.memory import Memory, project_slug

PROJECT = "shop-1a2b3c4d"


def test_each_target_has_its_file(desk, profile):
    """Global long-term memory; the other tiers below the project, the log under today's date."""
    store = desk.open(profile)
    for target, name in (("long_term", None), ("scratchpad", None), ("daily", None), ("note", "redis")):
        store.write(target, f"- {target}", name=name)
    assert desk.files() == {
        "MEMORY.md": b"- long_term\n",
        f"projects/{PROJECT}/SCRATCHPAD.md": b"- scratchpad\n",
        f"projects/{PROJECT}/daily/2026-07-03.md": b"- daily\n",
        f"projects/{PROJECT}/notes/redis.md": b"- note\n",
    }
    assert store.list() == sorted(desk.files())


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.sampled_from("ab 部\n\r"), max_size=8), min_size=1, max_size=5))
def test_appends_are_kept_whole_on_lines_of_their_own(desk, contents):
    """The file is every content in order, each begun after a line end and ended by one."""
    store = desk.open()
    store.write("note", "", "overwrite", name="log")
    for content in contents:
        store.write("note", content, name="log")
    expected = ""
    for content in contents:
        expected += content
        expected += "" if expected.endswith("\n") else "\n"
    assert (desk.notes / "log.md").read_bytes().decode() == expected


def test_an_append_to_a_windows_file_keeps_its_line_ends_and_mark(desk, profile):
    """Old bytes stay as they are, byte order mark included."""
    desk.put(desk.long_term, b"\xef\xbb\xbf- a\r\n- b")
    desk.open(profile).write("long_term", "- c\r\n")
    assert desk.long_term.read_bytes() == b"\xef\xbb\xbf- a\r\n- b\n- c\r\n"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(["a b", "a  b ", "a\u3000b\r", "A b", "", " ", "c"]), max_size=6),
    st.lists(st.sampled_from(["a b", "\ta b", "A b", "", "c", "d"]), max_size=6),
)
def test_long_term_memory_holds_each_line_once(desk, standing, added):
    """After an append no added line stands twice, white space aside; none is lost; blank lines are kept."""
    desk.put(desk.long_term, "".join(f"{line}\n" for line in standing))
    before = desk.long_term.read_bytes().decode()
    desk.open("current").write("long_term", "\n".join(added))
    after = desk.long_term.read_bytes().decode()
    assert after.startswith(before)

    def plain(text):
        return [" ".join(line.split()) for line in text.split("\n") if line.strip()]

    new = plain(after[len(before) :])
    assert len(new) == len(set(new))
    assert not set(new) & set(plain(before))
    assert set(plain(after)) == set(plain(before)) | set(plain("\n".join(added)))


def test_a_duplicate_first_line_is_seen_behind_a_byte_order_mark(desk):
    """The mark is not part of the line."""
    desk.put(desk.long_term, "\ufeff- a\n")
    assert "all 1 line(s) were duplicates" in desk.open().write("long_term", "- a")


def test_an_edit_replaces_what_stands_exactly_once(desk):
    """Bytes around it stay; the place must be certain."""
    desk.put(desk.notes / "n.md", "\ufeffone\r\ntwo\r\naaa\r\n")
    store = desk.open()
    store.edit("note", "two", "2", name="n")
    assert (desk.notes / "n.md").read_bytes().decode() == "\ufeffone\r\n2\r\naaa\r\n"
    with pytest.raises(EditError, match=r"matched 2 time\(s\)"):
        store.edit("note", "aa", "b", name="n")


def test_a_deleted_note_can_be_brought_back(desk):
    """Its backup stands beside it."""
    desk.put(desk.notes / "n.md", "text\n")
    desk.open().edit("note", name="n")
    assert desk.files() == {f"projects/{PROJECT}/notes/n.bak": b"text\n"}


REFUSED = {
    "no such target": (InvalidTargetError, lambda s: s.write("diary", "x"), "long_term, scratchpad, daily, note"),
    "no such source": (InvalidTargetError, lambda s: s.read("everything"), "note, list"),
    "no such mode": (InvalidTargetError, lambda s: s.write("long_term", "x", "prepend"), "append, overwrite"),
    "unsafe name": (InvalidNameError, lambda s: s.write("note", "x", name="../x"), "no slashes or dots"),
    "no name": (InvalidNameError, lambda s: s.write("note", "x"), "name='redis-deploy'"),
    "name for long_term": (InvalidNameError, lambda s: s.write("long_term", "x", name="n"), "takes no name"),
    "name for scratchpad": (InvalidNameError, lambda s: s.read("scratchpad", "n"), "takes no name"),
    "name for list": (InvalidNameError, lambda s: s.read("list", "n"), "takes no name"),
    "day for a write": (InvalidNameError, lambda s: s.write("daily", "x", name="2026-07-01"), "goes to today's log"),
    "half a character": (MemoryStoreError, lambda s: s.write("long_term", "ab\ud83d"), r"U\+D83D at position 2"),
    "half a character in an edit": (MemoryStoreError, lambda s: s.edit("long_term", "a", "\udc00"), r"U\+DC00"),
    "half a character in an entry": (MemoryStoreError, lambda s: s.append_daily("h", "\ud83d"), r"U\+D83D"),
    "empty old text": (EditError, lambda s: s.edit("note", "", "x", name="n"), "is empty"),
    "no such file": (EditError, lambda s: s.edit("scratchpad", "a", "b"), "does not exist"),
    "no such note": (EditError, lambda s: s.edit("note", name="other"), "does not exist"),
    "no such day": (EditError, lambda s: s.edit("daily", "a", "b", name="2026-01-01"), "does not exist"),
    "deletion of another tier": (EditError, lambda s: s.edit("long_term"), "deletes a whole note"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_call_says_why_and_changes_nothing(desk, case):
    """Kind of error, what is allowed, and every byte of the store as before."""
    kind, call, message = REFUSED[case]
    desk.put(desk.long_term, "a\n")
    desk.put(desk.notes / "n.md", "n\n")
    before = desk.files()
    with pytest.raises(kind, match=message):
        call(desk.open())
    assert desk.files() == before


def test_refusals_do_not_make_the_store(desk):
    """Nothing is written, not even the root, when a call on a store that is not there fails."""
    store = desk.open()
    for call in (
        lambda: store.edit("long_term", "a", "b"),
        lambda: store.write("note", "x", name="a/b"),
        lambda: store.write("long_term", "\ud83d"),
    ):
        with pytest.raises(MemoryStoreError):
            call()
    assert not desk.root.exists()


def test_the_article_has_no_edit(desk):
    """The message says what to do instead."""
    desk.put(desk.notes / "n.md", "n\n")
    with pytest.raises(EditError, match="mode='overwrite' instead"):
        desk.open("article").edit("note", "n", "m", name="n")


def test_without_a_project_only_the_global_file_is_in_reach(desk):
    """Long-term memory works; the others are an error that says what to give."""
    store = desk.open(project=None)
    desk.put(desk.notes / "n.md", "port\n")
    store.write("long_term", "- port\n")
    assert store.list() == ["MEMORY.md"]
    assert [hit.doc_id for hit in store.search("port").hits] == ["MEMORY.md"]
    assert "- port" in store.context_block()
    for call in (
        lambda: store.write("scratchpad", "x"),
        lambda: store.write("daily", "x"),
        lambda: store.read("note", "n"),
        lambda: store.append_daily("h", "b"),
    ):
        with pytest.raises(InvalidTargetError, match="project=SLUG or cwd=FOLDER"):
            call()


def test_a_folder_called_like_a_note_is_not_listed(desk):
    """It is no file that one could read."""
    memory = desk.open("current")
    memory.write("note", "x", name="a")
    before = memory.list()
    (desk.notes / "dir.md").mkdir()
    assert memory.list() == before


def test_a_working_directory_stands_for_its_slug(desk):
    """A project that is named goes first."""
    store = desk.open(project=None, cwd="/home/u/work/myapp")
    store.write("scratchpad", "x")
    assert store.list() == [f"projects/{project_slug('/home/u/work/myapp')}/SCRATCHPAD.md"]
    assert desk.open(cwd="/home/u/work/myapp").list() == []


def test_reading(desk, profile):
    """A file's text; `(empty)` for none; cut at the cap with a mark; the list one path on a line."""
    store = desk.open(profile)
    assert store.read("list") == store.read("scratchpad") == store.read("note", "n") == "(empty)"
    desk.put(desk.long_term, "")
    desk.put(desk.notes / "n.md", "\ufeffn\r\n")
    desk.put(desk.daily / "2026-07-03.md", "today")
    desk.put(desk.daily / "2026-07-01.md", "earlier")
    desk.put(desk.scratchpad, "部" * 20_000)
    assert store.read("long_term") == "(empty)"
    assert store.read("note", "n") == store.read("note", "n.md") == "n\r\n"
    assert (store.read("daily"), store.read("daily", "2026-07-01")) == ("today", "earlier")
    assert store.read("list") == "\n".join(store.list())
    cap = store.profile.max_inject_bytes
    assert store.read("scratchpad") == "部" * (cap // 3) + "\n…[memory truncated]"


def test_an_unknown_profile_names_the_known_ones(tmp_path):
    """And the nearest."""
    with pytest.raises(UnknownNameError, match=r"'artikel'; known: article, current, memeval\. Did you mean 'article'"):
        Memory(tmp_path, profile="artikel")


def test_an_entry_of_the_log(desk, profile):
    """A blank line, the time, the heading on one line, the body without white space around it."""
    store = desk.open(profile, now=lambda: "14:32")
    store.append_daily("deploy\n trouble", "\n redis could not bind \n\n")
    store.flush_compaction_summary("We moved the port.", 12)
    store.flush_compaction_summary("And back.")
    assert (desk.daily / "2026-07-03.md").read_bytes().decode() == (
        "\n### 14:32 — deploy trouble\nredis could not bind\n"
        "\n### 14:32 — compaction summary (12 msgs)\nWe moved the port.\n"
        "\n### 14:32 — compaction summary\nAnd back.\n"
    )


def test_an_entry_begins_on_a_line_of_its_own(desk):
    """Also after a log without a line end."""
    desk.put(desk.daily / "2026-07-03.md", "- x")
    desk.open(now=lambda: "09:00").append_daily("h", "b")
    assert (desk.daily / "2026-07-03.md").read_text() == "- x\n\n### 09:00 — h\nb\n"


COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(("stored", "asked"), [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)])
def test_a_note_is_one_however_its_accents_are_composed(desk, stored, asked):
    """A name that looks the same is the same note, to read, append, edit and delete: no second file is made."""
    memory = desk.open()
    memory.write("note", "one\n", name=stored)
    assert memory.read("note", asked) == "one\n"
    memory.write("note", "two\n", name=asked)
    memory.edit("note", "one", "1", asked)
    assert [path.name for path in desk.notes.iterdir()] == [f"{stored}.md"]
    assert memory.read("note", stored) == "1\ntwo\n"
    assert memory.edit("note", name=asked).endswith(f"{stored}.md")
    memory.write("note", "new\n", name=asked)
    assert memory.list()[-1].endswith(f"/{asked}.md")


def test_where_both_spellings_are_there_each_is_its_own(desk):
    """Files that others made are told apart as the disk tells them apart."""
    desk.put(desk.notes / f"{COMPOSED}.md", "composed\n")
    desk.put(desk.notes / f"{DECOMPOSED}.md", "decomposed\n")
    memory = desk.open()
    assert [memory.read("note", name) for name in (COMPOSED, DECOMPOSED)] == ["composed\n", "decomposed\n"]


def test_lines_of_a_file_from_windows_are_edited_as_they_are_read(desk):
    """Given with LF they are found, and what takes their place has the line ends of the file."""
    desk.put(desk.notes / "w.md", "\ufeffone\r\ntwo\r\nthree\r\n")
    desk.open().edit("note", "one\ntwo", "1\n2\n2b", "w")
    assert (desk.notes / "w.md").read_bytes() == "\ufeff1\r\n2\r\n2b\r\nthree\r\n".encode()


@pytest.mark.parametrize("obstacle", [".lock", "MEMORY.bak"])
def test_what_stands_in_the_way_of_a_write_is_named(desk, obstacle):
    """A folder where the lock or the backup belongs: the error says which, and the file is as it was."""
    desk.put(desk.long_term, "- old\n")
    (desk.root / obstacle).mkdir()
    with pytest.raises(MemoryStoreError, match=rf"MEMORY\.md: .* at .*{re.escape(obstacle)}; it is as it was before"):
        desk.open().write("long_term", "- new\n", mode="overwrite")
    assert desk.long_term.read_text() == "- old\n"
    assert sorted(path.name for path in desk.root.iterdir()) == sorted([obstacle, "MEMORY.md"])
