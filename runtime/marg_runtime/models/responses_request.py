"""A request in the form of OpenAI's Responses. The whole history goes with each; the server keeps none of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from marg_runtime.canonical import well_formed
from marg_runtime.conversation import ModelRequest
from marg_runtime.model_results import result_text
from marg_runtime.models.chat_request import FactsRole, person_messages
from marg_runtime.models.history import ModelTurn, PersonTurn, turns_of
from marg_runtime.models.tool_names import wire_name
from marg_runtime.models.wire_tools import WireTool, arguments_text, wire_tools


def responses_body(request: ModelRequest, *, facts_role: FactsRole = "user") -> dict[str, Any]:
    """`input`, `store`, `instructions` where there is a system text, and `tools` where there are any."""
    items: list[dict[str, Any]] = []
    for turn in turns_of(request.messages):
        if isinstance(turn, PersonTurn):
            items += person_messages(turn, facts_role=facts_role, part_type="input_text")
        else:
            items += _model_items(turn)
    body: dict[str, Any] = {"input": items, "store": False}
    if request.system.strip():
        body["instructions"] = well_formed(request.system)
    if request.tools:
        body["tools"] = [_tool(tool) for tool in wire_tools(request.tools)]
    return body


def _model_items(turn: ModelTurn) -> Iterator[dict[str, Any]]:
    if turn.text:
        yield {"role": "assistant", "content": turn.text}
    for call in turn.calls:
        name, arguments = wire_name(call.name), arguments_text(call)
        yield {"type": "function_call", "call_id": call.id, "name": name, "arguments": arguments}
    for result in turn.results:
        text = result_text(result.text, is_error=result.is_error)
        yield {"type": "function_call_output", "call_id": result.call, "output": text}


def _tool(tool: WireTool) -> dict[str, Any]:
    # A strict schema must list every property as required, which a server's own schema seldom does.
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
        "strict": False,
    }
