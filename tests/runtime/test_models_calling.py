"""The models over real sockets, in all three APIs: what they hand on, and what is recorded of it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest
from tests.runtime.dialects import (
    REQUEST,
    ApiName,
    Said,
    events_of,
    frame,
    frames,
    model_of,
)
from tests.runtime.loopback import Answer, Loopback, failed, head, loopback, streamed

from marg_runtime.conversation import ModelCall
from marg_runtime.model import CallDelta, Delta, Finish, TextDelta
from marg_runtime.models import attempt
from marg_runtime.models.retry import Retries, Timeout
from marg_runtime.wire import WireLog

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
from tests.runtime.broken_answers import closed_at_once, overloaded_inside, silent, stalled
from tests.runtime.hearing import CALLS, LIMIT, Waits, every_api, hear, hear_answer, whole

pytestmark = pytest.mark.anyio


# What is handed on


@every_api
async def test_text_is_handed_on_in_the_pieces_that_came_then_the_finish(api: ApiName) -> None:
    heard = await hear_answer(api, whole(api))
    assert heard.deltas == [TextDelta(text="Hel"), TextDelta(text="lo."), Finish(reason="stop")]


@every_api
async def test_calls_are_joined_and_come_whole_before_the_finish(api: ApiName) -> None:
    heard = await hear_answer(api, whole(api, Said(pieces=("Look.",), calls=CALLS, reason="tool_calls")))
    assert heard.deltas[1:] == [*(CallDelta(call=call) for call in CALLS), Finish(reason="tool_calls")]


@every_api
@pytest.mark.parametrize("reason", ["length", "refusal"])
async def test_a_reply_that_was_stopped_has_no_calls(api: ApiName, reason: str) -> None:
    said = Said(calls=CALLS, reason="length" if reason == "length" else "refusal")
    assert (await hear_answer(api, whole(api, said))).deltas[-2:] == [
        TextDelta(text="lo."),
        Finish(reason=said.reason),
    ]


@every_api
async def test_a_tool_whose_name_the_wire_forbids_is_called_by_its_own_name(api: ApiName) -> None:
    async with loopback() as server:
        await hear(api, server.url)
        (sent,) = server.requests
        names = [tool.get("function", tool)["name"] for tool in sent.body["tools"]]
        call = ModelCall(id="c-1", name=names[1], arguments={})
        server.script.append(whole(api, Said(calls=(call,), reason="tool_calls")))
        heard = await hear(api, server.url)
    assert names[0] == "search"
    assert heard.deltas[-2] == CallDelta(call=ModelCall(id="c-1", name="desk/find", arguments={}))


@every_api
async def test_bytes_that_split_a_character_lose_nothing(api: ApiName) -> None:
    raw = b"".join(frame(event) for event in events_of(api, Said(pieces=("Größe ✓",))))
    raw = raw.replace(b"\\u00f6", "ö".encode()).replace(b"\\u2713", "✓".encode())
    cut = raw.index("✓".encode()) + 1
    heard = await hear_answer(api, Answer(pieces=(head(), raw[:cut], raw[cut:])))
    assert (heard.text, heard.error) == ("Größe ✓", None)


@every_api
async def test_comments_and_pings_between_the_events_are_no_part_of_the_reply(api: ApiName) -> None:
    noise = b': keep-alive\n\nevent: ping\ndata: {"type": "ping"}\n\n' if api == "messages" else b": keep-alive\n\n"
    answer = streamed([noise + part for part in frames(events_of(api, Said()))])
    assert (await hear_answer(api, answer)).text == "Hello."


async def test_what_comes_behind_the_marker_is_waited_for_a_little_and_missed_by_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(attempt, "DRAIN_SECONDS", 0.01)
    heard = await hear_answer("chat", streamed(frames(events_of("chat", Said())), end="stall"))
    assert heard.deltas[-1] == Finish(reason="stop")


async def test_the_count_of_tokens_that_comes_last_is_kept() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}
    heard = await hear_answer("chat", streamed([*frames(events_of("chat", Said())), frame(usage), b"data: [DONE]\n\n"]))
    assert [(event.tokens_in, event.tokens_out) for event in heard.log.events][1:] == [(7, 2)]


# The record


@every_api
async def test_a_recovered_call_is_sent_noise_sent_answered(api: ApiName) -> None:
    async with loopback(failed(503, LIMIT, x_request_id="req-1"), whole(api)) as server:
        heard = await hear(api, server.url, retries=Retries(most=1), pace=Waits().pace)
    assert [(event.phase, event.attempt, event.status, event.kind) for event in heard.log.events] == [
        ("sent", 1, None, None),
        ("noise", 1, 503, "overload"),
        ("sent", 2, None, None),
        ("answered", 2, 200, None),
    ]


@every_api
async def test_a_whole_reply_is_recorded_with_its_marker_chunks_and_bytes(api: ApiName) -> None:
    events = events_of(api, Said())
    answered = (await hear_answer(api, whole(api))).log.events[-1]
    marker = {"chat": "finish_reason", "responses": "response.completed", "messages": "message_stop"}[api]
    assert (answered.terminal, answered.marker, answered.chunks) == (True, marker, len(events))
    assert answered.bytes == sum(map(len, frames(events)))


@every_api
async def test_an_event_names_the_request_that_it_belongs_to_by_the_ledgers_digest(api: ApiName) -> None:
    heard = await hear_answer(api, whole(api))
    assert {event.request for event in heard.log.events} == {REQUEST.digest}


@every_api
async def test_the_types_behind_a_broken_connection_are_recorded_to_the_last(api: ApiName) -> None:
    (broken,) = (await hear_answer(api, closed_at_once(api))).log.broken()
    assert "httpx2.RemoteProtocolError" in broken.causes
    assert broken.error == broken.causes[0]


@every_api
async def test_the_same_exchange_gives_the_same_events(api: ApiName) -> None:
    first, second = [await hear_answer(api, overloaded_inside(api)) for _ in range(2)]
    assert first.log.events == second.log.events


@every_api
async def test_a_listener_that_hangs_up_leaves_no_open_connection(api: ApiName) -> None:
    log = WireLog()
    async with loopback(stalled(api)) as server, model_of(api, server.url, wire=log, timeout=Timeout()) as model:
        async with aclosing(_generator(model.stream(REQUEST))) as deltas:
            await anext(deltas)
        await asyncio.wait_for(server.hung_up.wait(), 5)
    assert [(event.phase, event.error) for event in log.events][1:] == [("broken", "GeneratorExit")]


@every_api
async def test_a_cancelled_call_leaves_no_open_connection(api: ApiName) -> None:
    log = WireLog()
    async with loopback(silent(api)) as server, model_of(api, server.url, wire=log, timeout=Timeout()) as model:
        call = asyncio.ensure_future(anext(aiter(model.stream(REQUEST))))
        await _until_requested(server)
        call.cancel()
        await asyncio.wait({call})
        await asyncio.wait_for(server.hung_up.wait(), 5)
    assert [(event.phase, event.error) for event in log.events][1:] == [("broken", "CancelledError")]


async def _until_requested(server: Loopback) -> None:
    while not server.requests:
        await asyncio.sleep(0.001)


def _generator(deltas: object) -> AsyncGenerator[Delta]:
    assert hasattr(deltas, "aclose")
    return deltas  # type: ignore[return-value]


@every_api
def test_one_model_serves_one_event_loop_after_another(api: ApiName) -> None:
    async def ask() -> str:
        async with loopback(whole(api)) as server:
            heard = await hear(api, server.url)
            return heard.text

    assert [asyncio.run(ask()), asyncio.run(ask())] == ["Hello.", "Hello."]
