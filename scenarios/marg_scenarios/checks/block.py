"""Which block is on the screen after a turn, and whether a reload brought it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.answer import RECEIPT_STEP
from marg_runtime.block import Block, BlockField
from marg_runtime.canonical import Json
from marg_runtime.events.step import QuestionDrawn
from marg_runtime.events.write import ReceiptShown
from marg_scenarios.checks.check import Check, Verdict, as_texts, equal, same
from marg_scenarios.observation import Observation

NO_BLOCK = "none"


@dataclass(frozen=True, kw_only=True)
class Labels:
    """What is expected of the labels of a block's options, where not all of them in order are."""

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    any_order: tuple[str, ...] | None = None

    def hold(self, labels: list[str], *, form: Form) -> bool:
        """Whether the labels are as expected."""
        formed = [str(form(label)) for label in labels]
        every = None if self.any_order is None else sorted(str(form(label)) for label in self.any_order)
        return (
            all(str(form(label)) in formed for label in self.has)
            and not any(str(form(label)) in formed for label in self.lacks)
            and (every is None or every == sorted(formed))
        )

    def as_json(self) -> Json:
        """What is expected, as it is shown in a red."""
        parts: dict[str, Json] = {"has": self.has, "lacks": self.lacks, "any_order": self.any_order}
        return {name: part for name, part in parts.items() if part}


@dataclass(frozen=True, kw_only=True)
class BlockCheck(Check):
    """The block of the answer: its step, and what else is expected of it; None expects no block.

    options: all labels in order, or some of them. rows: values by slot, those that are named; all where `only_rows`.
    fields: what stands in the fields by slot, those that are named, a choice by its label. errors: all of them by slot.
    chosen: the labels of all options that are shown as chosen. page: where a picker stands, what is named of it.
    """

    kind: ClassVar[str] = "block"
    step: str | None
    block_kind: str | None = None
    lead: str | None = None
    options: tuple[str, ...] | Labels | None = None
    rows: Mapping[str, str] | None = None
    only_rows: bool = False
    fields: Mapping[str, str] | None = None
    errors: Mapping[str, str] | None = None
    chosen: tuple[str, ...] | None = None
    page: Mapping[str, Json] | None = None

    def look(self, observation: Observation) -> Json:
        """The parts of the block that are looked at; its step alone where none is expected."""
        block = observation.answer.block
        if block is None:
            return NO_BLOCK
        return block.step if self.step is None else self._got(block)

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare what is expected with the same parts of the block that was drawn."""
        if self.step is None or not isinstance(got, Mapping):
            return equal(self._expected() if self.step else NO_BLOCK, got, form=form)
        if not isinstance(self.options, Labels):
            return equal(self._expected(), got, form=form)
        others = {name: part for name, part in got.items() if name != "options"}
        labelled = self.options.hold(as_texts(got.get("options")), form=form)
        return Verdict(
            passed=labelled and same(self._expected(), others, form=form),
            expected={**self._expected(), "options": self.options.as_json()},
            got=got,
        )

    def _expected(self) -> dict[str, Json]:
        parts: dict[str, Json] = {
            "step": self.step,
            "kind": self.block_kind,
            "lead": self.lead,
            "options": None if isinstance(self.options, Labels) else self.options,
            "rows": self.rows,
            "fields": self.fields,
            "errors": self.errors,
            "chosen": self.chosen,
            "page": self.page,
        }
        return {name: part for name, part in parts.items() if part is not None}

    def _got(self, block: Block) -> dict[str, Json]:
        rows = {row.slot: row.value for row in block.rows}
        typed = {one.slot: _typed(one) for one in block.fields}
        parts: dict[str, Json] = {
            "step": block.step,
            "kind": block.kind,
            "lead": block.lead,
            "options": [option.label for option in block.options],
            "rows": rows if self.only_rows else {slot: rows.get(slot) for slot in self.rows or ()},
            "fields": {slot: typed.get(slot) for slot in self.fields or ()},
            "errors": {one.slot: one.error for one in block.fields if one.error is not None},
            "chosen": _chosen(block),
            "page": {name: getattr(block.page, name, None) for name in self.page or ()},
        }
        wanted = {*self._expected(), *(("options",) if self.options is not None else ())}
        return {name: part for name, part in parts.items() if name in wanted}


def _typed(field: BlockField) -> str:
    """What stands in a field, as a person reads it."""
    return {option.id: option.label for option in field.options}.get(field.value, field.value)


def _chosen(block: Block) -> list[str]:
    ids = block.selection.chosen if block.selection else ()
    return [option.label for option in block.options if option.id in ids]


@dataclass(frozen=True, kw_only=True)
class RedrawsCheck(Check):
    """Whether the answer shows the very block that was open before: same question, revision, options and rows."""

    kind: ClassVar[str] = "redraws"
    expected: bool

    def look(self, observation: Observation) -> Json:
        """Whether the block before the act is the one of the answer."""
        block = observation.answer.block
        return block is not None and block == observation.shown_before

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.expected, got, form=form)


@dataclass(frozen=True, kw_only=True)
class DrawnCheck(Check):
    """The steps of all blocks that the turn drew, in order: no block but these was drawn."""

    kind: ClassVar[str] = "drawn"
    expected: tuple[str, ...]

    def look(self, observation: Observation) -> Json:
        """The questions and receipts in the ledger, redrawn ones too."""
        events = [entry.event for entry in observation.entries]
        return [
            event.step if isinstance(event, QuestionDrawn) else RECEIPT_STEP
            for event in events
            if isinstance(event, (QuestionDrawn, ReceiptShown))
        ]

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.expected, got, form=form)


@dataclass(frozen=True, kw_only=True)
class QuestionCheck(Check):
    """The step whose question is open after the turn, drawn in it or not; None: none is open."""

    kind: ClassVar[str] = "question"
    step: str | None

    def look(self, observation: Observation) -> Json:
        """The step in the state after the turn."""
        return observation.question or NO_BLOCK

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.step or NO_BLOCK, got, form=form)
