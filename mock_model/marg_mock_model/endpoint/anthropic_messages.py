"""Anthropic's Messages on the wire, in the versions 2023-06-01 and 2026-10-21."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from marg_mock_model.endpoint.fields import (
    format_of,
    heard_text,
    objects,
    optional,
    required,
    text_of,
    text_part,
    told,
    tool,
)
from marg_mock_model.endpoint.json_text import json_text, named_event
from marg_mock_model.endpoint.open_calls import OpenCalls
from marg_mock_model.endpoint.wire import (
    ApiName,
    Headers,
    Stored,
    StructuredFormat,
    WireError,
    WireReply,
    WireRequest,
    argument_pieces,
    header,
)
from marg_mock_model.errors import BadRequest
from marg_mock_model.pieces import pieces
from marg_runtime.conversation import (
    AssistantMessage,
    Message,
    ModelCall,
    ModelRequest,
    ResultMessage,
)
from marg_runtime.model import FinishReason
from marg_runtime.tools.tool import ToolSpec

VERSION_HEADER = b"anthropic-version"
VERSIONS = (b"2023-06-01", b"2026-10-21")
SAMPLING = ("temperature", "top_p", "top_k")
"""The fields that the newer version is reported to refuse; the SDK has dropped them."""

NO_THREADS = "thread_unsupported_request"
"""What the SDK's own loops go on from without a thread, the whole history with every request."""

FINISH: Mapping[FinishReason, str] = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "refusal": "refusal",
}
TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    405: "invalid_request_error",
    413: "request_too_large",
    422: "invalid_request_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class AnthropicMessages:
    """`POST /v1/messages`."""

    name: ApiName = "anthropic_messages"
    prefix = "msg_"

    def read(self, body: Mapping[str, Any], *, headers: Headers, stored: Stored) -> WireRequest:
        """The request of a body; raises BadRequest."""
        _check_version(body, header(headers, VERSION_HEADER))
        required(body, "max_tokens", int)
        if body.get("thread"):
            told = "thread: the mock model holds no threads; send the whole conversation without it"
            raise BadRequest(told, param="thread", code=NO_THREADS)
        messages = objects(required(body, "messages", list), "messages")
        if not messages:
            raise BadRequest("messages: at least one message is required", param="messages")
        tools = optional(body, "tools", list, [])
        if not tools and optional(body, "tool_choice", dict, {}).get("type", "none") != "none":
            raise BadRequest("tool_choice may only be specified while providing tools", param="tool_choice")
        config = optional(body, "output_config", dict, {})
        return WireRequest(
            request=ModelRequest(
                system=text_of(body.get("system"), at="system"),
                messages=tuple(_messages(messages)),
                tools=tuple(_tool(t, f"tools[{n}]") for n, t in enumerate(tools)),
            ),
            model=required(body, "model", str),
            stream=optional(body, "stream", bool, False),
            format=_format(optional(config, "format", dict, {}, at="output_config.")),
            echo={},
        )

    def document(self, reply: WireReply, asked: WireRequest) -> dict[str, Any]:
        """The reply as a `message`."""
        content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
        content += [_use(call, n, reply, call.arguments) for n, call in enumerate(reply.calls, start=1)]
        return _message(reply, content, FINISH[reply.finish], output=reply.usage.output)

    def events(self, reply: WireReply, asked: WireRequest) -> list[bytes]:
        """The reply as the events of a message, `message_stop` last."""
        blocks = [_text_block(reply.text)] if reply.text else []
        blocks += [_use_block(call, n, reply) for n, call in enumerate(reply.calls, start=1)]
        return _events(reply, blocks)

    def hollow_document(self, reply: WireReply, asked: WireRequest) -> dict[str, Any]:
        """The message without content."""
        return _message(reply, [], "end_turn", output=reply.usage.output)

    def hollow_events(self, reply: WireReply, asked: WireRequest) -> list[bytes]:
        """A message that starts and stops, with no block in it."""
        return _events(reply, [])

    def error(self, error: WireError) -> dict[str, Any]:
        """An error's body."""
        kind = TYPES.get(error.status, "api_error")
        told = {"type": kind, "message": error.message, **(error.extra or {})}
        if error.code == NO_THREADS:
            told["details"] = {"error_code": error.code}
        return {"type": "error", "error": told, "request_id": error.request}

    def error_event(self, error: WireError, *, number: int) -> bytes:
        """An error in the middle of a stream."""
        return named_event("error", self.error(error))


def _events(reply: WireReply, blocks: list[list[dict[str, Any]]]) -> list[bytes]:
    events = [_event("message_start", message=_message(reply, [], None, output=0))]
    for index, block in enumerate(blocks):
        events.append(_event("content_block_start", index=index, content_block=block[0]))
        events += [_event("content_block_delta", index=index, delta=delta) for delta in block[1:]]
        events.append(_event("content_block_stop", index=index))
    ended = {"stop_reason": FINISH[reply.finish], "stop_sequence": None}
    usage = {"input_tokens": reply.usage.input, "output_tokens": reply.usage.output}
    return [*events, _event("message_delta", delta=ended, usage=usage), _event("message_stop")]


