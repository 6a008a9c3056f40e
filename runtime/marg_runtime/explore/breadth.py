"""How much of the alphabet is played: the broader, the more there is at every state, and the less deep one gets."""

from __future__ import annotations

from typing import Literal, get_args

Breadth = Literal["narrow", "usual", "thorough"]
BREADTHS: tuple[Breadth, ...] = get_args(Breadth)

DEEPEST_USUAL = 2  # acts; one more takes about ten times as long


def breadth_at(depth: int) -> Breadth:
    """The alphabet of an exploration that names none: the usual one, and beyond two acts the narrow one."""
    return "usual" if depth <= DEEPEST_USUAL else "narrow"
