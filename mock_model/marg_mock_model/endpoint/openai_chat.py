"""OpenAI's Chat Completions on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marg_mock_model.endpoint.fields import (
    arguments_of,
    format_of,
    heard,
    heard_text,
    objects,
    optional,
    required,
    text_of,
    told,
    tool,
)
from marg_mock_model.endpoint.json_text import data_event, json_text, string_text, utf8
from marg_mock_model.endpoint.open_calls import OpenCalls
from marg_mock_model.endpoint.openai_error import openai_error
from marg_mock_model.endpoint.tool_errors import result_text
from marg_mock_model.endpoint.wire import (
    CREATED,
    ApiName,
    Headers,
    Stored,
    StructuredFormat,
    Usage,
    WireError,
    WireReply,
    WireRequest,
    argument_pieces,
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

FINISH: Mapping[FinishReason, str] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "length": "length",
    # A refusal has a field of its own and a proper end.
    "refusal": "stop",
}
DONE = b"data: [DONE]\n\n"
NEED_TOOLS = ("tool_choice", "parallel_tool_calls")
INSTRUCTING = ("system", "developer")
"""The roles of the system text, and, after the first message of another role, of facts."""


class OpenAIChat:
    """`POST /v1/chat/completions`."""

    name: ApiName = "openai_chat"
    prefix = "chatcmpl-"

    def read(self, body: Mapping[str, Any], *, headers: Headers, stored: Stored) -> WireRequest:
        """The request of a body; raises BadRequest."""
        if optional(body, "n", int, 1) != 1:
            raise BadRequest("The mock model gives one choice; 'n' must be 1.", param="n")
        messages = objects(required(body, "messages", list), "messages")
        if not messages:
            raise BadRequest("Invalid 'messages': empty array.", param="messages", code="empty_array")
        leading = next((n for n, m in enumerate(messages) if m.get("role") not in INSTRUCTING), len(messages))
        system = "\n\n".join(text_of(m.get("content"), at="messages[0].content") for m in messages[:leading])
        options = optional(body, "stream_options", dict, {})
        stream = optional(body, "stream", bool, False)
        _check_options(body, stream=stream)
        return WireRequest(
            request=ModelRequest(
                system=system,
                messages=_messages(messages, leading),
                tools=tuple(_tool(t, f"tools[{n}]") for n, t in enumerate(optional(body, "tools", list, []))),
            ),
            model=required(body, "model", str),
            stream=stream,
            usage=not stream or bool(options.get("include_usage")),
            format=_format(optional(body, "response_format", dict, {})),
            echo={},
        )

    def document(self, reply: WireReply, asked: WireRequest) -> dict[str, Any]:
        """The reply as a `chat.completion`."""
        refused = reply.finish == "refusal"
        message: dict[str, Any] = {
            "role": "assistant",
            "content": None if refused or (reply.calls and not reply.text) else reply.text,
            "refusal": reply.text if refused else None,
        }
        if reply.calls:
            message["tool_calls"] = [_call(call, n, reply) for n, call in enumerate(reply.calls)]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": FINISH[reply.finish]}
        return {
            "id": f"{OpenAIChat.prefix}{reply.id}",
            "object": "chat.completion",
            "created": CREATED,
            "model": reply.model,
            "choices": [choice],
            "usage": _usage(reply.usage),
        }

    def events(self, reply: WireReply, asked: WireRequest) -> list[bytes]:
        """The reply as `chat.completion.chunk` events, and `[DONE]`."""
        field = "refusal" if reply.finish == "refusal" else "content"
        first = {"role": "assistant", "content": "" if field == "content" else None}
        deltas = [json_text(first), *(f'{{"{field}":{string_text(piece)}}}' for piece in pieces(reply.text))]
        for number, call in enumerate(reply.calls):
            opened = {"index": number, **_call(call, number, reply, arguments="")}
            deltas.append(json_text({"tool_calls": [opened]}))
            deltas += [
                json_text({"tool_calls": [{"index": number, "function": {"arguments": piece}}]})
                for piece in argument_pieces(json_text(call.arguments))
            ]
        # Who asked for the usage finds the field in every chunk, empty until the last.
        usage = ',"usage":null' if asked.usage else ""
        head, _, tail = _choice(reply, "{}", None, usage).partition('{},"logprobs"')
        chunks = [utf8(f'{head}{delta},"logprobs"{tail}') for delta in deltas]
        chunks.append(utf8(_choice(reply, "{}", FINISH[reply.finish], usage)))
        return [*chunks, *_ending(reply, asked)]

    def hollow_document(self, reply: WireReply, asked: WireRequest) -> dict[str, Any]:
        """The document without choices."""
        return {**self.document(reply, asked), "choices": []}

    def hollow_events(self, reply: WireReply, asked: WireRequest) -> list[bytes]:
        """One chunk without choices, and `[DONE]`."""
        return [utf8(_chunk(reply, "[]")), *_ending(reply, asked)]

    def error(self, error: WireError) -> dict[str, Any]:
        """An error's body."""
        return openai_error(error)

    def error_event(self, error: WireError, *, number: int) -> bytes:
        """An error in the middle of a stream: the SDK looks for `error` in the data."""
        return data_event(openai_error(error))


