"""`marg vocab`: the group of the commands for whoever owns a vocabulary."""

from __future__ import annotations

import click

from marg_harness.cli.commands import VOCAB_COMMANDS
from marg_harness.cli.lazy import LazyGroup


@click.group(cls=LazyGroup, entries=VOCAB_COMMANDS, prefix="vocab_")
def vocab() -> None:
    """Check, compare and blame the vocabularies of the readers.

    A vocabulary is named by its file, or by its language for the shipped one.
    """
