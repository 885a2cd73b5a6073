"""The written report as a whole."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from memeval.bench.evaluation import Evaluation
from memeval.report import render_report, write_report
from memeval.report.notation import make_visible
from memeval.report.plots import Plot

GOLDEN = Path(__file__).parent / "golden" / "small.md"
ALLOWED_HTML = re.compile(r"</?(?:code|details|summary)>|<a id=\"[a-z]+(?:-\d+)?\">|</a>")
MARKDOWN = MarkdownIt("commonmark").enable("table")


@pytest.fixture
def two(evaluate, invent) -> Evaluation:
    """Two suites, one with a CJK name, four systems and two controls."""
    names = ["article", "current", "grep", "bm25", "random", "oracle"]
    return evaluate(invent("ops-en", names, needs=52), invent("維運", names, needs=40, seed=1))


def test_small_report_word_for_word(small, tmp_path, blank_pictures):
    """The whole page of a small evaluation is the one a person has read and found good."""
    text = write_report(small, tmp_path)[0].read_text(encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8"), (
        f"read {tmp_path / 'report.md'}; if it is better, copy it to {GOLDEN}"
    )


def test_sections_in_order(two):
    """Results, plots, slices, gaps, what one found alone, misses and false hits, coverage, words, identity, timings."""
    plots = [Plot("found.png", "Found"), Plot("recall.png", "Recall on ops-en", 0)]
    covered = dataclasses.replace(two, coverage=((("failure mode", "Latin"), ("late-answer", "1 (1 of 2)")),))
    titles = re.findall(r"^## (.*)$", render_report(covered, plots), flags=re.MULTILINE)
    assert titles == [
        "Results",
        "Plots",
        "Slices",
        "Gaps",
        "What only one of two found",
        "Misses and false hits",
        "What the needs cover",
        "How to read the words",
        "What exactly was measured",
        "Timings",
    ]


def test_contents_lead_somewhere(two, tmp_path, blank_pictures):
    """Every link within the page has its anchor, every picture its file, and no anchor stands twice."""
    text = write_report(two, tmp_path)[0].read_text(encoding="utf-8")
    anchors = re.findall(r'<a id="([^"]+)">', text)
    links = set(re.findall(r"\]\(#([^)]+)\)", text))
    assert len(anchors) == len(set(anchors))
    assert links <= set(anchors)
    assert {"results-2", "misses-1", "words", "identity", "timings"} <= links
    pictures = re.findall(r"^!\[[^\]]+\]\(([^)]+)\)$", text, flags=re.MULTILINE)
    assert sorted(pictures) == sorted(path.name for path in tmp_path.glob("*.png"))
    assert len(pictures) == 5


@pytest.mark.parametrize(
    ("names", "title"),
    [
        ((), "What no variant finds on `shop`"),
        (("grep",), "What 1 variant finds on `shop`"),
        (("oracle",), "What 1 control finds on `shop`"),
        (("grep", "oracle"), "What 1 variant and 1 control find on `shop`"),
        (("grep", "bm25"), "What 2 variants find on `shop`"),
    ],
)
def test_the_title_is_english(evaluate, invent, names, title):
    """One finds, several find."""
    assert render_report(evaluate(invent("shop", list(names), needs=3))).startswith(f"# {title}\n")


def test_one_suite_needs_no_contents(small):
    """A short page has no table of contents and does not repeat its caption."""
    text = render_report(small)
    assert "](#" not in text
    assert text.count("48 files") == 1


def assert_rates_have_their_n(text: str) -> int:
    """Every figure with two decimals stands beside an n; gives back how many there were."""
    page = text.split('<a id="identity">')[0]
    header: list[str] = []
    rates = 0
    for line in page.splitlines():
        if not line.startswith("| "):
            header = []
            if found := re.findall(r"(?<![\w.])\d\.\d\d(?!\d)", line):
                assert "(n" in line, line
                rates += len(found)
            continue
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        header = header or cells
        for title, cell in zip(header, cells, strict=True):
            if re.search(r"\d\.\d\d", cell) and line.count("---") == 0:
                assert "(n " in cell or "(n " in title or "n" in header, line
                rates += 1
    return rates


def test_every_rate_has_its_n(small, two):
    """No share without the number of cases it stands on, in tables and in sentences, with one n or several."""
    assert assert_rates_have_their_n(render_report(small)) > 50
    assert assert_rates_have_their_n(render_report(two)) > 200
    suite = two.suites[0]
    first = suite.variants[0]
    fewer = {
        name: dataclasses.replace(value, n=value.n - 1) if value.n else value for name, value in first.summary.items()
    }
    mixed = dataclasses.replace(suite, variants=(dataclasses.replace(first, summary=fewer), *suite.variants[1:]))
    text = render_report(dataclasses.replace(two, suites=(mixed, two.suites[1])))
    assert assert_rates_have_their_n(text) > 200
    assert "(n 140)" in text


def test_undefined_is_a_dash(small):
    """A record full of nulls renders without a zero, a None or a nan in place of a figure."""
    suite = small.suites[0]
    empty = dataclasses.replace(
        suite.variants[0],
        summary={
            name: dataclasses.replace(value, value=None, n=0) for name, value in suite.variants[0].summary.items()
        },
        slices=(),
        recall_curve=(),
        found_by_wording=(),
        queries=tuple(
            dataclasses.replace(query, lang=None, kind=None, tags=(), reason=None, verdict="miss")
            for query in suite.variants[0].queries
        ),
    )
    bare = dataclasses.replace(suite, variants=(empty,), contrasts=(), description="", licence="", lang=None)
    text = render_report(Evaluation(manifest={}, suites=(bare,)))
    assert "\n| `article` |" + " – |" * 8 + "\n" in text
    assert not re.search(r"None|nan|\d\.\d\d", text)
    assert "`ops-en` · 48 files" in text


def test_ungradable_stands_on_top(small):
    """What could not be graded comes before any figure, with reasons, long lists cut and counted."""
    suite = small.suites[0]
    queries = [
        dataclasses.replace(query, verdict="ungradable", found=None, reason=f"ValueError: broken | {place}")
        for place, query in enumerate(suite.variants[0].queries)
    ]
    some = dataclasses.replace(suite.variants[0], queries=tuple(queries))
    whole = dataclasses.replace(some, name="bm25", error="cannot be built: <no model>")
    text = render_report(
        dataclasses.replace(small, suites=(dataclasses.replace(suite, variants=(some, whole), contrasts=()),))
    )
    top = text[: text.index("## Results")]
    warning = [line for line in top.splitlines() if line.startswith(">")]
    assert warning[0] == "> [!CAUTION]"
    assert "> - `ops-en`, `article`: 8 of 8 wordings" in warning
    assert r">   - `redis-port-clash[0]` `port conflict`: ValueError: broken &#124; 0" in warning
    assert ">   - … 3 more in `evaluation.json`" in warning
    assert "> - `ops-en`, `bm25`: 8 of 8 wordings: cannot be built: &#60;no model&#62;" in warning
    assert top.index("[!CAUTION]") < top.index("48 files")
    assert "`bm25` (ungradable)" in text
    assert "CAUTION" not in render_report(small)


def test_misses_name_need_file_query_and_reason(small):
    """Each miss has its line of why below its need and expected file; a lost must-find need says so."""
    text = render_report(small)
    assert (
        "- **must find**, **`sso-callback`**, expected `notes/sso-callback.md`; 3 of 3 wordings missed\n"
        "  - `login loop` (same-words): not matched: no word of the query stands in the file\n"
    ) in text
    assert "<code>oracle</code>: " not in text, "the misses of a control are nobody's concern"


def test_large_sets_are_cut_and_counted(evaluate, invent):
    """Eight hundred benchmark queries make a page one can open: what is left out is counted and said where to find."""
    evaluation = evaluate(invent("tldr", ["article", "bm25"], needs=800, wordings=1, beir=True))
    text = render_report(evaluation)
    assert len(text.encode()) < 60_000
    missed = sum(query.verdict == "miss" for query in evaluation.suites[0].variants[0].queries)
    assert f"<code>article</code>: {missed} of 720 wordings missed" in text
    assert f"- … {missed - 40} more needs with misses; all in `evaluation.json`" in text
    pair = evaluation.suites[0].contrasts[0]
    assert f"- found by `bm25`, not by `article`: {len(pair.only_second)}\n" in text
    assert f"  - … {len(pair.only_second) - 10} more" in text


@pytest.mark.slow
def test_many_suites_and_variants_stay_one_page(evaluate, invent):
    """Twelve suites of ten variants: one sentence of verdict each on top, pairs and misses shared out."""
    names = [f"v{number}" for number in range(10)]
    evaluation = evaluate(*(invent(f"suite-{number}", names, needs=10, seed=number) for number in range(12)))
    text = render_report(evaluation)
    assert len(text.encode()) < 512_000
    top = text[: text.index('<a id="results">')]
    assert top.count("finds most**") + top.count("find most**") == 12
    assert text.startswith("# What 10 variants find on 12 suites\n")
    assert "… 38 more pairs, of variants that find less, not shown" in text


def test_tags_are_cut_by_the_cases_they_stand_on(two):
    """The tags with most cases are shown, the others counted."""
    text = render_report(two)
    tags = re.findall(r"^\| `(tag-\d\d|ops)` \|", text, flags=re.MULTILINE)
    assert len(tags) == 24
    assert tags[0] == tags[12] == "ops"
    assert text.count("… 5 more tags not shown; see `evaluation.json`.") == 2


def test_slices_need_two_labels(small):
    """A dimension with one label says nothing and has no table; wording numbers come in order."""
    text = render_report(small)
    assert "Found by language" not in text
    assert "Found by kind of wording" in text
    assert re.search(r"^\| `1` .*\n\| `2` .*\n\| `3` ", text, flags=re.MULTILINE)


HOSTILE = "a|b `x` ``y`` <script>z</script>\n# no heading\x1b \u202e \ud800 </details> $m$ \\| [l](u)"


def test_no_text_from_data_breaks_the_page(small, tmp_path, blank_pictures):
    """Names, ids, queries, files, tags, reasons and errors full of markup are text on the page and nothing else."""
    suite = small.suites[0]

    def spoil(query):
        return dataclasses.replace(
            query,
            id=f"{HOSTILE} {query.id}",
            need=f"{HOSTILE} {query.need}",
            text=HOSTILE,
            tags=(HOSTILE, "other"),
            kind=HOSTILE,
            expected={f"{HOSTILE}.md": 1},
            verdict="ungradable" if query.id.startswith("lunch") else query.verdict,
            reason=HOSTILE,
        )

    variants = tuple(
        dataclasses.replace(
            variant,
            name=f"{HOSTILE}{place}",
            slices=tuple(dataclasses.replace(part, label=f"{HOSTILE}{part.label}") for part in variant.slices),
            queries=tuple(map(spoil, variant.queries)),
            summary={**variant.summary, HOSTILE: variant.summary["found"]},
        )
        for place, variant in enumerate(suite.variants)
    )
    pair = dataclasses.replace(
        suite.contrasts[0], first=variants[0].name, second=variants[1].name, only_first=(f"{HOSTILE} backup-window[0]",)
    )
    spoiled = dataclasses.replace(
        suite, name=HOSTILE, variants=variants, contrasts=(pair,), description=HOSTILE, licence=HOSTILE
    )
    evaluation = dataclasses.replace(
        small,
        suites=(spoiled, spoiled),
        manifest={HOSTILE: HOSTILE, "rows": [{HOSTILE: HOSTILE}]},
        versions={HOSTILE: HOSTILE},
        timings={HOSTILE: {HOSTILE: {"p50_ms": 1.0}}},
    )
    text = write_report(evaluation, tmp_path)[0].read_text(encoding="utf-8")
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)
    tokens = MARKDOWN.parse(text)
    for token in tokens:
        for part in [token, *(token.children or [])]:
            if part.type in {"html_block", "html_inline"}:
                outside = re.sub(r"<code>[^<]*</code>", "", part.content)
                assert not ALLOWED_HTML.sub("", outside).count("<"), part.content
            assert part.type not in {"fence", "code_block"}
            assert part.type != "link_open" or part.attrGet("href").startswith("#")
    headings = [tokens[place + 1] for place, token in enumerate(tokens) if token.type == "heading_open"]
    expected = 1 + 8 + 2 * 5
    assert len(headings) == expected, "title, sections, and a heading per suite in five of them"
    assert text.count("<details>") == text.count("</details>")
    name = make_visible(f"{HOSTILE}0")
    cells = [
        "".join(part.content for part in token.children if part.type != "html_inline")
        for token in tokens
        if token.children
    ]
    assert sum(cell == name for cell in cells) >= 8, (
        "the variant's name is read back whole where it heads a row or column"
    )


def test_files_are_its_own_only(small, tmp_path, blank_pictures):
    """The folder is made with its parents; files of other names stay; a second time the same files are written."""
    folder = tmp_path / "deep" / "reports"
    written = write_report(small, folder)
    assert [path.name for path in written] == ["report.md", "found.png", "recall-1-ops-en.png", "wordings-1-ops-en.png"]
    before = {path.name: path.read_bytes() for path in written}
    other = folder / "evaluation.json"
    other.write_text("{}", encoding="utf-8")
    assert [path.name for path in write_report(small, str(folder))] == list(before)
    assert {path.name: path.read_bytes() for path in written} == before
    assert other.read_text(encoding="utf-8") == "{}"
    assert len(list(folder.iterdir())) == 5


SCRIPT = """
import sys
from memeval.bench.evaluation import Evaluation
from memeval.report import render_terminal, write_report
evaluation = Evaluation.load(sys.argv[1])
render_terminal(evaluation)
write_report(evaluation, sys.argv[2])
assert not {"pandas", "matplotlib.pyplot"} & set(sys.modules)
"""


@pytest.mark.slow
def test_same_evaluation_same_bytes(two, tmp_path):
    """Read back from its file, in another process with another hash seed, an evaluation gives the very same files."""
    record = tmp_path / "evaluation.json"
    record.write_text(two.to_json(), encoding="utf-8")
    write_report(two, tmp_path / "here")
    reports = {path.name: path.read_bytes() for path in (tmp_path / "here").iterdir()}
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, str(record), str(tmp_path / "there")],
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True,
    )
    assert {path.name: path.read_bytes() for path in (tmp_path / "there").iterdir()} == reports


def test_empty_evaluation_is_a_page(evaluate, tmp_path):
    """No suite at all: a page that says so, and no picture."""
    written = write_report(evaluate(), tmp_path)
    assert [path.name for path in written] == ["report.md"]
    assert "The evaluation holds no suite." in written[0].read_text(encoding="utf-8")


def test_json_of_a_manifest_needs_no_known_types(small):
    """A manifest value that is no JSON is written as its text instead of failing the report."""
    odd = dataclasses.replace(small, manifest={"path": Path("a"), "n": json.loads("1e3")})
    assert '`"a"`' in render_report(odd)


def test_pictures_of_an_earlier_report_are_removed_and_nothing_else(evaluate, invent, tmp_path, blank_pictures):
    """A folder used again holds the pictures of its report alone; a person's own files stay."""
    quoted = "`x`](recall-7-quoted.png) ![a](wordings-7-quoted.png)"
    first = invent("first", ["article"], needs=4)
    report, *old = write_report(
        evaluate(dataclasses.replace(first, description=quoted, name=f"first {quoted}")), tmp_path
    )
    shown = ["![a](mine.png)", "![a](../recall-1-up.png)", "![a](recall-8-folder.png)", "![a](recall-9-gone.png)"]
    report.write_text("\n".join([report.read_text(encoding="utf-8"), *shown]), encoding="utf-8")
    (tmp_path / "recall-8-folder.png").mkdir()
    (tmp_path.parent / "recall-1-up.png").write_bytes(b"x")
    mine = ["recall-1-mine.png", "recall-7-quoted.png", "wordings-7-quoted.png", "mine.png", "notes.txt"]
    for name in mine:
        (tmp_path / name).write_bytes(b"x")
    written = write_report(evaluate(invent("second", ["article"], needs=4)), tmp_path)
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {path.name for path in written} | {*mine, "recall-8-folder.png"}
    assert (tmp_path.parent / "recall-1-up.png").exists()
    assert len({path.name for path in old} - kept) == 2, "the recall and wordings plots of the first suite"


def test_a_report_that_is_not_ours_is_replaced(small, tmp_path, blank_pictures):
    """A report.md in another encoding is no obstacle."""
    (tmp_path / "report.md").write_bytes("déjà vu\n![a](found.png)".encode("latin-1"))
    assert write_report(small, tmp_path)[0].read_text(encoding="utf-8") == GOLDEN.read_text(encoding="utf-8")
