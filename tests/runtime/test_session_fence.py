"""The lease is fenced by the revision (rule C2)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from marg_runtime.acts import Say
from marg_runtime.errors import LedgerError
from marg_runtime.events.turn import TurnAbandoned
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk


def test_C2_a_decision_of_another_worker_under_our_lease_is_noticed(desk: Desk) -> None:
    desk.to_place()
    gate = asyncio.Event()
    desk.model.script.append((gate, "Hello."))

    async def play() -> None:
        task = asyncio.create_task(desk.session.act(Say(text="what?", at=1)))
        for _ in range(20):
            await asyncio.sleep(0)
        state = fold(await desk.store.read("s1"))
        stray = Entry(revision=state.revision + 1, turn=state.turn, at=0, event=TurnAbandoned())
        await desk.store.append("s1", [stray])
        gate.set()
        await task

    with pytest.raises(LedgerError, match="another worker decided under this one's lease"):
        desk.run(play())
