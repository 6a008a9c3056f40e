"""Nothing is put back whose ground has changed, however long the chain (rules S1, S5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from marg_runtime.domain import Domain
from marg_runtime.steps import Option, OptionsContext, chips_step, review_step

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


async def rooms(context: OptionsContext) -> Sequence[Option]:
    """Each day has a room of its own."""
    label = "Elm" if context.draft.get("day") == "mon" else "Oak"
    return [Option(label=label, value=label.lower())]


STEPS = (
    chips_step(
        key="day",
        label="Day",
        slot="day",
        lead="Which day?",
        options=[Option(label="Monday", value="mon"), Option(label="Tuesday", value="tue")],
    ),
    chips_step(key="room", label="Room", slot="room", lead="Which room?", options=rooms, depends_on=["day"]),
    chips_step(
        key="seat",
        label="Seat",
        slot="seat",
        lead="Which seat?",
        options=[Option(label="One", value=1), Option(label="Two", value=2)],
        depends_on=["room"],
    ),
)


@pytest.fixture
def desk(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> Desk:
    """A desk at the summary of Monday, Elm, One."""
    desk = make_desk(domain=domain_with(steps=STEPS, review=review_step()))
    desk.hear("Hello.")
    desk.say("hello")
    for label in ("Monday", "Elm", "One"):
        desk.tap(label)
    return desk


def another_day(desk: Desk, *steps: str) -> None:
    """The model has steps asked again, the day last, and the day becomes Tuesday."""
    desk.hear(*(desk.call("reopen", f"c{number}", step=step) for number, step in enumerate(steps)))
    desk.hear("Sure.")
    desk.say("the day is wrong too")
    desk.tap("Tuesday")


@pytest.mark.parametrize("words", ["never mind", "keep it"])
def test_S5_a_step_that_waits_is_not_put_back_once_its_ground_has_changed(desk: Desk, words: str) -> None:
    desk.tap("Change something")
    desk.tap("Room")
    another_day(desk, "day")
    desk.hear("Which one, then?")
    desk.say(words)
    assert (desk.values, desk.block.step) == ({"day": "tue"}, "room")


@pytest.mark.parametrize("words", ["never mind", "keep it"])
def test_S5_two_steps_that_the_model_re_opens_at_once_are_a_chain_too(desk: Desk, words: str) -> None:
    another_day(desk, "room", "day")
    desk.hear("Which one, then?")
    desk.say(words)
    assert (desk.values, desk.block.step) == ({"day": "tue"}, "room")


def test_S5_the_end_of_a_chain_is_not_put_back_either(desk: Desk) -> None:
    another_day(desk, "seat", "day")
    desk.tap("Oak")
    desk.hear("Which one, then?")
    desk.say("never mind")
    assert (desk.values, desk.block.step) == ({"day": "tue", "room": "oak"}, "seat")
