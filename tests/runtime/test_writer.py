"""The writer: it reads what is new and nothing else, and keeps snapshots so that opening does, too (rules C2, C6)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime import writer
from marg_runtime.acts import Reload, Say
from marg_runtime.errors import LeaseLost, LedgerError, StoreError
from marg_runtime.events.model import ModelReplied
from marg_runtime.events.turn import ActQueued, AnswerDelivered, LineSaid
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry
from marg_runtime.store import Lease, MemoryStore, Snapshot
from marg_runtime.store.frozen import code_digest
from marg_runtime.writer import LedgerWriter

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


class Counting(MemoryStore):
    """A store that keeps how many entries each read gave."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[int] = []

    async def read(self, session: str, *, after: int = 0) -> tuple[Entry, ...]:
        found = await super().read(session, after=after)
        self.given.append(len(found))
        return found


class Lost(MemoryStore):
    """A store whose lease is somebody else's at the n-th time of asking, for so many times."""

    def __init__(self) -> None:
        super().__init__()
        self.confirmations = self.every = 10**9
        self.losses = 0

    @asynccontextmanager
    async def _lease(self, session: str) -> AsyncIterator[Lease]:
        async with super()._lease(session):
            yield self

    async def confirm(self) -> bool:
        self.confirmations -= 1
        if self.confirmations > 0 or not self.losses:
            return True
        self.losses -= 1
        self.confirmations = self.every
        return False


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots every ten entries."""
    monkeypatch.setattr(writer, "SNAPSHOT_ENTRIES", 10)


def chat(desk: Desk, times: int) -> None:
    for _ in range(times):
        desk.hear("Fine.")
        desk.say("what is this?")


def test_C6_a_turn_reads_no_entry_that_the_process_knows(make_desk: MakeDesk) -> None:
    store = Counting()
    desk = make_desk(store=store)
    desk.to_summary()
    store.given.clear()
    chat(desk, 20)
    assert set(store.given) == {0}


def test_C6_opening_reads_what_came_after_the_last_snapshot(make_desk: MakeDesk, often: None) -> None:
    store = Counting()
    desk = make_desk(store=store)
    desk.to_summary()
    chat(desk, 10)
    kept = desk.run(store.snapshot("s1"))
    assert kept is not None
    store.given.clear()
    desk.reopen()
    given = list(store.given)
    assert given == [len(desk.ledger()) - kept.revision]


def test_C6_opening_from_a_snapshot_gives_the_state_that_the_fold_gives(make_desk: MakeDesk, often: None) -> None:
    desk = make_desk()
    desk.to_summary()
    chat(desk, 5)
    desk.reopen()
    assert desk.run(desk.store.snapshot("s1")) is not None
    assert desk.state == fold(desk.ledger())


def test_C3_a_session_opened_from_a_snapshot_goes_on(make_desk: MakeDesk, often: None, writes_on: None) -> None:
    desk = make_desk()
    desk.to_summary()
    chat(desk, 5)
    desk.reopen()
    desk.tap("Create")
    assert (len(desk.writes), desk.state) == (1, fold(desk.ledger()))


@pytest.mark.parametrize(("digest", "body"), [("another release", None), (None, "damaged"), (None, "[]")])
def test_C6_a_snapshot_of_other_code_or_a_damaged_one_is_ignored(
    make_desk: MakeDesk, often: None, digest: str | None, body: str | None
) -> None:
    store = Counting()
    desk = make_desk(store=store)
    desk.to_summary()
    chat(desk, 5)
    kept = desk.run(store.snapshot("s1"))
    assert kept is not None
    desk.run(store.keep("s1", replace(kept, digest=digest or kept.digest, body=body or kept.body)))
    store.given.clear()
    desk.reopen()
    given = list(store.given)
    assert (given, desk.state) == ([len(desk.ledger())], fold(desk.ledger()))


def test_C6_snapshots_grow_apart_as_a_ledger_grows(make_desk: MakeDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "SNAPSHOT_ENTRIES", 8)
    kept: list[int] = []

    class Keeping(MemoryStore):
        async def keep(self, session: str, snapshot: Snapshot) -> None:
            kept.append(snapshot.revision)

    desk = make_desk(store=Keeping())
    desk.to_summary()
    chat(desk, 40)
    apart = [after - before for before, after in zip([0, *kept], kept, strict=False)]
    assert min(apart) >= 8
    assert all(gap >= before // 8 for gap, before in zip(apart, [0, *kept], strict=False))
    assert apart[-1] > apart[0]


def test_C6_a_snapshot_that_cannot_be_kept_costs_no_turn_and_is_kept_by_the_next(
    make_desk: MakeDesk, often: None
) -> None:
    class Full(MemoryStore):
        full = True

        async def keep(self, session: str, snapshot: Snapshot) -> None:
            if self.full:
                raise StoreError("the disk is full")
            await super().keep(session, snapshot)

    store = Full()
    desk = make_desk(store=store)
    assert desk.to_summary().block is not None
    store.full = False
    chat(desk, 1)
    assert desk.run(store.snapshot("s1")) is not None


def test_C6_a_short_session_keeps_no_snapshot(desk: Desk) -> None:
    desk.to_summary()
    assert desk.run(desk.store.snapshot("s1")) is None


def test_C6_a_snapshot_names_the_code_that_folded_it(make_desk: MakeDesk, often: None) -> None:
    desk = make_desk()
    desk.to_summary()
    kept = desk.run(desk.store.snapshot("s1"))
    assert kept is not None
    assert kept.digest == code_digest()


# Who may append


def asked_with_a_lease_that_is_lost(make_desk: MakeDesk, times: int, *, losses: int) -> Desk:
    """A desk that is asked something, while its lease is somebody else's at a time of asking, and so again."""
    store = Lost()
    desk = make_desk(store=store)
    desk.to_place()
    for _ in range(4):
        desk.hear(desk.call("search", query="x"))
        desk.hear("Fine.")
    store.confirmations, store.losses, store.every = times, losses, times
    desk.say("what is this?")
    return desk


