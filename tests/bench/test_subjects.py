"""What moved: the subject, the ruler or the ground."""

from __future__ import annotations

import dataclasses

from memeval.bench.subjects import compare_suite, compare_variant, find_moved_cap


def run_of(made, **manifest):
    """An evaluation of one need."""
    return made.evaluation({"redis": (["a"], [made.ask("port", "a")])}, **manifest)


def change_suite(evaluation, **entry):
    """The same with another entry of its suite in the manifest."""
    suites = [{**evaluation.manifest["suites"][0], **entry}]
    return dataclasses.replace(evaluation, manifest={**evaluation.manifest, "suites": suites})


def test_equal_manifests_moved_in_nothing(made):
    """No subject, no ruler, no reason against comparing."""
    moved = compare_suite(run_of(made), run_of(made), "shop")
    assert (moved.ruler, moved.aliases, moved.invalid) == (False, None, None)
    assert compare_variant(run_of(made), run_of(made), "engine") == ()
    assert find_moved_cap(run_of(made), run_of(made), "engine") is None


def test_other_needs_are_another_ruler(made):
    """The digest of the suite says so."""
    assert compare_suite(run_of(made), run_of(made, ruler="needs-2"), "shop").ruler


def test_other_files_or_another_project_make_a_comparison_invalid(made):
    """A difference may then come from the files."""
    assert "files-1 → files-2" in compare_suite(run_of(made), run_of(made, corpus="files-2"), "shop").invalid
    assert "another project" in compare_suite(run_of(made), change_suite(run_of(made), project="p"), "shop").invalid


def test_a_manifest_that_says_nothing_compares_with_nothing(made):
    """A missing digest is not an equal one."""
    bare = dataclasses.replace(run_of(made), manifest={})
    assert compare_suite(bare, run_of(made), "shop") is None
    entry = {"name": "shop", "suite_digest": "x"}
    partial = dataclasses.replace(run_of(made), manifest={"suites": [entry]})
    assert compare_suite(partial, run_of(made), "shop") is None


def test_aliases_are_a_subject(made):
    """Put into the files they change the digest of the corpus, which says nothing then; beside them it still holds."""
    base = run_of(made)
    moved = compare_suite(base, change_suite(base, aliases=True, corpus_digest="files-and-aliases"), "shop")
    assert (str(moved.aliases), moved.invalid, moved.is_unchecked) == ("aliases none → in the files", None, True)
    beside = compare_suite(
        change_suite(base, overlay_digest="sha256:11"), change_suite(base, overlay_digest="sha256:22"), "shop"
    )
    assert (str(beside.aliases), beside.is_unchecked) == ("aliases 11 → 22", False)
    older = compare_suite(base, change_suite(base, overlay_digest="sha256:22"), "shop")
    assert older.aliases is None  # an older record does not say what its overlay was


def test_numbers_packages_and_the_model_are_subjects(made):
    """Each is named with what it was and is; the version of the code itself counts for none."""
    base = run_of(made, configuration={"k1": 1.2, "tokenizer": "words"})
    head = run_of(made, configuration={"k1": 1.2, "tokenizer": "pairs", "b": 0.75}, embedder="mini")
    head = dataclasses.replace(head, versions={"python": "3.12", "memeval": "2", "bm25s": "2"})
    assert [str(move) for move in compare_variant(base, head, "engine")] == [
        "tokenizer words → pairs",
        "b none → 0.75",
        "embedder none → mini",
        "bm25s 1 → 2",
    ]
    assert compare_variant(dataclasses.replace(base, versions={}), base, "engine") == ()


def test_a_package_that_one_run_did_without_is_no_subject(made):
    """Another system that was installed in between moves nothing of a variant that both runs measured."""
    base = run_of(made)
    head = dataclasses.replace(base, versions={**base.versions, "tantivy": "0.27.0"})
    assert compare_variant(base, head, "engine") == compare_variant(head, base, "engine") == ()


def test_other_weights_of_a_variants_own_model_are_a_subject(made):
    """A run records which weights a name stood for; a model of another variant is none of this one's."""
    own = {"configuration": {"model": "mini"}}
    base, head = (run_of(made, models={"mini": weights, "other": weights}, **own) for weights in ("mini 1", "mini 2"))
    assert [str(move) for move in compare_variant(base, head, "engine")] == ["weights of mini mini 1 → mini 2"]
    assert compare_variant(base, base, "engine") == ()
    assert compare_variant(run_of(made, **own), run_of(made, **own), "engine") == ()


def test_another_cap_is_told(made):
    """A variant with a cap of its own does not heed the run's."""
    assert "16384 → 99 bytes" in find_moved_cap(run_of(made), run_of(made, budget_bytes=99), "engine")
    own = {"configuration": {"max_bytes": 500}}
    assert find_moved_cap(run_of(made, **own), run_of(made, budget_bytes=99, **own), "engine") is None
    assert "500 → 600" in find_moved_cap(run_of(made, **own), run_of(made, configuration={"max_bytes": 600}), "engine")
