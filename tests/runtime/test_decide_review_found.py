"""What a review of the runtime found at its edges: each is held by what it broke."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from marg_runtime.domain import Domain
from marg_runtime.effects import Delivered, Effect, Stimulus
from marg_runtime.events.step import ValueSettled
from marg_runtime.steps import Option, OptionsContext, chips_step, multi_chips_step, text_step

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
