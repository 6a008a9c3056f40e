"""The official SDKs as the matrix drives them: one reply from each API, and what was seen of it."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import anthropic
import httpx2
import openai

from benchmarks.sdk_rows import Row
from marg_mock_model.endpoint import Endpoint

TEXT = "I will look for the tickets of the last seven days."
QUERY = "tickets of the last seven days, open ones first"
TOOL = "search_tickets"
MACHINE = f"""\
machine: matrix
start: listening
states:
  listening:
    transitions:
      - when: {{user: call}}
        reply: {TEXT}
        calls: [{{{TOOL}: {{query: "{QUERY}"}}}}]
        to: listening
      - when: {{user: say}}
        reply: {TEXT}
        to: listening
"""
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
LONG_TIMEOUT, SHORT_TIMEOUT = 20.0, 0.4  # seconds without a byte; the short one where nothing will come


@dataclass(kw_only=True)
class Seen:
    """What a client saw without an error."""

    text: str = ""
    arguments: list[str] = field(default_factory=list)
    ended: bool = False
    is_text: bool = False
    error_event: bool = False

    def words(self, row: Row) -> str:
        """What was seen as the file words it."""
        if self.is_text:
            return "str"
        if self.error_event:
            return "error event"
        calls = [json.dumps({"query": QUERY})] if row.tool else []
        text, made = _share(self.text, TEXT), _calls(self.arguments, calls)
        whole = text == "whole" and self.ended and made == ("whole" if row.tool else "none")
        return "whole" if whole else f"text {text}, calls {made}, {'ended' if self.ended else 'no end'}"


def _share(got: str, whole: str) -> str:
    if not got:
        return "none"
    if got == whole:
        return "whole"
    if whole.startswith(got):
        return "part"
    return "more" if len(got) > len(whole) else "other"


def _calls(got: list[str], expected: list[str]) -> str:
    if not got:
        return "none"
    try:
        return "whole" if [json.loads(text) for text in got] == [json.loads(text) for text in expected] else "other"
    except ValueError:
        return "part"


def error_words(error: Exception) -> str:
    """An exception as the file words it."""
    library = type(error).__module__.partition(".")[0]
    name = type(error).__name__ if library in ("openai", "anthropic") else f"{library}.{type(error).__name__}"
    status = getattr(error, "status_code", None)
    return name if status is None else f"{name} {status}"


async def observe(row: Row, endpoint: Endpoint) -> str:
    """What the row's client sees of one reply."""
    try:
        seen = await _ask(row, endpoint)
    except Exception as error:
        return error_words(error)
    return seen.words(row)


async def _ask(row: Row, endpoint: Endpoint) -> Seen:
    if row.client == "sync":
        return await asyncio.to_thread(_ask_sync, row, endpoint)
    async with _http(httpx2.AsyncClient, row) as http:
        seen: Seen = await _ASKERS[row.api](_client(row, endpoint, http), row)
        return seen


def _ask_sync(row: Row, endpoint: Endpoint) -> Seen:
    # The askers await what is awaitable only, so that a blocking client runs through them without a loop.
    with _http(httpx2.Client, row) as http:
        asking = _ASKERS[row.api](_client(row, endpoint, http), row)
        try:
            asking.send(None)
        except StopIteration as finished:
            seen: Seen = finished.value
            return seen
        raise RuntimeError("a blocking client waited")


def _http(kind: Callable[..., Any], row: Row) -> Any:
    # Certificates are not loaded: nothing here is encrypted.
    return kind(verify=False, trust_env=False, timeout=_timeout(row))


def _timeout(row: Row) -> float:
    return SHORT_TIMEOUT if row.spec.startswith("stall") else LONG_TIMEOUT


def _client(row: Row, endpoint: Endpoint, http: Any) -> Any:
    kind: Any
    if row.api == "anthropic_messages":
        kind = anthropic.Anthropic if row.client == "sync" else anthropic.AsyncAnthropic
        url = endpoint.anthropic_url
    else:
        kind = openai.OpenAI if row.client == "sync" else openai.AsyncOpenAI
        url = endpoint.openai_url
    return kind(base_url=url, api_key="none", max_retries=row.retries, timeout=_timeout(row), http_client=http)


