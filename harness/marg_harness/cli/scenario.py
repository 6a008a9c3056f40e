"""`marg scenario`: the group of the commands for whoever writes scenarios."""

from __future__ import annotations

import click

from marg_harness.cli.commands import SCENARIO_COMMANDS
from marg_harness.cli.lazy import LazyGroup


@click.group(cls=LazyGroup, entries=SCENARIO_COMMANDS, prefix="scenario_")
def scenario() -> None:
    """Check, list, show and format scenario files.

    A PATH is a file, a folder, or the name of a shipped domain; by default the present folder.
    """
