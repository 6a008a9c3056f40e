"""From what a target reports of a turn to what the checks look at, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import TypeAdapter

from marg_runtime.acts import Act
from marg_runtime.answer import Answer, Said
from marg_runtime.block import Block
from marg_runtime.draft import Draft, Provenance, Value
from marg_runtime.events.event import Event
from marg_runtime.events.model import ToolCalled
from marg_runtime.events.step import StepSkipped
from marg_runtime.events.turn import ReplyRead
from marg_runtime.events.write import GateDecided, LayerDecision, LayerName
from marg_runtime.gateway.draft_form import draft_form
from marg_runtime.gateway.protocol import CallForm, DraftForm, GateForm, Report, TextForm
from marg_runtime.gateway.request_forms import request_form, request_of, tool_form, tool_of
from marg_runtime.ledger import Entry, decode, encode
from marg_runtime.parts import EVERY_PART
from marg_runtime.tools import ToolName
from marg_runtime.wire import WireEvent
from marg_scenarios import Observation

UNNAMED_SERVER = "target"  # of a tool that is reported by its name alone
_WIRE: TypeAdapter[WireEvent] = TypeAdapter(WireEvent)
TRACED: Provenance = "typed"  # stands for a provenance that is not reported; the part `provenance` is missing then


@dataclass(frozen=True, kw_only=True)
class Before:
    """What is known of a conversation before an act: the block on the screen, the draft, the counts, the facts told."""

    shown: Block | None
    draft: Draft
    writes: int
    rehearsed: int
    told: int
    rule: str


def observation_of(report: Report, act: Act, before: Before) -> Observation:
    """What the checks look at. Raises what the runtime raises for a ledger that it does not know."""
    texts = tuple(Said(by=said.by, text=said.text) for said in report.texts)
    return Observation(
        act=act,
        shown_before=before.shown,
        answer=Answer(turn=report.turn, revision=report.revision, texts=texts, block=report.block),
        answered=report.answered,
        entries=_entries(report),
        draft=before.draft if report.draft is None else draft_of(report.draft),
        draft_before=before.draft,
        question=report.question,
        requests=tuple(request_of(request) for request in report.requests or ()),
        told_before=before.told,
        rule=before.rule,
        writes=(report.writes or 0) - before.writes,
        rehearsed=(report.rehearsed or 0) - before.rehearsed,
        tools=tuple(tool_of(tool) for tool in report.tools),
        machine=report.machine,
        slips=report.slips,
        wire=tuple(_WIRE.validate_python(event) for event in report.wire),
        parts=report.reported(),
    )


def report_of(observation: Observation, *, writes: int, rehearsed: int, unused: tuple[str, ...] = ()) -> Report:
    """The report of a turn that was seen in process. writes, rehearsed: counted since the conversation began."""
    assert observation.parts == EVERY_PART, "only the reference runtime's own observation holds everything"
    answer = observation.answer
    return Report(
        revision=answer.revision,
        turn=answer.turn,
        answered=observation.answered,
        texts=tuple(TextForm(by=said.by, text=said.text) for said in answer.texts),
        block=answer.block,
        question=observation.question,
        draft=draft_form(observation.draft),
        writes=writes,
        rehearsed=rehearsed,
        requests=tuple(request_form(request) for request in observation.requests),
        ledger=tuple(json.loads(encode(entry)) for entry in observation.entries),
        tools=tuple(tool_form(spec) for spec in observation.tools),
        machine=observation.machine,
        slips=observation.slips,
        wire=tuple(asdict(event) for event in observation.wire),
        unused=unused,
    )


def draft_of(form: DraftForm) -> Draft:
    """The draft of a form."""
    values = {
        slot: Value(
            value=found.value,
            label=str(found.value) if found.label is None else found.label,
            provenance=found.provenance or TRACED,
        )
        for slot, found in form.values.items()
    }
    return Draft(id=form.id, values=values)


def _entries(report: Report) -> tuple[Entry, ...]:
    """The ledger's part of the turn; where there is no ledger, what is reported, in the ledger's words."""
    if report.ledger is not None:
        return tuple(decode(json.dumps(entry)) for entry in report.ledger)
    events = enumerate(_events(report), start=1)
    return tuple(Entry(revision=number, turn=report.turn, at=0, event=event) for number, event in events)


def _events(report: Report) -> Iterator[Event]:
    if report.reading is not None:
        yield ReplyRead(
            kind=report.reading, reader="the target", language="", question=None, tokens=(), why=(), choice=None
        )
    for fact in report.facts or ():
        yield StepSkipped(step="", fact=fact)
    for number, call in enumerate(report.calls or (), start=1):
        yield _call(call, number)
    for decision in report.gate or ():
        yield _decision(decision)


def _call(call: CallForm, number: int) -> ToolCalled:
    server, _, name = call.tool.rpartition("/")
    tool = ToolName(server=server or UNNAMED_SERVER, name=name)
    return ToolCalled(call=f"call-{number}", tool=tool, arguments=call.arguments, by=call.by)


def _decision(form: GateForm) -> GateDecided:
    words: Mapping[LayerName, Any] = {"skill": form.skill, "schema": form.schema_, "guard": form.guard}
    layers = tuple(
        LayerDecision(layer=layer, allowed=word == "allowed", reason=form.because)
        for layer, word in words.items()
        if word is not None
    )
    return GateDecided(
        trigger=form.trigger,
        tool=ToolName(server="", name=""),
        question=None,
        layers=layers,
        allowed=all(layer.allowed for layer in layers),
        attempted=form.guard == "allowed",
        arguments=form.arguments,
    )
