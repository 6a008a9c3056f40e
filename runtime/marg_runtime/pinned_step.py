"""What is kept of the steps that a session was opened with, to tell what another release asks in another way."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from marg_runtime.canonical import Json, digest
from marg_runtime.domain import Domain, QuestionStep
from marg_runtime.events.turn import PinnedStep
from marg_runtime.steps.step import Step

# What a step tells the model, or hears of it: no question looks different for it and no answer means something else.
_UNSEEN = frozenset({"say", "asks_like", "claims_like", "reask_budget"})


def pin_steps(domain: Domain) -> tuple[PinnedStep, ...]:
    """Every step of a domain as it asks, the confirmation and the review too."""
    review = (domain.review,) if domain.review is not None else ()
    return tuple(_pin(step) for step in (*domain.steps, domain.confirm, *review))


def _pin(step: QuestionStep) -> PinnedStep:
    slots, required = (step.slots, step.required_slots) if isinstance(step, Step) else ((), ())
    return PinnedStep(key=step.key, slots=slots, required_slots=required, digest=digest(_told(step)))


def _told(value: Any) -> Json:
    """A declaration as JSON. Options that a coroutine finds are not known here; that they are found is."""
    if is_dataclass(value):
        told = {one.name: _told(getattr(value, one.name)) for one in fields(value) if one.name not in _UNSEEN}
        return {"type": type(value).__name__, **told}
    if isinstance(value, re.Pattern):
        return str(value.pattern)
    if callable(value):
        return "found"
    if isinstance(value, Mapping):
        return {str(name): _told(inner) for name, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_told(inner) for inner in value]
    known: Json = value
    return known
