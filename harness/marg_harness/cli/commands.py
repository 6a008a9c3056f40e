"""The static tables of commands: what the help prints without importing any of them.

The command `vocab check` is `check` in `marg_harness.cli.vocab_check`, and so for every other: the name says where it
lives. This module imports nothing, since `marg --help` passes through it.
"""

from __future__ import annotations

COMMANDS = {
    "replay": "Replay scripted conversations, with no key and no network.",
    "triage": "Classify every red of a run, each by swapping one factor.",
    "explain": "Explain a red: its rules, its evidence, what would decide.",
    "reds": "Label a red by hand, for the evidence it has.",
    "history": "Show which checks were red over the runs of a folder.",
    "score": "Score readers on labelled replies: misread, missed, flips.",
    "read": "Explain the reading of one reply, token by token.",
    "vocab": "Check, compare and blame the vocabularies of the readers.",
    "explore": "Explore every interleaving of acts and failures.",
    "probe": "Probe what a dev backend enforces, against its schema.",
    "mock": "Serve the mock model over HTTP, with faults on demand.",
    "serve": "Serve a domain over HTTP: sessions, answers as JSON and SSE.",
    "target": "Check whether a program speaks the protocol of targets.",
    "sessions": "List, show, delete and prune stored sessions.",
    "scenario": "Check, list, show and format scenario files.",
    "record": "Make a scenario of a stored session.",
    "schema": "Print the JSON Schema of scenario files, for editors.",
}
"""The one line of the help for every command, in its order."""

VOCAB_COMMANDS = {
    "check": "Look for duplicates, clashes and shadows in one file.",
    "diff": "Show every reply that a changed file reads differently.",
    "blame": "Show what each word gains and costs, and if that carries over.",
}
"""The same for the commands of `marg vocab`."""

MOCK_COMMANDS = {
    "serve": "Serve a machine as OpenAI's and Anthropic's APIs.",
    "check": "Look for what a machine never reaches or cannot take.",
    "draw": "Draw a machine as Mermaid or SVG.",
    "record": "Record a real API onto a cassette, without its keys.",
    "replay": "Answer from a cassette; a changed request is a miss.",
    "draft": "Draft a machine from a cassette.",
}
"""The same for the commands of `marg mock`."""

SESSIONS_COMMANDS = {
    "list": "List the sessions of a store.",
    "show": "Print the ledger of a session, one event a line.",
    "delete": "Delete sessions with all that is kept of them.",
    "prune": "Delete the sessions that have been still for so many days.",
}
"""The same for the commands of `marg sessions`."""

SCENARIO_COMMANDS = {
    "check": "Say of every scenario file what is wrong with it.",
    "list": "List scenarios with their rows, tags and sizes.",
    "show": "Show a scenario as it is played.",
    "format": "Bring scenario and fixture files into one form.",
}
"""The same for the commands of `marg scenario`."""

TARGET_COMMANDS = {
    "check": "Check a target against every requirement of the protocol.",
}
"""The same for the commands of `marg target`."""

REDS_COMMANDS = {
    "label": "Say what a red is, with a reason, until a day.",
}
"""The same for the commands of `marg reds`."""
