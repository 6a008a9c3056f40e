"""A caller that hangs up while its write is under way: the write goes on, and the next act says what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.acts import Reload, Tap
from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.errors import ToolError
from marg_runtime.events.write import WriteClaimed, WriteDone, WriteRefused, WriteUnknown
from marg_runtime.reconcile import Reconcile
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

Outcome = Callable[[], ToolOutcome]
CREATE = ToolName(server="desk", name="create")
FIND = ToolName(server="desk", name="find")


def done() -> ToolOutcome:
    return ToolOutcome(text="created", data={"id": "T-1"})


def refused() -> ToolOutcome:
    return ToolOutcome(text="no room", is_error=True)


def no_answer() -> ToolOutcome:
    raise ToolError("the server is gone")


class Slow:
    """A backend that does not answer until it is let; it keeps what it was asked to create."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.called, self.let = asyncio.Event(), asyncio.Event()
        self.asked: list[Mapping[str, Json]] = []

    async def create(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        self.asked.append(arguments)
        self.called.set()
        await self.let.wait()
        return self.outcome()

    def find(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        return ToolOutcome(text="", data={"found": True, "receipt": {"id": "T-7"}})


@pytest.fixture
def make(make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None) -> Callable[[Slow], Desk]:
    """Makes desks at the summary over such a backend, which can look a write up by its key."""

    def made(backend: Slow) -> Desk:
        usual = make_desk(session="usual")
        find = replace(usual.SPECS[0], name="find", input_schema={"type": "object", "properties": {}})
        write = replace(
            usual.SPECS[2],
            input_schema={
                "type": "object",
                "properties": {name: {} for name in (*usual.domain.slots, "confirmed", "idempotency_key")},
            },
        )
        desk = make_desk(
            domain=domain_with(
                read_tools=frozenset({usual.LEVELS, usual.SEARCH, FIND}), reconcile=Reconcile(tool=FIND)
            ),
            specs=(*usual.SPECS[:2], find, write),
            script={CREATE: backend.create, FIND: backend.find},
        )
        desk.to_summary()
        return desk

    return made


def go_ahead(desk: Desk) -> Tap:
    block = desk.block
    option = next(option.id for option in block.options if option.label == "Create")
    return Tap(question=block.question, revision=block.revision, option=option, at=desk.now(), seen=desk.seen)


async def hang_up(desk: Desk, backend: Slow) -> None:
    """Give the go-ahead and hang up once the backend has it."""
    caller = asyncio.create_task(desk.session.act(go_ahead(desk)))
    await backend.called.wait()
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)


def hung_up(desk: Desk, backend: Slow) -> Desk:
    """A desk whose caller hung up over its write, the backend's answer behind that, and a reload."""

    async def play() -> None:
        await hang_up(desk, backend)
        backend.let.set()
        desk.answers.append(await desk.session.act(Reload(at=desk.now())))

    desk.run(play())
    return desk


def test_G9_a_write_goes_on_where_its_caller_hangs_up_and_the_next_act_shows_the_receipt(
    make: Callable[[Slow], Desk],
) -> None:
    backend = Slow(done)
    desk = hung_up(make(backend), backend)
    assert (desk.block.kind, desk.block.label, len(desk.events(WriteDone))) == ("receipt", "T-1", 1)


def test_G9_a_later_act_waits_for_the_outcome_of_such_a_write(make: Callable[[Slow], Desk]) -> None:
    backend = Slow(done)
    desk = make(backend)

    async def play() -> tuple[bool, str]:
        await hang_up(desk, backend)
        later = asyncio.create_task(desk.session.act(Reload(at=desk.now())))
        for _ in range(50):
            await asyncio.sleep(0)
        waits = not later.done()
        backend.let.set()
        answer = await later
        assert answer.block is not None
        return waits, answer.block.label

    assert desk.run(play()) == (True, "T-1")


def test_G9_one_that_waits_and_hangs_up_too_leaves_the_write_alone(make: Callable[[Slow], Desk]) -> None:
    backend = Slow(done)
    desk = make(backend)

    async def play() -> None:
        await hang_up(desk, backend)
        second = asyncio.create_task(desk.session.act(Reload(at=desk.now())))
        for _ in range(50):
            await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        backend.let.set()
        desk.answers.append(await desk.session.act(Reload(at=desk.now())))

    desk.run(play())
    assert (desk.block.label, len(backend.asked), len(desk.events(WriteClaimed))) == ("T-1", 1, 1)


def test_G9_a_refusal_that_comes_after_its_caller_hung_up_leaves_the_draft_and_draws_the_summary(
    make: Callable[[Slow], Desk],
) -> None:
    backend = Slow(refused)
    desk = hung_up(make(backend), backend)
    assert ([event.by for event in desk.events(WriteRefused)], desk.block.kind) == (["backend"], "summary")


def test_G9_where_no_answer_came_after_its_caller_hung_up_the_write_is_looked_up_by_its_key(
    make: Callable[[Slow], Desk],
) -> None:
    backend = Slow(no_answer)
    desk = hung_up(make(backend), backend)
    assert (desk.block.label, len(desk.events(WriteUnknown)), len(backend.asked)) == ("T-7", 1, 1)


def test_G9_a_process_that_is_started_anew_looks_such_a_write_up_by_its_key(make: Callable[[Slow], Desk]) -> None:
    backend = Slow(done)
    desk = make(backend)
    desk.run(hang_up(desk, backend))
    desk.reopen()
    desk.reload()
    assert (desk.block.label, len(desk.events(WriteUnknown)), len(backend.asked)) == ("T-7", 1, 1)


def test_G9_what_breaks_in_our_own_code_after_its_caller_hung_up_leaves_the_write_unknown_and_looked_up(
    make: Callable[[Slow], Desk],
) -> None:
    def bug() -> ToolOutcome:
        raise RuntimeError("a bug of ours")

    backend = Slow(bug)
    desk = hung_up(make(backend), backend)
    assert (desk.block.label, len(desk.events(WriteUnknown))) == ("T-7", 1)
