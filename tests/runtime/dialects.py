"""The three APIs as the tests of the models speak them: the frames of a reply, and the model that reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from marg_runtime.conversation import ModelCall, ModelRequest, UserMessage
from marg_runtime.model import FinishReason
from marg_runtime.models import AnthropicModel, OpenAIModel
from marg_runtime.models.retry import Pace, Retries, Timeout
from marg_runtime.tools.tool import ToolSpec
from marg_runtime.wire import WireSink, ignore_wire

ApiName: TypeAlias = Literal["chat", "responses", "messages"]
APIS: tuple[ApiName, ...] = ("chat", "responses", "messages")
KEY = "sk-loopback-key-0001"
PATIENT = Timeout(connect=30, read=30, total=60)
SHORT = Timeout(connect=30, read=0.1, total=60)  # for those that wait for nothing
ONCE = Retries(most=0)


def tool_spec(name: str, *, server: str = "desk") -> ToolSpec:
    """A tool without arguments."""
    return ToolSpec(server=server, identity="desk 1", name=name, description="", input_schema={})


REQUEST = ModelRequest(
    system="Be brief.", messages=(UserMessage(text="hello"),), tools=(tool_spec("search"), tool_spec("desk/find"))
)


def model_of(
    api: ApiName,
    url: str,
    *,
    wire: WireSink = ignore_wire,
    retries: Retries = ONCE,
    timeout: Timeout = PATIENT,
    pace: Pace | None = None,
    api_key: str = KEY,
    extra_body: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> OpenAIModel | AnthropicModel:
    """The model of an API at a server."""
    options: dict[str, Any] = {
        "wire": wire,
        "retries": retries,
        "timeout": timeout,
        "pace": pace,
        "api_key": api_key,
        "extra_body": extra_body,
        "headers": headers,
    }
    if api == "messages":
        return AnthropicModel("m-1", base_url=url, **options)
    return OpenAIModel("m-1", api=api, base_url=f"{url}/v1", **options)


def frame(event: Any) -> bytes:
    """An event on the wire; one with a type is named by it."""
    name = f"event: {event['type']}\n" if isinstance(event, dict) and "type" in event else ""
    return f"{name}data: {json.dumps(event)}\n\n".encode()


def frames(events: Sequence[Any]) -> list[bytes]:
    """Events on the wire."""
    return [frame(event) for event in events]


@dataclass(frozen=True, kw_only=True)
class Said:
    """A reply to be written: its text in pieces, its calls, and why it ends."""

    pieces: tuple[str, ...] = ("Hel", "lo.")
    calls: tuple[ModelCall, ...] = ()
    reason: FinishReason = "stop"


def events_of(api: ApiName, said: Said) -> list[dict[str, Any]]:
    """The events of a whole reply; the last one holds the marker."""
    return {"chat": _chat, "responses": _responses, "messages": _messages}[api](said)


def error_event(api: ApiName, word: str) -> dict[str, Any]:
    """An error inside a stream."""
    if api == "responses":
        return {"type": "error", "sequence_number": 90, "code": word, "message": "told", "param": None}
    body = {"error": {"type": word, "code": word, "message": "told"}}
    return {"type": "error", **body} if api == "messages" else body


def _halves(call: ModelCall) -> tuple[str, str]:
    text = json.dumps(call.arguments)
    return text[: len(text) // 2], text[len(text) // 2 :]


def chunk(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    """A chunk of Chat Completions."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m-1", "choices": [choice]}


def _chat(said: Said) -> list[dict[str, Any]]:
    finish = {"stop": "stop", "tool_calls": "tool_calls", "length": "length", "refusal": "content_filter"}
    events = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": piece}) for piece in said.pieces)]
    for index, call in enumerate(said.calls):
        first, second = _halves(call)
        named = {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
        events.append(chunk({"tool_calls": [{"index": index, **named}]}))
        events += [chunk({"tool_calls": [{"index": index, "function": {"arguments": p}}]}) for p in (first, second)]
    return [*events, chunk({}, finish[said.reason])]


def _messages(said: Said) -> list[dict[str, Any]]:
    finish = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "refusal": "refusal"}
    usage = {"input_tokens": 3, "output_tokens": 1}
    message = {"id": "m-1", "type": "message", "role": "assistant", "content": [], "model": "m-1", "usage": usage}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    events.append({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
    for piece in said.pieces:
        delta = {"type": "text_delta", "text": piece}
        events.append({"type": "content_block_delta", "index": 0, "delta": delta})
    events.append({"type": "content_block_stop", "index": 0})
    for index, call in enumerate(said.calls, start=1):
        block = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        for piece in _halves(call):
            delta = {"type": "input_json_delta", "partial_json": piece}
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    ended = {"stop_reason": finish[said.reason], "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 5}}, {"type": "message_stop"}]


def _responses(said: Said) -> list[dict[str, Any]]:
    text = "".join(said.pieces)
    at = {"item_id": "i-0", "output_index": 0, "content_index": 0}
    message = {"id": "i-0", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "r-1", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": message},
        *({"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []} for piece in said.pieces),
        {"type": "response.output_text.done", **at, "text": text, "logprobs": []},
    ]
    output: list[dict[str, Any]] = [{**message, "content": [{"type": "output_text", "text": text, "annotations": []}]}]
    for index, call in enumerate(said.calls, start=1):
        item = {"type": "function_call", "id": f"i-{index}", "call_id": call.id, "name": call.name, "arguments": ""}
        place, arguments = {"item_id": f"i-{index}", "output_index": index}, json.dumps(call.arguments)
        events.append({"type": "response.output_item.added", "output_index": index, "item": item})
        for piece in _halves(call):
            events.append({"type": "response.function_call_arguments.delta", **place, "delta": piece})
        events.append({"type": "response.function_call_arguments.done", **place, "arguments": arguments})
        output.append({**item, "arguments": arguments})
        events.append({"type": "response.output_item.done", "output_index": index, "item": output[-1]})
    incomplete = {"length": "max_output_tokens", "refusal": "content_filter"}.get(said.reason)
    response: dict[str, Any] = {"id": "r-1", "output": output, "usage": {"input_tokens": 3, "output_tokens": 5}}
    if incomplete:
        response["incomplete_details"] = {"reason": incomplete}
    events.append({"type": "response.incomplete" if incomplete else "response.completed", "response": response})
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]
