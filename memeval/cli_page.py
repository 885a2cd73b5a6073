"""The report as a page, from the command line: whether it is written, and showing it in the browser."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from pathlib import Path

import click

from memeval.cli_process import echo

PAGE_FILE = "report.html"  # as memeval.report.page has it, which is not imported for a name

PAGE_OPTION = click.option(
    "--page/--no-page", default=True, help="Write report.html, needs.csv and variants.csv as well.  [default: page]"
)
OPEN_OPTION = click.option("--open", "is_opened", is_flag=True, help="Show report.html in the browser.")


def refuse_opening(*, page: bool, is_opened: bool) -> None:
    """Raise click.UsageError where a page is to be shown that is not written."""
    if is_opened and not page:
        raise click.UsageError("--open needs the page; leave out --no-page")


def show_page(path: Path, *, open_address: Callable[[str], bool] | None = None) -> None:
    """Show a page in the browser; where there is none, say on stderr where it is.

    Args:
        path: of the page.
        open_address: opens an address and says whether it could; by default `webbrowser.open`.
    """
    place = path.resolve()
    if not (open_address or webbrowser.open)(place.as_uri()):
        echo(f"memeval: no browser could be started; the page is {path}", err=True)
