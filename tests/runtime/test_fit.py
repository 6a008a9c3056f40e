"""A domain and its write tool are held together when a session opens, not at the first real write."""

from __future__ import annotations

from dataclasses import replace

import pytest

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain, SlotStep
from marg_runtime.errors import UsageError
from marg_runtime.fit import check_fit
from marg_runtime.steps import (
    Field,
    Option,
    OptionPage,
    SearchContext,
    chips_step,
    confirm_step,
    form_step,
    multi_chips_step,
    picker_step,
    text_step,
)
from marg_runtime.tools import ToolName, ToolSpec

DOMAIN = Domain(
    name="inn",
    skill="Never book.",
    rule="Never book.",
    steps=(
        text_step(key="name", label="Name", slot="name", lead="Who?"),
        chips_step(
            key="guests", label="Guests", slot="guests", lead="How many?", options=[Option(label="Two", value=2)]
        ),
        text_step(key="note", label="Note", slot="note", lead="A note?", required=False),
    ),
    confirm=confirm_step(label="Table", lead="Book it?"),
    write_tool=ToolName(server="inn", name="book"),
)
PROPERTIES: dict[str, Json] = {
    "name": {"type": "string"},
    "guests": {"type": "integer"},
    "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "confirmed": {"type": "boolean"},
}


def tool(*, name: str = "book", required: tuple[str, ...] = ("name", "guests"), **changed: Json) -> ToolSpec:
    properties = {key: value for key, value in {**PROPERTIES, **changed}.items() if value is not None}
    schema: dict[str, Json] = {"type": "object", "properties": properties, "required": required}
    return ToolSpec(server="inn", identity="inn 1", name=name, description="", input_schema=schema)


def refusal(spec: ToolSpec) -> str:
    with pytest.raises(UsageError) as caught:
        check_fit(DOMAIN, [spec])
    return str(caught.value)


def test_a_tool_that_takes_what_the_steps_fill_fits() -> None:
    check_fit(DOMAIN, [tool()])


def test_a_tool_without_a_list_of_arguments_says_nothing_about_them() -> None:
    check_fit(DOMAIN, [ToolSpec(server="inn", identity="inn 1", name="book", description="", input_schema={})])


def test_a_write_tool_that_no_server_lists_is_refused_with_the_nearest() -> None:
    assert refusal(tool(name="boook")).endswith("no server lists the write tool 'inn/book'; did you mean 'inn/boook'?")


def test_a_slot_that_the_tool_does_not_take_is_refused_with_the_nearest() -> None:
    told = refusal(tool(name="book", required=(), guests=None, guest={"type": "integer"}))
    assert told.endswith("takes no 'guests', which the step 'guests' fills; did you mean 'guest'?")


def test_a_required_argument_that_no_required_step_fills_is_refused() -> None:
    assert "requires 'note', which no required step fills" in refusal(tool(required=("name", "note")))


def test_the_runtimes_own_arguments_may_be_required() -> None:
    check_fit(DOMAIN, [tool(required=("name", "confirmed"))])


def test_a_fixed_option_of_another_type_is_refused_with_its_value() -> None:
    assert "takes string for 'guests', and the step 'guests' gives 2" in refusal(tool(guests={"type": "string"}))


def with_a_number_for_a_name() -> ToolSpec:
    schema: dict[str, Json] = {"type": "object", "properties": {**PROPERTIES, "name": {"type": "integer"}}}
    return ToolSpec(server="inn", identity="inn 1", name="book", description="", input_schema=schema)


def test_a_text_for_a_number_is_refused() -> None:
    assert "takes integer for 'name', and the step 'name' gives ''" in refusal(with_a_number_for_a_name())


async def _no_page(context: SearchContext) -> OptionPage:
    return OptionPage(options=())


def held(step: SlotStep, **properties: Json) -> str | None:
    """What is wrong between one step and a tool that takes these arguments, or None."""
    domain = replace(DOMAIN, steps=(step,))
    schema: dict[str, Json] = {"type": "object", "properties": properties, "required": sorted(properties)}
    spec = ToolSpec(server="inn", identity="inn 1", name="book", description="", input_schema=schema)
    try:
        check_fit(domain, [spec])
    except UsageError as error:
        return str(error)
    return None


GEAR = multi_chips_step(key="gear", label="Gear", slot="gear", lead="?", options=[Option(label="Bed", value="bed")])
ROOM = picker_step(key="room", label="Room", slot="room", lead="?", search=_no_page)
STAY = form_step(
    key="stay",
    label="Stay",
    lead="?",
    fields=[
        Field(slot="nights", label="Nights", type="integer"),
        Field(slot="mail", label="Mail", type="email", required=False),
    ],
)
STRING: dict[str, Json] = {"type": "string"}


def test_several_options_are_an_array() -> None:
    assert held(GEAR, gear={"type": "array"}) is None
    assert held(GEAR, gear=STRING) == (
        "domain 'inn': the write tool 'inn/book' takes string for 'gear', and the step 'gear' gives []"
    )


def test_what_a_picker_gives_is_not_known_before_it_is_drawn() -> None:
    assert held(ROOM, room={"type": "integer"}) is None


def test_each_field_of_a_form_is_held_against_its_argument() -> None:
    assert held(replace(STAY, required=False), nights={"type": "integer"}) == (
        "domain 'inn': the write tool 'inn/book' takes no 'mail', which the step 'stay' fills; known: nights"
    )
    assert "takes string for 'nights'" in (held(STAY, nights=STRING, mail=STRING) or "")


def test_a_field_that_can_be_left_empty_does_not_fill_what_the_tool_requires() -> None:
    assert "requires 'mail', which no required step fills" in (
        held(STAY, nights={"type": "integer"}, mail=STRING) or ""
    )