@pytest.mark.parametrize("times", range(1, 8))
def test_C2_an_act_whose_lease_was_taken_in_the_midst_of_its_turn_is_answered_all_the_same(
    make_desk: MakeDesk, times: int
) -> None:
    desk = asked_with_a_lease_that_is_lost(make_desk, times, losses=1)
    queued = [event.act for event in desk.events(ActQueued)]
    assert (desk.block.step, desk.state.queue, desk.state.turn_open) == ("place", (), False)
    assert sum(isinstance(act, Say) and act.text == "what is this?" for act in queued) == 1
    assert desk.state.turn == len(queued)


def test_C2_a_lease_that_is_always_taken_is_an_error_in_the_end(make_desk: MakeDesk) -> None:
    with pytest.raises(LeaseLost, match="another worker took the lease"):
        asked_with_a_lease_that_is_lost(make_desk, 1, losses=10**6)


def test_C2_what_was_decided_by_another_is_noticed_even_where_a_queued_act_has_read_it(desk: Desk) -> None:
    """An act that is queued in the midst of a turn takes in what a stray worker decided; the turn must still see it."""
    desk.to_place()
    gate = asyncio.Event()
    desk.model.script.append((gate, "Hello."))

    async def play() -> None:
        turn = asyncio.create_task(desk.session.act(Say(text="what?", at=1)))
        for _ in range(20):
            await asyncio.sleep(0)
        state = fold(await desk.store.read("s1"))
        stray = Entry(revision=state.revision + 1, turn=state.turn, at=0, event=LineSaid(text="I was here"))
        await desk.store.append("s1", [stray])
        other = asyncio.create_task(desk.session.act(Reload(at=2)))
        for _ in range(20):
            await asyncio.sleep(0)
        gate.set()
        desk.answers.extend([await turn, await other])

    desk.run(play())
    assert (len(desk.events(ModelReplied)), desk.state.turn_open) == (1, False)


def test_C2_a_session_that_was_deleted_under_a_worker_is_an_error_and_not_begun_anew(desk: Desk) -> None:
    desk.to_place()
    desk.run(desk.store.delete("s1"))
    with pytest.raises(LedgerError, match="was deleted or restored from a backup; open it anew"):
        desk.reload()
    assert desk.ledger() == ()


def test_C2_a_turn_whose_session_is_deleted_is_an_error(desk: Desk) -> None:
    class Deleting(MemoryStore):
        async def append(self, session: str, entries: Sequence[Entry]) -> None:
            if isinstance(entries[-1].event, AnswerDelivered):
                self._forget(session)
            await super().append(session, entries)

    worker = LedgerWriter(session="s1", store=Deleting())

    async def play() -> None:
        await worker.queue(Reload(at=1))
        async with worker.lease():
            await worker.append([AnswerDelivered(question=None)], at=1)

    with pytest.raises(LedgerError, match="was deleted or restored"):
        desk.run(play())


def test_C2_a_decision_without_the_lease_is_refused(desk: Desk) -> None:
    worker = LedgerWriter(session="s1", store=desk.store)
    with pytest.raises(LeaseLost):
        desk.run(worker.append([LineSaid(text="hello")], at=0))
