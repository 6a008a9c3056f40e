"""Which block is on the screen after a turn, and whether a reload brought it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_runtime.block import Block
from marg_runtime.canonical import Json
from marg_scenarios.checks.check import Check, Verdict, equal
from marg_scenarios.observation import Observation

NO_BLOCK = "none"


@dataclass(frozen=True, kw_only=True)
class BlockCheck(Check):
    """The block of the answer: its step, and what else is expected of it; None expects no block.

    options: all labels in order. rows: values by slot, those that are named.
    """

    kind: ClassVar[str] = "block"
    step: str | None
    block_kind: str | None = None
    lead: str | None = None
    options: tuple[str, ...] | None = None
    rows: Mapping[str, str] | None = None

    def evaluate(self, observation: Observation) -> Verdict:
        """Compare what is expected with the same parts of the block that was drawn."""
        block = observation.answer.block
        if self.step is None or block is None:
            return equal(self._expected() if self.step else NO_BLOCK, block.step if block else NO_BLOCK)
        return equal(self._expected(), self._got(block))

    def _expected(self) -> dict[str, Json]:
        parts: dict[str, Json] = {
            "step": self.step,
            "kind": self.block_kind,
            "lead": self.lead,
            "options": self.options,
            "rows": self.rows,
        }
        return {name: part for name, part in parts.items() if part is not None}

    def _got(self, block: Block) -> dict[str, Json]:
        rows = {row.slot: row.value for row in block.rows}
        parts: dict[str, Json] = {
            "step": block.step,
            "kind": block.kind,
            "lead": block.lead,
            "options": [option.label for option in block.options],
            "rows": {slot: rows.get(slot) for slot in self.rows or ()},
        }
        return {name: part for name, part in parts.items() if name in self._expected()}


@dataclass(frozen=True, kw_only=True)
class RedrawsCheck(Check):
    """Whether the answer shows the very block that was open before: same question, revision, options and rows."""

    kind: ClassVar[str] = "redraws"
    expected: bool

    def evaluate(self, observation: Observation) -> Verdict:
        """Compare the block before the act with the one of the answer."""
        block = observation.answer.block
        same = block is not None and block == observation.shown_before
        return Verdict(passed=same is self.expected, expected=self.expected, got=same)
