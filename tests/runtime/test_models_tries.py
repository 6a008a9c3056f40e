"""When a model is asked again, over real sockets, in all three APIs, and how long is waited before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.runtime.dialects import (
    SHORT,
    ApiName,
)
from tests.runtime.loopback import Answer, failed, loopback

from marg_runtime.models.retry import Retries, Timeout

if TYPE_CHECKING:
    pass
from tests.runtime.broken_answers import (
    closed_at_once,
    cut_before_the_marker,
    empty_stream,
    limited_inside,
    overloaded_inside,
    reset_in_the_middle,
    silent,
)
from tests.runtime.hearing import LIMIT, Waits, every_api, hear, whole

pytestmark = pytest.mark.anyio


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
