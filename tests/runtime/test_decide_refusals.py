"""What the model is told of a write that it called: one plain fact, true of how the draft stands, and not to retry.

And values after an edit: langchain-ai/langchain 33787, where the model called again with its own arguments after a
person had edited them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from marg_runtime.canonical import Json
from marg_runtime.conversation import ResultMessage
from marg_runtime.errors import ToolError
from marg_runtime.events.model import ArgumentOverridden
from marg_runtime.events.write import GateDecided
from marg_runtime.tools.tool import ToolName, ToolOutcome, ToolSpec

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CREATE = ToolName(server="desk", name="create")
SEARCH = ToolName(server="desk", name="search")
LEVELS = ToolName(server="desk", name="levels")
UPDATE = ToolName(server="desk", name="update")
SHADOW = ToolName(server="shadow", name="create")
ALIAS = ToolName(server="desk", name="add_record")


def spec(tool: ToolName, *properties: str) -> ToolSpec:
    schema: dict[str, Json] = {"type": "object", "properties": {name: {} for name in properties}}
    return ToolSpec(server=tool.server, identity="desk 1", name=tool.name, description="", input_schema=schema)


SLOTS = ("title", "place", "urgency", "note", "confirmed")
SPECS = (spec(LEVELS, "kind"), spec(SEARCH, "query", "title"), spec(CREATE, *SLOTS))


def told(desk: Desk, name: str, /, **arguments: Json) -> str:
    """What the model is told of one call of its own."""
    desk.hear(desk.call(name, **arguments))
    desk.hear("Well.")
    desk.say("what about it, then?")
    result = desk.model.received[-1].messages[-1]
    assert isinstance(result, ResultMessage)
    assert result.is_error
    return result.text


def test_G1_a_create_before_the_confirmation_is_told_to_be_open_still(desk: Desk) -> None:
    desk.to_summary()
    assert told(desk, "create", confirmed=True) == (
        "create was not run: the runtime runs it itself once the user has confirmed the summary. "
        "It is still open; do not call it again."
    )


def test_G9_a_create_after_the_write_is_told_to_be_done_with_its_receipt(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.tap("Create")
    assert told(desk, "create") == (
        "create was not run: the runtime has run it already. Created: T-1. Do not call it again."
    )


def test_G9_a_create_while_the_write_is_unknown_is_told_to_be_unknown(make_desk: MakeDesk, writes_on: None) -> None:
    def lost(arguments: Mapping[str, Json]) -> ToolOutcome:
        raise ToolError("desk: create: no answer")

    desk = make_desk(script={CREATE: lost})
    desk.to_summary()
    desk.tap("Create")
    assert "whether it was done is not known. Do not call it again." in told(desk, "create")


@pytest.mark.parametrize("tool", [UPDATE, ALIAS], ids=str)
def test_G7_an_update_and_a_create_under_an_alias_are_not_run_and_told_so(
    make_desk: MakeDesk, writes_on: None, tool: ToolName
) -> None:
    desk = make_desk(specs=(*SPECS, spec(tool, *SLOTS)))
    desk.to_summary()
    text = told(desk, tool.name, title="x", confirmed=True)
    assert (text, [call.tool for call in desk.scripted.calls if call.tool == tool]) == (
        f"{tool.name} was not run: it writes, and nothing but the runtime writes. "
        "Nothing was changed; do not call it again.",
        [],
    )


@pytest.mark.parametrize("name", ["create", "desk__create", "shadow__create"])
def test_G7_a_create_of_the_same_name_on_two_servers_is_run_on_neither(
    make_desk: MakeDesk, writes_on: None, name: str
) -> None:
    desk = make_desk(specs=(*SPECS, spec(SHADOW, *SLOTS)))
    desk.to_summary()
    told(desk, name, confirmed=True)
    decided = desk.events(GateDecided)[-1]
    assert (decided.allowed, decided.attempted, [c for c in desk.scripted.calls if c.tool.name == "create"]) == (
        False,
        False,
        [],
    )


def test_G7_with_the_same_name_on_two_servers_a_go_ahead_writes_on_the_domains_alone(
    make_desk: MakeDesk, writes_on: None
) -> None:
    desk = make_desk(specs=(*SPECS, spec(SHADOW, *SLOTS)))
    desk.to_summary()
    desk.tap("Create")
    assert [call.tool for call in desk.scripted.calls if call.tool.name == "create"] == [CREATE]


@pytest.mark.parametrize("name", ["propose", "reopen"])
def test_G7_a_servers_tool_of_a_built_in_name_is_offered_under_another_and_is_a_write(
    make_desk: MakeDesk, writes_on: None, name: str
) -> None:
    desk = make_desk(specs=(*SPECS, spec(ToolName(server="desk", name=name), "slot")))
    desk.to_title()
    offered = [tool.name for tool in desk.model.received[0].tools]
    assert (offered.count(name), f"desk__{name}" in offered) == (1, True)
    assert "was not run" in told(desk, f"desk__{name}", slot="title")


# Values after an edit


@pytest.fixture
def edited(desk: Desk) -> Desk:
    """A desk whose title was changed by the user after it had been settled."""
    desk.to_summary()
    desk.hear("Sure.", desk.propose("title", "login fails"))
    desk.hear("Changed.")
    desk.say("Yes but change the title to login fails")
    return desk


@pytest.mark.parametrize(
    "arguments",
    [{"title": "Lamp broken"}, {"query": {"title": "Lamp broken"}}, {"query": [{"title": "Lamp broken"}]}, {}],
)
def test_S2_after_an_edit_the_new_value_goes_into_every_call_whatever_the_model_says(
    edited: Desk, arguments: Mapping[str, Json]
) -> None:
    edited.hear(edited.call("search", **arguments))
    edited.hear("Nothing.")
    edited.say("is it known?")
    call = next(call for call in reversed(edited.scripted.calls) if call.tool == SEARCH)
    assert (call.arguments["title"], "Lamp broken" in repr(call.arguments)) == ("login fails", False)


def test_S2_after_an_edit_the_old_value_of_the_models_is_recorded_as_overridden(edited: Desk) -> None:
    edited.hear(edited.call("search", title="Lamp broken"))
    edited.hear("Nothing.")
    edited.say("is it known?")
    override = edited.events(ArgumentOverridden)[-1]
    assert (override.argument, override.given, override.used) == ("title", "Lamp broken", "login fails")


def test_S2_after_an_edit_the_write_takes_the_new_value(edited: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARG_ALLOW_WRITES", "true")
    edited.hear(edited.call("create", title="Lamp broken", confirmed=True))
    edited.hear("Well.")
    edited.say("go on then, but how?")
    edited.tap("Create")
    assert [call.arguments["title"] for call in edited.writes] == ["login fails"]


def test_S2_a_value_that_the_user_taps_anew_goes_into_every_later_call(make_desk: MakeDesk) -> None:
    desk = make_desk(specs=(spec(LEVELS, "kind"), spec(SEARCH, "query", "place"), spec(CREATE, *SLOTS)))
    desk.to_summary()
    desk.hear(desk.call("reopen", step="place"))
    desk.hear("Of course.")
    desk.say("another place please")
    desk.tap("Home")
    desk.hear(desk.call("search", place="office"))
    desk.hear("Nothing.")
    desk.say("is it known?")
    assert [call.arguments for call in desk.scripted.calls if call.tool == SEARCH] == [{"place": "home"}]
