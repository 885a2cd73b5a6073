"""The command line's lists: `memeval list variants`."""

from __future__ import annotations

import click

from memeval.cli_process import Verbs, echo


@click.group("list", cls=Verbs)
def list_group() -> None:
    """What can be chosen by name.

    \b
    memeval list variants
    """


@list_group.command("variants")
def list_variants() -> None:
    """Every ranking variant: name, what it does, where its rule comes from.

    `default` runs when none is named, `control` is a floor or a ceiling, `embedder` needs the run's embedding model,
    `model` brings one of its own, and `reranker` needs the run's reranker as well: `all` leaves out those whose model
    is not on this machine, and the last without --reranker. `absent` is another
    system that is not installed here: its line says how to get it. The variants of installed packages come last.

    \b
    memeval list variants
    memeval variants | grep bm25
    """
    from memeval.retrieval.recipes import VARIANTS, look_beside

    beside = look_beside()
    here = (*VARIANTS, *beside.variants)
    width = max(len(variant.name) for variant in (*here, *(variant for variant, _ in beside.lacking)))
    for variant in here:
        marks = (
            ("default", variant.default),
            ("control", variant.control),
            ("reranker", variant.needs_reranker),
            ("embedder", variant.needs_embedder),
            ("model", variant.model is not None),
        )
        mark = next((name for name, holds in marks if holds), "")
        echo(f"{variant.name:<{width}}  {mark:<8}  {variant.description} ({variant.source})")
    for variant, lack in beside.lacking:
        echo(f"{variant.name:<{width}}  absent    {variant.description} ({variant.source}); {lack}")
    for reason in beside.broken:
        echo(f"memeval: warning: the variant {reason}", err=True)
