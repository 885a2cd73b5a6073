"""The verb `generate`."""

from dataclasses import fields

import pytest
from click.testing import CliRunner

from memeval.cli_generate import NUMBERS, generate
from memeval.errors import CorpusError
from memeval.testbed.generator import Parameters, generate_world
from memeval.testbed.suitefile import load_suite


def test_options_have_the_defaults_of_the_parameters():
    """Every number can be set, and what is not set is what the library takes."""
    defaults = {field.name: field.default for field in fields(Parameters)}
    given = {name.replace("-", "_"): default for name, default, _ in NUMBERS}
    assert given == {name: defaults[name] for name in given}
    assert set(given) == set(defaults) - {"documents", "needs", "languages", "name"}


def test_generate_writes_the_world(tmp_path):
    """The verb writes the world of its numbers and says what is in it."""
    out = tmp_path / "world"
    arguments = [
        "--documents",
        "80",
        "--needs",
        "20",
        "--languages",
        "en, zh",
        "--vocabulary-gap",
        "0.4",
        "--seed",
        "3",
    ]
    result = CliRunner().invoke(generate, [*arguments, "--name", "w", "--out", str(out)], catch_exceptions=False)
    assert result.exit_code == 0
    world = generate_world(Parameters(documents=80, needs=20, languages=("en", "zh"), vocabulary_gap=0.4, name="w"), 3)
    assert load_suite(out / "w.recall.yaml").digest == world.suite.digest
    assert load_suite(out / "w.recall.yaml").corpus == world.suite.corpus
    assert "80 files, 20 needs (2 with nothing stored), 100 sessions" in result.output
    assert f"memeval run {out / 'w.recall.yaml'}" in result.output


@pytest.mark.parametrize("bad", [["--languages", "en,fr"], ["--noise", "2"], ["--needs", "5000"]])
def test_bad_numbers_write_nothing(tmp_path, bad):
    """What cannot be made is refused before a file is written."""
    arguments = ["--documents", "80", "--needs", "20", *bad, "--out", str(tmp_path / "world")]
    with pytest.raises(CorpusError):
        CliRunner().invoke(generate, arguments, catch_exceptions=False)
    assert not (tmp_path / "world").exists()