def _check_options(body: Mapping[str, Any], *, stream: bool) -> None:
    """Refuse the options that go with another one, where that is missing: clients forget it, and the API does not."""
    if body.get("stream_options") is not None and not stream:
        told = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        raise BadRequest(told, param="stream_options")
    for name in () if body.get("tools") else NEED_TOOLS:
        if body.get(name) not in (None, "none"):
            told = f"Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified."
            raise BadRequest(told, param=name)


def _chunk(reply: WireReply, choices: str, usage: str = "") -> str:
    """An event with its choices, and where there are any its usage, as JSON."""
    head = f'{{"id":"{OpenAIChat.prefix}{reply.id}","object":"chat.completion.chunk","created":{CREATED}'
    return f'data: {head},"model":{string_text(reply.model)},"choices":{choices}{usage}}}\n\n'


def _choice(reply: WireReply, delta: str, finish: str | None, usage: str) -> str:
    ending = "null" if finish is None else f'"{finish}"'
    return _chunk(reply, f'[{{"index":0,"delta":{delta},"logprobs":null,"finish_reason":{ending}}}]', usage)


def _ending(reply: WireReply, asked: WireRequest) -> list[bytes]:
    """What follows the last choice."""
    if not asked.usage:
        return [DONE]
    return [utf8(_chunk(reply, "[]", f',"usage":{json_text(_usage(reply.usage))}')), DONE]


def _messages(messages: list[Mapping[str, Any]], leading: int) -> tuple[Message, ...]:
    calling = OpenCalls()
    found: list[Message] = []
    for number, message in enumerate(messages[leading:], start=leading):
        at = f"messages[{number}]"
        role = message.get("role")
        if role == "tool":
            found.append(_result(message, calling, at))
            continue
        if calling:
            raise _unanswered(calling, at)
        if role == "user":
            content = message.get("content")
            found += [heard_text(content)] if isinstance(content, str) else heard(content, at=f"{at}.content")
            continue
        text = text_of(message.get("content"), at=f"{at}.content")
        if role == "assistant":
            calls = _calls(message, at)
            calling.made(calls)
            found.append(AssistantMessage(text=text or optional(message, "refusal", str, ""), calls=calls))
        elif role in INSTRUCTING:
            found.append(told(text))
        else:
            raise BadRequest(f"Invalid value: {role!r} for '{at}.role'.", param=f"{at}.role", code="invalid_value")
    if calling:
        raise _unanswered(calling, "messages")
    return tuple(found)


def _unanswered(calling: OpenCalls, at: str) -> BadRequest:
    return BadRequest(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
        f"'tool_call_id'. The following tool_call_ids did not have response messages: {calling}",
        param=at,
    )


def _calls(message: Mapping[str, Any], at: str) -> tuple[ModelCall, ...]:
    calls = []
    for number, call in enumerate(objects(optional(message, "tool_calls", list, []), f"{at}.tool_calls")):
        place = f"{at}.tool_calls[{number}]."
        function = required(call, "function", dict, at=place)
        arguments = arguments_of(required(function, "arguments", str, at=f"{place}function."))
        name = required(function, "name", str, at=f"{place}function.")
        calls.append(ModelCall(id=required(call, "id", str, at=place), name=name, arguments=arguments))
    return tuple(calls)


def _result(message: Mapping[str, Any], calling: OpenCalls, at: str) -> ResultMessage:
    call = required(message, "tool_call_id", str, at=f"{at}.")
    name = calling.answered(call)
    if name is None:
        raise BadRequest(
            f"Invalid parameter: '{at}' answers {call!r}, which is no call without an answer.",
            param=at,
        )
    result = result_text(text_of(message.get("content"), at=f"{at}.content"))
    return ResultMessage(call=call, name=name, text=result.text, is_error=result.is_error)


def _tool(value: Any, at: str) -> ToolSpec:
    (entry,) = objects([value], at)
    if entry.get("type") != "function":
        raise BadRequest(f"The mock model calls functions alone, not {entry.get('type')!r}.", param=f"{at}.type")
    function = required(entry, "function", dict, at=f"{at}.")
    name = required(function, "name", str, at=f"{at}.function.")
    return tool(name, optional(function, "description", str, ""), optional(function, "parameters", dict, {}))


def _format(asked: Mapping[str, Any]) -> StructuredFormat | None:
    kind = asked.get("type", "text")
    if kind == "text":
        return None
    if kind == "json_object":
        return StructuredFormat(schema=None)
    if kind != "json_schema":
        raise BadRequest(f"Invalid value: {kind!r} for 'response_format.type'.", param="response_format.type")
    named = required(asked, "json_schema", dict, at="response_format.")
    return format_of(named, at="response_format.json_schema.")


def _call(call: ModelCall, number: int, reply: WireReply, *, arguments: str | None = None) -> dict[str, Any]:
    text = json_text(call.arguments) if arguments is None else arguments
    return {
        "id": f"call_{reply.id}{number + 1}",
        "type": "function",
        "function": {"name": call.name, "arguments": text},
    }


def _usage(usage: Usage) -> dict[str, int]:
    total = usage.input + usage.output
    return {"prompt_tokens": usage.input, "completion_tokens": usage.output, "total_tokens": total}
