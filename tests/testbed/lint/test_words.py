"""Wordings against files and against each other."""

import pytest

from memeval.testbed.lint import compute_kinds, lint_suite

PORTS = {"notes/ports.md": "Redis listens on 6380, since 6379 is taken.", "notes/old.md": "The broker was on 1883."}
TWO = ("notes/ports.md", "notes/old.md")


def unseen(text):
    """A requested wording of the kind unseen-words."""
    return {"text": text, "kind": "unseen-words", "elicited": "requested"}


def same(text):
    """A requested wording of the kind same-words."""
    return {"text": text, "kind": "same-words", "elicited": "requested"}


def test_unseen_words_that_overlap(make_suite, make_need, find):
    """The finding is an error, names the wording, the terms and the file."""
    suite = make_suite([make_need("cache address", unseen("who is listening"), unseen("cache address"))], PORTS)
    (finding,) = find(suite, "unseen-words-overlap")
    assert (finding.severity, finding.need, finding.wording, finding.terms) == ("error", "ports", 1, ("listen",))
    assert "notes/ports.md" in finding.message


def test_unseen_towards_every_expected_file(make_suite, make_need, find):
    """Overlap with any one expected file is enough; one that is judged 0 is not expected."""
    wording = unseen("where is the broker")
    assert not find(make_suite([make_need(wording)], PORTS), "unseen-words-overlap")
    assert find(make_suite([make_need(wording, expected=TWO)], PORTS), "unseen-words-overlap")
    judged = {"notes/ports.md": 1, "notes/old.md": 0}
    assert not find(make_suite([make_need(wording, expected=judged)], PORTS), "unseen-words-overlap")


def test_same_words_needs_one_file_only(make_suite, make_need, find):
    """Sharing with one expected file is enough, sharing with none is an error."""
    assert not find(make_suite([make_need(same("broker"), expected=TWO)], PORTS), "same-words-apart")
    (finding,) = find(make_suite([make_need(same("cache address"), expected=TWO)], PORTS), "same-words-apart")
    assert (finding.severity, finding.wording) == ("error", 0)


def test_aliases_are_words_of_the_file(make_suite, make_need, find):
    """Those in the file count always, those of an overlay when they are given."""
    suite = make_suite([make_need(unseen("cache container"))], PORTS)
    assert not find(suite, "unseen-words-overlap")
    assert find(suite, "unseen-words-overlap", aliases={"notes/ports.md": ["cache"]})
    far = "\n".join([PORTS["notes/ports.md"], *["-"] * 9, "aliases: port clash, cache"])
    assert find(make_suite([make_need(unseen("cache container"))], {"notes/ports.md": far}), "unseen-words-overlap")


@pytest.mark.parametrize("expected", [(), ("notes/gone.md",)])
def test_no_answer_no_containment(make_suite, make_need, find, expected):
    """Where nothing is stored there is nothing to share a word with, whatever the kind says."""
    suite = make_suite([make_need(unseen("redis"), same("cache"), expected=expected)], PORTS)
    assert not find(suite, "unseen-words-overlap")
    assert not find(suite, "same-words-apart")


def test_other_kinds_may_overlap(make_suite, make_need):
    """A paraphrase or a symptom shares words or not: both are clean."""
    wordings = [{"text": text, "kind": kind} for kind in ("paraphrase", "symptom") for text in (f"redis {kind}", kind)]
    assert lint_suite(make_suite([make_need(*wordings)], PORTS)) == ()


def test_wording_without_terms(make_suite, make_need, find):
    """Nothing but stop words and short numbers is a warning."""
    (finding,) = find(make_suite([make_need("what is it", "redis")], PORTS), "no-terms")
    assert (finding.severity, finding.wording) == ("warning", 0)


def test_kinds_are_computed(make_suite, make_need):
    """Every wording of a findable need gets the kind it is, whatever it is called."""
    needs = [make_need("redis", unseen("redis cache"), "cache"), make_need("redis", id="absent", expected=())]
    assert compute_kinds(make_suite(needs, PORTS)) == {
        "ports[0]": "same-words",
        "ports[1]": "same-words",
        "ports[2]": "unseen-words",
    }


@pytest.mark.parametrize(
    ("blind", "code", "severity"), [(False, "free-not-blind", "error"), (None, "blindness-unsaid", "warning")]
)
def test_free_wordings_need_a_blind_writer(make_suite, make_need, blind, code, severity):
    """One finding with the count, only where there are free wordings."""
    free = make_need({"text": "redis", "elicited": "free"}, same("redis port"))
    (finding,) = lint_suite(make_suite([free], PORTS, blind=blind))
    assert (finding.code, finding.severity) == (code, severity)
    assert finding.message.startswith("1 wording is")
    assert lint_suite(make_suite([make_need(same("redis"))], PORTS, blind=blind)) == ()
    assert lint_suite(make_suite([free], PORTS, blind=True)) == ()


def test_wordings_repeated_across_needs(make_suite, make_need, find):
    """An error where the needs expect other files, a warning where they expect the same; case and width are alike."""
    first, twin = make_need("Redis port"), make_need("ＲＥＤＩＳ  port", id="twin")
    (finding,) = find(make_suite([first, twin], PORTS), "repeated-wording")
    assert (finding.severity, finding.need) == ("warning", "twin")
    for expected in ((), ("notes/old.md",)):
        other = make_need("redis port", id="other", expected=expected, evidence="1883")
        (finding,) = find(make_suite([first, other], PORTS), "repeated-wording")
        assert (finding.severity, finding.need) == ("error", "other")
