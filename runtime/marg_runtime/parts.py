"""What of a turn can be seen from outside, part by part: a target reports some of them, and a check needs some."""

from __future__ import annotations

from typing import Final, Literal, get_args

Part = Literal[
    "block",
    "question",
    "draft",
    "provenance",
    "reading",
    "facts",
    "calls",
    "gate",
    "writes",
    "rehearsed",
    "requests",
    "ledger",
]
"""What a target may report of a turn beside its texts."""

EVERY_PART: Final[frozenset[Part]] = frozenset(get_args(Part))

LEDGER_PARTS: Final[frozenset[Part]] = frozenset({"reading", "facts", "calls", "gate"})
"""What stands in the ledger too: whoever reports that reports these."""
