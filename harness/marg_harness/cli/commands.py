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
    "vocab": CommandEntry(
        module="marg_harness.cli.vocab",
        attribute="vocab",
        summary="Check, compare and blame the vocabularies of the readers.",
    ),
    "schema": CommandEntry(
        module="marg_harness.cli.schema",
        attribute="schema",
        summary="Print the JSON Schema of scenario files, for editors.",
    ),
}
"""Every command by its name, in the order of the help."""

VOCAB_COMMANDS: dict[str, CommandEntry] = {
    "check": CommandEntry(
        module="marg_harness.cli.vocab_check",
        attribute="check",
        summary="Look for duplicates, clashes, shadows and double meanings in one file.",
    ),
    "diff": CommandEntry(
        module="marg_harness.cli.vocab_diff",
        attribute="diff",
        summary="Show every reply that a changed vocabulary reads differently.",
    ),
    "blame": CommandEntry(
        module="marg_harness.cli.vocab_blame",
        attribute="blame",
        summary="Show what each word and phrase gains and costs, and if it carries over.",
    ),
}
"""Every command of `marg vocab`, in the order of its help."""
