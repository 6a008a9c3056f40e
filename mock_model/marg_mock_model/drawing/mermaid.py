"""A machine as a Mermaid state diagram."""

from __future__ import annotations

from marg_mock_model.drawing.edge import edges_of, guards_in_words
from marg_mock_model.machine import Machine


def mermaid_of(machine: Machine) -> str:
    """The diagram's text; names are numbered, for Mermaid takes few characters in one."""
    names = {name: f"s{number}" for number, name in enumerate(machine.states, start=1)}
    lines = ["stateDiagram-v2"]
    lines += [f'    state "{_safe(name)}" as {names[name]}' for name in machine.states]
    lines.append(f"    [*] --> {names[machine.start]}")
    for edge in edges_of(machine):
        for transition in edge.transitions:
            tools = ", ".join(call.tool for call in transition.calls)
            words = guards_in_words(transition) + (f" / {tools}" if tools else "")
            lines.append(f"    {names[edge.source]} --> {names[edge.target]}: {_safe(words)}")
    for slip in machine.slips:
        for name in slip.states or (machine.start,):
            where = "" if slip.states else " anywhere"
            lines.append(f"    note right of {names[name]}: slip {_safe(f'{slip.kind} {slip.rate}{where}')}")
    return "\n".join(lines) + "\n"


def _safe(text: str) -> str:
    """A text in which no character means anything to Mermaid: its own entities stand for them."""
    return "".join(c if c.isalnum() or c in " _.,-/'" else f"#{ord(c)};" for c in text)
