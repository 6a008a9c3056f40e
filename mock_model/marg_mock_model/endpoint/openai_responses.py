"""OpenAI's Responses on the wire: the requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from marg_mock_model.endpoint.fields import (
    arguments_of,
    format_of,
    heard,
    objects,
    optional,
    required,
    text_of,
    told,
    tool,
)
from marg_mock_model.endpoint.json_text import json_text, named_event
from marg_mock_model.endpoint.open_calls import OpenCalls
from marg_mock_model.endpoint.openai_error import openai_error
from marg_mock_model.endpoint.response_stream import ResponseStream
from marg_mock_model.endpoint.tool_errors import result_text
from marg_mock_model.endpoint.wire import (
    CREATED,
    ApiName,
    Headers,
    Stored,
    StructuredFormat,
    WireError,
    WireReply,
    WireRequest,
)
from marg_mock_model.errors import BadRequest
from marg_runtime.conversation import (
    AssistantMessage,
    Message,
    ModelCall,
    ModelRequest,
    ResultMessage,
)
from marg_runtime.tools.tool import ToolSpec

INSTRUCTING = ("system", "developer")
ECHOED = ("instructions", "metadata", "parallel_tool_calls", "temperature", "tool_choice", "top_p", "max_output_tokens")
DEFAULTS: Mapping[str, Any] = {"metadata": {}, "parallel_tool_calls": True, "tool_choice": "auto"}


class OpenAIResponses:
    """`POST /v1/responses`."""

    name: ApiName = "openai_responses"
    prefix = "resp_"

    def read(self, body: Mapping[str, Any], *, headers: Headers, stored: Stored) -> WireRequest:
        """The request of a body; raises BadRequest."""
        for unknown in ("conversation", "background"):
            if body.get(unknown):
                raise BadRequest(f"The mock model does not take {unknown!r}; leave it out.", param=unknown)
        previous = optional(body, "previous_response_id", str, "")
        before = stored.history(previous) if previous else ()
        given = _input(body)
        # Leading system items are the system text; later ones, and all of a response that goes on, are facts.
        leading = 0 if before else next((n for n, i in enumerate(given) if not _instructs(i)), len(given))
        lead = [text_of(item.get("content"), at="input[0].content") for item in given[:leading]]
        # What was stored ends with the model's own message, and each before it has its results.
        calling = OpenCalls(before[-1].calls if before and isinstance(before[-1], AssistantMessage) else ())
        messages = (*before, *_messages(given[leading:], leading, calling))
        if calling:
            raise BadRequest(f"No tool output found for function call {calling}.", param="input")
        text = optional(body, "text", dict, {})
        tools = optional(body, "tools", list, [])
        return WireRequest(
            request=ModelRequest(
                system="\n\n".join(filter(None, [optional(body, "instructions", str, ""), *lead])),
                messages=messages,
                tools=tuple(_tool(t, f"tools[{n}]") for n, t in enumerate(tools)),
            ),
            model=required(body, "model", str),
            stream=optional(body, "stream", bool, False),
            format=_format(optional(text, "format", dict, {}, at="text.")),
            store=optional(body, "store", bool, True),
            echo={
                **{name: DEFAULTS.get(name) if body.get(name) is None else body[name] for name in ECHOED},
                "previous_response_id": previous or None,
                "store": optional(body, "store", bool, True),
                "text": {"format": {"type": "text"}, **text},
                "tools": tools,
            },
        )

    def document(self, reply: WireReply, asked: WireRequest) -> dict[str, Any]:
        """The reply as a `response`."""
        return response(reply, asked, status=status(reply), output=list(output(reply)))

    def events(self, reply: WireReply, asked: WireRequest) -> list[bytes]:
        """The reply as the events of a response, `response.completed` or `response.incomplete` last."""
        return _events(reply, asked, list(output(reply)))

    def hollow_document(self, reply: WireReply, asked: WireRequest) -> dict[str, Any]:
        """The response without output."""
        return response(reply, asked, status=status(reply), output=[])

    def hollow_events(self, reply: WireReply, asked: WireRequest) -> list[bytes]:
        """A response that is created and completed, with no output."""
        return _events(reply, asked, [])

    def error(self, error: WireError) -> dict[str, Any]:
        """An error's body."""
        return openai_error(error)

    def error_event(self, error: WireError, *, number: int) -> bytes:
        """An error in the middle of a stream."""
        event = {
            "type": "error",
            "code": error.code,
            "message": error.message,
            "param": None,
            "sequence_number": number,
        }
        return named_event("error", event)


def status(reply: WireReply) -> str:
    """The status of a response when it has ended."""
    return "incomplete" if reply.finish == "length" else "completed"


