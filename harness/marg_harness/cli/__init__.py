"""The `marg` command."""

from marg_harness.cli.entry import main

__all__ = ["main"]
