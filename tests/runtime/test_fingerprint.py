"""The fingerprint stands for draft, arguments, server, identity, tool and schema: any difference is another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from marg_runtime.canonical import Json
from marg_runtime.events.turn import PinnedTool
from marg_runtime.fingerprint import fingerprint
from marg_runtime.tools.tool import ToolName

TOOL = PinnedTool(tool=ToolName(server="desk", name="create"), identity="desk 1", schema_digest="abc")
ARGUMENTS: dict[str, Json] = {"title": "Lamp broken", "count": 5}


def of(*, draft: str = "draft-1", arguments: Mapping[str, Json] = ARGUMENTS, tool: PinnedTool = TOOL) -> str:
    return fingerprint(draft=draft, arguments=arguments, tool=tool)


def test_G5_the_same_is_the_same() -> None:
    assert of() == of()


def test_G5_key_order_is_ignored() -> None:
    assert of(arguments={"count": 5, "title": "Lamp broken"}) == of()


def test_G5_another_draft_is_another_fingerprint() -> None:
    assert of(draft="draft-2") != of()


@pytest.mark.parametrize(
    "arguments",
    [
        {"title": "Lamp broken", "count": "5"},
        {"title": "Lamp broken", "count": 5.0},
        {"title": "Lamp broken", "count": 6},
        {"title": "lamp broken", "count": 5},
        {"title": "Lamp broken "},
        {"title": "Lamp broken", "count": 5, "note": None},
        {"title": "Lamp broken", "count": None},
        {},
    ],
)
def test_G5_other_arguments_are_another_fingerprint(arguments: dict[str, Json]) -> None:
    assert of(arguments=arguments) != of()


@pytest.mark.parametrize(
    "tool",
    [
        replace(TOOL, tool=ToolName(server="other", name="create")),
        replace(TOOL, tool=ToolName(server="desk", name="create2")),
        replace(TOOL, identity="desk 2"),
        replace(TOOL, schema_digest="abd"),
    ],
)
def test_G5_another_tool_is_another_fingerprint(tool: PinnedTool) -> None:
    assert of(tool=tool) != of()


def test_G5_a_text_that_moves_from_server_to_tool_is_another_fingerprint() -> None:
    one = replace(TOOL, tool=ToolName(server="ab", name="c"))
    other = replace(TOOL, tool=ToolName(server="a", name="bc"))
    assert of(tool=one) != of(tool=other)
