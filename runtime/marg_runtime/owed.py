"""Which step is owed: what the flow asks next, and what the guard looks for before a write."""

from __future__ import annotations

from marg_runtime.domain import Domain, SlotStep
from marg_runtime.state import State


def next_step(domain: Domain, state: State) -> SlotStep | None:
    """The step to ask: the one that was re-opened to be next, else the first owed one, in the domain's order."""
    reopened = domain.step(state.reopened) if state.reopened else None
    if reopened is not None and is_owed(reopened, state):
        return reopened
    return next((step for step in domain.steps if is_owed(step, state)), None)


def is_owed(step: SlotStep, state: State) -> bool:
    """A step is owed when it has not ended and what it depends on has. An optional step is owed once, to be skipped."""
    return step.key not in state.ended and all(other in state.ended for other in step.depends_on)
