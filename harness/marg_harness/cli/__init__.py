"""The `marg` command."""

from marg_harness.cli.main import main

__all__ = ["main"]
