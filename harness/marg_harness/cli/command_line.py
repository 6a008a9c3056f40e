"""The command line proper: a lazy group, and the one place where an error becomes an exit code."""

from __future__ import annotations

import sys
from importlib import import_module
from io import TextIOWrapper

import click

from marg_harness.cli.commands import COMMANDS
from marg_harness.cli.help_page import help_page
from marg_harness.cli.lazy import FAILURES, LazyGroup


class MainGroup(LazyGroup):
    """The group of all commands; its help is the one page that is also printed without click."""

    def get_help(self, ctx: click.Context) -> str:
        """Give the page."""
        return help_page()


@click.group(cls=MainGroup, entries=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="marg", message="%(prog)s %(version)s")
def marg() -> None:
    """Replay conversations that end in a write, score what reads the yes, and classify every red, with no key."""


def run() -> None:
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
