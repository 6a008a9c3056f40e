"""The models over real sockets, in all three APIs: what they hand on, and what each fault of the wire becomes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from tests.runtime.dialects import (
    APIS,
    PATIENT,
    REQUEST,
    SHORT,
    ApiName,
    Said,
    error_event,
    events_of,
    frame,
    frames,
    model_of,
)
from tests.runtime.loopback import Answer, Loopback, failed, head, loopback, streamed

from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.errors import ModelError
from marg_runtime.model import CallDelta, Delta, Finish, TextDelta
from marg_runtime.models import attempt
from marg_runtime.models.retry import Pace, Retries, Timeout
from marg_runtime.wire import WireKind, WireLog

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

pytestmark = pytest.mark.anyio

every_api = pytest.mark.parametrize("api", APIS)
CALLS = (
    ModelCall(id="c-1", name="search", arguments={"query": 'a "quoted" {word', "deep": [1, {"x": None}]}),
    ModelCall(id="c-2", name="search", arguments={}),
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What a model handed on, the error that it raised, and the log of its wire."""

    deltas: list[Delta]
    error: ModelError | None
    log: WireLog

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, TextDelta))

    @property
    def kind(self) -> WireKind | None:
        assert self.error is not None, f"nothing was raised, and {self.deltas!r} handed on"
        return self.error.kind


async def hear(
    api: ApiName,
    url: str,
    *,
    request: ModelRequest = REQUEST,
    retries: Retries | None = None,
    timeout: Timeout = PATIENT,
    pace: Pace | None = None,
) -> Heard:
    """One call of a model, to its end."""
    log, deltas, error = WireLog(), list[Delta](), None
    async with model_of(api, url, wire=log, retries=retries or Retries(most=0), timeout=timeout, pace=pace) as model:
        try:
            async for delta in model.stream(request):
                deltas.append(delta)
        except ModelError as raised:
            error = raised
    return Heard(deltas=deltas, error=error, log=log)


async def hear_answer(api: ApiName, answer: Answer) -> Heard:
    """One call that gets one answer, and is not tried again."""
    async with loopback(answer) as server:
        return await hear(api, server.url, timeout=SHORT if answer.end == "stall" else PATIENT)


def whole(api: ApiName, said: Said | None = None) -> Answer:
    """A whole reply."""
    return streamed(frames(events_of(api, said or Said())))


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


# What a fault becomes


def cut_before_the_marker(api: ApiName) -> Answer:
    return streamed(frames(events_of(api, Said())[: 4 if api != "chat" else 3]))


def reset_in_the_middle(api: ApiName) -> Answer:
    return streamed(frames(events_of(api, Said())[:3]), end="reset")


def closed_inside_a_counted_body(api: ApiName) -> Answer:
    return streamed(frames(events_of(api, Said())[:3]), content_length="9000")


def stalled(api: ApiName) -> Answer:
    return streamed(frames(events_of(api, Said())[:3]), end="stall")


def silent(api: ApiName) -> Answer:
    return Answer(pieces=(), end="stall")


def closed_at_once(api: ApiName) -> Answer:
    return Answer(pieces=())


def no_http(api: ApiName) -> Answer:
    return Answer(pieces=(b"220 mail.example ready\r\n\r\n",))


def page(api: ApiName) -> Answer:
    return Answer(pieces=(head(media="text/html; charset=utf-8"), b"<html><h1>Sign in</h1></html>"))


def whole_json(api: ApiName) -> Answer:
    return Answer(pieces=(head(media="application/json"), b'{"ok": true}'))


def empty_stream(api: ApiName) -> Answer:
    return streamed([])


