"""Drawing: a step's block, options that are found by a tool, the summary and its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import pytest

from marg_runtime.block import BlockOption, Row
from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.events.model import ToolCalled, ToolReturned
from marg_runtime.events.step import OptionsFailed, OptionsRequested, QuestionDrawn, SummaryShown
from marg_runtime.events.turn import ReplyRead, SessionOpened
from marg_runtime.fingerprint import fingerprint
from marg_runtime.lines import Lines
from marg_runtime.steps import Option, OptionsContext, chips_step
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

LEVELS = ToolName(server="desk", name="levels")
CREATE = ToolName(server="desk", name="create")


def test_a_text_step_is_drawn_with_label_and_lead(desk: Desk) -> None:
    desk.to_title()
    assert (desk.block.kind, desk.block.label, desk.block.lead, desk.block.options) == (
        "text",
        "Title",
        "What should it be called?",
        (),
    )


def test_a_chips_step_is_drawn_with_its_options(desk: Desk) -> None:
    desk.to_place()
    assert (desk.block.kind, [option.label for option in desk.block.options]) == ("chips", ["Office", "Home"])


def test_an_optional_step_has_a_skip_behind_its_options(desk: Desk) -> None:
    desk.to_note()
    assert [option.label for option in desk.block.options] == ["Skip"]


def test_options_are_found_with_a_read_tool(desk: Desk) -> None:
    desk.to_urgency()
    assert ([call.tool for call in desk.scripted.calls], [option.label for option in desk.block.options]) == (
        [LEVELS],
        ["Low", "High"],
    )


def test_the_steps_own_call_stands_in_the_ledger(desk: Desk) -> None:
    desk.to_urgency()
    called = desk.events(ToolCalled)
    assert [(event.tool, event.by, event.arguments) for event in called] == [(LEVELS, "step", {"kind": "urgency"})]


def test_the_steps_own_call_has_its_one_result(desk: Desk) -> None:
    desk.to_urgency()
    assert [event.call for event in desk.events(ToolReturned)] == [event.call for event in desk.events(ToolCalled)]


def test_the_steps_own_call_does_not_reach_the_models_history(desk: Desk) -> None:
    desk.to_urgency()
    desk.hear("Fine.")
    desk.say("what is this?")
    assert [type(message).__name__ for message in desk.model.received[-1].messages] == [
        "UserMessage",
        "AssistantMessage",
        "FactsMessage",
        "UserMessage",
    ]


def test_a_redraw_does_not_look_for_options_again(desk: Desk) -> None:
    desk.to_urgency()
    desk.reload()
    assert len(desk.scripted.calls) == 1


def test_the_drawn_options_keep_their_meaning_though_the_tool_changes_its_mind(make_desk: MakeDesk) -> None:
    """The meaning of an option lies in the ledger since it was drawn."""
    answers = iter([["low", "high"], ["high", "low"]])
    desk = make_desk(script={LEVELS: lambda _: ToolOutcome(text="", data=next(answers))})
    desk.to_urgency()
    desk.reload()
    desk.tap("Low")
    assert desk.values["urgency"] == "low"


def labels(desk: Desk) -> list[str]:
    return [option.label for option in desk.block.options]


@pytest.mark.parametrize("how", ["dies", "refuses"])
def test_options_that_cannot_be_found_are_told_and_nothing_settles(
    make_desk: MakeDesk, broken_server: Callable[[Mapping[str, Json]], ToolOutcome], how: str
) -> None:
    refusal = ToolOutcome(text="no", is_error=True)
    desk = make_desk(script={LEVELS: broken_server if how == "dies" else refusal})
    answer = desk.to_urgency()
    assert ([said.text for said in answer.texts], labels(desk), len(desk.events(OptionsFailed))) == (
        ["I could not load the options for Urgency just now. Please try again in a moment."],
        ["Try again"],
        1,
    )


def test_options_that_could_not_be_found_are_looked_for_again(make_desk: MakeDesk) -> None:
    answers = iter([ToolOutcome(text="busy", is_error=True), ToolOutcome(text="", data=["low"])])
    desk = make_desk(script={LEVELS: lambda _: next(answers)})
    desk.to_urgency()
    desk.reload()
    assert [option.label for option in desk.block.options] == ["Low"]


def test_no_options_are_told(make_desk: MakeDesk) -> None:
    desk = make_desk(script={LEVELS: ToolOutcome(text="", data=[])})
    answer = desk.to_urgency()
    assert ([said.text for said in answer.texts], labels(desk)) == (
        ["There is nothing to choose from for Urgency right now."],
        ["Try again"],
    )


# A step whose options were not found


@pytest.fixture
def down(make_desk: MakeDesk) -> Desk:
    """A desk at the urgency, whose tool refuses twice and then answers."""
    answers = iter([ToolOutcome(text="busy", is_error=True)] * 2 + [ToolOutcome(text="", data=["low", "high"])] * 2)
    desk = make_desk(script={LEVELS: lambda _: next(answers)})
    desk.to_urgency()
    return desk


def test_a_step_whose_options_were_not_found_looks_for_them_again_with_a_tap(down: Desk) -> None:
    down.tap("Try again")
    down.tap("Try again")
    assert (labels(down), down.block.step) == (["Low", "High"], "urgency")


def test_to_try_again_settles_nothing_and_calls_no_model(down: Desk) -> None:
    before = (down.values, len(down.model.received))
    down.tap("Try again")
    down.tap("Try again")
    assert (down.values, len(down.model.received)) == before


def test_G3_while_it_still_fails_the_card_is_the_one_that_was_open(down: Desk) -> None:
    before = down.block
    down.tap("Try again")
    assert (down.block, down.texts("runtime")) == (
        before,
        ["I could not load the options for Urgency just now. Please try again in a moment."],
    )


def test_to_try_again_can_be_typed(down: Desk) -> None:
    down.tap("Try again")
    down.say("try again, please")
    assert labels(down) == ["Low", "High"]


@pytest.mark.parametrize("words", ["1", "the first one", "the last one"])
def test_to_try_again_has_no_place_among_the_options(down: Desk, words: str) -> None:
    down.hear("I see.")
    down.say(words)
    assert [event.kind for event in down.turn() if isinstance(event, ReplyRead)] == ["content"]


def test_G3_a_tap_to_try_again_is_spent_once_the_options_are_there(down: Desk) -> None:
    card = down.block
    down.tap("Try again")
    down.tap("Try again")
    drawn = down.block
    down.tap("Try again", block=card)
    assert (down.block, down.texts("runtime")) == (drawn, [down.domain.lines.stale])


def test_C3_a_step_whose_options_were_not_found_can_be_tried_again_after_a_restart(down: Desk) -> None:
    card = down.block
    down.tap("Try again")
    down.reopen()
    down.tap("Try again", block=card)
    assert labels(down) == ["Low", "High"]


def test_a_domain_says_in_its_own_words_how_to_try_again(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    lines = Lines(retry_label="Noch einmal")
    desk = make_desk(domain=domain_with(lines=lines), script={LEVELS: ToolOutcome(text="", data=[])})
    desk.to_urgency()
    assert labels(desk) == ["Noch einmal"]


def test_G7_a_step_cannot_write(make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None) -> None:
    async def sneaky(context: OptionsContext) -> Sequence[Option]:
        await context.call("create", {"confirmed": True})
        return []

    step = chips_step(key="place", label="Place", slot="place", lead="Where?", options=sneaky)
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.to_title()
    assert (desk.scripted.calls, len(desk.events(OptionsFailed))) == ([], 1)


def test_a_step_sees_the_values_that_were_settled(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    seen: list[Mapping[str, Json]] = []

    async def options(context: OptionsContext) -> Sequence[Option]:
        seen.append(context.draft)
        return [Option(label="A", value="a")]

    steps = (domain_with().steps[0], chips_step(key="k", label="K", slot="k", lead="K?", options=options))
    desk = make_desk(domain=domain_with(steps=steps))
    desk.to_place()
    assert seen == [{"title": "Lamp broken"}]


# The summary


def test_G4_the_summary_shows_every_value_in_the_order_of_the_steps(desk: Desk) -> None:
    desk.to_note()
    desk.say("it flickers")
    assert desk.block.rows == (
        Row(slot="title", label="Title", value="Lamp broken"),
        Row(slot="place", label="Place", value="Office"),
        Row(slot="urgency", label="Urgency", value="High"),
        Row(slot="note", label="Note", value="it flickers"),
    )


def test_G4_what_was_skipped_is_not_shown_and_not_sent(desk: Desk) -> None:
    desk.to_summary()
    shown = {row.slot for row in desk.block.rows}
    assert shown == set(desk.events(SummaryShown)[0].arguments) == {"title", "place", "urgency"}


def test_the_summary_offers_create_and_not_yet(desk: Desk) -> None:
    desk.to_summary()
    assert desk.block.options == (BlockOption(id="o1", label="Create"), BlockOption(id="o2", label="Not yet"))


def test_G5_the_summary_keeps_the_fingerprint_of_the_tool_that_the_session_opened_with(desk: Desk) -> None:
    desk.to_summary()
    shown = desk.events(SummaryShown)[0]
    pinned = next(tool for tool in desk.events(SessionOpened)[0].tools if tool.tool == CREATE)
    assert shown.fingerprint == fingerprint(draft="draft-1", arguments=desk.values, tool=pinned)


def test_G4_a_long_value_is_shown_in_full(desk: Desk) -> None:
    desk.to_place(title="x" * 80)
    for label in ("Office", "High", "Skip"):
        desk.tap(label)
    assert desk.block.rows[0].value == "x" * 80


def test_C1_ids_of_questions_name_the_session_and_are_never_used_twice(desk: Desk) -> None:
    desk.to_summary()
    desk.say("no")
    desk.reload()
    ids = [event.question for event in desk.events(QuestionDrawn)]
    assert (len(set(ids)), all(identity.startswith("s1:") for identity in ids)) == (len(ids), True)


def test_options_are_asked_for_once_for_each_question(desk: Desk) -> None:
    desk.to_summary()
    assert desk.events(OptionsRequested) == [OptionsRequested(step="urgency")]
