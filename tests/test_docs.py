"""The pages: their examples parse, their commands and files exist, and the schema is the loader's."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import jsonschema
import pytest
import yaml

from memeval.bench.suite import bundled_suites
from memeval.cli import main
from memeval.testbed.suitefile import ELICITED, NEED_KEYS, SUITE_KEYS, WORDING_KEYS, is_valid_id

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "CONTRIBUTING.md", ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
SOURCES = sorted(path for path in (ROOT / "memeval").rglob("*") if path.suffix in (".py", ".md", ".toml", ".yaml"))
BY_NAME = re.compile(
    r"""\b(?:pip3?|pipx|uvx?|tool|add)\ (?:install\ |run\ |add\ )?(?:-\S+\ )*
    ["']?memeval\b(?!(?:\[[\w,{}]+\])?\ @\ git\+)
    |["'`]memeval\[[\w,]+\]["']""",
    re.VERBOSE,
)
"""Installing the package by its name alone, which on the public index is another project's."""
SCHEMA = json.loads((ROOT / "docs" / "recall.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SMALL = {"suite": "s", "corpus": ".", "needs": [{"id": "a", "expect": ["x.md"], "ask": ["q"]}]}


class PlainLoader(yaml.CSafeLoader):
    """YAML as an editor's server reads it, but days stay text, as JSON has them."""


PlainLoader.yaml_implicit_resolvers = {
    key: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for key, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


def list_commands(text: str) -> list[list[str]]:
    """The `memeval …` lines of a page, as words."""
    found = re.findall(r"(?:^ {4,}|`|run: |entry: )memeval ([^ `\n#][^`\n#]*)", text, re.MULTILINE)
    return [line.split() for line in found]


def find_command(words: list[str]) -> tuple[click.Command, list[str]]:
    """The verb that a line calls, and what is left of it."""
    command: click.Command = main
    rest = list(words)
    while isinstance(command, click.Group) and rest and rest[0].split("|")[0] in command.commands:
        command = command.commands[rest.pop(0).split("|")[0]]
    return command, rest


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_commands_of_a_page_exist(page):
    """Every verb is one, and every option one of its verb."""
    for words in list_commands(page.read_text(encoding="utf-8")):
        command, rest = find_command(words)
        assert command is not main, words
        known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
        options = {word.partition("=")[0].strip("[],.;:") for word in rest if word.startswith("--")}
        assert options <= known | {"--help"}, (words, options - known)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_of_a_page_lead_somewhere(page):
    """Each relative link is a file."""
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize(
    ("text", "is_by_name"),
    [
        ("pip install memeval", True),
        ("pip install -U 'memeval[embed]'", True),
        ("uv pip install memeval", True),
        ("uv add memeval", True),
        ('pip install tantivy, or "memeval[external]"', True),
        ('pip install "memeval @ git+<address>"', False),
        ('pip install "memeval[embed] @ git+<address>"', False),
        ("pip install .      # in a clone of memeval", False),
        ("(extra `memeval[embed]`)", False),
    ],
)
def test_the_bare_name_is_recognised(text, is_by_name):
    """The pattern of the test below knows the forms in which a name alone is installed, and no other."""
    assert bool(BY_NAME.search(text)) is is_by_name


def test_nothing_tells_to_install_by_the_bare_name():
    """Pages, messages and help texts name an address: `memeval` on the public index is another project."""
    found = {path: BY_NAME.findall(path.read_text(encoding="utf-8")) for path in (*PAGES, *SOURCES)}
    assert {path.name: names for path, names in found.items() if names} == {}


def test_the_workflow_compares_no_older_run():
    """Where the run of this change failed, reports/latest may be an earlier one, and is not judged."""
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "ci.md").read_text(encoding="utf-8"), re.DOTALL)
    steps = yaml.safe_load(blocks[0])["jobs"]["recall"]["steps"]
    (measuring,) = (step for step in steps if step.get("run", "").startswith("memeval run"))
    (comparing,) = (step for step in steps if step.get("run", "").startswith("memeval compare"))
    assert steps.index(measuring) < steps.index(comparing)
    assert comparing["if"] == f"always() && steps.{measuring['id']}.outcome == 'success'"


def test_yaml_examples_parse():
    """The workflow and the hooks can be copied as they are."""
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "ci.md").read_text(encoding="utf-8"), re.DOTALL)
    workflow, hooks = (yaml.safe_load(block) for block in blocks)
    steps = workflow["jobs"]["recall"]["steps"]
    assert [step.get("uses", "").partition("@")[0] for step in steps][:2] == [
        "actions/checkout",
        "actions/setup-python",
    ]
    assert {hook["id"] for hook in hooks["repos"][0]["hooks"]} == {"memeval-lint", "memeval-recall"}


@pytest.mark.parametrize("path", bundled_suites(), ids=lambda path: path.name)
def test_the_schema_takes_every_bundled_suite(path):
    """What the loader reads, an editor does not underline."""
    VALIDATOR.validate(yaml.load(path.read_text(encoding="utf-8"), PlainLoader))


def test_the_schema_knows_the_loaders_keys():
    """A key that is added to one is added to the other."""
    need, wording = SCHEMA["$defs"]["need"]["properties"], SCHEMA["$defs"]["wording"]["properties"]
    assert (set(SCHEMA["properties"]), set(need), set(wording)) == (set(SUITE_KEYS), set(NEED_KEYS), set(WORDING_KEYS))
    assert SCHEMA["$defs"]["wording"]["properties"]["elicited"]["enum"] == list(ELICITED)


@pytest.mark.parametrize(
    "change",
    [
        {"suites": "s"},
        {"needs": []},
        {"needs": [{"id": "a", "expect": ["x.md"]}]},
        {"needs": [{"id": "a", "expect": "x.md", "ask": ["q"]}]},
        {"needs": [{"id": "a", "expect": ["x.md"], "ask": [{"text": "q", "elicited": "often"}]}]},
        {"needs": [{"id": "a", "expect": [{"x.md": "two"}], "ask": ["q"]}]},
        {"needs": [{"id": "a", "expect": [{"x.md": 7}], "ask": ["q"]}]},
        {"needs": [{"id": "a", "expect": ["x.md"], "ask": [False]}]},
    ],
)
def test_the_schema_refuses_what_is_no_suite(change):
    """Unknown keys, nothing asked, a value of another kind."""
    VALIDATOR.validate(SMALL)
    assert not VALIDATOR.is_valid({**SMALL, **change})


@pytest.mark.parametrize(
    "name", ["a", "redis-port", "監控設定", "_x.1", "é", "-a", "a b", "and", "NOT", "a/b", "a[0]", ".a", ""]
)
def test_the_schema_takes_the_loaders_ids(name):
    """An id is one for both, in any script."""
    ids = VALIDATOR.evolve(schema={"$ref": "#/$defs/id", "$defs": SCHEMA["$defs"]})
    assert ids.is_valid(name) == is_valid_id(name)
