"""The answer of a turn: what the client shows, projected from the turn's ledger entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from marg_runtime.block import Block, BlockField, BlockOption
from marg_runtime.events.model import ModelFailed, ModelReplied
from marg_runtime.events.step import DrawnField, QuestionDrawn
from marg_runtime.events.turn import LineSaid
from marg_runtime.events.write import ReceiptShown
from marg_runtime.ledger import Entry
from marg_runtime.state import State
from marg_runtime.steps.option import Option, by_id

RECEIPT_STEP = "receipt"


@dataclass(frozen=True, kw_only=True)
class Said:
    """A text of the answer and whose it is."""

    by: Literal["model", "runtime"]
    text: str


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What one turn gave: the texts in order and at most one block.

    revision: what the client sends back as `seen` once it displays this answer.
    """

    turn: int
    revision: int
    texts: tuple[Said, ...]
    block: Block | None


def project(entries: Sequence[Entry], *, state: State) -> Answer:
    """The answer of the turn whose entries these are; `state` is the one after them."""
    texts: list[Said] = []
    block: Block | None = None
    for entry in entries:
        event = entry.event
        match event:
            case ModelReplied(shown=shown) | ModelFailed(shown=shown) if shown:
                texts.append(Said(by="model", text=shown))
            case LineSaid():
                texts.append(Said(by="runtime", text=event.text))
            case QuestionDrawn():
                block = _question_block(state)
            case ReceiptShown():
                block = _receipt_block(event, entry.revision)
            case _:
                pass
    return Answer(turn=state.turn, revision=state.revision, texts=tuple(texts), block=block)


def _question_block(state: State) -> Block | None:
    """The open question as a block; a question that was closed again in the same turn is not shown."""
    question = state.question
    if question is None:
        return None
    drawn = question.drawn
    return Block(
        kind=drawn.kind,
        step=drawn.step,
        question=question.id,
        revision=question.revision,
        label=drawn.label,
        lead=drawn.lead,
        options=_options(drawn.options),
        rows=drawn.rows,
        fields=tuple(_field(field) for field in drawn.fields),
        selection=drawn.selection,
        page=drawn.page,
    )


def _options(options: Sequence[Option]) -> tuple[BlockOption, ...]:
    return tuple(BlockOption(id=identity, label=option.label) for identity, option in by_id(options).items())


def _field(drawn: DrawnField) -> BlockField:
    """The field as a client may know it: its options without what they mean."""
    return BlockField(
        slot=drawn.slot,
        label=drawn.label,
        type=drawn.type,
        required=drawn.required,
        value=drawn.value,
        error=drawn.error,
        options=_options(drawn.options),
        minimum=drawn.minimum,
        maximum=drawn.maximum,
        max_length=drawn.max_length,
        pattern=drawn.pattern,
    )


def _receipt_block(event: ReceiptShown, revision: int) -> Block:
    return Block(
        kind="receipt",
        step=RECEIPT_STEP,
        question="",
        revision=revision,
        label=event.text,
        lead="",
        rows=event.rows,
    )
