"""Tool servers that are down: no act fails for it, nothing is written, the card is drawn again, a reload works.

And its kind: an act whose caller was told that it failed is never run later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import pytest

from marg_runtime.acts import Reload, Say
from marg_runtime.canonical import Json
from marg_runtime.domain import Domain, Problem
from marg_runtime.errors import LeaseLost, StoreError, ToolError
from marg_runtime.events.turn import ActDropped, UserSaid, UserTapped
from marg_runtime.events.write import GateDecided
from marg_runtime.ledger import Entry
from marg_runtime.store import MemoryStore
from marg_runtime.tools.scripted import ScriptedTools
from marg_runtime.tools.tool import ToolSpec

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


class Down(ScriptedTools):
    """The desk's tools, whose server is not there while `down`."""

    down = False

    async def list(self) -> tuple[ToolSpec, ...]:
        if self.down:
            raise ToolError("the desk is not there")
        return await super().list()


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    """A desk at the summary, whose tools can be taken down."""
    usual = make_desk(session="usual").scripted
    desk = make_desk(tools=Down(usual._specs, usual._script))
    desk.to_summary()
    return desk


def tools_of(desk: Desk) -> Down:
    assert isinstance(desk.tools, Down)
    return desk.tools


def created(desk: Desk) -> int:
    return sum(call.tool == desk.CREATE for call in tools_of(desk).calls)


def test_G6_a_go_ahead_while_the_server_is_down_is_refused_and_the_card_is_drawn_again(
    desk: Desk, writes_on: None
) -> None:
    tools_of(desk).down = True
    desk.tap("Create")
    assert (created(desk), desk.block.kind) == (0, "summary")


def test_G6_the_user_is_told_that_the_tool_cannot_be_reached(desk: Desk, writes_on: None) -> None:
    tools_of(desk).down = True
    desk.tap("Create")
    assert "'desk/create' is not among the tools that can be reached now" in desk.texts("runtime")[0]


def test_G9_a_go_ahead_while_the_server_was_down_does_not_write_once_it_is_back(desk: Desk, writes_on: None) -> None:
    tools_of(desk).down = True
    desk.tap("Create")
    tools_of(desk).down = False
    desk.reload()
    assert (created(desk), desk.state.queue) == (0, ())


def test_G5_a_go_ahead_for_the_card_that_was_drawn_again_writes_once_the_server_is_back(
    desk: Desk, writes_on: None
) -> None:
    tools_of(desk).down = True
    desk.tap("Create")
    tools_of(desk).down = False
    desk.tap("Create")
    assert created(desk) == 1


def test_a_reload_while_the_server_is_down_draws_the_card(desk: Desk) -> None:
    tools_of(desk).down = True
    before = desk.block
    assert desk.reload().block == before


def test_a_message_while_the_server_is_down_is_answered_without_tools(desk: Desk) -> None:
    tools_of(desk).down = True
    desk.hear("Fine, I will wait.")
    desk.say("hm, wait: do not create it")
    offered = {tool.name for tool in desk.model.received[-1].tools}
    assert (desk.texts("model"), "create" in offered) == (["Fine, I will wait."], False)


def test_C3_a_session_that_goes_on_while_the_server_is_down_is_opened_with_the_tools_that_it_had(desk: Desk) -> None:
    before, pinned = desk.block, desk.state.tools
    tools_of(desk).down = True
    desk.reopen()
    assert (desk.reload().block, desk.state.tools) == (before, pinned)


def test_G5_such_a_session_writes_once_the_server_is_back(desk: Desk, writes_on: None) -> None:
    tools_of(desk).down = True
    desk.reopen()
    tools_of(desk).down = False
    desk.tap("Create")
    assert created(desk) == 1


# An act whose caller was told that it failed


class Full(MemoryStore):
    """A store that takes queued acts and, while `full` is an error, nothing else."""

    full: type[Exception] | None = None

    async def append(self, session: str, entries: Sequence[Entry]) -> None:
        if self.full is not None and type(entries[0].event).__name__ != "ActQueued":
            raise self.full("the disk is full")
        await super().append(session, entries)


@pytest.mark.parametrize("error", [StoreError, LeaseLost])
def test_G9_a_go_ahead_that_failed_is_not_run_by_a_later_act(
    make_desk: MakeDesk, writes_on: None, error: type[Exception]
) -> None:
    store = Full()
    desk = make_desk(store=store)
    desk.to_summary()
    store.full = error
    with pytest.raises(error, match="the disk is full"):
        desk.tap("Create")
    store.full = None
    desk.reload()
    assert (desk.writes, desk.events(GateDecided), desk.block.kind) == ([], [], "summary")


def test_C1_what_failed_and_was_not_begun_is_dropped_in_the_ledger(make_desk: MakeDesk) -> None:
    store = Full()
    desk = make_desk(store=store)
    desk.to_place()
    store.full = StoreError
    with pytest.raises(StoreError):
        desk.tap("Office")
    store.full = None
    desk.reload()
    taps = [event for event in desk.events(UserTapped) if event.option]
    assert (len(desk.events(ActDropped)), taps, desk.values) == (1, [], {"title": "Lamp broken"})


def test_C2_an_act_whose_caller_was_cancelled_is_served_all_the_same(desk: Desk) -> None:
    async def play() -> None:
        async with desk.store.lease("s1"):
            waiting = asyncio.create_task(desk.session.act(Reload(at=8)))
            for _ in range(20):
                await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)

    desk.run(play())
    desk.reload()
    assert desk.events(ActDropped) == []


# An act of another caller's


def broken_note(values: Mapping[str, Json]) -> tuple[Problem, ...]:
    if values.get("note") == "boom":
        raise RuntimeError("a bug in a domain")
    return ()


@pytest.fixture
def left(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> Desk:
    """A desk whose queue holds a broken act of a caller that is gone; what was reported is kept."""
    desk = make_desk(domain=domain_with(validate=broken_note))
    desk.to_note()
    desk.run(desk.session._writer.queue(Say(text="boom", at=desk.now(), seen=desk.seen)))
    return desk


def reported(desk: Desk, play: Callable[[], object]) -> list[str]:
    """The exceptions that the event loop was told of meanwhile."""
    told: list[str] = []
    loop = desk._runner.get_loop()
    loop.set_exception_handler(lambda _, context: told.append(repr(context["exception"])))
    play()
    loop.set_exception_handler(None)
    return told


def test_C2_what_breaks_over_another_callers_act_is_not_this_callers_error(left: Desk) -> None:
    reported(left, left.reload)
    assert left.block.step == "note"


def test_C2_a_broken_act_of_another_callers_is_dropped_with_its_error(left: Desk) -> None:
    reported(left, left.reload)
    assert [event.error for event in left.events(ActDropped)] == ["RuntimeError('a bug in a domain')"]


def test_C2_what_breaks_over_an_act_that_nobody_waits_for_is_reported_to_the_event_loop(left: Desk) -> None:
    assert reported(left, left.reload) == ["RuntimeError('a bug in a domain')"]


def test_C2_a_broken_act_that_was_left_does_not_keep_the_session_from_opening(left: Desk) -> None:
    reported(left, left.reopen)
    said = [event.text for event in left.events(UserSaid)]
    assert (left.state.queue, "boom" in said) == ((), False)
