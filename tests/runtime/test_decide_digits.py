"""A typed number is a place as a person counts, at every question that has options (rules R3, S5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.steps import Option, OptionPage, SearchContext, chips_step, multi_chips_step, picker_step, review_step

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

TREES = tuple(Option(label=label, value=label.lower()) for label in ("Oak", "Elm", "Ash"))


async def trees(context: SearchContext) -> OptionPage:
    return OptionPage(options=TREES, more=False)


def asked(make_desk: MakeDesk, domain: Domain) -> Desk:
    """A desk at the question of its only step."""
    desk = make_desk(domain=domain)
    desk.hear("Hello.")
    desk.say("hello")
    return desk


@pytest.mark.parametrize(("typed", "value"), [("1", "oak"), ("2", "elm"), ("3", "ash"), ("1.", "oak"), ("#3", "ash")])
@pytest.mark.parametrize(
    "step",
    [
        chips_step(key="tree", label="Tree", slot="tree", lead="Which tree?", options=TREES),
        picker_step(key="tree", label="Tree", slot="tree", lead="Which tree?", search=trees),
    ],
    ids=["chips", "picker"],
)
def test_R3_a_typed_number_settles_the_option_in_that_place(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], step: object, typed: str, value: Json
) -> None:
    desk = asked(make_desk, domain_with(steps=(step,)))
    desk.say(typed)
    assert desk.values == {"tree": value}


@pytest.mark.parametrize("typed", ["0", "4"])
def test_R3_a_number_of_no_place_settles_nothing(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], typed: str
) -> None:
    step = chips_step(key="tree", label="Tree", slot="tree", lead="Which tree?", options=TREES)
    desk = asked(make_desk, domain_with(steps=(step,)))
    desk.hear("Pardon?")
    desk.say(typed)
    assert desk.values == {}


@pytest.mark.parametrize(("typed", "values"), [("1 and 2", ["oak", "elm"]), ("3", ["ash"])])
def test_R3_typed_numbers_choose_several_options(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], typed: str, values: Sequence[str]
) -> None:
    step = multi_chips_step(key="tree", label="Trees", slot="tree", lead="Which trees?", options=TREES)
    desk = asked(make_desk, domain_with(steps=(step,)))
    desk.say(typed)
    assert desk.values == {"tree": values}


def test_R3_a_typed_number_re_opens_the_section_in_that_place(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    desk = make_desk(domain=domain_with(review=review_step()))
    desk.to_summary()
    desk.tap("Change something")
    desk.say("1")
    assert desk.block.step == "title"


def test_S5_the_last_one_never_skips(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    step = chips_step(key="tree", label="Tree", slot="tree", lead="Which tree?", options=TREES, required=False)
    desk = asked(make_desk, domain_with(steps=(step,)))
    desk.say("the last one")
    assert desk.values == {"tree": "ash"}


@pytest.mark.parametrize("typed", ["0", "1", "the last one", "number one"])
def test_G2_no_place_opens_the_review_from_the_summary(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], typed: str
) -> None:
    desk = make_desk(domain=domain_with(review=review_step()))
    desk.to_summary()
    desk.hear("Pardon?")
    desk.say(typed)
    assert desk.block.kind == "summary"
