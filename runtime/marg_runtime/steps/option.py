"""An option of a step, and what a step may use to find its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from marg_runtime.canonical import Json
from marg_runtime.tools.tool import ToolOutcome


@dataclass(frozen=True, kw_only=True)
class Option:
    """What a person reads (`label`), what is written to the draft (`value`), and other words for it.

    skip: the option that ends an optional step without a value.
    """

    label: str
    value: Json
    synonyms: tuple[str, ...] = ()
    skip: bool = False


class OptionsContext(Protocol):
    """Handed to a step's `options`: the draft so far, and the domain's read tools."""

    @property
    def draft(self) -> Mapping[str, Json]:
        """The settled values by slot."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        """Call a read tool of the domain by name; raises `ToolError` for any other tool, or where it broke."""
        ...
