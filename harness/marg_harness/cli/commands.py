"""The static table of commands: what `marg --help` prints without importing any of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEntry:
    """Where a command lives (`module` and the name in it) and the one line that the help shows."""

    module: str
    attribute: str
    summary: str


COMMANDS: dict[str, CommandEntry] = {
    "replay": CommandEntry(
        module="marg_harness.cli.replay",
        attribute="replay_command",
        summary="Replay scripted conversations, with no key and no network.",
    ),
    "score": CommandEntry(
        module="marg_harness.cli.score",
        attribute="score",
        summary="Score readers on labelled replies: misread, missed, flips.",
    ),
    "read": CommandEntry(
        module="marg_harness.cli.read",
        attribute="read",
        summary="Explain the reading of one reply, token by token.",
    ),
    "schema": CommandEntry(
        module="marg_harness.cli.schema",
        attribute="schema",
        summary="Print the JSON Schema of scenario files, for editors.",
    ),
}
"""Every command by its name, in the order of the help."""