def _check_version(body: Mapping[str, Any], version: bytes | None) -> None:
    known = " or ".join(v.decode() for v in VERSIONS)
    if version is None:
        raise BadRequest(f"anthropic-version: header is required; it may be {known}", param="anthropic-version")
    if version not in VERSIONS:
        raise BadRequest(f"anthropic-version: {version!r} is not known; it may be {known}", param="anthropic-version")
    if version == VERSIONS[1]:
        for name in SAMPLING:
            if name in body:
                raise BadRequest(f"{name}: not supported since version {version.decode()}", param=name)


def _messages(messages: list[Mapping[str, Any]]) -> Iterator[Message]:
    calling = OpenCalls()
    for number, message in enumerate(messages):
        at = f"messages[{number}]"
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else None
        if blocks is None:
            blocks = [
                dict(block) for block in objects(required(message, "content", list, at=f"{at}."), f"{at}.content")
            ]
        role = message.get("role")
        if role == "user":
            yield from _heard(blocks, calling, f"{at}.content")
            continue
        if calling:
            raise _unanswered(calling, at)
        if role == "assistant":
            yield _said(blocks, calling, f"{at}.content")
        elif role == "system":
            yield told(text_of(content, at=f"{at}.content"))
        else:
            raise BadRequest(f"{at}.role: {role!r} is not 'user' or 'assistant'", param=f"{at}.role")
    if calling:
        raise _unanswered(calling, "messages")


def _unanswered(calling: OpenCalls, at: str) -> BadRequest:
    return BadRequest(
        f"{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {calling}. Each "
        "`tool_use` block must have a corresponding `tool_result` block in the next message.",
        param=at,
    )


def _said(blocks: list[dict[str, Any]], calling: OpenCalls, at: str) -> AssistantMessage:
    texts: list[str] = []
    calls: list[ModelCall] = []
    for number, block in enumerate(blocks):
        place = f"{at}[{number}]"
        if block.get("type") in ("thinking", "redacted_thinking"):
            continue
        if block.get("type") == "tool_use":
            place += "."
            name, call = required(block, "name", str, at=place), required(block, "id", str, at=place)
            calls.append(ModelCall(id=call, name=name, arguments=required(block, "input", dict, at=place)))
        else:
            texts.append(text_part(block, at=place))
    calling.made(calls)
    return AssistantMessage(text="\n".join(texts), calls=tuple(calls))


def _heard(blocks: list[dict[str, Any]], calling: OpenCalls, at: str) -> Iterator[Message]:
    """What the user's message holds, in order: results, facts and words."""
    for number, block in enumerate(blocks):
        place = f"{at}[{number}]"
        if block.get("type") == "tool_result":
            yield _result(block, calling, place)
        else:
            if calling:
                raise _unanswered(calling, place)
            yield heard_text(text_part(block, at=place))


def _result(block: Mapping[str, Any], calling: OpenCalls, at: str) -> ResultMessage:
    call = required(block, "tool_use_id", str, at=f"{at}.")
    name = calling.answered(call)
    if name is None:
        raise BadRequest(f"{at}: unexpected `tool_use_id` found in `tool_result` blocks: {call}", param=at)
    text = text_of(block.get("content"), at=f"{at}.content")
    return ResultMessage(call=call, name=name, text=text, is_error=optional(block, "is_error", bool, False))


def _tool(value: Any, at: str) -> ToolSpec:
    (entry,) = objects([value], at)
    if entry.get("type", "custom") != "custom":
        raise BadRequest(f"{at}.type: the mock model calls custom tools alone, not {entry['type']!r}", param=at)
    schema = required(entry, "input_schema", dict, at=f"{at}.")
    return tool(required(entry, "name", str, at=f"{at}."), optional(entry, "description", str, ""), schema)


def _format(asked: Mapping[str, Any]) -> StructuredFormat | None:
    if not asked:
        return None
    if asked.get("type") != "json_schema":
        raise BadRequest(
            f"output_config.format.type: {asked.get('type')!r} is not 'json_schema'", param="output_config"
        )
    return format_of(asked, at="output_config.format.")


def _message(reply: WireReply, content: list[dict[str, Any]], stop: str | None, *, output: int) -> dict[str, Any]:
    return {
        "id": f"msg_{reply.id}",
        "type": "message",
        "role": "assistant",
        "model": reply.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": reply.usage.input, "output_tokens": output},
    }


def _text_block(text: str) -> list[dict[str, Any]]:
    """A text block as it is opened, and its deltas."""
    return [{"type": "text", "text": ""}, *({"type": "text_delta", "text": piece} for piece in pieces(text))]


def _use_block(call: ModelCall, number: int, reply: WireReply) -> list[dict[str, Any]]:
    deltas = argument_pieces(json_text(call.arguments))
    opened = _use(call, number, reply, {})
    return [opened, *({"type": "input_json_delta", "partial_json": piece} for piece in deltas)]


def _use(call: ModelCall, number: int, reply: WireReply, given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{reply.id}{number}", "name": call.name, "input": given}


def _event(kind: str, **fields: Any) -> bytes:
    return named_event(kind, {"type": kind, **fields})
