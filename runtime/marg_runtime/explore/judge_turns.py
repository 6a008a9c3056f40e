"""Turns, delivery and the model's calls, judged by rules S1, G3, G7, C4 and C5."""

from __future__ import annotations

from typing import Any

from marg_runtime.acts import Reload, Say
from marg_runtime.evolve import evolve
from marg_runtime.explore.bench import Bench, judges
from marg_runtime.explore.memory import Asked, Memory
from marg_runtime.ledger import Entry

MOST_CALLS = 8  # of the model a turn, rule C4
BUILT_IN = "marg"


@judges("SessionOpened")
def session_opened(bench: Bench, entry: Entry, event: Any) -> None:
    """A session that is opened anew shows its summary again before it counts."""
    void(bench)


@judges("ActQueued")
def act_queued(bench: Bench, entry: Entry, event: Any) -> None:
    """An act waits."""
    bench.note(queue={**bench.memory.queue, entry.revision: event.act})


@judges("UserSaid", "UserTapped", "FormSubmitted", "PickerSearched", "Reloaded")
def turn_began(bench: Bench, entry: Entry, event: Any) -> None:
    """A turn begins with the act that waited, and with what it can answer."""
    memory = bench.memory
    if memory.running:
        bench.broken("one turn at a time", f"turn {entry.turn} began while another was running")
    act = memory.queue.get(event.act)
    waiting = {revision: other for revision, other in memory.queue.items() if revision != event.act}
    bench.note(queue=waiting, turn=entry.turn, running=True, act=act, act_at=event.act)
    bench.note(bound=_bound(bench, memory.asked, act), drawn=None, calls=0, go=False, due=frozenset())
    if isinstance(act, Say):
        bench.note(said=(*memory.said, act.text))


def _bound(bench: Bench, asked: Asked | None, act: Any) -> Asked | None:
    """The question that the act answers: the open one, if its client had displayed it when the act was queued."""
    queued = bench.memory.act_at
    if asked is None or act is None or isinstance(act, Reload):
        return None
    if asked.delivered_at is None or asked.delivered_at > queued or asked.delivered_in == bench.memory.turn:
        return None
    if not isinstance(act, Say):
        return asked if (act.question, act.revision) == (asked.id, asked.revision) else None
    seen = queued if act.seen is None and bench.law.in_order else act.seen
    return asked if seen is not None and asked.revision <= seen <= queued else None


@judges("AnswerDelivered")
def answer_delivered(bench: Bench, entry: Entry, event: Any) -> None:
    """What is open is on the screen, and what is on the screen is true."""
    memory = bench.memory
    asked = memory.asked
    if asked is not None and memory.drawn != asked.id:
        bench.broken("a digression drops no card", f"{asked.id!r} is open and {memory.drawn!r} was drawn")
    if asked is None and event.question is not None:
        bench.broken("nothing is asked that is not open", f"{event.question!r} was delivered")
    if asked is not None and asked.kind == "summary" and not memory.standing:
        bench.broken("a summary on the screen is the draft", f"{asked.id!r} is void and on the screen")
    if memory.due:
        bench.broken("a change re-opens what depends on it", f"{sorted(memory.due)!r} kept their values")
    if memory.awaiting:
        bench.broken("each call has one result", f"{sorted(memory.awaiting)!r} have none")
    if asked is not None and asked.delivered_at is None:
        asked = evolve(asked, delivered_at=entry.revision, delivered_in=memory.turn)
    bench.note(asked=asked, running=False, act=None, bound=None, drawn=None, due=frozenset(), calls=0)


@judges("TurnAbandoned")
def turn_abandoned(bench: Bench, entry: Entry, event: Any) -> None:
    """A turn whose worker died is over."""
    bench.note(running=False, act=None, bound=None, drawn=None, due=frozenset(), awaiting=frozenset(), calls=0)


@judges("FactTold")
def fact_told(bench: Bench, entry: Entry, event: Any) -> None:
    """Facts go once and in order."""
    facts = bench.memory.facts
    if facts[:1] != (event.fact,):
        bench.broken("each fact is told once, in order", f"{event.fact!r} was told, {facts[:1]!r} was next")
    bench.note(facts=facts[1:])


@judges("ModelCalled")
def model_called(bench: Bench, entry: Entry, event: Any) -> None:
    """The model is called often enough and no more, when all its calls have results and it knows all facts."""
    memory = bench.memory
    if memory.facts:
        bench.broken("each fact is told once, in order", f"{memory.facts[0]!r} was held back")
    if memory.awaiting:
        bench.broken("each call has one result", f"{sorted(memory.awaiting)!r} have none")
    if memory.calls >= MOST_CALLS:
        bench.broken("at most 8 model calls a turn", f"call {memory.calls + 1}")
    if memory.act is not None and not isinstance(memory.act, Say):
        bench.broken("only a typed message calls the model", f"{type(memory.act).__name__} called it")
    # What follows is the model's doing, and no answer of the person's any more.
    bench.note(calls=memory.calls + 1, bound=None)


@judges("ModelReplied")
def model_replied(bench: Bench, entry: Entry, event: Any) -> None:
    """Its calls wait for their results."""
    bench.note(awaiting=frozenset(call.id for call in event.calls))


@judges("ToolCalled")
def tool_called(bench: Bench, entry: Entry, event: Any) -> None:
    """Nothing but tools that are listed as reading is reached by the model or a step."""
    if event.by == "model" and bench.law.lookup == event.tool:
        bench.broken("the model reaches no lookup", f"{event.tool!s} was called by the model")
    if event.tool.server != BUILT_IN and event.tool not in bench.law.domain.read_tools:
        bench.broken("the model reaches no tool that writes", f"{event.tool!s} was called by the {event.by}")


@judges("ToolReturned")
def tool_returned(bench: Bench, entry: Entry, event: Any) -> None:
    """A call has its result."""
    bench.note(awaiting=bench.memory.awaiting - {event.call})


def void(bench: Bench) -> None:
    """No summary stands, and the question whether to create is closed."""
    bench.note(standing=False, asked=_unless_about_the_draft(bench.memory))


def _unless_about_the_draft(memory: Memory) -> Asked | None:
    asked = memory.asked
    return None if asked is not None and asked.kind in ("summary", "review") else asked
