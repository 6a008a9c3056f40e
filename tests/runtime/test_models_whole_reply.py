"""A reply in one piece is the reply that a stream would have brought, and whole by the same marker."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, TypeAlias

import pytest

pytest.importorskip("openai")
pytest.importorskip("anthropic")
pytest.importorskip("uvicorn")

from marg_mock_model import parse_machine
from marg_mock_model.endpoint import serve
from marg_runtime.conversation import ModelRequest, UserMessage
from marg_runtime.errors import ModelError
from marg_runtime.model import CallDelta, Delta, Finish, TextDelta
from marg_runtime.models import open_model
from marg_runtime.models.chat_reply import ChatReply
from marg_runtime.models.messages_reply import MessagesReply
from marg_runtime.models.responses_reply import ResponsesReply
from marg_runtime.models.whole_reply import chat_events, messages_events, responses_events
from marg_runtime.tools import ToolSpec
from marg_runtime.wire import WireEvent, WireLog

MACHINE = """\
machine: desk
start: a
states:
  a:
    transitions:
      - when: {user: look}
        reply: I will look.
        calls: [{search: {query: seats}}, {search: {query: tables}}]
        to: a
      - {when: {user: hello}, reply: Hello to you., to: a}
"""
SEARCH = ToolSpec(server="desk", identity="desk 1", name="search", description="", input_schema={"type": "object"})
APIS = ("openai:m", "openai-responses:m", "anthropic:m")


def heard(api: str, words: str, *, stream: bool) -> tuple[list[Delta], WireEvent]:
    async def hear() -> tuple[list[Delta], WireEvent]:
        log = WireLog()
        request = ModelRequest(system="Be brief.", messages=(UserMessage(text=words),), tools=(SEARCH,))
        async with serve(parse_machine(MACHINE, path="desk.machine.yaml")) as endpoint:
            url = endpoint.anthropic_url if api.startswith("anthropic") else endpoint.openai_url
            async with open_model(api, base_url=url, api_key="none", stream=stream, wire=log) as model:
                return [delta async for delta in model.stream(request)], log.events[-1]

    return asyncio.run(hear())


def meant(deltas: list[Delta]) -> tuple[str, list[tuple[str, Mapping[str, Any]]], list[str]]:
    """The words, the calls and the ends, in whichever pieces they came."""
    text = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    calls = [(delta.call.name, delta.call.arguments) for delta in deltas if isinstance(delta, CallDelta)]
    return text, calls, [delta.reason for delta in deltas if isinstance(delta, Finish)]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("words", ["hello", "look"])
def test_a_reply_in_one_piece_means_what_the_stream_means(api: str, words: str) -> None:
    whole, event = heard(api, words, stream=False)
    streamed, other = heard(api, words, stream=True)
    assert meant(whole) == meant(streamed)
    assert (event.phase, event.marker, event.terminal) == (other.phase, other.marker, True)
    assert (event.tokens_in, event.tokens_out) == (other.tokens_in, other.tokens_out)


def ended(api: str, document: Mapping[str, Any]) -> list[Delta]:
    """The deltas of a document."""
    reply: Any
    events: Any
    reply, events = {
        "chat": (ChatReply({}), chat_events),
        "responses": (ResponsesReply({}), responses_events),
        "messages": (MessagesReply({}), messages_events),
    }[api]
    deltas = [delta for event in events(document) for delta in reply.feed(event)]
    return [*deltas, *reply.end()]


Documents: TypeAlias = Mapping[str, Mapping[str, Any]]
TEXT = {"type": "output_text", "text": "Hi."}
CUT_SHORT: Documents = {
    "chat": {"choices": [{"message": {"content": "Hi."}, "finish_reason": "length"}]},
    "responses": {
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
        "output": [{"type": "message", "content": [TEXT]}],
    },
    "messages": {"content": [{"type": "text", "text": "Hi."}], "stop_reason": "max_tokens"},
}
REFUSED: Documents = {
    "chat": {"choices": [{"message": {"content": None, "refusal": "Hi."}, "finish_reason": "stop"}]},
    "responses": {
        "status": "completed",
        "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "Hi."}]}],
    },
    "messages": {"content": [{"type": "text", "text": "Hi."}], "stop_reason": "refusal"},
}
UNMARKED: Documents = {
    "chat": {"choices": [{"message": {"content": "Hi."}}]},
    "responses": {"status": "in_progress", "output": [{"type": "message", "content": [TEXT]}]},
    "messages": {"content": [{"type": "text", "text": "Hi."}], "stop_reason": None},
}
BROKEN_OFF: Documents = {
    "chat": {"error": {"code": "server_error"}},
    "responses": {"status": "failed", "error": {"code": "server_error"}},
    "messages": {"type": "error", "error": {"type": "api_error"}},
}


@pytest.mark.parametrize("api", CUT_SHORT)
def test_a_reply_that_was_cut_short_says_so(api: str) -> None:
    assert ended(api, CUT_SHORT[api]) == [TextDelta(text="Hi."), Finish(reason="length")]


@pytest.mark.parametrize("api", REFUSED)
def test_a_refusal_is_one(api: str) -> None:
    assert ended(api, REFUSED[api]) == [TextDelta(text="Hi."), Finish(reason="refusal")]


@pytest.mark.parametrize("api", UNMARKED)
def test_without_its_marker_a_reply_is_truncated(api: str) -> None:
    with pytest.raises(ModelError) as caught:
        ended(api, UNMARKED[api])
    assert caught.value.kind == "truncated"


@pytest.mark.parametrize(("api", "kind"), [("chat", "protocol"), ("responses", "overload"), ("messages", "truncated")])
def test_an_error_with_the_status_200_is_no_reply(api: str, kind: str) -> None:
    with pytest.raises(ModelError) as caught:
        ended(api, BROKEN_OFF[api])
    assert caught.value.kind == kind
