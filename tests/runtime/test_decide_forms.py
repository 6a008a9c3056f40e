"""A form: it settles as a whole, or says at each field what is wrong and keeps what was typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from marg_runtime.block import Block
from marg_runtime.domain import Domain, Problem
from marg_runtime.errors import UsageError
from marg_runtime.events.step import FormSettled, StepReopened, ValueRefused
from marg_runtime.events.turn import AnswerRefused, ReplyOutcome
from marg_runtime.steps import Field, Option, OptionsContext, chips_step, form_step, review_step
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

LEVELS = ToolName(server="desk", name="levels")
GOOD = {"date": "2026-03-01", "people": "4", "catering": "true", "contact": "ann@example.org", "kind": "o2"}
VALUES = {"date": "2026-03-01", "people": 4, "catering": True, "contact": "ann@example.org", "kind": "talk"}


async def levels(context: OptionsContext) -> Sequence[Option]:
    outcome = await context.call("levels", {"kind": "level"})
    assert isinstance(outcome.data, Sequence)
    return [Option(label=str(level).capitalize(), value=level) for level in outcome.data]


def meeting(**changes: Any) -> Any:
    fields = [
        Field(slot="date", label="Date", type="date", minimum="2026-01-01"),
        Field(slot="people", label="People", type="integer", minimum=1, maximum=20),
        Field(slot="catering", label="Catering", type="boolean"),
        Field(slot="contact", label="Contact", type="email", required=False),
        Field(
            slot="kind",
            label="Kind",
            type="choice",
            options=[Option(label="Meeting", value="meeting"), Option(label="Talk", value="talk")],
        ),
    ]
    given: dict[str, Any] = {"key": "meeting", "label": "Meeting", "lead": "When, and how many?", "fields": fields}
    return form_step(**{**given, "asks_like": r"\bhow many\b", **changes})


def size(**changes: Any) -> Any:
    options = [Option(label="Small", value="small"), Option(label="Large", value="large")]
    return chips_step(key="size", label="Size", slot="size", lead="How large?", options=options, **changes)


@pytest.fixture
def make(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> Callable[..., Desk]:
    """Makes desks whose first step is the form."""

    def made(*steps: Any, script: Any = None, **changes: Any) -> Desk:
        domain = domain_with(steps=steps or (meeting(), size(depends_on=["meeting"])), review=review_step(), **changes)
        desk = make_desk(domain=domain, script=script)
        desk.hear("Hello.")
        desk.say("hello")
        return desk

    return made


@pytest.fixture
def desk(make: Callable[..., Desk]) -> Desk:
    """A desk at its form."""
    return make()


def errors(block: Block) -> dict[str, str | None]:
    return {field.slot: field.error for field in block.fields if field.error is not None}


def typed(block: Block) -> dict[str, str]:
    return {field.slot: field.value for field in block.fields}


def test_the_block_has_a_field_for_each_slot(desk: Desk) -> None:
    assert [(f.slot, f.label, f.type, f.required) for f in desk.block.fields] == [
        ("date", "Date", "date", True),
        ("people", "People", "integer", True),
        ("catering", "Catering", "boolean", True),
        ("contact", "Contact", "email", False),
        ("kind", "Kind", "choice", True),
    ]


def test_the_block_tells_limits_as_they_would_be_typed(desk: Desk) -> None:
    date, people = desk.block.fields[:2]
    assert (date.minimum, people.minimum, people.maximum) == ("2026-01-01", "1", "20")


def test_G3_the_options_of_a_field_keep_their_meaning_back(desk: Desk) -> None:
    assert [(option.id, option.label) for option in desk.block.fields[4].options] == [("o1", "Meeting"), ("o2", "Talk")]


def test_S1_a_good_form_settles_every_slot_with_one_fact_and_no_model_call(desk: Desk) -> None:
    before, facts = len(desk.model.received), len(desk.state.facts)
    desk.submit(**GOOD)
    assert (desk.values, desk.block.step) == (VALUES, "size")
    assert (len(desk.model.received) - before, len(desk.state.facts) - facts) == (0, 1)


def test_the_fact_has_each_value_as_a_person_reads_it(desk: Desk) -> None:
    desk.submit(**GOOD)
    assert desk.state.facts[-1] == (
        "Meeting: Date: 2026-03-01, People: 4, Catering: Yes, Contact: ann@example.org, Kind: Talk."
    )


def test_the_fact_may_name_slots(make: Callable[..., Desk]) -> None:
    desk = make(meeting(say="{label} for {people} on {date}."))
    desk.submit(**GOOD)
    assert desk.state.facts[-1] == "Meeting for 4 on 2026-03-01."


def test_G10_a_value_that_looks_like_a_place_holder_stays_as_it_is() -> None:
    step = form_step(key="f", label="F", lead="?", fields=[Field(slot="a", label="A"), Field(slot="b", label="B")])
    assert step.fact_of({"a": "{b} {label}", "b": "{v}"}) == "F: A: {b} {label}, B: {v}."


def test_every_value_came_from_the_form(desk: Desk) -> None:
    desk.submit(**GOOD)
    assert {value.provenance for value in desk.state.draft.values.values()} == {"form"}


def test_an_optional_field_that_is_empty_is_absent(desk: Desk) -> None:
    desk.submit(**{**GOOD, "contact": " "})
    assert "contact" not in desk.values


def test_a_field_that_was_not_sent_is_empty(desk: Desk) -> None:
    desk.submit(date="2026-03-01")
    assert set(errors(desk.block)) == {"people", "catering", "kind"}


def test_nothing_settles_until_every_field_is_good(desk: Desk) -> None:
    desk.submit(**{**GOOD, "people": "0"})
    assert (desk.values, desk.events(FormSettled), desk.block.kind) == ({}, [], "form")


def test_each_fault_is_drawn_at_its_field_and_said_once(desk: Desk) -> None:
    desk.submit(date="soon", people="21", catering="true", kind="o1")
    lines = desk.domain.lines
    assert errors(desk.block) == {"date": lines.field_no_date, "people": lines.field_above.replace("{limit}", "20")}
    assert [said.text for said in desk.last.texts] == [lines.check_fields]


def test_what_was_typed_is_kept(desk: Desk) -> None:
    given = {"date": "soon", "people": " 21", "catering": "true", "contact": "", "kind": "o2"}
    desk.submit(**given)
    assert typed(desk.block) == given


def test_G3_a_form_with_faults_is_the_same_question(desk: Desk) -> None:
    before = desk.block
    desk.submit(date="soon")
    assert (desk.block.question, desk.block.revision) == (before.question, before.revision)
    desk.submit(**GOOD)
    assert desk.values == VALUES


def test_a_fault_that_was_mended_is_gone(desk: Desk) -> None:
    desk.submit(**{**GOOD, "date": "soon", "people": "0"})
    desk.submit(**{**GOOD, "people": "0"})
    assert set(errors(desk.block)) == {"people"}


def test_a_reload_draws_what_was_typed_and_what_is_wrong(desk: Desk) -> None:
    desk.submit(**{**GOOD, "people": "0"})
    block = desk.block
    assert desk.reload().block == block


def test_a_digression_keeps_what_was_typed(desk: Desk) -> None:
    desk.submit(**{**GOOD, "people": "0"})
    block = desk.block
    desk.hear("Twenty fit.")
    desk.say("how many fit in?")
    assert desk.block == block


def test_the_ledger_has_a_refused_value_for_each_fault(desk: Desk) -> None:
    desk.submit(**{**GOOD, "date": "soon", "people": "0"})
    assert [(event.slot, event.reason) for event in desk.events(ValueRefused)] == [
        ("date", "no_date"),
        ("people", "below"),
    ]


@pytest.mark.parametrize("slot", ["confirmed", "size", "other"])
def test_G6_a_field_that_the_form_does_not_have_refuses_it_all(desk: Desk, slot: str) -> None:
    desk.submit(**{**GOOD, slot: "true"})
    assert (desk.values, [event.reason for event in desk.events(AnswerRefused)]) == ({}, ["unusable"])


def test_a_submit_of_options_is_no_form(desk: Desk) -> None:
    desk.choose("o1")
    assert (desk.values, desk.events(AnswerRefused)[-1].reason) == ({}, "wrong_kind")


@pytest.mark.parametrize("text", ["2026-03-01", "4", "yes", "2026-03-01, 4, yes, talk", "send it"])
def test_S5_typed_text_never_submits_a_form(desk: Desk, text: str) -> None:
    block = desk.block
    desk.hear("Please use the form.")
    desk.say(text)
    assert (desk.values, desk.block, desk.events(ReplyOutcome)[-1].outcome) == ({}, block, "digress")


def test_too_many_messages_are_told_to_use_the_form(make: Callable[..., Desk]) -> None:
    desk = make(meeting(reask_budget=1))
    desk.hear("Please use the form.")
    desk.say("4 people")
    assert desk.last.texts[-1].text == desk.domain.lines.fill_in_and_send


def test_an_optional_form_can_be_skipped_with_a_tap(make: Callable[..., Desk]) -> None:
    desk = make(meeting(required=False), size())
    desk.tap("Skip")
    assert (desk.values, desk.block.step) == ({}, "size")


@pytest.mark.parametrize("text", ["skip", "no", "nothing"])
def test_S5_no_at_an_optional_form_is_skip(make: Callable[..., Desk], text: str) -> None:
    desk = make(meeting(required=False), size())
    desk.say(text)
    assert (desk.values, desk.block.step) == ({}, "size")


def test_the_summary_has_a_row_for_each_slot(desk: Desk) -> None:
    desk.submit(**GOOD)
    desk.tap("Small")
    assert [(row.slot, row.label, row.value) for row in desk.block.rows] == [
        ("date", "Date", "2026-03-01"),
        ("people", "People", "4"),
        ("catering", "Catering", "Yes"),
        ("contact", "Contact", "ann@example.org"),
        ("kind", "Kind", "Talk"),
        ("size", "Size", "Small"),
    ]


def test_G5_what_is_written_is_what_the_form_gave(desk: Desk, writes_on: None) -> None:
    desk.submit(**GOOD)
    desk.tap("Small")
    desk.tap("Create")
    assert [dict(call.arguments) for call in desk.writes] == [{**VALUES, "size": "small", "confirmed": True}]


def at_the_summary(desk: Desk) -> Desk:
    desk.submit(**GOOD)
    desk.tap("Small")
    return desk


def test_a_re_opened_form_is_filled_in_as_it_was(desk: Desk) -> None:
    at_the_summary(desk).tap("Change something")
    desk.tap("Meeting")
    assert typed(desk.block) == GOOD


def test_a_re_opened_form_leaves_the_draft_with_all_of_its_slots(desk: Desk) -> None:
    at_the_summary(desk).tap("Change something")
    desk.tap("Meeting")
    assert (desk.values, desk.events(StepReopened)[-1].slots) == ({"size": "small"}, tuple(VALUES))


def test_S1_the_same_form_again_owes_nothing(desk: Desk) -> None:
    at_the_summary(desk).tap("Change something")
    desk.tap("Meeting")
    desk.submit(**GOOD)
    assert (desk.block.kind, desk.values["size"]) == ("summary", "small")


def test_S1_one_other_field_owes_what_depends_on_the_form(desk: Desk) -> None:
    at_the_summary(desk).tap("Change something")
    desk.tap("Meeting")
    desk.submit(**{**GOOD, "people": "5"})
    assert (desk.block.step, "size" in desk.values) == ("size", False)


def test_never_mind_puts_a_re_opened_form_back(desk: Desk) -> None:
    at_the_summary(desk).tap("Change something")
    desk.tap("Meeting")
    desk.say("never mind")
    assert (desk.block.kind, desk.values) == ("summary", {**VALUES, "size": "small"})


def test_a_draft_that_cannot_be_sent_opens_the_form_of_the_problem_again(make: Callable[..., Desk]) -> None:
    def few(values: Any) -> tuple[Problem, ...]:
        return (Problem(slot="people", text="Four is too many."),) if values.get("people") == 4 else ()

    desk = make(validate=few)
    at_the_summary(desk)
    assert (desk.block.step, typed(desk.block)["people"], desk.last.texts[-1].text) == (
        "meeting",
        "4",
        "Four is too many.",
    )


def with_levels() -> Any:
    return form_step(
        key="f", label="F", lead="?", fields=[Field(slot="level", label="Level", type="choice", options=levels)]
    )


def test_the_options_of_a_field_may_come_from_a_tool(make: Callable[..., Desk]) -> None:
    desk = make(with_levels())
    assert [option.label for option in desk.block.fields[0].options] == ["Low", "High"]
    desk.submit(level="o2")
    assert desk.values == {"level": "high"}


@pytest.mark.parametrize(
    "answer", [ToolOutcome(text="down", is_error=True), ToolOutcome(text="none", data=[])], ids=["refused", "none"]
)
def test_a_form_whose_options_cannot_be_had_says_so_and_settles_nothing(
    make: Callable[..., Desk], answer: ToolOutcome
) -> None:
    desk = make(with_levels(), script={LEVELS: answer})
    assert ([option.label for option in desk.block.options], desk.block.kind, desk.values) == (
        ["Try again"],
        "chips",
        {},
    )
    assert desk.last.texts[-1].text == desk.domain.lines.options_failed.replace("{label}", "F")


def test_fields_submitted_to_a_card_that_only_offers_to_try_again_are_refused(make: Callable[..., Desk]) -> None:
    desk = make(with_levels(), script={LEVELS: ToolOutcome(text="down", is_error=True)})
    desk.submit(level="o1")
    assert (desk.texts("runtime")[0], desk.values) == (desk.domain.lines.stale, {})


def test_an_optional_form_can_be_skipped_while_its_tool_is_broken(make: Callable[..., Desk]) -> None:
    form = replace(with_levels(), required=False)
    desk = make(form, size(), script={LEVELS: ToolOutcome(text="down", is_error=True)})
    desk.tap("Skip")
    assert (desk.values, desk.block.step) == ({}, "size")


@pytest.mark.parametrize("fields", [[], [Field(slot="a", label="A"), Field(slot="a", label="B")]])
def test_a_form_without_fields_of_different_slots_is_refused(fields: list[Field]) -> None:
    with pytest.raises(UsageError, match="it needs fields of different slots"):
        form_step(key="f", label="F", lead="?", fields=fields)


def test_a_slot_of_another_step_is_refused(domain_with: Callable[..., Domain]) -> None:
    with pytest.raises(UsageError, match="repeats a key or the slot 'size'"):
        domain_with(steps=(size(), form_step(key="f", label="F", lead="?", fields=[Field(slot="size", label="Size")])))
