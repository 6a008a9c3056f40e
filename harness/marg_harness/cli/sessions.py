"""`marg sessions`: the group of the commands for whoever keeps a store of sessions."""

from __future__ import annotations

import click

from marg_harness.cli.commands import SESSIONS_COMMANDS
from marg_harness.cli.lazy import LazyGroup


@click.group(cls=LazyGroup, entries=SESSIONS_COMMANDS, prefix="sessions_")
def sessions() -> None:
    """List, show, delete and prune the sessions of a store.

    A store is named by its URL: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE.
    """
