"""The store in memory: appends by compare-and-swap, all or none, one lease a session."""

from __future__ import annotations

import asyncio

import pytest

from marg_runtime.errors import RevisionConflict
from marg_runtime.events.turn import LineSaid
from marg_runtime.ledger import Entry
from marg_runtime.store import MemoryStore


def entry(revision: int) -> Entry:
    return Entry(revision=revision, turn=0, at=0, event=LineSaid(text=f"line {revision}"))


def test_an_unknown_session_has_no_entries() -> None:
    assert asyncio.run(MemoryStore().read("s1")) == ()


def test_what_was_appended_is_read_in_order() -> None:
    async def play() -> tuple[Entry, ...]:
        store = MemoryStore()
        await store.append("s1", [entry(1), entry(2)])
        await store.append("s1", [entry(3)])
        return await store.read("s1")

    assert asyncio.run(play()) == (entry(1), entry(2), entry(3))


def test_a_read_gives_what_is_after_a_revision() -> None:
    async def play() -> tuple[Entry, ...]:
        store = MemoryStore()
        await store.append("s1", [entry(1), entry(2), entry(3)])
        return await store.read("s1", after=2)

    assert asyncio.run(play()) == (entry(3),)


@pytest.mark.parametrize("revisions", [[1], [3], [2, 4], [2, 2], [3, 2]])
def test_entries_that_are_not_next_are_refused(revisions: list[int]) -> None:
    async def play() -> None:
        store = MemoryStore()
        await store.append("s1", [entry(1)])
        await store.append("s1", [entry(revision) for revision in revisions])

    with pytest.raises(RevisionConflict, match="'s1' is at revision 1"):
        asyncio.run(play())


def test_of_refused_entries_none_is_kept() -> None:
    async def play() -> tuple[Entry, ...]:
        store = MemoryStore()
        with pytest.raises(RevisionConflict):
            await store.append("s1", [entry(1), entry(3)])
        return await store.read("s1")

    assert asyncio.run(play()) == ()


def test_sessions_do_not_share_a_ledger() -> None:
    async def play() -> tuple[Entry, ...]:
        store = MemoryStore()
        await store.append("s1", [entry(1)])
        return await store.read("s2")

    assert asyncio.run(play()) == ()


def test_appending_nothing_is_fine() -> None:
    async def play() -> tuple[Entry, ...]:
        store = MemoryStore()
        await store.append("s1", [])
        return await store.read("s1")

    assert asyncio.run(play()) == ()


def test_what_was_read_does_not_grow_with_the_ledger() -> None:
    async def play() -> tuple[Entry, ...]:
        store = MemoryStore()
        await store.append("s1", [entry(1)])
        before = await store.read("s1")
        await store.append("s1", [entry(2)])
        return before

    assert asyncio.run(play()) == (entry(1),)


def test_C2_a_lease_is_held_by_one_at_a_time_in_the_order_of_asking() -> None:
    async def play() -> list[str]:
        store, order = MemoryStore(), list[str]()

        async def work(name: str) -> None:
            async with store.lease("s1"):
                order.append(f"{name} in")
                await asyncio.sleep(0)
                order.append(f"{name} out")

        await asyncio.gather(work("a"), work("b"), work("c"))
        return order

    assert asyncio.run(play()) == ["a in", "a out", "b in", "b out", "c in", "c out"]


def test_C2_the_lease_of_another_session_is_free() -> None:
    async def play() -> bool:
        store = MemoryStore()
        async with store.lease("s1"), asyncio.timeout(5), store.lease("s2"):
            return True

    assert asyncio.run(play())
