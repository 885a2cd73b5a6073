"""Systems from outside at the command line: a command or an MCP server, given for one run, as a variant of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from memeval.cli_parameters import TEXT, is_given

if TYPE_CHECKING:
    from memeval.retrieval.base import Variant

_DEFAULT_K = 10
_DEFAULT_SECONDS = 60.0

_OPTIONS = (
    click.option(
        "--external",
        "commands",
        type=TEXT,
        multiple=True,
        metavar="NAME=COMMAND",
        help="Another system: {query}, {root}, {k} in it are replaced; it prints paths, or JSON. See docs/external.md.",
    ),
    click.option(
        "--external-no-match",
        "no_match_exit",
        type=click.IntRange(0, 255),
        metavar="CODE",
        help="Exit code of --external that says nothing was found, as grep's 1.",
    ),
    click.option(
        "--mcp",
        "servers",
        type=TEXT,
        multiple=True,
        metavar="NAME=COMMAND",
        help="Another system: the search tool of this MCP server, over stdio; {root}, {k} are replaced.",
    ),
    click.option("--mcp-tool", type=TEXT, metavar="TOOL", help="Of --mcp. Default: the only one, or the only search."),
    click.option(
        "--mcp-argument",
        "mcp_arguments",
        type=TEXT,
        multiple=True,
        metavar="NAME[=VALUE]",
        help="Of --mcp-tool: the argument that takes the query (default: query), or another with its value.",
    ),
    click.option(
        "--external-k",
        "external_k",
        type=click.IntRange(min=1),
        default=_DEFAULT_K,
        show_default=True,
        help="What {k} stands for: how many results are asked for.",
    ),
    click.option(
        "--external-timeout",
        "external_seconds",
        type=click.FloatRange(min=0, min_open=True),
        default=_DEFAULT_SECONDS,
        show_default=True,
        help="Seconds a query may take in --external and --mcp.",
    ),
)


def external_options(command: Callable[..., None]) -> Callable[..., None]:
    """The verb with the options of systems from outside, which it is given as one argument, `others`: variants."""

    @wraps(command)
    def call(
        *,
        commands: tuple[str, ...],
        no_match_exit: int | None,
        servers: tuple[str, ...],
        mcp_tool: str | None,
        mcp_arguments: tuple[str, ...],
        external_k: int,
        external_seconds: float,
        **rest: Any,  # noqa: ANN401
    ) -> None:
        refuse_idle_options(commands, servers)
        limits: dict[str, Any] = {"k": external_k, "timeout_seconds": external_seconds}
        others = [make_command(text, no_match_exit, limits) for text in commands]
        others += [make_server(text, mcp_tool, mcp_arguments, limits) for text in servers]
        command(others=tuple(others), **rest)

    for option in reversed(_OPTIONS):
        call = option(call)
    return call


def refuse_idle_options(commands: Sequence[str], servers: Sequence[str]) -> None:
    """Raise click.UsageError for an option that has nothing to act on."""
    needs = (
        ("no_match_exit", "--external-no-match", "--external", commands),
        ("mcp_tool", "--mcp-tool", "--mcp", servers),
        ("mcp_arguments", "--mcp-argument", "--mcp", servers),
        ("external_k", "--external-k", "--external or --mcp", (*commands, *servers)),
        ("external_seconds", "--external-timeout", "--external or --mcp", (*commands, *servers)),
    )
    for name, option, needed, given in needs:
        if not given and is_given(name):
            raise click.UsageError(f"{option} changes nothing without {needed}; add that, or leave it out")


def make_command(text: str, no_match_exit: int | None, limits: dict[str, Any]) -> Variant:
    """The variant of `NAME=COMMAND`. Raises click.UsageError or ExternalSystemError for what is none."""
    from memeval.retrieval.external.command import command_variant

    return command_variant(*split_name("--external", text), no_match_exit=no_match_exit, **limits)


def make_server(text: str, tool: str | None, arguments: Sequence[str], limits: dict[str, Any]) -> Variant:
    """The variant of `NAME=COMMAND` for a server. Raises click.UsageError or ExternalSystemError for what is none."""
    from memeval.retrieval.external.mcp import DEFAULT_ARGUMENT, mcp_variant

    takers = [argument for argument in arguments if "=" not in argument]
    if len(takers) > 1:
        raise click.UsageError(f"--mcp-argument {takers[0]} and {takers[1]}: one argument takes the query")
    fixed = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    taker = takers[0] if takers else DEFAULT_ARGUMENT
    if "" in fixed or taker in fixed:
        wrong = "" if "" in fixed else taker
        what = "takes the query; leave its value out" if wrong else "has no name: write NAME=VALUE"
        raise click.UsageError(f"--mcp-argument {wrong}={fixed[wrong]}: this argument {what}")
    return mcp_variant(
        *split_name("--mcp", text),
        tool=tool,
        query_argument=taker,
        arguments={name: read_value(value) for name, value in fixed.items()},
        **limits,
    )


def split_name(option: str, text: str) -> tuple[str, str]:
    """(NAME, COMMAND). Raises click.UsageError where one is missing."""
    name, equals, command = text.partition("=")
    if not equals or not name.strip() or not command.strip():
        raise click.UsageError(f"{option} {text!r}: write NAME=COMMAND, in quotes")
    return name.strip(), command.strip()


def read_value(text: str) -> object:
    """The value of an argument: what the text is as JSON, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def add_others(chosen: Sequence[Variant], others: Sequence[Variant]) -> tuple[Variant, ...]:
    """The variants of a run, then the systems from outside.

    Raises:
        click.UsageError: one of these has the name of another variant of the run or of memeval.
    """
    from memeval.retrieval.external.registry import SYSTEMS
    from memeval.retrieval.recipes import VARIANTS

    known = (*chosen, *VARIANTS, *(system.variant for system in SYSTEMS))
    taken = {variant.name for variant in known}
    for other in others:
        if other.name in taken:
            raise click.UsageError(f"there is a variant {other.name!r} already; give this one another name")
        taken.add(other.name)
    return (*chosen, *others)
