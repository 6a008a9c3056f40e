"""Multi chips: several options in one answer, submitted or named, in the order of the options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from marg_runtime.domain import Domain
from marg_runtime.errors import ToolError, UsageError
from marg_runtime.events.step import ValueRefused
from marg_runtime.events.turn import AnswerRefused, ReplyOutcome, ReplyRead
from marg_runtime.steps import Option, OptionsContext, multi_chips_step, review_step, text_step
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

LEVELS = ToolName(server="desk", name="levels")
OPTIONS = [
    Option(label="Beamer", value="beamer"),
    Option(label="Whiteboard", value="board", synonyms=("board",)),
    Option(label="Sound and light", value="stage"),
]


def equipment(**changes: Any) -> Any:
    given: dict[str, Any] = {"key": "gear", "label": "Gear", "slot": "gear", "lead": "What do you need?"}
    return multi_chips_step(**{**given, "options": OPTIONS, **changes})


@pytest.fixture
def make(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> Callable[..., Desk]:
    """Makes desks whose first step takes several options."""

    def made(script: Any = None, **changes: Any) -> Desk:
        note = text_step(key="note", label="Note", slot="note", lead="Anything?", required=False, depends_on=["gear"])
        domain = domain_with(steps=(equipment(**changes), note), review=review_step())
        desk = make_desk(domain=domain, script=script)
        desk.hear("Hello.")
        desk.say("hello")
        return desk

    return made


@pytest.fixture
def desk(make: Callable[..., Desk]) -> Desk:
    """A desk at its multi chips."""
    return make()


def chosen(desk: Desk) -> tuple[str, ...]:
    assert desk.block.selection is not None
    return desk.block.selection.chosen


def test_the_block_says_how_many_may_be_chosen(make: Callable[..., Desk]) -> None:
    selection = make(min_choices=2).block.selection
    assert selection is not None
    assert (selection.least, selection.most, selection.chosen) == (2, 3, ())


def test_S1_a_submit_settles_the_list_with_one_fact_and_no_model_call(desk: Desk) -> None:
    before = len(desk.model.received)
    desk.choose("Beamer", "Sound and light")
    assert (desk.values, desk.state.facts, desk.block.step) == (
        {"gear": ["beamer", "stage"]},
        ("Gear set to Beamer, Sound and light.",),
        "note",
    )
    assert len(desk.model.received) == before


def test_the_order_is_that_of_the_options_and_each_counts_once(desk: Desk) -> None:
    desk.choose("Sound and light", "Beamer", "Beamer")
    assert desk.values == {"gear": ["beamer", "stage"]}


def test_a_submit_came_from_a_form(desk: Desk) -> None:
    desk.choose("Beamer")
    assert desk.state.draft.values["gear"].provenance == "form"


def test_a_tap_is_a_tick_of_the_clients_and_settles_nothing(desk: Desk) -> None:
    block = desk.block
    desk.tap("Beamer")
    assert (desk.values, desk.block, desk.events(AnswerRefused)[-1].reason) == ({}, block, "wrong_kind")
    assert desk.last.texts[0].text.startswith("You can choose below and send it")


@pytest.mark.parametrize("ids", [["o9"], ["o1", "beamer"], ["Beamer", ""]])
def test_G3_an_id_that_is_not_in_the_block_refuses_it_all(desk: Desk, ids: list[str]) -> None:
    desk.choose(*ids)
    assert (desk.values, desk.events(AnswerRefused)[-1].reason) == ({}, "unknown_option")


def test_G3_the_skip_of_an_optional_step_is_no_choice(make: Callable[..., Desk]) -> None:
    desk = make(required=False)
    desk.choose("Beamer", "Skip")
    assert (desk.values, desk.events(AnswerRefused)[-1].reason) == ({}, "unknown_option")


@pytest.mark.parametrize(("labels", "count"), [(["Beamer"], 1), (["Beamer", "Whiteboard", "Sound and light"], 3)])
def test_too_few_and_too_many_are_told_and_stay_chosen(
    make: Callable[..., Desk], labels: list[str], count: int
) -> None:
    desk = make(min_choices=2, max_choices=2)
    before = desk.block
    desk.choose(*labels)
    assert (desk.values, len(chosen(desk)), len(desk.events(ValueRefused))) == ({}, count, 1)
    assert desk.last.texts[0].text == f"Gear: choose 2 to 2; that was {count}."
    assert (desk.block.question, desk.block.revision) == (before.question, before.revision)


def test_nothing_chosen_is_told_at_a_required_step(desk: Desk) -> None:
    desk.choose()
    assert (desk.values, desk.last.texts[0].text) == ({}, "Gear: choose 1 to 3; that was 0.")


def test_nothing_chosen_leaves_an_optional_step_out(make: Callable[..., Desk]) -> None:
    desk = make(required=False)
    desk.choose()
    assert (desk.values, desk.block.step) == ({}, "note")


def test_fields_are_no_answer_to_multi_chips(desk: Desk) -> None:
    desk.submit(gear="o1")
    assert (desk.values, desk.events(AnswerRefused)[-1].reason) == ({}, "wrong_kind")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("beamer", ["beamer"]),
        ("Beamer and whiteboard", ["beamer", "board"]),
        ("sound and light, beamer please", ["beamer", "stage"]),
        ("board & beamer", ["beamer", "board"]),
        ("the first and the third one", ["beamer", "stage"]),
        ("beamer, board and sound and light", ["beamer", "board", "stage"]),
    ],
)
def test_R1_a_message_that_names_options_and_nothing_else_settles_them(
    desk: Desk, text: str, values: list[str]
) -> None:
    desk.say(text)
    assert (desk.values, desk.events(ReplyOutcome)[-1].outcome) == ({"gear": values}, "answer")


@pytest.mark.parametrize(
    "text",
    [
        "beamer or board",
        "beamer and",
        "beamer but not the board",
        "beamer and a cake",
        "no beamer",
        "a beamer tomorrow",
        "beamer?",
        "all of them",
        "yes",
        "and",
    ],
)
def test_R1_anything_else_is_content(desk: Desk, text: str) -> None:
    block = desk.block
    desk.hear("I see.")
    desk.say(text)
    assert (desk.values, desk.block, desk.events(ReplyOutcome)[-1].outcome) == ({}, block, "digress")


def test_the_ledger_has_what_was_named(desk: Desk) -> None:
    desk.say("board and beamer")
    read = desk.events(ReplyRead)[-1]
    assert (read.kind, read.choice, read.choices) == ("choice", None, ("0", "1"))


def test_typed_values_have_the_message_as_their_span(desk: Desk) -> None:
    desk.say("board and beamer")
    value = desk.state.draft.values["gear"]
    assert (value.provenance, value.span is not None) == ("typed", True)


def test_too_many_named_are_told_and_drawn_as_chosen(make: Callable[..., Desk]) -> None:
    desk = make(max_choices=1)
    desk.say("board and beamer")
    assert (desk.values, chosen(desk)) == ({}, ("o1", "o2"))


@pytest.mark.parametrize("text", ["no", "nothing", "none", "skip"])
def test_S5_no_at_optional_multi_chips_is_skip(make: Callable[..., Desk], text: str) -> None:
    desk = make(required=False)
    desk.say(text)
    assert (desk.values, desk.block.step) == ({}, "note")


def test_only_taps_and_submits_count_where_the_step_says_so(make: Callable[..., Desk]) -> None:
    desk = make(policy="click_only", required=False)
    for text in ("beamer and board", "skip"):
        desk.hear("Use the card.")
        desk.say(text)
        assert (desk.values, desk.block.step) == ({}, "gear")


def test_what_stood_is_chosen_when_the_step_is_asked_again(desk: Desk) -> None:
    desk.choose("Beamer", "Sound and light")
    desk.tap("Skip")
    desk.tap("Change something")
    desk.tap("Gear")
    assert chosen(desk) == ("o1", "o3")


def test_S1_another_list_owes_what_depends_on_it(desk: Desk) -> None:
    desk.choose("Beamer")
    desk.tap("Skip")
    desk.tap("Change something")
    desk.tap("Gear")
    desk.choose("Beamer", "Whiteboard")
    assert desk.block.step == "note"


def test_G5_the_list_is_written_as_it_was_shown(desk: Desk, writes_on: None) -> None:
    desk.choose("Whiteboard", "Beamer")
    desk.tap("Skip")
    assert [row.value for row in desk.block.rows] == ["Beamer, Whiteboard"]
    desk.tap("Create")
    assert [call.arguments["gear"] for call in desk.writes] == [["beamer", "board"]]


async def levels(context: OptionsContext) -> Sequence[Option]:
    outcome = await context.call("levels", {"kind": "gear"})
    assert isinstance(outcome.data, Sequence)
    return [Option(label=str(level).capitalize(), value=level) for level in outcome.data]


def test_options_may_come_from_a_tool(make: Callable[..., Desk]) -> None:
    desk = make(options=levels)
    desk.choose("High")
    assert desk.values == {"gear": ["high"]}


def test_a_broken_tool_is_told_and_nothing_settles(make: Callable[..., Desk]) -> None:
    def broken(arguments: Any) -> ToolOutcome:
        raise ToolError("gone")

    desk = make(options=levels, script={LEVELS: broken})
    assert ([option.label for option in desk.block.options], desk.last.texts[-1].text, desk.values) == (
        ["Try again"],
        desk.domain.lines.options_failed.replace("{label}", "Gear"),
        {},
    )


def test_options_submitted_to_a_card_that_only_offers_to_try_again_are_refused(make: Callable[..., Desk]) -> None:
    desk = make(options=levels, script={LEVELS: ToolOutcome(text="down", is_error=True)})
    desk.choose("o1")
    assert (desk.texts("runtime")[0], desk.values) == (desk.domain.lines.stale, {})


def test_an_optional_step_can_be_skipped_while_its_tool_is_broken(make: Callable[..., Desk]) -> None:
    desk = make(options=levels, required=False, script={LEVELS: ToolOutcome(text="down", is_error=True)})
    assert [option.label for option in desk.block.options] == ["Try again", "Skip"]
    desk.tap("Skip")
    assert desk.block.step == "note"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"min_choices": 0}, "at least 1 choice"),
        ({"min_choices": 3, "max_choices": 2}, "at most the most"),
        ({"min_choices": 4}, "min_choices is 4, and there are 3 options"),
        ({"options": [OPTIONS[0], OPTIONS[0]]}, "two options have the label 'Beamer'"),
    ],
)
def test_limits_that_no_choice_keeps_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        equipment(**changes)
