"""A request in the form of Anthropic's Messages: the sides alternate, and results are words of the person's side."""

from __future__ import annotations

from typing import Any

from marg_runtime.canonical import well_formed
from marg_runtime.conversation import ModelRequest, ResultMessage
from marg_runtime.models.history import ModelTurn, Part, PersonTurn, turns_of
from marg_runtime.models.tool_names import wire_name
from marg_runtime.models.wire_tools import plain_arguments, wire_tools


def messages_body(request: ModelRequest) -> dict[str, Any]:
    """`messages`, `system` where there is a system text, and `tools` where there are any."""
    messages: list[dict[str, Any]] = []
    for turn in turns_of(request.messages):
        if isinstance(turn, PersonTurn):
            _append(messages, "user", [_text(part) for part in turn.parts])
        else:
            _append(messages, "assistant", _said(turn))
            _append(messages, "user", [_result(result) for result in turn.results])
    body: dict[str, Any] = {"messages": messages}
    if request.system.strip():
        body["system"] = well_formed(request.system)
    if request.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
            for tool in wire_tools(request.tools)
        ]
    return body


def _append(messages: list[dict[str, Any]], role: str, blocks: list[dict[str, Any]]) -> None:
    """Add blocks to the last message where it is of that role: results and the words behind them are one message."""
    if messages and messages[-1]["role"] == role:
        messages[-1]["content"] += blocks
    elif blocks:
        messages.append({"role": role, "content": blocks})


def _text(part: Part) -> dict[str, Any]:
    return {"type": "text", "text": part.text}


def _said(turn: ModelTurn) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": turn.text}] if turn.text else []
    for call in turn.calls:
        name, arguments = wire_name(call.name), plain_arguments(call)
        blocks.append({"type": "tool_use", "id": call.id, "name": name, "input": arguments})
    return blocks


def _result(result: ResultMessage) -> dict[str, Any]:
    return {
        "type": "tool_result",
        "tool_use_id": result.call,
        "content": result.text,
        "is_error": result.is_error,
    }
