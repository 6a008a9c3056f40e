"""The scripted double of `Tools`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from marg_runtime.canonical import Json
from marg_runtime.errors import ToolError, UsageError
from marg_runtime.tools.scripted import ScriptedCall, ScriptedTools
from marg_runtime.tools.tool import ToolName, ToolOutcome, Tools, ToolSpec

SEARCH = ToolName(server="desk", name="search")
CREATE = ToolName(server="desk", name="create")


def spec(tool: ToolName) -> ToolSpec:
    return ToolSpec(server=tool.server, identity="desk 1", name=tool.name, description="", input_schema={})


def call(tools: Tools, tool: ToolName, **arguments: Json) -> ToolOutcome:
    return asyncio.run(tools.call(tool, arguments))


def test_a_scripted_outcome_is_given() -> None:
    tools = ScriptedTools([spec(SEARCH)], {SEARCH: ToolOutcome(text="none found")})
    assert call(tools, SEARCH).text == "none found"


def test_a_function_gets_the_arguments() -> None:
    tools = ScriptedTools([spec(SEARCH)], {SEARCH: lambda arguments: ToolOutcome(text=str(arguments["query"]))})
    assert call(tools, SEARCH, query="mail").text == "mail"


def test_a_coroutine_function_is_awaited() -> None:
    async def answer(arguments: Mapping[str, Json]) -> ToolOutcome:
        await asyncio.sleep(0)
        return ToolOutcome(text="late")

    assert call(ScriptedTools([spec(SEARCH)], {SEARCH: answer}), SEARCH).text == "late"


def test_a_function_that_raises_plays_a_broken_server() -> None:
    def broken(arguments: Mapping[str, Json]) -> ToolOutcome:
        raise ToolError("desk: search: Connection closed")

    with pytest.raises(ToolError, match="Connection closed"):
        call(ScriptedTools([spec(SEARCH)], {SEARCH: broken}), SEARCH)


def test_the_specs_are_listed_as_given() -> None:
    specs = (spec(SEARCH), spec(CREATE))
    assert asyncio.run(ScriptedTools(specs, {}).list()) == specs


def test_calls_are_kept_in_order() -> None:
    done = ToolOutcome(text="")
    tools = ScriptedTools([spec(SEARCH), spec(CREATE)], {SEARCH: done, CREATE: done})
    call(tools, SEARCH, query="mail")
    call(tools, CREATE, title="No mail")
    assert tools.calls == [
        ScriptedCall(tool=SEARCH, arguments={"query": "mail"}),
        ScriptedCall(tool=CREATE, arguments={"title": "No mail"}),
    ]


def test_a_call_outside_the_script_is_an_error_that_names_the_tool() -> None:
    tools = ScriptedTools([spec(SEARCH), spec(CREATE)], {SEARCH: ToolOutcome(text="")})
    with pytest.raises(UsageError, match=r"no script for a call of 'desk/create' with \{'title': 'x'\}"):
        call(tools, CREATE, title="x")


def test_a_call_outside_the_script_is_kept_too() -> None:
    tools = ScriptedTools([spec(CREATE)], {})
    with pytest.raises(UsageError):
        call(tools, CREATE)
    assert tools.calls == [ScriptedCall(tool=CREATE, arguments={})]


def test_the_same_name_on_another_server_is_outside_the_script() -> None:
    tools = ScriptedTools([spec(SEARCH)], {SEARCH: ToolOutcome(text="")})
    with pytest.raises(UsageError, match="'other/search'"):
        call(tools, ToolName(server="other", name="search"))


def test_a_script_of_a_tool_without_a_spec_is_an_error() -> None:
    with pytest.raises(UsageError, match="desk/create, which no spec lists"):
        ScriptedTools([spec(SEARCH)], {CREATE: ToolOutcome(text="")})
