"""The two tools that every model is offered."""

from __future__ import annotations

import pytest

from marg_runtime.decide.built_in import BUILT_IN_TOOLS
from marg_runtime.surroundings import BUILT_IN, takes
from marg_runtime.tools.tool import ToolSpec

by_name = {tool.name: tool for tool in BUILT_IN_TOOLS}
every_tool = pytest.mark.parametrize("tool", BUILT_IN_TOOLS, ids=by_name)


def test_S2_the_built_in_tools_are_propose_and_reopen() -> None:
    assert list(by_name) == ["propose", "reopen"]


@every_tool
def test_S2_a_built_in_tool_is_the_runtimes_own(tool: ToolSpec) -> None:
    assert tool.server == BUILT_IN


@every_tool
def test_S2_every_argument_of_a_built_in_tool_is_required_text(tool: ToolSpec) -> None:
    properties = tool.input_schema["properties"]
    assert isinstance(properties, dict)
    assert (tool.input_schema["required"], {one["type"] for one in properties.values()}) == (
        list(properties),
        {"string"},
    )


@pytest.mark.parametrize(("name", "argument"), [("propose", "slot"), ("propose", "value"), ("propose", "quote")])
def test_S2_propose_takes_slot_value_and_quote(name: str, argument: str) -> None:
    assert takes(by_name[name], argument)


def test_S2_reopen_takes_a_step() -> None:
    assert takes(by_name["reopen"], "step")
