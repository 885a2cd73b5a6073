"""A patch of aliases: it reads back as it was written, decides nothing, and says where it was edited to nonsense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import CorpusError
from memeval.testbed.aliaspatch import MAX_EVIDENCE, Evidence, Proposal, load_patch, render_patch

TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=20).filter(
    lambda text: text.strip() == text and text
)


def offer(doc_id: str = "a.md", alias: str = "port clash", *, needs: int = 1) -> Proposal:
    """A proposal with as many needs behind it."""
    evidence = tuple(Evidence(f"n{number}", "port: clash, or '6379'", "2026-07-03") for number in range(needs))
    return Proposal(doc_id=doc_id, alias=alias, terms=("port", "clash"), evidence=evidence)


@pytest.fixture
def load(tmp_path):
    """Read a patch of this text."""

    def read(text: str):
        path = tmp_path / "patch.yaml"
        path.write_text(text, encoding="utf-8", newline="")
        return load_patch(path)

    return read


def test_a_patch_shows_its_evidence_and_decides_nothing(load):
    """Every entry is undecided; which needs, in which words, and how many stand beside it."""
    text = render_patch([offer(needs=MAX_EVIDENCE + 2), offer("b.md", "no")], store="shop", project="shop-1")
    assert "      accept: null\n      terms: [port, clash]\n      needs: 7\n" in text
    assert "{need: n0, asked: 'port: clash, or ''6379''', day: '2026-07-03'}" in text
    assert "# and 2 more" in text
    patch = load(text)
    assert patch.project == "shop-1"
    assert [(one.doc_id, one.alias, one.accept) for one in patch.entries] == [
        ("a.md", "port clash", None),
        ("b.md", "no", None),
    ]
    assert all(text.splitlines()[one.line - 1].strip().startswith("- alias:") for one in patch.entries)


def test_a_patch_without_proposals_is_one_all_the_same(load):
    """Nothing was learned, and nothing is applied."""
    assert load(render_patch([], store="shop")).entries == ()
    assert load(render_patch([], store="shop")).suite is None


@given(alias=TEXTS, doc_id=TEXTS, need=TEXTS, asked=TEXTS)
def test_whatever_was_asked_reads_back(tmp_path_factory, alias, doc_id, need, asked):
    """No text of a query can break the file, or become another one."""
    proposal = Proposal(doc_id=doc_id, alias=alias, terms=(alias,), evidence=(Evidence(need, asked),))
    path = tmp_path_factory.mktemp("patch") / "patch.yaml"
    path.write_text(render_patch([proposal], store=need, project=asked), encoding="utf-8", newline="")
    patch = load_patch(path)
    assert [(one.doc_id, one.alias) for one in patch.entries] == [(doc_id, alias)]
    assert patch.project == asked


@pytest.mark.parametrize(
    ("written", "accept"), [("accept: true", True), ("accept: false", False), ("accept: null", None), ("accept:", None)]
)
def test_a_decision(load, written, accept):
    """True, false, or none yet; an entry without the key is undecided, too."""
    (entry,) = load(f"patch: aliases\nfiles:\n  a.md:\n    - alias: x\n      {written}\n").entries
    assert entry.accept is accept
    (bare,) = load("patch: aliases\nfiles:\n  a.md:\n    - alias: x\n").entries
    assert bare.accept is None


def test_what_was_deleted_is_gone(load):
    """A file without entries, and no files at all."""
    assert load("patch: aliases\nfiles:\n  a.md:\n  b.md: []\n").entries == ()
    assert load("patch: aliases\nfiles:\n").entries == ()


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("patch: qrels\nfiles: {}\n", 1, "only a patch of kind 'aliases'"),
        ("patch: aliases\n", 1, "has no 'files'"),
        ("patch: aliases\nfiles:\n  a.md: port clash\n", 3, "must be a list"),
        ("patch: aliases\nfiles:\n  a.md:\n    - port clash\n", 4, "must be a mapping"),
        ("patch: aliases\nfiles:\n  a.md:\n    - accept: true\n", 4, "has no 'alias'"),
        ("patch: aliases\nfiles:\n  a.md:\n    - alias: no\n", 4, "quote it"),
        ("patch: aliases\nfiles:\n  a.md:\n    - alias: x\n      accept: yes\n", 5, "write true (apply it)"),
        ("patch: aliases\nfiles:\n  a.md:\n    - alias: x\n      accepted: true\n", 5, "Did you mean 'accept'?"),
        ("patch: aliases\nfiles:\n  a.md:\n    - alias: x\n    - alias: X\n", 5, "stands twice"),
        ("patch: aliases\nfiles:\n  a.md:\n    - alias: [x\n", 4, "broken YAML"),
    ],
)
def test_nonsense_is_told_with_its_line(load, text, line, said):
    """As `path:line: …`, with what is allowed."""
    with pytest.raises(CorpusError) as caught:
        load(text)
    assert f"patch.yaml:{line}: " in str(caught.value)
    assert said in str(caught.value)


def test_a_patch_says_what_it_was_learned_from(load):
    """A log speaks for itself; what a suite taught is fitted to its wordings, and the suite is read back."""
    logged, taught = render_patch([offer()], store="shop"), render_patch([offer()], store="shop", suite="shop")
    assert logged.startswith("# Aliases that a log speaks for")
    assert "suite" not in logged
    assert taught.startswith("# Aliases that a suite speaks for")
    assert "a log" not in taught
    assert "that rise says nothing" in taught
    assert "memeval aliases learn" in taught
    assert load(taught).suite == "shop"
