"""Faults that tools of this kind have had, each as its whole kind: the profile `memeval` has none of them."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.embedding.fusion import fuse_gated, fuse_ranks
from memeval.memory import PROFILES, Document, Tier
from memeval.memory.aliases import find_aliases, strip_aliases
from memeval.memory.discovery import DiscoverySearch
from memeval.text import utf8_length

PROFILE = PROFILES["memeval"]


def search(files, query):
    documents = [
        Document(doc_id=name, path=name, tier=Tier.NOTE, name=name.rsplit("/", 1)[-1], text=text)
        for name, text in files.items()
    ]
    return DiscoverySearch(documents, PROFILE).search(query)


def find(files, query):
    return [hit.doc_id for hit in search(files, query).hits]


# full-width and half-width forms do not find each other


def test_width_makes_no_difference_and_stored_bytes_are_shown():
    """Half-width kana, full-width letters and digits; what is shown is as it was written."""
    files = {"survey.md": "ｱﾝｹｰﾄ結果は金曜に集計", "db.md": "ＤＢ接続は５４３２番"}
    kana, digits = search(files, "アンケート"), search(files, "db 5432")
    assert [hit.doc_id for hit in kana.hits] == ["survey.md"]
    assert "ｱﾝｹｰﾄ結果は金曜に集計" in kana.text()
    assert [(hit.doc_id, len(hit.match.terms), bin(hit.match.whole_mask)) for hit in digits.hits] == [
        ("db.md", 2, "0b11")
    ]
    assert "ＤＢ接続は５４３２番" in digits.text()


WIDE = {chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)}
HALF = {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in range(0xFF66, 0xFF9E)}


@given(
    st.text(alphabet="abcXYZ0189", min_size=4, max_size=8),
    st.text(alphabet="アイカサテトナハマヤラワン", min_size=2, max_size=6),
)
def test_any_width_finds_any_other(latin, kana):
    """In the text, in the name and in the query."""
    wide = "".join(WIDE[letter] for letter in latin)
    half = "".join(HALF[letter] for letter in kana)
    for stored, asked in ((latin, wide), (wide, latin), (kana, half), (half, kana)):
        assert find({"a.md": f"x\n{stored} y", "b.md": "z"}, asked) == ["a.md"]
        assert find({f"{stored}.md": "x", "b.md": "z"}, asked) == [f"{stored}.md"]


@pytest.mark.parametrize("before", ["ｶﾞｷﾞｸﾞ" * 30, "㍿" * 60, "é\u0301" * 50, "ﬃ" * 50, "\u00ad" * 90, "ß" * 90])
def test_what_grows_or_shrinks_when_folded_moves_no_mark(before):
    """A long line is clipped around what was found, not around where it would stand folded."""
    line = f"{before} アンケート {before}"
    result = search({"a.md": line, "b.md": "x"}, "ｱﾝｹｰﾄ")
    assert "アンケート" in result.hits[0].line
    assert utf8_length(result.hits[0].line) <= 120


# a query without spaces is one long term


def test_a_run_is_more_than_one_term():
    """The note that has the words apart is found, below the one that has them together; one character is no hit."""
    files = {
        "ops.md": "監視の設定は夜間バッチの前に変更する",
        "meta.md": "「監視設定」で検索しても空になる",
        "one.md": "設を一つ",
    }
    assert find(files, "監視設定") == ["meta.md", "ops.md"]
    assert sorted(find(files, "監視 設定")) == ["meta.md", "ops.md"]


@pytest.mark.parametrize(
    ("one", "other"), [("監視", "設定"), ("데이터", "백업"), ("バックアップ", "手順"), ("ตั้งค่า", "รหัสผ่าน")]
)
def test_words_asked_in_one_run_find_both(one, other):
    """Han, Hangul, kana and Thai; in a store where each stands in a file of its own."""
    files = {"one.md": f"x {one} y", "other.md": f"x {other} y", "none.md": "x"}
    assert sorted(find(files, one + other)) == ["one.md", "other.md"]


# one gigantic line swallows the whole answer


def test_a_gigantic_line_is_clipped_around_what_was_found():
    """Both files are shown, the mark in sight, under the cap."""
    files = {"dump.md": "x" * 200_000 + " needle-7f " + "y" * 200_000, "real.md": "needle-7f is the rollback key"}
    text = search(files, "needle-7f").text(4096)
    assert utf8_length(text) <= 4096
    assert "dump.md" in text
    assert "real.md" in text
    assert text.count("needle-7f") >= 4
    assert "…xxx" in text
    assert "yyy…" in text


@given(st.integers(0, 5000), st.sampled_from(["x", "設", "🔥", "㍿", " a"]), st.integers(60, 900))
def test_every_line_shown_holds_its_mark(length, filled, cap):
    """However long a line is, and whatever it is filled with."""
    files = {f"{n}.md": f"{filled * length} needle {filled * length}" for n in range(3)}
    result = search(files, "needle")
    display = result.display(cap)
    assert utf8_length(display.text) <= cap
    for block in display.blocks:
        assert "needle" in block.text.partition("\n")[2] or "\n" not in block.text
    omitted = len(result.hits) - len(display.blocks)
    assert (f"{omitted} more file" in display.text) == bool(omitted)


# short terms and version numbers match inside other words


def test_whole_words_come_first():
    """Lines that hold a short term inside other words do not outweigh the one that holds it."""
    files = {
        "pipeline.md": "CI runs on every push",
        "misc.md": "decision log\npricing table\nsocial calendar",
        "pin.md": "pinned to v2.1",
        "rel.md": "v2.10.3\nv2.11\nv2.12",
    }
    assert find(files, "CI")[0] == "pipeline.md"
    assert find(files, "v2.1")[0] == "pin.md"


def pad(text, size):
    """The text in so many bytes."""
    return text + " ." * ((size - len(text)) // 2) + "." * ((size - len(text)) % 2)


@given(
    st.sampled_from([("ci", "decision"), ("port", "transport"), ("art", "start"), ("7731", "77315")]),
    st.integers(1, 40),
    st.integers(0, 3),
)
def test_no_number_of_longer_words_outweighs_a_whole_one(pair, times, others):
    """In files of one length."""
    word, longer = pair
    many = " ".join([longer] * times)
    files = {"a-inside.md": many, "b-whole.md": pad(word, len(many)), **{f"{n}.md": "x" for n in range(others)}}
    assert find(files, word)[0] == "b-whole.md"


@given(st.sampled_from([("v2.1", "v2.11"), ("v2.1", "v2.1.7"), ("1.2", "1.2.3"), ("a-b", "a-bc")]), st.integers(1, 40))
def test_a_longer_number_is_another(pair, times):
    """As often as the one that was asked for, in files of one length, it comes behind."""
    joined, longer = pair
    many = " ".join([longer] * times)
    files = {"a-longer.md": many, "b-asked.md": pad(" ".join([joined] * times), len(many)), "c.md": "x"}
    assert find(files, joined)[0] == "b-asked.md"


@pytest.mark.parametrize(
    ("query", "text"), [("設定", "再設定"), ("auth", "auth_token"), ("auth", "AuthToken"), ("port", "port番号")]
)
def test_edges_that_are_none(query, text):
    """Scripts without word edges, joined and humped spellings: found as a whole."""
    hit = search({"a.md": text, "b.md": "x"}, query).hits[0]
    assert hit.match.whole_mask


# aliases are read in one spelling only

HEADS = {
    "LF": "aliases: k8s, kube\n",
    "CRLF": "aliases: k8s, kube\r\n",
    "BOM": "\ufeffaliases: k8s, kube\n",
    "BOM and CRLF": "\ufeffaliases: k8s, kube\r\n",
    "a list below a capital key": "---\nAliases:\n  - k8s\n  - kube\n---\n",
    "the same with CRLF": "---\r\nAliases:\r\n  - k8s\r\n  - kube\r\n---\r\n",
    "the same after a BOM": "\ufeff---\nALIASES:\n- k8s\n- kube\n---\n",
    "brackets": "---\naliases: [k8s, 'kube']\n---\n",
    "brackets over lines": '---\naliases: [\n  k8s,\n  "kube"\n]\n---\n',
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_aliases_in_any_spelling(head):
    """Read alike, searched alike, and taken out alike: then nothing is found any more."""
    text = f"{head}# Cluster"
    assert find_aliases(text) == ("k8s", "kube")
    assert find({"a.md": text, "b.md": "x"}, "kube") == ["a.md"]
    assert search({"a.md": text, "b.md": "x"}, "kube").hits[0].matched_terms == ("alias kube",)
    assert find({"a.md": strip_aliases(text), "b.md": "x"}, "kube k8s") == []


# a threshold throws away every keyword-only hit


def test_a_hit_by_words_alone_is_a_hit():
    """No score is too low: one file among many, found by one word in a long text."""
    files = {f"{n}.md": "unrelated " * 30 for n in range(5)}
    files["ticket.md"] = "OPS-7731 closed by restart " + "and so on " * 500
    assert find(files, "OPS-7731") == ["ticket.md"]


@pytest.mark.parametrize("nearness", [-1.0, -0.01, 0.0, 0.2, 1.0])
def test_meaning_takes_no_hit_by_words_away(nearness):
    """Fused with vectors to which the file is far, it stays: first, where it holds all that was asked."""
    near = [(f"{n}.md", nearness) for n in range(5)]
    fused = fuse_gated([("ticket.md", 2.5)], 1.0, near)
    assert fused[0][0] == "ticket.md"
    assert "ticket.md" in dict(fuse_gated([("ticket.md", 2.5)], 0.1, near))


def test_reciprocal_ranks_know_no_floor():
    """Scores near 0.03 are all kept."""
    fused = dict(fuse_ranks([[f"{n}.md" for n in range(50)], ["ticket.md"]]))
    assert len(fused) == 51
    assert fused["ticket.md"] == fused["0.md"]


# the same bytes on any machine

PROGRAM = """
from memeval.memory import Document, Tier, PROFILES
from memeval.memory.discovery import DiscoverySearch
names = ["a.md", "b.md", "設定.md", "c.md"]
texts = ["redis port 監視設定", "port redis aliases", "ﾎﾟｰﾄ port", "redis\\naliases: port, 監視"]
documents = [Document(doc_id=n, path=n, tier=Tier.NOTE, name=n, text=t) for n, t in zip(names, texts)]
search = DiscoverySearch(documents, PROFILES["memeval"])
for query in ("redis port", "監視設定 ポート wifi-2.1", "the", "prt konfig", "什麼時候設定"):
    for cap in (40, 100, 300, 16384):
        print(ascii(search.search(query).text(cap)))
"""


def test_the_same_bytes_on_any_hash_seed():
    """Sets and their order never reach what is shown."""
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("0", "77")
    }
    assert len(said) == 1
    assert b"redis" in said.pop()
