"""The door of the `marg` command: the help at once, and everything else by way of click."""

from __future__ import annotations

import sys

from marg_harness.cli.help_page import ASKED_BY, help_page
from marg_harness.cli.importing import imported

COMMAND_LINE = "marg_harness.cli.command_line"


def main() -> None:
    """Run the command line and leave the process with its exit code; no error raised on purpose shows a traceback.

    Exit codes: 0 fine, 1 reds or misreads, 2 usage or bad input, 3 not measured.
    """
    if sys.argv[1:] in ASKED_BY:
        print(help_page())
        sys.exit(0)
    imported(COMMAND_LINE).run()