async def _got(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def _each(stream: Any) -> AsyncIterator[Any]:
    if hasattr(stream, "__aiter__"):
        async for event in stream:
            yield event
    else:
        for event in stream:
            yield event


async def _ask_chat(client: Any, row: Row) -> Seen:
    messages = [{"role": "user", "content": "call" if row.tool else "say"}]
    tools = [{"type": "function", "function": {"name": TOOL, "parameters": SCHEMA}}]
    reply = await _got(client.chat.completions.create(model="m", messages=messages, tools=tools, stream=row.stream))
    seen = Seen(is_text=isinstance(reply, str))
    if row.stream:
        async for chunk in _each(reply):
            for choice in chunk.choices:
                seen.text += choice.delta.content or ""
                seen.ended = seen.ended or choice.finish_reason is not None
                _join(seen, choice.delta.tool_calls or [])
    elif not seen.is_text:
        for choice in reply.choices:
            seen.text = choice.message.content
            seen.arguments = [call.function.arguments for call in choice.message.tool_calls or []]
            seen.ended = choice.finish_reason is not None
    return seen


def _join(seen: Seen, pieces: list[Any]) -> None:
    for piece in pieces:
        while len(seen.arguments) <= piece.index:
            seen.arguments.append("")
        seen.arguments[piece.index] += piece.function.arguments or ""


async def _ask_responses(client: Any, row: Row) -> Seen:
    tools = [{"type": "function", "name": TOOL, "parameters": SCHEMA, "strict": False}]
    options = {"model": "m", "input": "call" if row.tool else "say", "tools": tools}
    reply = await _got(client.responses.create(**options, stream=row.stream))
    seen = Seen(is_text=isinstance(reply, str))
    if row.stream:
        async for event in _each(reply):
            seen.text += event.delta if event.type == "response.output_text.delta" else ""
            seen.error_event = seen.error_event or event.type == "error"
            seen.ended = seen.ended or (event.type == "response.completed" and bool(event.response.output))
            if event.type == "response.function_call_arguments.delta":
                seen.arguments = ["".join([*seen.arguments, event.delta])]
    elif not seen.is_text:
        seen.text, seen.ended = reply.output_text, reply.status == "completed" and bool(reply.output)
        seen.arguments = [item.arguments for item in reply.output if item.type == "function_call"]
    return seen


async def _ask_messages(client: Any, row: Row) -> Seen:
    options = {
        "model": "m",
        "max_tokens": 500,
        "messages": [{"role": "user", "content": "call" if row.tool else "say"}],
        "tools": [{"name": TOOL, "input_schema": SCHEMA}],
    }
    if row.stream:
        return await _watch_messages(await _got(client.messages.create(**options, stream=True)))
    reply = await _got(client.messages.create(**options))
    if isinstance(reply, str):
        return Seen(is_text=True)
    return Seen(
        text="".join(block.text for block in reply.content if block.type == "text"),
        arguments=[json.dumps(block.input) for block in reply.content if block.type == "tool_use"],
        ended=reply.stop_reason is not None and bool(reply.content),
    )


async def _watch_messages(stream: Any) -> Seen:
    seen, blocks = Seen(), 0
    async for event in _each(stream):
        if event.type == "content_block_start":
            blocks += 1
            seen.arguments += [""] if event.content_block.type == "tool_use" else []
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            seen.text += event.delta.text
        elif event.type == "content_block_delta":
            seen.arguments[-1] += event.delta.partial_json
        seen.ended = event.type == "message_stop" and blocks > 0
    return seen


_ASKERS: dict[str, Callable[[Any, Row], Any]] = {
    "openai_chat": _ask_chat,
    "openai_responses": _ask_responses,
    "anthropic_messages": _ask_messages,
}
