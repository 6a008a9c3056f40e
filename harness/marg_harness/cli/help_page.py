"""The page that `marg --help` prints. It is written without click, which alone takes three times a bare start-up."""

from __future__ import annotations

from marg_harness.cli.commands import COMMANDS

ASKED_BY: tuple[list[str], ...] = ([], ["-h"], ["--help"])
"""The arguments that ask for nothing but this page."""

_OPTIONS = {
    "--version": "Show the version and exit.",
    "-h, --help": "Show this message and exit.",
}


def help_page() -> str:
    """Give the help of `marg` as it is printed, without a last line end; no line is longer than 80 characters."""
    return "\n".join(
        (
            "Usage: marg [OPTIONS] COMMAND [ARGS]...",
            "",
            "  Replay conversations that end in a write, score what reads the yes, and",
            "  classify every red, with no key.",
            "",
            "Options:",
            *_columns(_OPTIONS),
            "",
            "Commands:",
            *_columns(COMMANDS),
            "",
            "Exit codes: 0 fine, 1 reds or misreads, 2 usage or bad input, 3 not measured.",
        )
    )


def _columns(rows: dict[str, str]) -> list[str]:
    width = max(map(len, rows))
    return [f"  {name.ljust(width)}  {text}" for name, text in rows.items()]
