"""The `marg` command: a lazy group. `marg --help` imports click and nothing of Marg but this and the command table."""

from __future__ import annotations

import sys
from importlib import import_module
from io import TextIOWrapper

import click

from marg_harness.cli.commands import COMMANDS
from marg_harness.cli.lazy import FAILURES, LazyGroup


@click.group(
    cls=LazyGroup,
    entries=COMMANDS,
    epilog="Exit codes: 0 fine, 1 reds or misreads, 2 usage or bad input, 3 not measured.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="marg", message="%(prog)s %(version)s")
def marg() -> None:
    """Replay conversations that end in a write, score what reads the yes, and classify every red, with no key."""


def main() -> None:
    """Run the command line and leave the process with its exit code; no error raised on purpose shows a traceback.

    A `UsageError` becomes one paragraph on stderr and exit code 2; any other `MargError` (a model or a tool server
    that broke, a ledger that does not open) becomes one paragraph and exit code 3, since nothing was measured.
    """
    _never_fail_on_encoding()
    try:
        marg(prog_name="marg")
    except Exception as error:
        sys.exit(import_module(FAILURES).explain(error))


def _never_fail_on_encoding() -> None:
    """Let a terminal that cannot show a character show its escape instead of a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
