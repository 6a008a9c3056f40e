"""Show 7: what an SDK does on another machine's address is stopped, and named by the caller's file and line."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest

from marg_harness.errors import NetworkForbidden
from marg_harness.network_guard import hosts_allowed, loopback_allowed, no_network

HERE = Path(__file__).name
# An address that is set aside for documents, and a name that is set aside for tests: nobody has either.
URL = "http://192.0.2.1:9"
NAMED_URL = "http://marg.invalid:9"


async def openai_chat(url: str) -> None:
    openai = pytest.importorskip("openai")
    async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hello"}])


async def anthropic_messages(url: str) -> None:
    anthropic = pytest.importorskip("anthropic")
    async with anthropic.AsyncAnthropic(base_url=url, api_key="none", max_retries=0) as client:
        await client.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "hello"}])


async def own_http(url: str) -> None:
    async with httpx.AsyncClient() as client:
        await client.get(url)


async def sdk_http(url: str) -> None:
    async with httpx2.AsyncClient() as client:
        await client.get(url)


async def mcp_http(url: str) -> None:
    client = pytest.importorskip("mcp").Client
    async with client(f"{url}/mcp"):
        pass


async def plain_sockets(url: str) -> None:
    await asyncio.open_connection(httpx.URL(url).host, 9)


async def pool_thread(url: str) -> None:
    await asyncio.to_thread(lambda: httpx.get(url))


async def anyio_thread(url: str) -> None:
    await anyio.to_thread.run_sync(httpx.get, url)


ASKED: tuple[Callable[[str], Awaitable[None]], ...] = (
    openai_chat,
    anthropic_messages,
    own_http,
    sdk_http,
    mcp_http,
    plain_sockets,
    pool_thread,
    anyio_thread,
)


def attempts_of(ask: Callable[[], Any]) -> list[str]:
    """What the guard noted, whatever the SDK made of the error."""
    with no_network() as attempts, suppress(BaseException):
        ask()
    return attempts


def lines_of(function: Callable[..., Any]) -> range:
    first = function.__code__.co_firstlineno
    return range(first, first + 6)


def named(attempts: list[str], asked: Callable[..., Any]) -> None:
    """The first attempt is named by a line of the function that asked."""
    assert attempts
    file, line = attempts[0].split(": ", 1)[0].rsplit(":", 1)
    assert (Path(file).name, int(line) in lines_of(asked)) == (HERE, True), attempts[0]


@pytest.mark.parametrize("url", [URL, NAMED_URL])
@pytest.mark.parametrize("ask", ASKED)
def test_an_asynchronous_attempt_is_named_by_the_line_of_whoever_asked(
    ask: Callable[[str], Awaitable[None]], url: str
) -> None:
    async def run() -> None:
        await ask(url)

    named(attempts_of(lambda: asyncio.run(run())), ask)


@pytest.mark.parametrize("url", [URL, NAMED_URL])
@pytest.mark.parametrize("ask", ASKED)
def test_it_is_stopped_as_well_where_only_loopback_is_allowed(ask: Callable[[str], Awaitable[None]], url: str) -> None:
    async def run() -> None:
        with loopback_allowed():
            await ask(url)

    named(attempts_of(lambda: asyncio.run(run())), ask)


def blocking_openai() -> None:
    openai = pytest.importorskip("openai")
    with openai.OpenAI(base_url=f"{URL}/v1", api_key="none", max_retries=0) as client:
        client.responses.create(model="m", input="hello")


def blocking_anthropic() -> None:
    anthropic = pytest.importorskip("anthropic")
    with anthropic.Anthropic(base_url=URL, api_key="none", max_retries=0) as client:
        client.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "hello"}])


def thread() -> None:
    started = threading.Thread(target=httpx.get, args=(URL,))
    started.start()
    started.join()


@pytest.mark.parametrize("ask", [blocking_openai, blocking_anthropic])
def test_a_blocking_attempt_is_named_by_the_line_of_whoever_asked(ask: Callable[[], None]) -> None:
    named(attempts_of(ask), ask)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_whose_code_is_a_librarys_is_named_by_who_started_it() -> None:
    named(attempts_of(thread), thread)


def test_the_ways_to_give_work_away_are_as_before_once_the_guard_is_off() -> None:
    before = (threading.Thread.start, asyncio.BaseEventLoop.create_task)
    with no_network():
        assert (threading.Thread.start, asyncio.BaseEventLoop.create_task) != before
    assert (threading.Thread.start, asyncio.BaseEventLoop.create_task) == before


def test_a_host_that_is_let_through_is_let_through_alone() -> None:
    with no_network() as attempts, hosts_allowed("192.0.2.7"), pytest.raises(NetworkForbidden):
        httpx.get(URL)
    assert len(attempts) == 1
