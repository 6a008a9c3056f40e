"""The gate and the write, judged by rules G1 to G9."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marg_runtime.acts import Say, Tap
from marg_runtime.canonical import Json
from marg_runtime.effects import CallTool, DispatchWrite, Effect
from marg_runtime.evolve import evolve
from marg_runtime.explore.bench import Bench, judges
from marg_runtime.explore.judge_turns import void
from marg_runtime.explore.memory import Claim, Memory
from marg_runtime.ledger import Entry

OWN = ("confirmed", "idempotency_key")  # arguments that are the runtime's
LAYERS = {"skill", "schema", "guard"}
CREATE_OPTION = "o1"  # a summary's first option
GO_AHEAD = "no write without a plain go-ahead for a summary delivered in an earlier turn"
SHOWN = "written is what was shown"


@judges("GateDecided")
def gate_decided(bench: Bench, entry: Entry, event: Any) -> None:
    """All layers are on record; a model's call is never let through; a go-ahead is spent."""
    memory = bench.memory
    if {layer.layer for layer in event.layers} != LAYERS:
        bench.broken("all layers are recorded", f"{[layer.layer for layer in event.layers]!r}")
    if event.trigger == "model_call":
        if event.allowed:
            bench.broken("the gate lets no model write", f"{event.tool!s} was allowed")
        return
    bench.note(go=event.allowed, went=memory.summary if memory.standing else None)
    void(bench)


@judges("WriteClaimed")
def write_claimed(bench: Bench, entry: Entry, event: Any) -> None:
    """The one claim of a write."""
    memory = bench.memory
    if not _went_ahead(bench):
        bench.broken(GO_AHEAD, f"{_act(memory)} claimed a write of {event.draft!r}")
    if not memory.go:
        bench.broken("no write that the gate did not allow", f"{event.key!r}")
    _judge_arguments(bench, entry, event)
    claim = memory.claims.get(event.draft)
    if claim is not None:
        rule = "never two writes for one draft" if claim.status == "done" else "no write while one is unknown"
        bench.broken(rule, f"the write of {event.draft!r} was {claim.status}")
    if bench.law.write_flag != "true":
        bench.broken("no write with the flag off", f"the flag is {bench.law.write_flag!r}")
    taken = Claim(key=event.key, status="open", arguments=_without_own(event.arguments))
    bench.note(claims={**memory.claims, event.draft: taken}, go=False, went=None)


def _went_ahead(bench: Bench) -> bool:
    """Whether a person who had seen the summary said yes or tapped its first option."""
    memory = bench.memory
    bound, act = memory.bound, memory.act
    if bound is None or bound.kind != "summary" or memory.went is None or memory.went.question != bound.id:
        return False
    if isinstance(act, Tap):
        seen = bound.revision if act.seen is None else act.seen
        return act.option == CREATE_OPTION and bound.revision <= seen <= memory.act_at
    return isinstance(act, Say) and act.text in bench.law.yes


def _act(memory: Memory) -> str:
    return f"{type(memory.act).__name__} {getattr(memory.act, 'text', getattr(memory.act, 'option', ''))!r}"


def _judge_arguments(bench: Bench, entry: Entry, event: Any) -> None:
    memory, stood = bench.memory, bench.memory.went
    if stood is None:
        return
    values = {slot: value.value for slot, value in memory.values.items()}
    sent = _without_own(event.arguments)
    if event.draft != stood.draft or not sent == dict(stood.arguments) == values:
        bench.broken(SHOWN, f"{sent!r} was claimed, {dict(stood.arguments)!r} was shown")
    time_to_live = bench.law.domain.confirm.time_to_live
    if time_to_live is not None and entry.at - stood.shown_at > time_to_live:
        bench.broken("no write after the summary's time to live", f"{entry.at - stood.shown_at} ms")
    if event.tool != bench.law.domain.write_tool or bench.listed(event.tool) != stood.tool:
        bench.broken("the tool is the one that the summary stood for", f"{event.tool!s} has changed")


def _without_own(arguments: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in arguments.items() if name not in OWN}


@judges("WriteDone", "WriteUnknown", "WriteRefused", "WriteAbsent")
def write_ended(bench: Bench, entry: Entry, event: Any) -> None:
    """What became of the claim."""
    kind = type(event).__name__
    if hasattr(event, "fact"):
        bench.note(facts=(*bench.memory.facts, event.fact))
    if kind == "WriteRefused" and event.by == "gate":
        return
    draft = _claimed_draft(bench.memory, getattr(event, "key", None))
    if draft is None:
        bench.broken("an outcome follows a claim", f"{kind} without one")
        return
    claims = dict(bench.memory.claims)
    if kind in ("WriteRefused", "WriteAbsent"):
        del claims[draft]
    else:
        claims[draft] = evolve(claims[draft], status="done" if kind == "WriteDone" else "unknown")
    bench.note(claims=claims)


def _claimed_draft(memory: Memory, key: str | None) -> str | None:
    """The draft of a claim that has no certain outcome yet: of that key, or the only one."""
    found = [draft for draft, claim in memory.claims.items() if claim.status != "done" and key in (None, claim.key)]
    return found[0] if len(found) == 1 else None


@judges("ReceiptShown")
def receipt_shown(bench: Bench, entry: Entry, event: Any) -> None:
    """A receipt belongs to a write that was done."""
    done = {claim.key for claim in bench.memory.claims.values() if claim.status == "done"}
    if event.key not in done:
        bench.broken("a receipt belongs to a write", f"{event.key!r} was not done")


def judge_effect(bench: Bench, effect: Effect) -> None:
    """What is dispatched is what was claimed; what is called for the model reads."""
    if isinstance(effect, CallTool) and effect.tool not in bench.law.domain.read_tools:
        bench.broken("the model reaches no tool that writes", f"{effect.tool!s} was dispatched")
    if isinstance(effect, DispatchWrite):
        claims = [claim for claim in bench.memory.claims.values() if claim.key == effect.key]
        if not claims or claims[0].arguments != _without_own(effect.arguments):
            bench.broken(SHOWN, f"{dict(effect.arguments)!r} was dispatched")
