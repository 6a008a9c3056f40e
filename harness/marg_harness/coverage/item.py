"""A thing that a suite should use: a step, a block, an option, a layer's decision, a tool, a state, a transition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

ItemKind = Literal["step", "block", "option", "gate", "tool", "state", "transition"]
KINDS: Final[tuple[ItemKind, ...]] = get_args(ItemKind)


@dataclass(frozen=True, kw_only=True, order=True)
class Item:
    """A thing to be used. domain: whose; place: `file:line` where it is declared, empty where it has no line."""

    kind: ItemKind
    domain: str
    name: str
    place: str = ""
