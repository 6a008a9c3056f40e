"""The edges of a machine's drawing: all transitions from one state to another are one edge."""

from __future__ import annotations

from dataclasses import dataclass

from marg_mock_model.hint import show
from marg_mock_model.machine import Machine, Transition

LONGEST_WORDS = 60


@dataclass(frozen=True, kw_only=True)
class Edge:
    """An edge; `number` counts from 1 in the order of the file."""

    number: int
    source: str
    target: str
    transitions: tuple[Transition, ...]


def edges_of(machine: Machine) -> tuple[Edge, ...]:
    """The edges, in the order of the file."""
    by_ends: dict[tuple[str, str], list[Transition]] = {}
    for transition in machine.transitions():
        by_ends.setdefault((transition.state, transition.to), []).append(transition)
    return tuple(
        Edge(number=number, source=source, target=target, transitions=tuple(transitions))
        for number, ((source, target), transitions) in enumerate(by_ends.items(), start=1)
    )


def guards_in_words(transition: Transition) -> str:
    """When a transition is taken."""
    return shortened(" and ".join(map(str, transition.when.guards)) or "anything")


def answer_in_words(transition: Transition) -> str:
    """What a transition answers."""
    parts = [f"says {show(transition.reply)}"] if transition.reply else []
    parts += ["gives data"] if transition.data is not None else []
    parts += [f"calls {', '.join(call.tool for call in transition.calls)}"] if transition.calls else []
    return shortened(", ".join(parts) or "says nothing")


def shortened(text: str, *, longest: int = LONGEST_WORDS) -> str:
    """A text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
