"""Options are found with the tools that the session opened with, and with no others (rule G7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.canonical import Json
from marg_runtime.errors import ToolError
from marg_runtime.events.step import OptionsFailed
from marg_runtime.tools.scripted import ScriptedTools
from marg_runtime.tools.tool import ToolSpec

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

OTHER_SCHEMA: Mapping[str, Json] = {"type": "object", "properties": {"kind": {}, "delete_all": {}}}


class Changing(ScriptedTools):
    """The desk's tools, which are listed as `listed` once that is set; None: they cannot be listed."""

    listed: tuple[ToolSpec, ...] | None = ()

    async def list(self) -> tuple[ToolSpec, ...]:
        if self.listed is None:
            raise ToolError("the desk is not there")
        return self.listed or self._specs


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    """A desk at the place, whose next question is found with the tool `levels`."""
    usual = make_desk(session="usual").scripted
    desk = make_desk(tools=Changing(usual._specs, usual._script))
    desk.to_place()
    return desk


def tools_of(desk: Desk) -> Changing:
    assert isinstance(desk.tools, Changing)
    return desk.tools


def change(desk: Desk, **changes: object) -> None:
    specs = tools_of(desk)._specs
    tools_of(desk).listed = tuple(
        replace(spec, **changes) if spec.tool == desk.LEVELS else spec  # type: ignore[arg-type]
        for spec in specs
    )


def asked(desk: Desk) -> int:
    return sum(call.tool == desk.LEVELS for call in tools_of(desk).calls)


@pytest.mark.parametrize(
    "changes",
    [{"identity": "another desk 9"}, {"input_schema": OTHER_SCHEMA}, {"name": "levels_of_old"}],
    ids=["another server", "another schema", "no longer listed"],
)
def test_G7_options_are_not_asked_of_a_tool_that_is_no_longer_the_one_that_the_session_opened_with(
    desk: Desk, changes: dict[str, object]
) -> None:
    change(desk, **changes)
    desk.tap("Office")
    assert (asked(desk), desk.values.get("urgency")) == (0, None)


def test_G7_the_user_is_told_that_the_options_could_not_be_loaded(desk: Desk) -> None:
    change(desk, identity="another desk 9")
    desk.tap("Office")
    assert "could not load the options for Urgency" in desk.texts("runtime")[0]


def test_G7_the_ledger_says_which_tool_it_was(desk: Desk) -> None:
    change(desk, identity="another desk 9")
    desk.tap("Office")
    assert [event.error for event in desk.events(OptionsFailed)] == [
        "desk/levels is not the tool that the session opened with; nothing was sent"
    ]


def test_G7_options_are_not_asked_of_a_server_whose_tools_cannot_be_listed(desk: Desk) -> None:
    tools_of(desk).listed = None
    desk.tap("Office")
    assert (asked(desk), len(desk.events(OptionsFailed))) == (0, 1)


def test_G7_a_change_of_another_tool_does_not_keep_options_from_being_found(desk: Desk) -> None:
    tools_of(desk).listed = tuple(
        replace(spec, identity="another desk 9") if spec.tool == desk.SEARCH else spec for spec in tools_of(desk)._specs
    )
    desk.tap("Office")
    assert (asked(desk), desk.block.step) == (1, "urgency")


def test_G7_options_are_found_once_the_session_is_opened_anew_with_the_tool_as_it_is(desk: Desk) -> None:
    change(desk, identity="another desk 9")
    desk.tap("Office")
    desk.reopen()
    desk.reload()
    assert (asked(desk), desk.block.step) == (1, "urgency")
