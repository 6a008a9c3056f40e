"""Turns as a check sees them, made in a word: with these events, this block, these texts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from marg_runtime.acts import Say
from marg_runtime.answer import Answer, Said
from marg_runtime.block import Block, BlockField, BlockOption, Row
from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelRequest
from marg_runtime.draft import Draft, Value
from marg_runtime.events import Event
from marg_runtime.events.model import ArgumentOverridden, ToolCalled
from marg_runtime.events.step import QuestionDrawn, ValueSettled
from marg_runtime.events.turn import ReplyOutcome, ReplyRead
from marg_runtime.events.write import (
    GateDecided,
    LayerDecision,
    ReceiptShown,
    WriteClaimed,
    WriteDone,
    WriteUnknown,
)
from marg_runtime.ledger import Entry
from marg_runtime.probe import Clause, Contract
from marg_runtime.tools import ToolName, ToolSpec
from marg_scenarios import Observation

RULE = "never write unasked"
BLOCK = Block(
    kind="chips",
    step="priority",
    question="priority-1",
    revision=7,
    label="Priority",
    lead="How urgent?",
    options=(BlockOption(id="o1", label="Low"), BlockOption(id="o2", label="High")),
    rows=(Row(slot="title", label="Title", value="Login"), Row(slot="details", label="Details", value="Fails")),
)
OTHER = Block(kind="text", step="title", question="title-1", revision=3, label="Title", lead="Which title?")


FORM = Block(
    kind="form",
    step="stay",
    question="stay-1",
    revision=5,
    label="Stay",
    lead="How long?",
    fields=(
        BlockField(slot="nights", label="Nights", type="integer", required=True, value="0", error="Too few."),
        BlockField(
            slot="kind",
            label="Kind",
            type="choice",
            required=True,
            value="o2",
            options=(BlockOption(id="o1", label="Single"), BlockOption(id="o2", label="Suite")),
        ),
    ),
)
FAULTY = (replace(FORM.fields[0]), replace(FORM.fields[1], error="No."))


def came_to(outcome: Any) -> ReplyOutcome:
    return ReplyOutcome(outcome=outcome, question="q")


def seen(*events: Event, block: Block | None = None, before: Block | None = None, **others: Any) -> Observation:
    """A turn with these events; whatever else is not given is empty."""
    texts = others.pop("texts", ())
    parts: dict[str, Any] = {
        "act": Say(text="hi", at=0),
        "shown_before": before,
        "answer": Answer(turn=1, revision=9, texts=texts, block=block),
        "entries": tuple(Entry(revision=n, turn=1, at=0, event=event) for n, event in enumerate(events, start=1)),
        "draft": Draft(id="draft-1"),
        "draft_before": Draft(id="draft-1"),
        "question": None,
        "requests": (),
        "told_before": 0,
        "rule": RULE,
        "writes": 0,
    }
    return Observation(**{**parts, **others})


def said(*texts: str, by: str = "model") -> Observation:
    return seen(texts=tuple(Said(by=by, text=text) for text in texts))  # type: ignore[arg-type]


def read(kind: str) -> Observation:
    event = ReplyRead(kind=kind, reader="r", language="en", question=None, tokens=(), why=(), choice=None)  # type: ignore[arg-type]
    return seen(event)


def holding(**values: Value) -> Observation:
    return seen(draft=Draft(id="draft-1", values=values))


def value(of: Json, provenance: Any = "tap") -> Value:
    return Value(value=of, label=str(of), provenance=provenance)


def settled(fact: str) -> ValueSettled:
    return ValueSettled(step="title", slot="title", value=value("x"), fact=fact)


def called(name: str, **arguments: Json) -> ToolCalled:
    return ToolCalled(call="c", tool=ToolName(server="desk", name=name), arguments=arguments, by="model")


def gate(*refused: str, trigger: Any = "go_ahead", why: str = "r", **arguments: Json) -> GateDecided:
    layers = tuple(
        LayerDecision(layer=layer, allowed=layer not in refused, reason=why) for layer in ("skill", "schema", "guard")
    )
    return GateDecided(
        trigger=trigger,
        tool=ToolName(server="desk", name="create"),
        question=None,
        layers=layers,
        allowed=not refused,
        attempted="guard" not in refused,
        arguments=arguments,
    )


CLAIMED = WriteClaimed(
    key="k", draft="draft-1", tool=ToolName(server="desk", name="create"), arguments={}, fingerprint="f"
)


def request(*messages: Any, system: str = f"Be kind. {RULE}.") -> ModelRequest:
    return ModelRequest(system=system, messages=messages, tools=())


def received(*requests: ModelRequest, told_before: int = 0) -> Observation:
    return seen(requests=requests, told_before=told_before)


def override(argument: str) -> ArgumentOverridden:
    return ArgumentOverridden(call="c", argument=argument, given=1, used=2)


def tool_that_requires(*names: str) -> ToolSpec:
    schema: dict[str, Json] = {"type": "object", "properties": {"title": {"type": "string"}}, "required": names}
    return ToolSpec(server="desk", identity="d", name="create", description="", input_schema=schema)


CONTRACT = Contract(
    tool=ToolName(server="desk", name="create"),
    server="d",
    record={"title": "Login"},
    closed=(),
    clauses=(
        Clause(field="title", case="stripped", schema="refuses", backend="refused"),
        Clause(field="title", case="blank", schema="accepts", backend="refused"),
    ),
)


def offering(*names: str) -> ModelRequest:
    tools = tuple(ToolSpec(server="desk", identity="d", name=name, description="", input_schema={}) for name in names)
    return ModelRequest(system=RULE, messages=(), tools=tools)


def drawn(step: str) -> QuestionDrawn:
    return QuestionDrawn(question=f"{step}-1", step=step, kind="text", label="L", lead="?", options=())


RECEIPT = ReceiptShown(key="k", text="t", rows=())
DONE = WriteDone(key="k", receipt=None, text="t", rows=(), fact="f")
LOST = WriteUnknown(key="k", reason="r")
FILLED = Draft(id="draft-1", values={"title": Value(value="x", label="x", provenance="tap")})
