"""Which question an act answers, if any (rule G3): answers are bound to what their client had displayed."""

from __future__ import annotations

from typing import Literal

from marg_runtime.state import OpenQuestion, State
from marg_runtime.surroundings import Surroundings

Refusal = Literal["stale", "undelivered"]


def displayed(state: State, seen: int | None, *, surroundings: Surroundings) -> int | None:
    """The revision that the client had displayed: as it says, or the present one on a channel declared in order."""
    return state.revision if seen is None and surroundings.in_order else seen


def typed_unbound(state: State, seen: int | None) -> str | None:
    """Why a typed message answers no question, or None where it answers the open one."""
    question = state.question
    if question is None:
        return "no question is open"
    if question.delivered_in is None or question.delivered_in >= state.turn:
        return "the open question had not been delivered"
    if seen is None:
        return "the client does not say what it had displayed"
    if seen < question.revision:
        return "the client had displayed an older answer than the open question"
    if seen > state.revision:
        return "the client names a revision that does not exist"
    return None


def tap_refusal(state: State, *, question: str, revision: int) -> Refusal | None:
    """Why a tap or a submit answers nothing that is open, or None. It names the question and its revision itself."""
    current = state.question
    if current is None or not _same(current, question, revision):
        return "stale"
    if current.delivered_in is None or current.delivered_in >= state.turn:
        return "undelivered"
    return None


def _same(current: OpenQuestion, question: str, revision: int) -> bool:
    return current.id == question and current.revision == revision
