"""The tools by the names that the model calls them by, and what is kept of a tool."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.canonical import Json
from marg_runtime.surroundings import pin, takes
from marg_runtime.tools.tool import ToolName, ToolSpec

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk

SPEC = ToolSpec(
    server="desk", identity="desk 1", name="create", description="Creates.", input_schema={"properties": {"title": {}}}
)


def test_a_tool_is_found_by_server_and_name(desk: Desk) -> None:
    assert desk.surroundings(tools=(SPEC,)).spec(ToolName(server="desk", name="create")) is SPEC


def test_G7_the_same_name_on_another_server_is_not_found(desk: Desk) -> None:
    assert desk.surroundings(tools=(SPEC,)).spec(ToolName(server="other", name="create")) is None


def test_a_tool_is_offered_by_its_own_name(desk: Desk) -> None:
    assert desk.surroundings(tools=(SPEC,)).offered == {"create": SPEC}


def test_G7_two_tools_of_one_name_are_offered_with_their_servers(desk: Desk) -> None:
    other = replace(SPEC, server="other")
    assert desk.surroundings(tools=(SPEC, other)).offered == {"desk__create": SPEC, "other__create": other}


@pytest.mark.parametrize("first", [True, False])
def test_G7_a_tool_that_is_called_as_another_one_would_be_offered_takes_not_its_place(desk: Desk, first: bool) -> None:
    other, own = replace(SPEC, server="other"), replace(SPEC, server="third", name="desk__create")
    specs = (own, SPEC, other) if first else (SPEC, other, own)
    assert desk.surroundings(tools=specs).offered == {"desk__create_": SPEC, "other__create": other, own.name: own}


def test_a_tool_takes_what_its_schema_lists() -> None:
    assert takes(SPEC, "title")


@pytest.mark.parametrize("schema", [{"properties": {"title": {}}}, {}, {"properties": ["note"]}, {"properties": None}])
def test_a_tool_does_not_take_what_its_schema_does_not_list(schema: dict[str, Json]) -> None:
    assert not takes(replace(SPEC, input_schema=schema), "note")


def test_no_tool_takes_nothing() -> None:
    assert not takes(None, "title")


def test_G5_another_identity_or_schema_is_another_pin() -> None:
    changed = [replace(SPEC, identity="desk 2"), replace(SPEC, input_schema={"properties": {"title": {}, "x": {}}})]
    assert [pin(spec) == pin(SPEC) for spec in changed] == [False, False]


def test_another_description_is_the_same_pin() -> None:
    assert pin(replace(SPEC, description="Creates a ticket.")) == pin(SPEC)
