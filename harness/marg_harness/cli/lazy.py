"""A click group that imports a command when it is called, and never to print the help."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module

import click

from marg_harness.cli.importing import imported

LOG = "marg_harness.cli.scrubbed_log"
FAILURES = "marg_harness.cli.failures"
"""The module that words what went wrong; imported when something did."""


class LazyGroup(click.Group):
    """A group over a static table: `entries` maps the name of each command to the one line of the help.

    The command `name` is the object of that name in the module `marg_harness.cli.<prefix>name`, or `name_command`
    where the module needs the name itself for what the command calls.
    """

    def __init__(self, *args: object, entries: Mapping[str, str], prefix: str = "", **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.entries = entries
        self.prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order of the table."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; None when the table has no such name."""
        if cmd_name not in self.entries:
            return None
        module = imported(f"marg_harness.cli.{self.prefix}{cmd_name}")
        if "logging" in sys.modules:  # what never imports it logs nothing
            import_module(LOG).scrub_log()
        command = getattr(module, f"{cmd_name}_command", None) or getattr(module, cmd_name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{cmd_name!r} is not a click command but {command!r}")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a misspelt one is refused with the nearest name."""
        name = args[0]
        if name not in self.entries and not name.startswith("-"):
            ctx.fail(import_module(FAILURES).unknown_command(name, self.entries))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the section of the commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.entries.items()))
