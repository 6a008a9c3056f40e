"""What a backend answered is kept, though another worker took the turn over and gave the write up (rule G9)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from marg_runtime.acts import Act, Reload, Say, Tap
from marg_runtime.answer import Answer
from marg_runtime.canonical import Json
from marg_runtime.errors import StoreError, ToolError
from marg_runtime.events.write import WriteClaimed, WriteDone, WriteRefused, WriteUnknown
from marg_runtime.ledger import Entry
from marg_runtime.store import MemoryStore
from marg_runtime.store.memory import _Held
from marg_runtime.store.store import Lease
from marg_runtime.tools.tool import ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


class Shared(MemoryStore):
    """A store whose lease does not keep the second worker out, as one that was thought to have expired."""

    @asynccontextmanager
    async def _lease(self, session: str) -> AsyncIterator[Lease]:
        yield _Held()


Outcome = Callable[[], ToolOutcome]


class Slow:
    """A backend that does not answer until it is let."""

    def __init__(self, outcome: Outcome) -> None:
        self.called, self.let, self.outcome = asyncio.Event(), asyncio.Event(), outcome

    async def create(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        self.called.set()
        await self.let.wait()
        return self.outcome()


def done() -> ToolOutcome:
    return ToolOutcome(text="created", data={"id": "T-1"})


def refused() -> ToolOutcome:
    return ToolOutcome(text="no room", is_error=True)


def never_sent() -> ToolOutcome:
    raise ToolError("the desk is not there", sent=False)


def create_tap(desk: Desk) -> Tap:
    option = next(option.id for option in desk.block.options if option.label == "Create")
    block = desk.block
    return Tap(question=block.question, revision=block.revision, option=option, at=desk.now(), seen=desk.seen)


def taken_over(make_desk: MakeDesk, outcome: Outcome, act: Act | None = None) -> tuple[Desk, Answer]:
    """A desk whose write was under way when another worker served `act`; and that one's answer."""
    backend = Slow(outcome)
    desk = make_desk(store=Shared(), script={make_desk(session="usual").CREATE: backend.create})
    desk.to_summary()
    desk.hear("I am not sure.")

    async def play() -> tuple[Answer, Answer]:
        first = asyncio.create_task(desk.session.act(create_tap(desk)))
        await backend.called.wait()
        other = await desk.opened()
        theirs = await other.act(act or Reload(at=desk.now()))
        backend.let.set()
        return await first, theirs

    mine, theirs = desk.run(play())
    desk.answers.append(mine)
    return desk, theirs


def test_G9_a_write_that_another_worker_gave_up_is_done_once_its_answer_comes(
    make_desk: MakeDesk, writes_on: None
) -> None:
    desk, _ = taken_over(make_desk, done)
    assert (len(desk.events(WriteUnknown)), len(desk.events(WriteDone)), len(desk.events(WriteClaimed))) == (1, 1, 1)


def test_G9_its_caller_is_shown_the_receipt(make_desk: MakeDesk, writes_on: None) -> None:
    desk, theirs = taken_over(make_desk, done)
    assert (theirs.block, desk.block.kind, desk.block.label) == (None, "receipt", "T-1")


def test_G9_its_receipt_has_the_values_that_were_written(make_desk: MakeDesk, writes_on: None) -> None:
    desk, _ = taken_over(make_desk, done)
    assert {row.slot: row.value for row in desk.block.rows}["title"] == "Lamp broken"


def test_G9_it_is_written_once_whatever_follows(make_desk: MakeDesk, writes_on: None) -> None:
    desk, _ = taken_over(make_desk, done, Say(text="did it work?", at=9))
    desk.reload()
    desk.hear("It is there.")
    desk.say("yes")
    assert len(desk.writes) == 1


@pytest.mark.parametrize(("outcome", "by"), [(refused, "backend"), (never_sent, "transport")])
def test_G9_a_write_that_was_refused_after_all_leaves_the_draft_and_draws_the_summary(
    make_desk: MakeDesk, writes_on: None, outcome: Outcome, by: str
) -> None:
    desk, _ = taken_over(make_desk, outcome)
    assert ([event.by for event in desk.events(WriteRefused)], desk.block.kind) == ([by], "summary")


def test_G9_a_write_that_got_no_answer_stays_unknown(make_desk: MakeDesk, writes_on: None) -> None:
    def gone() -> ToolOutcome:
        raise ToolError("the server is gone")

    desk, _ = taken_over(make_desk, gone)
    write = desk.state.write
    assert (write and write.status, desk.events(WriteDone), len(desk.writes)) == ("unknown", [], 1)


def test_G9_an_answer_that_could_not_be_written_down_is_written_down_with_the_next_act(
    make_desk: MakeDesk, writes_on: None
) -> None:
    class Full(MemoryStore):
        full = False

        async def append(self, session: str, entries: Sequence[Entry]) -> None:
            if self.full and any(isinstance(entry.event, WriteDone) for entry in entries):
                raise StoreError("the disk is full")
            await super().append(session, entries)

    store = Full()
    desk = make_desk(store=store)
    desk.to_summary()
    store.full = True
    with pytest.raises(StoreError):
        desk.tap("Create")
    store.full = False
    desk.reload()
    assert (len(desk.events(WriteDone)), len(desk.writes), desk.block.label) == (1, 1, "T-1")
