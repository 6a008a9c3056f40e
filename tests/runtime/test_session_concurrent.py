"""Two acts at once, on one session object or on two that share a store: all served, in order, each its own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from marg_runtime.acts import Act, Reload, Say, Tap
from marg_runtime.answer import Answer
from marg_runtime.events.model import ToolCalled
from marg_runtime.events.step import SummaryShown
from marg_runtime.events.turn import ActQueued, AnswerRefused, ReplyRead, UserSaid
from marg_runtime.events.write import GateDecided
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry
from marg_runtime.model import Finish
from marg_runtime.session import Session
from marg_runtime.store import MemoryStore

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


class SlowStore(MemoryStore):
    """A store whose reads and appends take their time, as they do over a wire."""

    async def read(self, session: str, *, after: int = 0) -> tuple[Entry, ...]:
        await asyncio.sleep(0)
        found = await super().read(session, after=after)
        await asyncio.sleep(0)
        return found

    async def append(self, session: str, entries: Sequence[Entry]) -> None:
        await asyncio.sleep(0)
        await super().append(session, entries)
        await asyncio.sleep(0)


@pytest.fixture(params=[MemoryStore, SlowStore], ids=["at once", "slowly"])
def any_desk(request: pytest.FixtureRequest, make_desk: MakeDesk) -> Desk:
    """A desk on a store that answers at once, and one on a store that does not."""
    return make_desk(store=request.param())


async def settle() -> None:
    """Let every other task run until it waits."""
    for _ in range(40):
        await asyncio.sleep(0)


async def sent(desk: Desk, texts: Sequence[str], *, sessions: Sequence[Session]) -> list[Answer]:
    acts = [Say(text=text, at=number) for number, text in enumerate(texts)]
    tasks = [sessions[number % len(sessions)].act(act) for number, act in enumerate(acts)]
    return list(await asyncio.gather(*tasks))


TEXTS = ["one", "two", "three", "four", "five", "six"]


def played(desk: Desk, *, others: int = 0) -> list[Answer]:
    """Six messages sent at once; the model says "Reply n." to the n-th, with a read in between."""
    for number in range(len(TEXTS)):
        desk.hear(desk.call("search", query=str(number)))
        desk.hear(f"Reply {number}.")

    async def play() -> list[Answer]:
        sessions = [desk.session, *[await desk.opened() for _ in range(others)]]
        return await sent(desk, TEXTS, sessions=sessions)

    return desk.run(play())


@pytest.mark.parametrize("others", [0, 1, 2])
def test_C2_acts_sent_at_once_are_all_served_in_the_order_in_which_they_were_queued(
    any_desk: Desk, others: int
) -> None:
    played(any_desk, others=others)
    queued = [event.act for event in any_desk.events(ActQueued)]
    assert [said.text for said in any_desk.events(UserSaid)] == [act.text for act in queued if isinstance(act, Say)]
    assert len(queued) == len(TEXTS)


@pytest.mark.parametrize("others", [0, 1, 2])
def test_C2_each_act_gets_its_own_answer(any_desk: Desk, others: int) -> None:
    answers = played(any_desk, others=others)
    turns = {said.text: entry.turn for entry in any_desk.ledger() if isinstance(said := entry.event, UserSaid)}
    got = {
        text: (answer.turn, [said.text for said in answer.texts if said.by == "model"])
        for text, answer in zip(TEXTS, answers, strict=True)
    }
    assert got == {text: (turn, [f"Reply {turn - 1}."]) for text, turn in turns.items()}


@pytest.mark.parametrize("others", [0, 1])
def test_C1_the_state_is_the_fold_of_the_ledger_after_acts_sent_at_once(any_desk: Desk, others: int) -> None:
    played(any_desk, others=others)
    any_desk.reload()
    assert any_desk.state == fold(any_desk.ledger())


def test_C2_revisions_have_no_gaps_after_acts_sent_at_once(any_desk: Desk) -> None:
    played(any_desk, others=1)
    revisions = [entry.revision for entry in any_desk.ledger()]
    assert revisions == list(range(1, len(revisions) + 1))


def test_C2_turns_do_not_overlap(any_desk: Desk) -> None:
    played(any_desk, others=1)
    calls = [entry.turn for entry in any_desk.ledger() if isinstance(entry.event, ToolCalled)]
    assert calls == sorted(set(calls))


def test_G9_two_create_taps_at_once_write_once(any_desk: Desk, writes_on: None) -> None:
    any_desk.to_summary()
    block = any_desk.block
    tap = Tap(question=block.question, revision=block.revision, option="o1", at=9, seen=any_desk.seen)

    async def play() -> list[Answer]:
        other = await any_desk.opened()
        return list(await asyncio.gather(any_desk.session.act(tap), other.act(tap), any_desk.session.act(tap)))

    answers = any_desk.run(play())
    kinds = [answer.block.kind for answer in answers if answer.block]
    assert (len(any_desk.writes), kinds) == (1, ["receipt"] * 3)


def test_G9_a_tap_and_a_yes_at_once_write_once(any_desk: Desk, writes_on: None) -> None:
    any_desk.to_summary()
    block, seen = any_desk.block, any_desk.seen
    acts: list[Act] = [
        Tap(question=block.question, revision=block.revision, option="o1", at=9, seen=seen),
        Say(text="yes", at=9, seen=seen),
    ]

    async def play() -> list[Answer]:
        return list(await asyncio.gather(*(any_desk.session.act(act) for act in acts)))

    answers = any_desk.run(play())
    assert (len(any_desk.writes), [answer.block.kind for answer in answers if answer.block]) == (1, ["receipt"] * 2)


# What comes while a turn is under way


def in_the_midst(desk: Desk, act: Act) -> None:
    """The title is changed at the summary, by a model that takes its time; meanwhile the act comes."""
    gate = asyncio.Event()
    desk.model.script.append((gate, desk.propose("title", "login fails"), Finish(reason="stop")))
    desk.hear("Changed.")
    desk.hear("What do you mean?")

    async def play() -> None:
        change = Say(text="Yes but change the title to login fails", at=8, seen=desk.seen)
        first = asyncio.create_task(desk.session.act(change))
        await settle()
        second = asyncio.create_task(desk.session.act(act))
        await settle()
        gate.set()
        await asyncio.gather(first, second)

    desk.run(play())


def test_C2_an_act_that_comes_in_the_midst_of_a_turn_waits_for_its_end(desk: Desk) -> None:
    desk.to_summary()
    in_the_midst(desk, Say(text="hello?", at=9, seen=desk.seen))
    entries = desk.ledger()
    said = [n for n, entry in enumerate(entries) if isinstance(entry.event, UserSaid)]
    delivered = [n for n, entry in enumerate(entries) if type(entry.event).__name__ == "AnswerDelivered"]
    queued = [n for n, entry in enumerate(entries) if isinstance(entry.event, ActQueued)]
    assert queued[-1] < delivered[-2] < said[-1] < delivered[-1]


@pytest.mark.parametrize("seen", [None, 0])
def test_G3_on_a_channel_in_order_a_yes_that_came_before_the_summary_is_content(
    make_desk: MakeDesk, writes_on: None, seen: int | None
) -> None:
    desk = make_desk(in_order=True)
    desk.to_summary()
    in_the_midst(desk, Say(text="yes", at=9, seen=seen))
    assert (desk.events(GateDecided), desk.events(ReplyRead)[-1].kind, desk.writes) == ([], "content", [])


def test_G3_a_yes_with_a_seen_that_came_true_later_is_content(desk: Desk, writes_on: None) -> None:
    """Revisions are small numbers; a client can guess the one that the next summary will have."""
    desk.to_summary()
    for ahead in range(6, 28):
        before = len(desk.events(SummaryShown))
        text = f"yes, call it title {ahead}"
        gate = asyncio.Event()
        desk.model.script.append((gate, desk.propose("title", f"title {ahead}"), Finish(reason="stop")))
        desk.hear("Changed.")
        desk.hear("Sorry?")
        seen = desk.state.revision + ahead

        async def play(text: str = text, gate: asyncio.Event = gate, seen: int = seen) -> Answer:
            first = asyncio.create_task(desk.session.act(Say(text=text, at=8, seen=desk.state.revision)))
            await settle()
            second = asyncio.create_task(desk.session.act(Say(text="yes", at=9, seen=seen)))
            await settle()
            gate.set()
            return (await asyncio.gather(first, second))[1]

        desk.answers.append(desk.run(play()))
        assert len(desk.events(SummaryShown)) == before + 1
    assert (desk.events(GateDecided), desk.writes) == ([], [])


def test_G3_a_tap_that_was_queued_before_its_summary_was_drawn_is_refused(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    for ahead in range(6, 28):
        gate = asyncio.Event()
        desk.model.script.append((gate, desk.propose("title", f"title {ahead}"), Finish(reason="stop")))
        desk.hear("Changed.")
        number = desk.state.questions + 1
        revision = desk.state.revision + ahead
        tap = Tap(question=f"s1:confirm-{number}", revision=revision, option="o1", at=9)

        async def play(ahead: int = ahead, gate: asyncio.Event = gate, tap: Tap = tap) -> Answer:
            text = f"yes, call it title {ahead}"
            first = asyncio.create_task(desk.session.act(Say(text=text, at=8, seen=desk.state.revision)))
            await settle()
            second = asyncio.create_task(desk.session.act(tap))
            await settle()
            gate.set()
            return (await asyncio.gather(first, second))[1]

        desk.answers.append(desk.run(play()))
    reasons = {event.reason for event in desk.events(AnswerRefused)}
    assert (reasons, desk.events(GateDecided), desk.writes) == ({"stale", "undelivered"}, [], [])


# Callers that are gone


def test_C3_an_act_whose_caller_is_gone_is_served_before_the_next(desk: Desk) -> None:
    desk.hear("First.")
    desk.hear("Second.")

    async def play() -> Answer:
        async with desk.store.lease("s1"):
            first = asyncio.create_task(desk.session.act(Say(text="one", at=1)))
            await settle()
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
        return await desk.session.act(Say(text="two", at=2))

    answer = desk.run(play())
    assert ([event.text for event in desk.events(UserSaid)], answer.texts[0].text) == (["one", "two"], "Second.")


def test_S4_a_listener_does_not_hear_the_answer_to_somebody_else(desk: Desk) -> None:
    heard: list[str] = []

    async def on_text(text: str) -> None:
        heard.append(text)

    desk.hear("First.")
    desk.hear("Second.")

    async def play() -> None:
        async with desk.store.lease("s1"):
            first = asyncio.create_task(desk.session.act(Say(text="one", at=1)))
            await settle()
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
        await desk.session.act(Say(text="two", at=2), on_text=on_text)

    desk.run(play())
    assert heard == ["Second."]


def test_C3_opening_serves_what_was_left_in_the_queue(desk: Desk) -> None:
    desk.hear("First.")

    async def play() -> Session:
        async with desk.store.lease("s1"):
            first = asyncio.create_task(desk.session.act(Say(text="one", at=1)))
            await settle()
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
        return await desk.opened()

    opened = desk.run(play())
    assert (opened.state.queue, opened.state.turn) == ((), 1)


def test_C2_the_answer_to_an_act_that_another_worker_served_is_the_same(desk: Desk) -> None:
    """Another session opens, holds the lease and serves the act that this one queued."""
    desk.to_place()

    async def play() -> Answer:
        async with desk.store.lease("s1"):
            opening = asyncio.create_task(desk.opened())
            await settle()
            act = asyncio.create_task(desk.session.act(Say(text="Office", at=1, seen=desk.seen)))
            await settle()
        answer = await act
        await opening
        return answer

    answer = desk.run(play())
    control = desk.run(desk.session.act(Reload(at=2)))
    assert (answer.turn, answer.block) == (3, control.block)


def test_C3_an_act_whose_worker_died_over_it_still_gets_a_whole_answer(desk: Desk) -> None:
    """Another session serves the act that this one queued, and is cancelled while the model speaks."""
    desk.break_off(asyncio.Event())

    async def play() -> Answer:
        async with desk.store.lease("s1"):
            opening = asyncio.create_task(desk.opened())
            await settle()
            act = asyncio.create_task(desk.session.act(Say(text="hello", at=1)))
            await settle()
        await settle()
        opening.cancel()
        return await act

    answer = desk.run(play())
    assert ([said.text for said in answer.texts], answer.block is not None, desk.state.turn_open) == (
        [desk.domain.lines.interrupted],
        True,
        False,
    )
