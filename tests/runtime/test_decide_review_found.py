"""What a review of the runtime found at its edges: each is held by what it broke."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from marg_runtime.domain import Domain
from marg_runtime.effects import Delivered, Effect, Stimulus
from marg_runtime.errors import UsageError
from marg_runtime.events.step import ValueSettled
from marg_runtime.steps import (
    Field,
    Option,
    OptionsContext,
    chips_step,
    confirm_step,
    multi_chips_step,
    review_step,
    text_step,
)
from marg_runtime.steps.field_value import Fault, FieldValue, parse_field
from marg_runtime.steps.review import ReviewStep

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


async def one_option(context: OptionsContext) -> Sequence[Option]:
    return [Option(label="Projector", value="projector")]


def test_C3_after_a_death_behind_the_write_the_receipt_is_shown_to_whatever_is_typed(
    desk: Desk, writes_on: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.to_summary()
    decide = desk.session._decide

    async def dies(stimulus: Stimulus, turn: object) -> tuple[Effect, ...]:
        if isinstance(stimulus, Delivered):
            raise RuntimeError("killed")
        return await decide(stimulus, turn)  # type: ignore[arg-type]

    monkeypatch.setattr(desk.session, "_decide", dies)
    with pytest.raises(RuntimeError, match="killed"):
        desk.tap("Create")
    desk.reopen()
    desk.hear("I am.")
    desk.say("are you there?")
    assert (desk.block.kind, desk.block.label, len(desk.writes)) == ("receipt", "T-1", 1)


def test_C3_a_receipt_that_was_shown_is_not_shown_again(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.tap("Create")
    desk.hear("I am.")
    desk.say("are you there?")
    assert desk.last.block is None


@pytest.mark.parametrize("tail", ["Could you tell me wher", "Your ticket has been crea"])
def test_S4_half_a_sentence_is_not_shown_where_the_reply_was_cut_off(desk: Desk, tail: str) -> None:
    desk.to_place()
    desk.hear(f"Thanks. {tail}", reason="length")
    desk.say("my colleague sits next door")
    assert desk.texts("model") == ["Thanks."]


def test_fewer_options_than_must_be_chosen_can_all_be_chosen(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    step = multi_chips_step(key="kit", label="Kit", slot="kit", lead="Which two?", options=one_option, min_choices=2)
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.hear("Hello.")
    desk.say("hello")
    desk.choose("Projector")
    assert desk.values == {"kit": ["projector"]}


@pytest.mark.parametrize("typed", ["skip", "it flickers"])
def test_G2_a_session_that_takes_taps_alone_takes_no_words_at_any_step(make_desk: MakeDesk, typed: str) -> None:
    desk = make_desk(reader="click_only")
    desk.hear("Hello.")
    desk.say("hello")
    desk.submit(title="Lamp broken")
    desk.tap("Office")
    desk.tap("High")
    desk.hear("Pardon?")
    desk.say(typed)
    assert desk.block.step == "note"


def test_S1_a_proposal_waits_for_what_it_depends_on(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    place = chips_step(
        key="place", label="Place", slot="place", lead="Where?", options=[Option(label="Office", value="office")]
    )
    title = text_step(key="title", label="Title", slot="title", lead="Title?", proposable=True, depends_on=["place"])
    desk = make_desk(domain=domain_with(steps=(place, title)))
    desk.hear(desk.propose("title", "Lamp broken"))
    desk.hear("All right.")
    desk.say("Lamp broken")
    assert (desk.events(ValueSettled), desk.block.step) == ([], "place")


@pytest.mark.parametrize(
    ("typed", "shown"), [("0012", "12"), ("1.50", "1.5"), ("-0", "0"), ("100000000000000000.0", None)]
)
def test_G4_a_number_is_shown_as_it_is_sent(typed: str, shown: str | None) -> None:
    found = parse_field(Field(slot="n", label="N", type="number"), typed)
    assert isinstance(found, FieldValue)
    assert found.text == (shown or "100000000000000000")


def test_G4_a_number_that_cannot_be_sent_as_typed_is_refused() -> None:
    found = parse_field(Field(slot="n", label="N", type="number"), "99999999999999999.99")
    assert found == Fault(word="no_number")


def test_G5_an_expired_summary_is_never_drawn_as_if_it_held(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    desk = make_desk(domain=domain_with(confirm=confirm_step(label="Ticket", lead="Create?", time_to_live=1500)))
    desk.to_summary()
    old = desk.block.question
    desk.now()
    desk.reload()
    assert (desk.texts("runtime"), desk.block.question == old) == ([desk.domain.lines.expired], False)


def test_the_words_to_tap_at_a_text_are_always_the_last_ones(desk: Desk) -> None:
    desk.to_title()
    for number in range(6):
        desk.hear("Hm.")
        desk.say(f"who are you, number {number}?")
    assert [option.label for option in desk.block.options] == ["Use “who are you, number 5?”"]


@pytest.mark.parametrize("review", [review_step(option_label="Create"), review_step(back_label="Place")])
def test_no_two_options_of_the_summary_or_the_review_are_called_the_same(
    domain_with: Callable[..., Domain], review: ReviewStep
) -> None:
    with pytest.raises(UsageError, match="nobody could tell them apart"):
        domain_with(review=review)
