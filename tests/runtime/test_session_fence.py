"""The lease is fenced by the revision (rule C2)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from marg_runtime.acts import Say
from marg_runtime.events.turn import TurnAbandoned
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk


def test_C2_a_turn_in_which_another_worker_decided_is_given_up_and_its_act_answered_as_after_a_lost_lease(
    desk: Desk,
) -> None:
    """It was an error of the act's once; but whoever decided has the session, and the ledger has the answer."""
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
        desk.answers.append(await task)

    desk.run(play())
    assert (desk.block.step, desk.texts("model"), desk.state.turn_open) == ("place", [], False)
