"""A target over HTTP: the protocol of `docs/targets.md` as JSON, by a client of our own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from pydantic import ValidationError

from marg_harness.errors import TargetError
from marg_harness.python_agent import checked
from marg_runtime.errors import TargetRefused, UsageError
from marg_runtime.gateway.protocol import Closed, Description, Form, Opened, Opening, RefusalForm, Report, Reports, Sent
from marg_runtime.runner import OnText
from marg_runtime.scrub import scrub_cut, scrub_url

_F = TypeVar("_F", bound=Form)
URL_STARTS = ("http://", "https://")
SHOWN = 200  # characters of a body that is not understood
OK = 200


class HttpAgent:
    """A target at a URL. Raises TargetRefused for its refusals, TargetError for whatever else is no answer.

    seconds: how long an exchange may take from its beginning to its end, however many bytes come meanwhile.
    """

    def __init__(self, client: httpx.AsyncClient, *, seconds: float) -> None:
        self._client = client
        self._seconds = seconds

    async def describe(self) -> Description:
        """`GET /target`."""
        return await self._ask(Description, "GET", "/target")

    async def open(self, opening: Opening) -> Opened:
        """`POST /conversations`."""
        return await self._ask(Opened, "POST", "/conversations", opening)

    async def act(self, conversation: str, sent: Sent, *, on_text: OnText | None = None) -> Reports:
        """`POST /conversations/ID/acts`, answered as JSON."""
        del on_text
        return await self._ask(Reports, "POST", f"{_place(conversation)}/acts", sent)

    async def restart(self, conversation: str) -> Report:
        """`POST /conversations/ID/restart`."""
        return await self._ask(Report, "POST", f"{_place(conversation)}/restart")

    async def close(self, conversation: str) -> Closed:
        """`DELETE /conversations/ID`."""
        return await self._ask(Closed, "DELETE", _place(conversation))

    async def _ask(self, form: type[_F], method: str, path: str, sent: Form | None = None) -> _F:
        body: dict[str, Any] = {} if sent is None else {"json": sent.as_json()}
        try:
            async with asyncio.timeout(self._seconds):
                answer = await self._client.request(method, path, **body)
        except (httpx.TimeoutException, TimeoutError) as error:
            raise TargetError(f"{method} {path}: no answer in time ({type(error).__name__})") from error
        except httpx.HTTPError as error:
            raise TargetError(f"{method} {path}: {type(error).__name__}: {error}") from error
        if answer.status_code != OK:
            raise _refusal(answer, what=f"{method} {path}")
        return checked(form, _json(answer, what=f"{method} {path}"), what=f"{method} {path}")


def http_opener(url: str, *, seconds: float) -> Callable[[], Any]:
    """What opens the target at a URL, for one event loop. seconds: how long an exchange may take. Raises UsageError for
    what is no URL."""
    host_of(url)

    @asynccontextmanager
    async def opens() -> AsyncIterator[HttpAgent]:
        # No proxy and no redirect: what is asked is the target that was named, and nobody else.
        async with httpx.AsyncClient(
            base_url=url.rstrip("/"), timeout=seconds, trust_env=False, verify=url.startswith("https")
        ) as client:
            yield HttpAgent(client, seconds=seconds)

    return opens


def host_of(url: str) -> str:
    """The host that a URL names; raises UsageError where it names none."""
    try:
        host = httpx.URL(url).host
    except httpx.InvalidURL:
        # What the error says of it may be a part of a password.
        raise UsageError(f"{scrub_url(url)!r} is no URL; write http://HOST:PORT") from None
    if not host:
        raise UsageError(f"{scrub_url(url)!r} names no host; write http://HOST:PORT")
    return host


def _place(conversation: str) -> str:
    return f"/conversations/{quote(conversation, safe='')}"


def _json(answer: httpx.Response, *, what: str) -> Any:
    try:
        return answer.json()
    except ValueError:
        shown = scrub_cut(answer.text, SHOWN)
        raise TargetError(f"{what}: status {answer.status_code} with no JSON: {shown!r}") from None


def _refusal(answer: httpx.Response, *, what: str) -> Exception:
    """The refusal of an answer that is no 200."""
    try:
        refusal = RefusalForm.model_validate(_json(answer, what=what)).error
    except (ValidationError, TargetError):
        return TargetError(f"{what}: status {answer.status_code}: {scrub_cut(answer.text, SHOWN)!r}")
    return TargetRefused(refusal.message, kind=refusal.kind, path=refusal.path, line=refusal.line)
