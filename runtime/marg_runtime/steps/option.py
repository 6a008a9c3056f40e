"""An option of a step, and what a step may use to find its options."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from marg_runtime.canonical import Json, plain
from marg_runtime.tools.tool import ToolOutcome

LONGEST_QUOTE = 60  # characters of a person's words on a tap; the value behind it is whole


@dataclass(frozen=True, kw_only=True)
class Option:
    """What a person reads (`label`), what is written to the draft (`value`), and other words for it.

    skip: the option that ends an optional step without a value, or leads back from a review. keep: the one that ends a
    re-opened step as it was. retry: the one that has the step's own options looked for once more.
    """

    label: str
    value: Json
    synonyms: tuple[str, ...] = ()
    skip: bool = False
    keep: bool = False
    retry: bool = False

    def __post_init__(self) -> None:
        """A state holds what its ledger gives back: a tuple is a list there."""
        object.__setattr__(self, "value", plain(self.value))

    @property
    def way_out(self) -> bool:
        """Whether it is none of the step's own options but a way out of the question: no place is counted for it."""
        return self.skip or self.keep or self.retry


def option_id(number: int) -> str:
    """The id of an option by its place in the block, from 0: the first is `o1`."""
    return f"o{number + 1}"


def by_id(options: Sequence[Option]) -> dict[str, Option]:
    """The options of a block by their ids, in order."""
    return {option_id(number): option for number, option in enumerate(options)}


def alike(labels: Iterable[str]) -> str | None:
    """A label that comes twice, or None. Letter case, width and white space tell nobody two of them apart."""
    seen: set[str] = set()
    for label in labels:
        read = " ".join(unicodedata.normalize("NFKC", label).casefold().split())
        if read in seen:
            return label
        seen.add(read)
    return None


def quoted(label: str, words: str) -> str:
    """A label with a person's words in the place of `{v}`, shortened."""
    shown = words if len(words) <= LONGEST_QUOTE else words[: LONGEST_QUOTE - 1].rstrip() + "…"
    return label.replace("{v}", shown)


class OptionsContext(Protocol):
    """Handed to a step's `options`: the draft so far, and the domain's read tools."""

    @property
    def draft(self) -> Mapping[str, Json]:
        """The settled values by slot."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        """Call a read tool of the domain by name; raises `ToolError` for any other tool, or where it broke."""
        ...
