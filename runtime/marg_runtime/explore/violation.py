"""A rule that was broken, and how."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Violation:
    """The rule in a few words, what was seen, and the kind of the event that broke it."""

    rule: str
    seen: str
    event: str
