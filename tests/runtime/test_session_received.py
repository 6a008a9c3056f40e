"""An answer that nobody got delivers nothing (rules G3, G4): what was served for nobody is shown to nobody."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from marg_runtime.acts import Act, Say, Tap
from marg_runtime.answer import Answer
from marg_runtime.events.turn import AnswerDelivered

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


def leave(desk: Desk, act: Act) -> None:
    """Queue an act whose caller goes away before it is served."""
    desk.run(desk.session._writer.queue(act))


def skip_unseen(desk: Desk) -> None:
    """The act that draws the summary is left by its caller, who still looks at the optional note."""
    leave(desk, Say(text="no", at=desk.now()))


@pytest.fixture
def in_order(make_desk: MakeDesk) -> Desk:
    desk = make_desk(in_order=True)
    desk.to_note()
    return desk


def test_G4_a_yes_after_a_summary_that_opening_served_to_nobody_is_content(in_order: Desk, writes_on: None) -> None:
    skip_unseen(in_order)
    in_order.reopen()
    in_order.hear("Shall I?")
    in_order.say("yes", seen=None)
    assert (in_order.writes, in_order.block.kind) == ([], "summary")


def test_G4_the_second_yes_once_somebody_was_shown_that_summary_writes(in_order: Desk, writes_on: None) -> None:
    skip_unseen(in_order)
    in_order.reopen()
    in_order.hear("Shall I?")
    in_order.say("yes", seen=None)
    in_order.say("yes", seen=None)
    assert len(in_order.writes) == 1


def test_G4_a_yes_after_a_summary_that_another_callers_act_served_to_nobody_is_content(
    in_order: Desk, writes_on: None
) -> None:
    skip_unseen(in_order)
    leave(in_order, Say(text="yes", at=in_order.now()))
    in_order.hear("Shall I?")
    in_order.reload()
    assert in_order.writes == []


def test_G3_a_caller_that_was_cancelled_while_it_waited_was_shown_nothing(in_order: Desk, writes_on: None) -> None:
    async def play() -> None:
        async with in_order.store.lease("s1"):
            waiting = asyncio.create_task(in_order.session.act(Say(text="no", at=8)))
            for _ in range(20):
                await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)

    in_order.run(play())
    in_order.hear("Shall I?")
    in_order.say("yes", seen=None)
    assert in_order.writes == []


def test_G4_the_ledger_says_that_nobody_got_an_answer(in_order: Desk) -> None:
    skip_unseen(in_order)
    in_order.reopen()
    assert [event.received for event in in_order.events(AnswerDelivered)[-2:]] == [True, False]


def test_C3_what_was_interrupted_is_said_to_the_next_one_who_is_there(desk: Desk) -> None:
    desk.to_place()
    with pytest.raises(AssertionError, match="no reply is scripted"):
        desk.say("what is this?")
    leave(desk, Say(text="hm?", at=desk.now()))
    desk.hear("Hello.")
    desk.reopen()
    desk.reload()
    assert desk.texts("runtime") == [desk.domain.lines.interrupted]


def taken_later(desk: Desk, act: Act) -> Answer:
    """The answer of a live caller whose act another worker has served while it waited for the lease."""
    queued = desk.run(desk.session._writer.queue(act))
    desk.reopen()
    desk.answers.append(desk.run(desk.session._answer(queued, act, on_text=None)))
    return desk.last


def skipping(desk: Desk) -> Tap:
    option = next(option.id for option in desk.block.options if option.label == "Skip")
    block = desk.block
    return Tap(question=block.question, revision=block.revision, option=option, at=desk.now(), seen=desk.seen)


def test_G4_a_caller_whose_act_another_worker_served_is_shown_its_answer(desk: Desk, writes_on: None) -> None:
    desk.to_note()
    taken_later(desk, skipping(desk))
    desk.tap("Create")
    assert len(desk.writes) == 1


def test_G4_an_answer_that_is_collected_once_what_it_shows_is_closed_delivers_nothing(desk: Desk) -> None:
    desk.to_note()
    skip = skipping(desk)
    queued = desk.run(desk.session._writer.queue(skip))
    desk.reopen()
    desk.reload()
    desk.tap("Not yet")
    before = len(desk.events(AnswerDelivered))
    desk.run(desk.session._answer(queued, skip, on_text=None))
    assert len(desk.events(AnswerDelivered)) == before
