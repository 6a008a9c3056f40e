"""What the user is told when something goes wrong. Imported only then, to keep `marg --help` fast."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable
from difflib import get_close_matches
from types import TracebackType

import click

from marg_harness.cli.printable import printable
from marg_harness.errors import UnusableFiles
from marg_runtime.errors import MargError, UsageError
from marg_runtime.scrub import own_secrets, scrub

EXIT_USAGE = 2
EXIT_NOT_MEASURED = 3


def explain(error: Exception) -> int:
    """Print an error that Marg raised on purpose on stderr and give the exit code: as one line, or one a file.

    2 for a `UsageError`, 3 for any other `MargError`. An error of another kind is a defect and is raised again; its
    traceback is printed without secrets, too.
    """
    if not isinstance(error, MargError):
        sys.excepthook = _traceback
        raise error
    lines = error.lines if isinstance(error, UnusableFiles) else (str(error),)
    click.echo(
        "marg: " + "\n".join(printable(scrub(" ".join(line.split()), secrets=own_secrets())) for line in lines),
        err=True,
    )
    return EXIT_USAGE if isinstance(error, UsageError) else EXIT_NOT_MEASURED


def _traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    lines = "".join(traceback.format_exception(kind, error, trace))
    click.echo(scrub(lines, secrets=own_secrets()), err=True, nl=False)


def unknown_command(name: str, known: Iterable[str]) -> str:
    """Say that there is no such command, and name the nearest one."""
    names = list(known)
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(names)}."
    return f"no command {name!r}; {hint}"
