"""What every store does: appends by compare-and-swap, all or none, one lease a session, snapshots, retention."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from tests.runtime.store_runs import Run, entry

from marg_runtime.errors import RevisionConflict, UsageError
from marg_runtime.events.turn import LineSaid
from marg_runtime.ledger import Entry
from marg_runtime.store import MemoryStore, Snapshot, Store, StoredSession, open_store

_T = TypeVar("_T")


@pytest.fixture(params=["memory", "sqlite in memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, run: Run, database_folder: Path) -> Iterator[Store]:
    """A store of each kind, empty."""
    if request.param != "memory":
        pytest.importorskip("sqlalchemy")
    urls: dict[str, Callable[[], str]] = {
        "memory": lambda: "memory:",
        "sqlite in memory": lambda: "sqlite://",
        "sqlite": lambda: f"sqlite:///{database_folder / 'store.db'}",
        "postgresql": lambda: str(request.getfixturevalue("postgres_url")),
    }
    opened = run(open_store(urls[request.param]()))
    yield opened
    run(opened.close())


# Ledgers


def test_an_unknown_session_has_no_entries(store: Store, run: Run) -> None:
    assert run(store.read("s1")) == ()


def test_what_was_appended_is_read_in_order(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1), entry(2)]))
    run(store.append("s1", [entry(3)]))
    assert run(store.read("s1")) == (entry(1), entry(2), entry(3))


def test_a_read_gives_what_is_after_a_revision(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1), entry(2), entry(3)]))
    assert run(store.read("s1", after=2)) == (entry(3),)


@pytest.mark.parametrize("revisions", [[1], [1, 2], [3], [2, 4], [2, 2], [3, 2]])
def test_entries_that_are_not_next_are_refused(store: Store, run: Run, revisions: list[int]) -> None:
    run(store.append("s1", [entry(1)]))
    with pytest.raises(RevisionConflict, match="'s1' is at revision 1, refused entries"):
        run(store.append("s1", [entry(revision) for revision in revisions]))


@pytest.mark.parametrize("revisions", [[2], [2, 3], [0], [1, 3]])
def test_a_ledger_begins_at_revision_1(store: Store, run: Run, revisions: list[int]) -> None:
    with pytest.raises(RevisionConflict, match="'s1' is at revision 0, refused entries"):
        run(store.append("s1", [entry(revision) for revision in revisions]))


def test_of_refused_entries_none_is_kept(store: Store, run: Run) -> None:
    with pytest.raises(RevisionConflict):
        run(store.append("s1", [entry(1), entry(3)]))
    assert (run(store.read("s1")), run(store.sessions())) == ((), ())


def test_sessions_do_not_share_a_ledger(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1)]))
    assert run(store.read("s2")) == ()


def test_appending_nothing_is_fine(store: Store, run: Run) -> None:
    run(store.append("s1", []))
    assert (run(store.read("s1")), run(store.sessions())) == ((), ())


def test_what_was_read_does_not_grow_with_the_ledger(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1)]))
    before = run(store.read("s1"))
    run(store.append("s1", [entry(2)]))
    assert before == (entry(1),)


@pytest.mark.parametrize("text", ["nul \0 here", "two\nlines", "quotes '\" \\", "héllo ☃ 😀", ""])
def test_any_text_is_kept_as_it_was(store: Store, run: Run, text: str) -> None:
    said = Entry(revision=1, turn=0, at=2**53, event=LineSaid(text=text))
    run(store.append("s1", [said]))
    assert run(store.read("s1")) == (said,)


@pytest.mark.parametrize("session", ["", "a" * 256, "nul\0", "half \ud800"])
def test_a_session_that_not_every_store_can_name_is_refused(store: Store, run: Run, session: str) -> None:
    with pytest.raises(UsageError, match="a session's id has 1 to 255 characters"):
        run(store.append(session, [entry(1)]))


@pytest.mark.parametrize("session", ["a" * 255, "☃" * 255, "a b/c'd\"%", "' OR 1=1 --"])
def test_any_other_text_names_a_session(store: Store, run: Run, session: str) -> None:
    run(store.append(session, [entry(1)]))
    assert run(store.read(session)) == (entry(1),)


def test_C2_of_appends_at_once_one_is_taken(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1)]))

    async def play() -> list[BaseException | None]:
        appends = (store.append("s1", [entry(2, at=number), entry(3, at=number)]) for number in range(8))
        return await asyncio.gather(*appends, return_exceptions=True)

    conflicts = [isinstance(outcome, RevisionConflict) for outcome in run(play())]
    assert (sorted(conflicts), len(run(store.read("s1")))) == ([False] + [True] * 7, 3)


# Leases


def test_C2_a_lease_is_held_by_one_at_a_time_in_the_order_of_asking(store: Store, run: Run) -> None:
    async def play() -> list[str]:
        order = list[str]()

        async def work(name: str) -> None:
            async with store.lease("s1"):
                order.append(f"{name} in")
                await store.read("s1")
                order.append(f"{name} out")

        await asyncio.gather(work("a"), work("b"), work("c"))
        return order

    assert run(play()) == ["a in", "a out", "b in", "b out", "c in", "c out"]


def test_C2_the_lease_of_another_session_is_free(store: Store, run: Run) -> None:
    async def play() -> bool:
        async with store.lease("s1"), asyncio.timeout(60), store.lease("s2") as lease:
            return await lease.confirm()

    assert run(play())


def test_C2_a_lease_that_was_given_up_is_not_held(store: Store, run: Run) -> None:
    async def play() -> list[bool]:
        async with store.lease("s1") as lease:
            within = await lease.confirm()
        return [within, await lease.confirm()]

    assert run(play()) == [True, False]


def test_C2_who_is_cancelled_while_it_waits_for_a_lease_does_not_stop_those_behind_it(store: Store, run: Run) -> None:
    async def hold() -> bool:
        async with store.lease("s1") as lease:
            return await lease.confirm()

    async def play() -> bool:
        async with store.lease("s1"):
            first, second = asyncio.create_task(hold()), asyncio.create_task(hold())
            await asyncio.sleep(0)
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
        return await second

    assert run(play())


# Snapshots


def snapshot(revision: int, *, body: str = "body") -> Snapshot:
    return Snapshot(revision=revision, digest="digest", body=body)


def test_C6_the_last_snapshot_is_given_back(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1), entry(2)]))
    run(store.keep("s1", snapshot(1)))
    run(store.keep("s1", snapshot(2, body="later")))
    assert run(store.snapshot("s1")) == snapshot(2, body="later")


@pytest.mark.parametrize("session", ["s1", "s2"])
def test_C6_a_snapshot_of_what_the_ledger_does_not_reach_is_not_kept(store: Store, run: Run, session: str) -> None:
    run(store.append("s1", [entry(1)]))
    run(store.keep(session, snapshot(2)))
    assert run(store.snapshot(session)) is None


def test_C6_a_snapshot_goes_with_its_session(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1)]))
    run(store.keep("s1", snapshot(1)))
    run(store.delete("s1"))
    run(store.append("s1", [entry(1)]))
    assert run(store.snapshot("s1")) is None


# Retention


def test_sessions_are_listed_in_the_order_of_their_ids(store: Store, run: Run) -> None:
    run(store.append("b", [entry(1, at=5)]))
    run(store.append("B", [entry(1, at=6)]))
    run(store.append("a", [entry(1, at=7), entry(2, at=8)]))
    assert run(store.sessions()) == (
        StoredSession(session="B", revision=1, first_at=6, last_at=6),
        StoredSession(session="a", revision=2, first_at=7, last_at=8),
        StoredSession(session="b", revision=1, first_at=5, last_at=5),
    )


def test_a_deleted_session_is_gone_and_no_other_is(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1)]))
    run(store.append("s2", [entry(1)]))
    assert run(store.delete("s1"))
    assert (run(store.read("s1")), run(store.read("s2"))) == ((), (entry(1),))


def test_deleting_an_unknown_session_says_so(store: Store, run: Run) -> None:
    assert not run(store.delete("s1"))


def test_a_session_is_deleted_once_its_lease_is_free(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1)]))

    async def play() -> list[int]:
        async with store.lease("s1"):
            deleting = asyncio.create_task(store.delete("s1"))
            await asyncio.sleep(0.05)
            within = len(await store.read("s1"))
        await deleting
        return [within, len(await store.read("s1"))]

    assert run(play()) == [1, 0]


def test_what_is_older_than_a_time_is_deleted_and_named_in_order(store: Store, run: Run) -> None:
    for session, at in (("c", 1), ("a", 9), ("b", 10), ("d", 11)):
        run(store.append(session, [entry(1, at=0), entry(2, at=at)]))
    assert run(store.delete_older_than(10)) == ("a", "c")
    assert [one.session for one in run(store.sessions())] == ["b", "d"]


def test_C1_the_time_of_a_session_does_not_go_back_with_a_late_entry(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1, at=5), entry(2, at=90), entry(3, at=8)]))
    run(store.append("s1", [entry(4, at=7)]))
    assert (run(store.delete_older_than(50)), [one.last_at for one in run(store.sessions())]) == ((), [90])


def test_C1_a_session_whose_time_nobody_has_told_is_not_known_to_be_old(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1, at=0)]))
    assert run(store.delete_older_than(50)) == ()


def test_a_session_that_a_worker_holds_is_not_too_old(store: Store, run: Run) -> None:
    run(store.append("s1", [entry(1, at=1)]))

    async def play() -> tuple[str, ...]:
        async with store.lease("s1"):
            return await store.delete_older_than(10)

    assert (run(play()), run(store.delete_older_than(10))) == ((), ("s1",))


def test_the_store_in_memory_keeps_nothing_of_a_session_that_was_only_looked_at(run: Run) -> None:
    store = MemoryStore()
    run(store.read("s1"))
    assert run(store.sessions()) == ()