def output(reply: WireReply) -> Iterator[dict[str, Any]]:
    """The items of a response: a message where anything is said or nothing is called, and the calls."""
    if reply.text or not reply.calls:
        part = (
            {"type": "refusal", "refusal": reply.text}
            if reply.finish == "refusal"
            else {"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}
        )
        yield {
            "type": "message",
            "id": f"msg_{reply.id}",
            "status": status(reply),
            "role": "assistant",
            "content": [part],
        }
    for number, call in enumerate(reply.calls, start=1):
        yield {
            "type": "function_call",
            "id": f"fc_{reply.id}{number}",
            "call_id": f"call_{reply.id}{number}",
            "name": call.name,
            "arguments": json_text(call.arguments),
            "status": "completed",
        }


def response(reply: WireReply, asked: WireRequest, *, status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
    """The `response` object; one in progress has no usage yet."""
    usage = reply.usage
    counted = {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.input + usage.output,
    }
    return {
        "id": f"resp_{reply.id}",
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "model": reply.model,
        "output": output,
        **asked.echo,
        "usage": None if status == "in_progress" else counted,
    }


def _events(reply: WireReply, asked: WireRequest, items: list[dict[str, Any]]) -> list[bytes]:
    stream = ResponseStream()
    opened = response(reply, asked, status="in_progress", output=[])
    stream.add("response.created", response=opened)
    stream.add("response.in_progress", response=opened)
    for number, item in enumerate(items):
        stream.item(number, item)
    closed = response(reply, asked, status=status(reply), output=items)
    stream.add(f"response.{status(reply)}", response=closed)
    return stream.events


def _input(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    given = body.get("input")
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    items = objects(required(body, "input", list), "input")
    if not items:
        raise BadRequest("Invalid 'input': empty array.", param="input", code="empty_array")
    return items


def _instructs(item: Mapping[str, Any]) -> bool:
    return item.get("role") in INSTRUCTING


def _messages(items: list[Mapping[str, Any]], first: int, calling: OpenCalls) -> Iterator[Message]:
    """The messages of input items; what the model said and called in one reply is one message again."""
    said: list[str] = []
    calls: list[ModelCall] = []
    for number, item in enumerate(items, start=first):
        at = f"input[{number}]"
        kind = item.get("type", "message")
        if kind == "reasoning":
            continue
        if kind == "message" and item.get("role") == "assistant":
            if said or calls:
                yield AssistantMessage(text="\n".join(said), calls=tuple(calls))
                said, calls = [], []
            said.append(text_of(item.get("content"), at=f"{at}.content"))
            continue
        if kind == "function_call":
            calls.append(_call(item, at))
            calling.made(calls[-1:])
            continue
        if said or calls:
            yield AssistantMessage(text="\n".join(said), calls=tuple(calls))
            said, calls = [], []
        yield from _heard(item, kind, calling, at)
    if said or calls:
        yield AssistantMessage(text="\n".join(said), calls=tuple(calls))


def _heard(item: Mapping[str, Any], kind: Any, calling: OpenCalls, at: str) -> Iterator[Message]:
    """What an item shows to the model: words, facts or a result."""
    role = item.get("role")
    if kind == "function_call_output":
        yield _result(item, calling, at)
    elif kind != "message":
        raise BadRequest(f"The mock model does not read items of type {kind!r}.", param=f"{at}.type")
    elif _instructs(item):
        yield told(text_of(item.get("content"), at=f"{at}.content"))
    elif role == "user":
        yield from heard(item.get("content"), at=f"{at}.content")
    else:
        raise BadRequest(f"Invalid value: {role!r} for '{at}.role'.", param=f"{at}.role", code="invalid_value")


def _call(item: Mapping[str, Any], at: str) -> ModelCall:
    return ModelCall(
        id=required(item, "call_id", str, at=f"{at}."),
        name=required(item, "name", str, at=f"{at}."),
        arguments=arguments_of(required(item, "arguments", str, at=f"{at}.")),
    )


def _result(item: Mapping[str, Any], calling: OpenCalls, at: str) -> ResultMessage:
    call = required(item, "call_id", str, at=f"{at}.")
    name = calling.answered(call)
    if name is None:
        raise BadRequest(f"No tool call found for function call output with call_id {call}.", param="input")
    result = result_text(text_of(item.get("output"), at=f"{at}.output"))
    return ResultMessage(call=call, name=name, text=result.text, is_error=result.is_error)


def _tool(value: Any, at: str) -> ToolSpec:
    (entry,) = objects([value], at)
    if entry.get("type") != "function":
        raise BadRequest(f"The mock model calls functions alone, not {entry.get('type')!r}.", param=f"{at}.type")
    name = required(entry, "name", str, at=f"{at}.")
    return tool(name, optional(entry, "description", str, ""), optional(entry, "parameters", dict, {}))


def _format(asked: Mapping[str, Any]) -> StructuredFormat | None:
    kind = asked.get("type", "text")
    if kind == "text":
        return None
    if kind == "json_object":
        return StructuredFormat(schema=None)
    if kind != "json_schema":
        raise BadRequest(f"Invalid value: {kind!r} for 'text.format.type'.", param="text.format.type")
    return format_of(asked, at="text.format.")
