"""A turn that was left unfinished: a call or a read is given up, a write is unknown, and the user is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marg_runtime.decide import decide
from marg_runtime.effects import TakenOver
from marg_runtime.events.model import EffectAbandoned
from marg_runtime.events.turn import TurnAbandoned
from marg_runtime.events.write import WriteClaimed, WriteUnknown
from marg_runtime.fold import fold
from marg_runtime.state import Pending, State

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk


def left(desk: Desk, *pending: Pending) -> list[object]:
    """The events of a takeover of a turn that had these effects under way."""
    state = State(session="s1", turn=1, turn_open=True, pending=pending)
    decision = decide(state, TakenOver(), surroundings=desk.surroundings())
    assert decision.effects == ()
    return list(decision.events)


@pytest.mark.parametrize("kind", ["model", "tool", "options"])
def test_C3_a_pending_call_or_read_is_abandoned(desk: Desk, kind: str) -> None:
    events = left(desk, Pending(kind=kind, key="k"))  # type: ignore[arg-type]
    assert EffectAbandoned(kind=kind, key="k") in events  # type: ignore[arg-type]


def test_C3_every_pending_read_is_abandoned(desk: Desk) -> None:
    events = left(desk, Pending(kind="tool", key="a"), Pending(kind="tool", key="b"))
    assert [event.key for event in events if isinstance(event, EffectAbandoned)] == ["a", "b"]


def test_C3_a_turn_with_nothing_pending_is_abandoned_too(desk: Desk) -> None:
    assert left(desk) == [TurnAbandoned()]


def test_C3_a_pending_write_is_unknown_and_never_abandoned(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    until = next(n for n, entry in enumerate(desk.ledger()) if isinstance(entry.event, WriteClaimed))
    state = fold(desk.ledger()[: until + 1])
    events = decide(state, TakenOver(), surroundings=desk.surroundings()).events
    assert [type(event) for event in events if not isinstance(event, TurnAbandoned)][:1] == [WriteUnknown]
