"""How questions, settled values and the draft stand in the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from marg_runtime.block import BlockKind, FieldType, Page, Row, Selection
from marg_runtime.canonical import Json
from marg_runtime.draft import Value
from marg_runtime.steps.option import Option


@dataclass(frozen=True, kw_only=True)
class DraftOpened:
    """A new draft began after the last one was written."""

    version: ClassVar[int] = 1
    draft: str


@dataclass(frozen=True, kw_only=True)
class ValueSettled:
    """A step settled: the value is in the draft, and the fact waits for the next model request."""

    version: ClassVar[int] = 2
    step: str
    slot: str
    value: Value
    fact: str


@dataclass(frozen=True, kw_only=True)
class FormSettled:
    """A form settled: its values by slot are in the draft, and the one fact waits for the next model request.

    A slot of the form that is not among the values was left empty.
    """

    version: ClassVar[int] = 1
    step: str
    values: Mapping[str, Value]
    fact: str


@dataclass(frozen=True, kw_only=True)
class ValueRefused:
    """A value that was not taken, and why."""

    version: ClassVar[int] = 1
    slot: str
    value: Json
    by: Literal["user", "model"]
    reason: str


@dataclass(frozen=True, kw_only=True)
class StepSkipped:
    """An optional step ended without a value."""

    version: ClassVar[int] = 1
    step: str
    fact: str


@dataclass(frozen=True, kw_only=True)
class StepReopened:
    """A settled or skipped step is owed again; its values left the draft. `next`: it is drawn before others."""

    version: ClassVar[int] = 2
    step: str
    slots: tuple[str, ...]
    because: Literal["model", "dependency", "invalid", "review"]
    next: bool


@dataclass(frozen=True, kw_only=True)
class OptionsRequested:
    """A step's options are being found."""

    version: ClassVar[int] = 1
    step: str


@dataclass(frozen=True, kw_only=True)
class OptionsFailed:
    """A step's options could not be found; nothing settles."""

    version: ClassVar[int] = 1
    step: str
    error: str


@dataclass(frozen=True, kw_only=True)
class DrawnField:
    """A field as it was drawn, with what was typed into it, what is wrong with that, and what its options mean."""

    slot: str
    label: str
    type: FieldType
    required: bool
    value: str = ""
    error: str | None = None
    options: tuple[Option, ...] = ()
    minimum: str | None = None
    maximum: str | None = None
    max_length: int | None = None
    pattern: str | None = None


@dataclass(frozen=True, kw_only=True)
class QuestionDrawn:
    """A block was drawn. A redraw shows an open question again: its id, its revision and what its options mean stay;
    what was typed or chosen, and what is wrong with that, may be others."""

    version: ClassVar[int] = 2
    question: str
    step: str
    kind: BlockKind
    label: str
    lead: str
    options: tuple[Option, ...]
    rows: tuple[Row, ...] = ()
    fields: tuple[DrawnField, ...] = ()
    selection: Selection | None = None
    page: Page | None = None
    redraw: bool = False


@dataclass(frozen=True, kw_only=True)
class SummaryShown:
    """The summary of a draft was drawn: what will be sent, and the fingerprint that a go-ahead stands for."""

    version: ClassVar[int] = 1
    question: str
    draft: str
    arguments: Mapping[str, Json]
    fingerprint: str


@dataclass(frozen=True, kw_only=True)
class SummaryDeclined:
    """A plain no at the confirmation: the question is spent, the draft stays."""

    version: ClassVar[int] = 1
    question: str
    fact: str


@dataclass(frozen=True, kw_only=True)
class ReviewOpened:
    """The summary was put away for the review; the draft stays."""

    version: ClassVar[int] = 1
    question: str


@dataclass(frozen=True, kw_only=True)
class ReviewClosed:
    """The review was answered: `step` is asked again, or, where it is None, the summary is drawn anew."""

    version: ClassVar[int] = 1
    question: str
    step: str | None


@dataclass(frozen=True, kw_only=True)
class DraftInvalid:
    """Every step has ended, but the draft cannot be sent."""

    version: ClassVar[int] = 1
    slot: str
    problem: str