def cut_json(api: ApiName) -> Answer:
    first, *_ = frames(events_of(api, Said()))
    return streamed([first, first[: len(first) // 2] + b"\n\n"])


def overloaded_inside(api: ApiName) -> Answer:
    word = "overloaded_error" if api == "messages" else "server_error"
    return streamed(frames([*events_of(api, Said())[:3], error_event(api, word)]))


def limited_inside(api: ApiName) -> Answer:
    word = "rate_limit_error" if api == "messages" else "rate_limit_exceeded"
    return streamed(frames([*events_of(api, Said())[:3], error_event(api, word)]))


def unknown_inside(api: ApiName) -> Answer:
    return streamed(frames([*events_of(api, Said())[:3], error_event(api, "brand_new_error")]))


def redirected(api: ApiName) -> Answer:
    return Answer(pieces=(head(307, media="text/plain", location="http://127.0.0.1:9/elsewhere"),))


def bad_gzip(api: ApiName) -> Answer:
    return streamed([b"this is no gzip"], content_encoding="gzip")


def with_status(status: int, word: str = "some_error") -> Callable[[ApiName], Answer]:
    def answer(api: ApiName) -> Answer:
        return failed(status, {"type": "error", "error": {"type": word, "code": word, "message": "told"}})

    answer.__name__ = f"status_{status}_{word}"
    return answer


FAULTS: list[tuple[Callable[[ApiName], Answer], WireKind]] = [
    (cut_before_the_marker, "truncated"),
    (empty_stream, "truncated"),
    (reset_in_the_middle, "reset"),
    (closed_inside_a_counted_body, "reset"),
    (closed_at_once, "reset"),
    (stalled, "timeout"),
    (silent, "timeout"),
    (no_http, "protocol"),
    (page, "proxy_body"),
    (whole_json, "protocol"),
    (cut_json, "protocol"),
    (bad_gzip, "protocol"),
    (redirected, "protocol"),
    (overloaded_inside, "overload"),
    (limited_inside, "rate_limit"),
    (unknown_inside, "overload"),
    (with_status(400), "request"),
    (with_status(404), "request"),
    (with_status(422), "request"),
    (with_status(401), "auth"),
    (with_status(403), "auth"),
    (with_status(402), "quota"),
    (with_status(408), "timeout"),
    (with_status(429), "rate_limit"),
    (with_status(429, "insufficient_quota"), "quota"),
    (with_status(500), "overload"),
    (with_status(502), "overload"),
    (with_status(503), "overload"),
    (with_status(504), "timeout"),
    (with_status(529, "overloaded_error"), "overload"),
]


@every_api
@pytest.mark.parametrize(("fault", "kind"), FAULTS, ids=[fault.__name__ for fault, _ in FAULTS])
async def test_a_fault_of_the_wire_becomes_a_model_error_of_its_kind(
    fault: Callable[[ApiName], Answer], kind: WireKind, api: ApiName
) -> None:
    heard = await hear_answer(api, fault(api))
    assert (heard.kind, [event.kind for event in heard.log.broken()]) == (kind, [kind])


@every_api
async def test_a_server_that_is_not_there_cannot_be_reached(api: ApiName) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert (await hear(api, f"http://127.0.0.1:{port}")).kind == "connect"


@every_api
async def test_a_call_ends_after_its_total_however_many_bytes_keep_coming(api: ApiName) -> None:
    pings = [b": still here\n\n"] * 400
    async with loopback(streamed(pings, end="stall")) as server:
        heard = await hear(api, server.url, timeout=Timeout(total=0.15))
    assert heard.kind == "timeout"


@every_api
async def test_the_message_of_an_error_decides_nothing(api: ApiName) -> None:
    told = {"type": "odd", "code": "odd", "message": "429 rate limit exceeded: overloaded, invalid api key, timeout"}
    heard = await hear_answer(api, failed(500, {"error": told}))
    assert heard.kind == "overload"


@every_api
async def test_what_a_refused_request_is_refused_for_is_told(api: ApiName) -> None:
    heard = await hear_answer(api, failed(400, {"error": {"type": "invalid_request_error", "message": "bad tools[0]"}}))
    assert "bad tools[0]" in str(heard.error)


@every_api
async def test_arguments_that_end_in_the_middle_are_truncated(api: ApiName) -> None:
    events = events_of(api, Said(calls=CALLS[:1], reason="tool_calls"))
    if api == "responses":
        # This API says the arguments again, whole; here the whole is cut as the pieces are.
        cut = '{"query": "a'
        events = [event for event in events if event["type"] != "response.function_call_arguments.delta"]
        for event in events:
            for said in (event, event.get("item", {})):
                if said.get("arguments"):
                    said["arguments"] = cut
    else:
        cut_at = -2 if api == "chat" else -4
        del events[cut_at]
    heard = await hear_answer(api, streamed(frames(events)))
    assert (heard.kind, heard.log.events[-1].marker != "") == ("truncated", True)


# Tries and waits


class Waits:
    """A pace whose sleeps take no time, and are kept."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.time = 0.0
        self.pace = Pace(clock=lambda: self.time, now=lambda: 1_700_000_000.0, sleep=self._sleep, spread=lambda: 0.0)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


LIMIT = {"error": {"type": "rate_limit_error", "code": "rate_limit_exceeded", "message": "slow down"}}


@every_api
@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 529])
async def test_a_status_that_may_pass_is_tried_again(status: int, api: ApiName) -> None:
    waits = Waits()
    async with loopback(failed(status, LIMIT), whole(api)) as server:
        heard = await hear(api, server.url, retries=Retries(most=2), pace=waits.pace)
    assert (heard.text, heard.error, waits.slept) == ("Hello.", None, [0.5])


@every_api
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_a_status_that_will_not_pass_is_not_tried_again(status: int, api: ApiName) -> None:
    async with loopback(failed(status, LIMIT), whole(api)) as server:
        await hear(api, server.url, retries=Retries(most=2), pace=Waits().pace)
        assert len(server.requests) == 1


@every_api
@pytest.mark.parametrize(
    ("asked", "wait"),
    [("3", 3.0), ("1.25", 1.25), ("Tue, 14 Nov 2023 22:13:27 GMT", 7.0), ("soon", 0.5), ("-4", 0.5), ("inf", 0.5)],
)
async def test_a_wait_that_the_provider_asks_for_is_given(asked: str, wait: float, api: ApiName) -> None:
    waits = Waits()
    async with loopback(failed(429, LIMIT, retry_after=asked), whole(api)) as server:
        await hear(api, server.url, retries=Retries(most=1), timeout=Timeout(total=60), pace=waits.pace)
    assert waits.slept == [wait]


@every_api
async def test_a_provider_that_asks_for_more_than_our_patience_is_not_asked_again(api: ApiName) -> None:
    async with loopback(failed(429, LIMIT, retry_after="3600"), whole(api)) as server:
        heard = await hear(api, server.url, retries=Retries(most=2), pace=Waits().pace)
        assert (heard.kind, len(server.requests)) == ("rate_limit", 1)


@every_api
async def test_the_waits_double_and_the_tries_end(api: ApiName) -> None:
    waits = Waits()
    async with loopback(*[failed(503, LIMIT)] * 5) as server:
        heard = await hear(api, server.url, retries=Retries(most=3), timeout=Timeout(total=60), pace=waits.pace)
        assert (heard.kind, len(server.requests), waits.slept) == ("overload", 4, [0.5, 1.0, 2.0])


@every_api
async def test_no_wait_goes_beyond_the_total_of_the_call(api: ApiName) -> None:
    waits = Waits()
    async with loopback(failed(429, LIMIT, retry_after="6"), whole(api)) as server:
        heard = await hear(api, server.url, retries=Retries(most=2), timeout=Timeout(total=5), pace=waits.pace)
    assert (heard.kind, waits.slept) == ("rate_limit", [])


@every_api
async def test_a_connection_that_breaks_before_the_first_piece_is_tried_again(api: ApiName) -> None:
    async with loopback(closed_at_once(api), empty_stream(api), whole(api)) as server:
        heard = await hear(api, server.url, retries=Retries(most=2), pace=Waits().pace)
    assert (heard.text, heard.error) == ("Hello.", None)


@every_api
@pytest.mark.parametrize("fault", [cut_before_the_marker, reset_in_the_middle, overloaded_inside, limited_inside])
async def test_nothing_is_tried_again_once_text_was_handed_on(fault: Callable[[ApiName], Answer], api: ApiName) -> None:
    async with loopback(fault(api), whole(api)) as server:
        heard = await hear(api, server.url, retries=Retries(most=2), pace=Waits().pace)
        assert (heard.text.startswith("Hel"), heard.error is not None, len(server.requests)) == (True, True, 1)


@every_api
async def test_a_silence_is_not_waited_for_twice(api: ApiName) -> None:
    async with loopback(silent(api), whole(api)) as server:
        await hear(api, server.url, retries=Retries(most=2), timeout=SHORT, pace=Waits().pace)
        assert len(server.requests) == 1


async def test_a_provider_that_says_not_to_come_back_is_obeyed() -> None:
    async with loopback(failed(503, LIMIT, x_should_retry="false"), whole("chat")) as server:
        await hear("chat", server.url, retries=Retries(most=2), pace=Waits().pace)
        assert len(server.requests) == 1


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
