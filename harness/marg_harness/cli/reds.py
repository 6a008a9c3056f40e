"""`marg reds`: what people say of reds."""

from __future__ import annotations

import click

from marg_harness.cli.commands import REDS_COMMANDS
from marg_harness.cli.lazy import LazyGroup


@click.group(cls=LazyGroup, entries=REDS_COMMANDS, prefix="reds_")
def reds() -> None:
    """Say of a red what it is, for the evidence that it has."""
