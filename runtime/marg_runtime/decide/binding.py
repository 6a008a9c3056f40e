"""Which question an act answers, if any (rule G3): answers are bound to what their client had displayed when they came.

An act is judged as of the revision at which it was queued: what was delivered after that, it cannot have answered.
"""

from __future__ import annotations

from typing import Literal

from marg_runtime.state import OpenQuestion, State
from marg_runtime.surroundings import Surroundings

Refusal = Literal["stale", "undelivered"]


def displayed(seen: int | None, *, queued: int, surroundings: Surroundings) -> int | None:
    """The revision that the client had displayed: as it says, or the newest by then on a channel declared in order."""
    return queued if seen is None and surroundings.in_order else seen


def typed_unbound(state: State, *, seen: int | None, queued: int) -> str | None:
    """Why a typed message answers no question, or None where it answers the open one."""
    question = state.question
    if question is None:
        return "no question is open"
    if not _delivered_before(question, queued, turn=state.turn):
        return "the open question had not been delivered"
    if seen is None:
        return "the client does not say what it had displayed"
    if seen < question.revision:
        return "the client had displayed an older answer than the open question"
    if seen > queued:
        return "the client names a revision that did not exist"
    return None


def tap_refusal(state: State, *, question: str, revision: int, queued: int) -> Refusal | None:
    """Why a tap or a submit answers nothing that is open, or None. It names the question and its revision itself."""
    current = state.question
    if current is None or (current.id, current.revision) != (question, revision):
        return "stale"
    return None if _delivered_before(current, queued, turn=state.turn) else "undelivered"


def _delivered_before(question: OpenQuestion, queued: int, *, turn: int) -> bool:
    if question.delivered_in is None or question.delivered_at is None:
        return False
    return question.delivered_in < turn and question.delivered_at < queued
