"""A request in the form of OpenAI's Chat Completions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, TypeAlias

from marg_runtime.canonical import well_formed
from marg_runtime.conversation import ModelRequest
from marg_runtime.model_results import result_text
from marg_runtime.models.history import ModelTurn, Part, PersonTurn, turns_of
from marg_runtime.models.tool_names import wire_name
from marg_runtime.models.wire_tools import WireTool, arguments_text, wire_tools

FactsRole: TypeAlias = Literal["user", "developer", "system"]


def chat_body(request: ModelRequest, *, facts_role: FactsRole = "user") -> dict[str, Any]:
    """`messages`, and `tools` where there are any."""
    messages: list[dict[str, Any]] = []
    if request.system.strip():
        messages.append({"role": "system", "content": well_formed(request.system)})
    for turn in turns_of(request.messages):
        if isinstance(turn, PersonTurn):
            messages += person_messages(turn, facts_role=facts_role, part_type="text")
        else:
            messages += _model_messages(turn)
    tools = [_tool(tool) for tool in wire_tools(request.tools)]
    return {"messages": messages, **({"tools": tools} if tools else {})}


def person_messages(turn: PersonTurn, *, facts_role: FactsRole, part_type: str) -> Iterator[dict[str, Any]]:
    """A person's turn: one message of each role in turn, a text where it has one part, else a list of parts."""
    for role, parts in groupby(turn.parts, key=lambda part: facts_role if part.kind == "facts" else "user"):
        yield {"role": role, "content": _content(tuple(parts), part_type)}


def _content(parts: Sequence[Part], part_type: str) -> str | list[dict[str, str]]:
    return parts[0].text if len(parts) == 1 else [{"type": part_type, "text": part.text} for part in parts]


def _model_messages(turn: ModelTurn) -> Iterator[dict[str, Any]]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": wire_name(call.name), "arguments": arguments_text(call)},
            }
            for call in turn.calls
        ]
    yield message
    for result in turn.results:
        text = result_text(result.text, is_error=result.is_error)
        yield {"role": "tool", "tool_call_id": result.call, "content": text}


def _tool(tool: WireTool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}
