"""The gate: three independent layers in front of every write (rules G1 to G8). All are evaluated and recorded.

Each layer defaults to a refusal. The guard alone stops a write that nobody confirmed; the write flag alone stops every
write; the skill layer stops those of a session in which the model was not told the rule. The schema layer's `confirmed`
is what the guard set, so with the flag on it adds nothing to the guard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from marg_runtime.canonical import Json
from marg_runtime.domain import CONFIRMED, Domain
from marg_runtime.events.turn import PinnedTool
from marg_runtime.events.write import GateDecided, LayerDecision, LayerName, Trigger
from marg_runtime.fingerprint import fingerprint
from marg_runtime.owed import next_step
from marg_runtime.state import State
from marg_runtime.steps.confirm import CONFIRM_KEY
from marg_runtime.surroundings import Surroundings, pin
from marg_runtime.tools.tool import ToolName

WRITE_FLAG = "MARG_ALLOW_WRITES"
EXPIRED = "the summary has expired"
LAYERS: frozenset[LayerName] = frozenset({"skill", "schema", "guard"})


@dataclass(frozen=True, kw_only=True)
class GoAhead:
    """A person's go-ahead: how it came, the question that it answers, what its client had displayed, and the revision
    at which it was queued: what was delivered after that, it cannot have answered."""

    by: Literal["tap", "typed"]
    question: str
    seen: int | None
    queued: int


def decide_gate(*, surroundings: Surroundings, state: State, tool: ToolName, go_ahead: GoAhead | None) -> GateDecided:
    """All three layers on one attempt to write with `tool`; `go_ahead` is None where no person gave one.

    The arguments are compiled from the draft alone; `confirmed` is set only where the guard allowed.
    """
    trigger: Trigger = "model_call" if go_ahead is None else "go_ahead"
    guard = guard_layer(surroundings=surroundings, state=state, tool=tool, go_ahead=go_ahead)
    arguments: dict[str, Json] = state.draft.arguments()
    arguments.pop(CONFIRMED, None)
    if guard.allowed:
        arguments[CONFIRMED] = True
    layers = (
        skill_layer(surroundings=surroundings, state=state),
        schema_layer(arguments=arguments, write_flag=surroundings.write_flag),
        guard,
    )
    decided = {layer.layer for layer in layers}
    return GateDecided(
        trigger=trigger,
        tool=tool,
        question=go_ahead.question if go_ahead else None,
        layers=layers,
        allowed=decided == LAYERS and all(layer.allowed for layer in layers),
        attempted=guard.allowed,
        arguments=arguments,
    )


def skill_layer(*, surroundings: Surroundings, state: State) -> LayerDecision:
    """Layer 1: the skill text forbids the write before the confirmation, and every model request carried it."""
    if surroundings.domain.rule not in surroundings.domain.skill:
        return _refused("skill", "the skill text does not hold the rule")
    if state.requests_with_rule != state.requests:
        missing = state.requests - state.requests_with_rule
        return _refused("skill", f"{missing} of {state.requests} model requests went without the rule")
    return _allowed("skill", f"{state.requests_with_rule} of {state.requests} model requests carried the rule")


def schema_layer(*, arguments: Mapping[str, Json], write_flag: str | None) -> LayerDecision:
    """Layer 2, as the tool's own schema has it: `confirmed` is true, and the write flag is the literal `true`.

    Enforced on our side too, for servers without that argument.
    """
    if arguments.get(CONFIRMED) is not True:
        return _refused("schema", f"{CONFIRMED} is not true")
    if write_flag != "true":
        return _refused("schema", f"{WRITE_FLAG} is {write_flag!r}, not 'true'")
    return _allowed("schema", f"{CONFIRMED} is true and {WRITE_FLAG} is 'true'")


def guard_layer(*, surroundings: Surroundings, state: State, tool: ToolName, go_ahead: GoAhead | None) -> LayerDecision:
    """Layer 3: a bound, current go-ahead for a summary of this very draft, delivered in an earlier turn."""
    reasons = [
        reason
        for reason in (
            _who_refusal(surroundings, tool, go_ahead),
            _shown_refusal(state, go_ahead),
            _draft_refusal(surroundings, state, tool),
            _owed_refusal(surroundings.domain, state) if go_ahead else None,
            _expired_refusal(surroundings, state),
            _once_refusal(state),
        )
        if reason
    ]
    if reasons:
        return _refused("guard", "; ".join(reasons))
    return _allowed("guard", "a plain go-ahead for the summary of this draft, shown in an earlier turn")


def _who_refusal(surroundings: Surroundings, tool: ToolName, go_ahead: GoAhead | None) -> str | None:
    if go_ahead is None:
        return "no person gave a go-ahead"
    if tool != surroundings.domain.write_tool:
        return f"{str(tool)!r} is not the write that was confirmed"
    if go_ahead.by == "typed" and surroundings.domain.confirm.policy == "click_only":
        return "only a tap confirms here"
    return None


def _shown_refusal(state: State, go_ahead: GoAhead | None) -> str | None:
    question, summary = state.question, state.summary
    if question is None or summary is None or question.step != CONFIRM_KEY or summary.question != question.id:
        return "no summary is open"
    if go_ahead is not None and go_ahead.question != question.id:
        return "the go-ahead answers another question"
    if question.delivered_in is None or question.delivered_at is None or question.delivered_in >= state.turn:
        return "the summary was not delivered in an earlier turn"
    return _displayed_refusal(question.revision, question.delivered_at, go_ahead) if go_ahead else None


def _displayed_refusal(asked_at: int, delivered_at: int, go_ahead: GoAhead) -> str | None:
    if go_ahead.queued <= delivered_at:
        return "the go-ahead had come before the summary was delivered"
    if go_ahead.seen is None or not asked_at <= go_ahead.seen <= go_ahead.queued:
        return f"the client had displayed revision {go_ahead.seen!r}, the summary is of {asked_at!r}"
    return None


def _draft_refusal(surroundings: Surroundings, state: State, tool: ToolName) -> str | None:
    """The fingerprint is taken anew here, at dispatch, of the draft and the tool as they are now."""
    pinned, listed, summary = pinned_tool(state, tool), surroundings.spec(tool), state.summary
    if pinned is None:
        return f"{str(tool)!r} is not among the tools that the session opened with"
    if listed is None:
        return f"{str(tool)!r} is not among the tools that can be reached now"
    if summary is None:
        return None
    arguments = state.draft.arguments()
    now = fingerprint(draft=state.draft.id, arguments=arguments, tool=pin(listed))
    if summary.draft != state.draft.id or summary.fingerprint != now:
        changed = "the tool" if pin(listed) != pinned else "the draft"
        return f"{changed} is not the one that the summary stands for"
    rows = {row.slot for row in state.question.drawn.rows} if state.question else set()
    hidden = sorted(set(arguments) - rows)
    return f"the summary did not show {hidden[0]!r}" if hidden else None


def _owed_refusal(domain: Domain, state: State) -> str | None:
    """Asked anew here: what was all settled for the release that drew the summary need not be for this one."""
    step = next_step(domain, state)
    if step is not None:
        return f"{step.label!r} is still to be asked"
    try:
        problems = domain.validate(state.draft.arguments())
    except Exception as error:  # what cannot be judged is not sent
        return f"the draft could not be checked: {error!r}"
    return f"the draft has a problem: {problems[0].text}" if problems else None


def _expired_refusal(surroundings: Surroundings, state: State) -> str | None:
    """Judged here, where the write would start: a go-ahead that waited too long for its turn has expired with it."""
    time_to_live = surroundings.domain.confirm.time_to_live
    if time_to_live is None or state.summary is None:
        return None
    return EXPIRED if state.now - state.summary.at > time_to_live else None


def expired(surroundings: Surroundings, state: State) -> bool:
    """Whether the open summary can no longer be confirmed, so that it must not be shown as if it could."""
    return _expired_refusal(surroundings, state) is not None


def _once_refusal(state: State) -> str | None:
    write = state.draft_write
    return f"a write of this draft is {write.status}" if write else None


def pinned_tool(state: State, tool: ToolName) -> PinnedTool | None:
    """The tool as the session pinned it, or None."""
    return next((pinned for pinned in state.tools if pinned.tool == tool), None)


def _allowed(layer: LayerName, reason: str) -> LayerDecision:
    return LayerDecision(layer=layer, allowed=True, reason=reason)


def _refused(layer: LayerName, reason: str) -> LayerDecision:
    return LayerDecision(layer=layer, allowed=False, reason=reason)
