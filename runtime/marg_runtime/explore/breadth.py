"""How much of the alphabet is played: the broader, the more there is at every state, and the less deep one gets."""

from __future__ import annotations

from typing import Literal, get_args

Breadth = Literal["narrow", "usual", "thorough"]
BREADTHS: tuple[Breadth, ...] = get_args(Breadth)
