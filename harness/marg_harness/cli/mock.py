"""`marg mock`: the group of the commands for whoever tests a client of a model."""

from __future__ import annotations

import click

from marg_harness.cli.commands import MOCK_COMMANDS
from marg_harness.cli.lazy import LazyGroup


@click.group(cls=LazyGroup, entries=MOCK_COMMANDS, prefix="mock_")
def mock() -> None:
    """Serve the mock model over HTTP: scripted, deterministic, and with faults on demand."""
