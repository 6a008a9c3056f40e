"""`marg target`: the group of the commands for whoever makes a target of an agent."""

from __future__ import annotations

import click

from marg_harness.cli.commands import TARGET_COMMANDS
from marg_harness.cli.lazy import LazyGroup


@click.group(cls=LazyGroup, entries=TARGET_COMMANDS, prefix="target_")
def target() -> None:
    """Make a target of an agent of yours, so that scenarios are replayed against it."""
