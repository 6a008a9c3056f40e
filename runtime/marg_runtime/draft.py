"""The record being built: each value with where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from marg_runtime.canonical import Json

Provenance = Literal["tap", "typed", "form", "carried", "model"]


@dataclass(frozen=True, kw_only=True)
class Span:
    """Where the user said something: the message's number in the session (from 0) and character offsets in it."""

    said: int
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Value:
    """A settled value: what is sent (`value`), what a person reads (`label`), and where it came from.

    span: where the user said it. spans: of a list in the user's words, where each of its items was said, in order.
    """

    value: Json
    label: str
    provenance: Provenance
    span: Span | None = None
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Draft:
    """The draft: its id in the session and the settled values by slot."""

    id: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def arguments(self) -> dict[str, Json]:
        """The write's arguments: the settled values and nothing else; an unsettled slot is absent, not null."""
        return {slot: settled.value for slot, settled in self.values.items()}

    def settle(self, slot: str, value: Value) -> Draft:
        """The draft with one value more, or another one."""
        return replace(self, values={**self.values, slot: value})

    def drop(self, *slots: str) -> Draft:
        """The draft without the values of some slots."""
        return replace(self, values={key: value for key, value in self.values.items() if key not in slots})
