"""What a recorded answer said and called, read from the JSON or the events of any of the three APIs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from marg_mock_model.cassette.server_event import data_of, events_of
from marg_mock_model.cassette.take import Take
from marg_mock_model.endpoint.wire import ApiName
from marg_mock_model.script import Script, ScriptCall
from marg_runtime.model import FinishReason

FINISHES: Mapping[str, FinishReason] = {
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "completed": "stop",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "incomplete": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
}


@dataclass(frozen=True, kw_only=True)
class RecordedReply:
    """What a recorded answer said and called; `id` and `ids` are those of a response and its calls, to go on from."""

    script: Script
    id: str
    ids: tuple[str, ...]


@dataclass(kw_only=True)
class _Reply:
    """A reply as it is put together; calls by their place, each with its name and the text of its arguments."""

    id: str = ""
    ids: tuple[str, ...] = ()
    text: str = ""
    finish: str = ""
    names: dict[int, str] = field(default_factory=dict)
    arguments: dict[int, str] = field(default_factory=dict)

    def call(self, place: int, *, name: str = "", arguments: str = "") -> None:
        self.names[place] = self.names.get(place, "") or name
        self.arguments[place] = self.arguments.get(place, "") + arguments

    def recorded(self) -> RecordedReply | None:
        """The whole of it; None where there is no script."""
        script = self.script()
        return None if script is None else RecordedReply(script=script, id=self.id, ids=self.ids)

    def script(self) -> Script | None:
        """The reply; None where it never ended, or a call's arguments are no JSON object."""
        if self.finish not in FINISHES:
            return None
        calls = []
        for place in sorted(self.names):
            try:
                arguments = json.loads(self.arguments[place] or "{}")
            except ValueError:
                return None
            if not isinstance(arguments, dict):
                return None
            calls.append(ScriptCall(tool=self.names[place], arguments=arguments))
        finish = FINISHES[self.finish]
        return Script(text=self.text, calls=tuple(calls), finish="tool_calls" if calls and finish == "stop" else finish)


def recorded_reply(api: ApiName, take: Take) -> RecordedReply | None:
    """The reply of a take; None where it is an error, is broken, or is none of this API's."""
    if take.status != 200:
        return None
    reply = _Reply()
    try:
        for value in _events(take.chunks) if take.is_stream else [json.loads("".join(take.chunks))]:
            _READS[api](reply, value)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None
    return reply.recorded()


def _events(chunks: Sequence[str]) -> list[Any]:
    found = map(data_of, events_of("".join(chunks)))
    return [json.loads(data) for data in found if data is not None and data.strip() != "[DONE]"]


def _read_chat(reply: _Reply, value: Any) -> None:
    for choice in value["choices"]:
        said = choice.get("message") or choice.get("delta") or {}
        reply.text += (said.get("content") or "") + (said.get("refusal") or "")
        for place, call in enumerate(said.get("tool_calls") or ()):
            function = call.get("function") or {}
            arguments = function.get("arguments") or ""
            reply.call(call.get("index", place), name=function.get("name") or "", arguments=arguments)
        reply.finish = "refusal" if said.get("refusal") else choice.get("finish_reason") or reply.finish


def _read_responses(reply: _Reply, value: Any) -> None:
    response = value if value.get("object") == "response" else value.get("response") or {}
    if response.get("status") not in ("completed", "incomplete"):
        return
    reply.finish, reply.id = response["status"], response["id"]
    for place, item in enumerate(response["output"]):
        if item["type"] == "function_call":
            reply.call(place, name=item["name"], arguments=item["arguments"])
            reply.ids += (item["call_id"],)
        for part in item.get("content") or ():
            reply.text += part.get("text") or part.get("refusal") or ""
            reply.finish = "refusal" if part["type"] == "refusal" else reply.finish


def _read_messages(reply: _Reply, value: Any) -> None:
    kind, place = value["type"], value.get("index", 0)
    if kind == "message":
        reply.finish = value["stop_reason"]
        for at, block in enumerate(value["content"]):
            _read_block(reply, at, block, whole=True)
    elif kind == "content_block_start":
        _read_block(reply, place, value["content_block"], whole=False)
    elif kind == "content_block_delta":
        delta = value["delta"]
        reply.text += delta.get("text", "")
        if "partial_json" in delta:
            reply.call(place, arguments=delta["partial_json"])
    elif kind == "message_delta":
        reply.finish = value["delta"]["stop_reason"]


def _read_block(reply: _Reply, place: int, block: Any, *, whole: bool) -> None:
    if block["type"] == "text":
        reply.text += block["text"]
    elif block["type"] == "tool_use":
        reply.call(place, name=block["name"], arguments=json.dumps(block["input"]) if whole else "")


_READS: Mapping[ApiName, Callable[[_Reply, Any], None]] = {
    "openai_chat": _read_chat,
    "openai_responses": _read_responses,
    "anthropic_messages": _read_messages,
}
