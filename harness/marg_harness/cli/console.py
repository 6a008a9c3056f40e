"""The one place that makes terminals: colours, width, progress, and text that is safe to print."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from marg_harness.cli.printable import printable
from marg_runtime.harmless_json import harmless_json
from marg_runtime.scrub import own_secrets, scrub, scrub_json

PIPED_WIDTH = 200
"""Columns of a table that is not printed on a terminal and where `COLUMNS` is not set: no cell is folded there."""

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def stdout() -> Console:
    """Give a console for results. `NO_COLOR` and `COLUMNS` are respected; nothing is read as markup."""
    return _console(sys.stdout)


def stderr() -> Console:
    """Give a console for notes and progress. `NO_COLOR` and `COLUMNS` are respected; nothing is read as markup."""
    return _console(sys.stderr)


def cell(text: str, *, style: str = "") -> Text:
    """Make text from a file or a user printable as it stands: no markup, no escape sequence, no secret, one line."""
    return Text(printable(scrub(text, secrets=own_secrets())), style=style)


def safe_text(text: str) -> str:
    """Make text of several lines printable: no escape sequence, no secret."""
    return printable(scrub(text, secrets=own_secrets()), newlines=True)


def print_json(value: Any, *, as_it_is: bool = False) -> None:
    """Print one JSON document on stdout and nothing else, without secrets unless it is the user's own data."""
    value = value if as_it_is else scrub_json(value, secrets=own_secrets())
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    click.echo(harmless_json(json.dumps(value, ensure_ascii=not utf8, indent=2, allow_nan=False)))


def print_line(text: str, *, style: str = "", as_it_is: bool = False) -> None:
    """Print one line on stdout, as wide as it is, without secrets unless it is the user's own data."""
    line = Text(printable(text), style=style) if as_it_is else cell(text, style=style)
    stdout().print(line, soft_wrap=True)


def note(text: str, *, quiet: bool) -> None:
    """Print one line on stderr, unless the user asked for quiet."""
    if not quiet:
        stderr().print(cell(text), soft_wrap=True)


def json_option(command: Decorated) -> Decorated:
    """Add `--json` to a command."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout and nothing else there.")(command)


def quiet_option(command: Decorated) -> Decorated:
    """Add `--quiet` to a command."""
    return click.option("-q", "--quiet", is_flag=True, help="No progress and no notes on stderr.")(command)


@contextmanager
def progress(title: str, *, total: int | None, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show progress on stderr while the block runs and yield what tells it how far the work is.

    Nothing is shown with `--quiet`, in CI (the variable `CI` is set) and where stderr is no terminal.
    """
    console = stderr()
    if quiet or os.environ.get("CI") or not console.is_terminal:
        yield _ignore
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(safe_text(title), total=total)
        yield lambda done: bar.update(task, completed=done)


def _ignore(done: int) -> None:
    """Take the place of the bar where none is shown."""


def _console(file: TextIO) -> Console:
    piped = not file.isatty() and "COLUMNS" not in os.environ
    return Console(file=file, width=PIPED_WIDTH if piped else None, markup=False, highlight=False, emoji=False)
