"""What each fault of a model's wire becomes, over real sockets, in all three APIs."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.runtime.dialects import (
    ApiName,
    Said,
    events_of,
    frames,
)
from tests.runtime.loopback import Answer, failed, loopback, streamed

from marg_runtime.models.retry import Timeout
from marg_runtime.wire import WireKind

if TYPE_CHECKING:
    pass
from tests.runtime.broken_answers import (
    bad_gzip,
    closed_at_once,
    closed_inside_a_counted_body,
    cut_before_the_marker,
    cut_json,
    empty_stream,
    limited_inside,
    no_http,
    overloaded_inside,
    page,
    redirected,
    reset_in_the_middle,
    silent,
    stalled,
    unknown_inside,
    whole_json,
    with_status,
)
from tests.runtime.hearing import CALLS, every_api, hear, hear_answer

pytestmark = pytest.mark.anyio


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
