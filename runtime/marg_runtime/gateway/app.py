"""An agent behind HTTP: the protocol of `docs/targets.md`, as JSON and as server-sent events. Needs the extra `serve`.

GET    /target                         what the agent is
POST   /conversations                  open one
POST   /conversations/{id}/acts        do one act, or several at once
POST   /conversations/{id}/restart     start the program anew
DELETE /conversations/{id}             the conversation is over
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeVar

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from marg_runtime.errors import MargError, TargetRefused
from marg_runtime.gateway import sse
from marg_runtime.gateway.agent import Agent
from marg_runtime.gateway.protocol import Form, Opening, Refusal, RefusalForm, Reports, Sent
from marg_runtime.gateway.refusal import STATUS
from marg_runtime.scrub import own_secrets, scrub

LARGEST_BODY = 1_000_000  # bytes of a request
STREAM = "text/event-stream"
JSON_TYPE = "application/json"

_F = TypeVar("_F", bound=Form)


def gateway(agent: Agent, *, hosts: Sequence[str] = ("*",), mounts: Sequence[BaseRoute] = ()) -> Starlette:
    """The application.

    hosts: the names by which it may be called, so that a page of somebody else's that resolves its own name to this
    address is turned away. mounts: what else is served beside the protocol, such as a page.
    """
    desk = _Desk(agent)
    routes = [
        Route("/target", desk.describe, methods=["GET"]),
        Route("/conversations", desk.open, methods=["POST"]),
        Route("/conversations/{conversation}/acts", desk.act, methods=["POST"]),
        Route("/conversations/{conversation}/restart", desk.restart, methods=["POST"]),
        Route("/conversations/{conversation}", desk.close, methods=["DELETE"]),
        *mounts,
    ]
    trusted = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    return Starlette(routes=routes, middleware=[trusted])


class _Desk:
    """The handlers of one agent."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def describe(self, request: Request) -> Response:
        del request
        return await _answered(self._agent.describe)

    async def open(self, request: Request) -> Response:
        async def opening() -> Form:
            return await self._agent.open(await _read(request, Opening))

        return await _answered(opening)

    async def act(self, request: Request) -> Response:
        if STREAM in request.headers.get("accept", ""):
            return await self._streamed(request)

        async def acting() -> Form:
            return await self._agent.act(_named(request), await _read(request, Sent))

        return await _answered(acting)

    async def restart(self, request: Request) -> Response:
        return await _answered(lambda: self._agent.restart(_named(request)))

    async def close(self, request: Request) -> Response:
        return await _answered(lambda: self._agent.close(_named(request)))

    async def _streamed(self, request: Request) -> Response:
        try:
            sent = await _read(request, Sent)
        except TargetRefused as error:
            return _refused(error)
        return StreamingResponse(
            self._events(_named(request), sent), media_type=STREAM, headers={"cache-control": "no-store"}
        )

    async def _events(self, conversation: str, sent: Sent) -> AsyncIterator[bytes]:
        """The model's text piece by piece, then the reports, or what went wrong."""
        pieces: asyncio.Queue[str | None] = asyncio.Queue()

        async def act() -> Reports:
            try:
                return await self._agent.act(conversation, sent, on_text=pieces.put)
            finally:
                pieces.put_nowait(None)

        # A client that goes away does not take the turn with it: what was begun is finished, and is in the ledger.
        acting = asyncio.create_task(act())
        while (piece := await pieces.get()) is not None:
            yield sse.event(sse.TEXT, {"text": piece})
        try:
            yield sse.event(sse.REPORTS, (await acting).as_json())
        except Exception as error:
            yield sse.event(sse.ERROR, _refusal(error).as_json())


def _named(request: Request) -> str:
    return str(request.path_params["conversation"])


async def _read(request: Request, form: type[_F]) -> _F:
    """The body in a form. Raises TargetRefused for one that is not."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != JSON_TYPE:
        # A page of somebody else's can send other types to this machine without asking.
        raise TargetRefused(f"the body is sent as {JSON_TYPE}", kind="bad_request")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise TargetRefused(f"the body has more than {LARGEST_BODY} bytes", kind="bad_request")
    try:
        return form.model_validate_json(bytes(body))
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"]) or "the body"
        raise TargetRefused(f"{place}: {problem['msg']}", kind="bad_request") from None


async def _answered(asked: Callable[[], Awaitable[Form]]) -> Response:
    try:
        return JSONResponse((await asked()).as_json())
    except Exception as error:
        return _refused(error)


def _refused(error: Exception) -> Response:
    form = _refusal(error)
    return JSONResponse(form.as_json(), status_code=STATUS[form.error.kind])


def _refusal(error: Exception) -> RefusalForm:
    """Why, in the form of the protocol. An error that is not Marg's own says its kind and no more: its text may hold
    what no client should see, and the server's log has it."""
    if isinstance(error, TargetRefused):
        refusal = Refusal(kind=error.kind, message=str(error), path=error.path, line=error.line)
    elif isinstance(error, MargError):
        # It may name a store or a server, with what its URL holds.
        message = scrub(f"{type(error).__name__}: {error}", secrets=own_secrets())
        refusal = Refusal(kind="crash", message=message)
    else:
        _report(error)
        refusal = Refusal(kind="crash", message=type(error).__name__)
    return RefusalForm(error=refusal)


def _report(error: Exception) -> None:
    loop = asyncio.get_running_loop()
    loop.call_exception_handler({"message": "an act or another request broke", "exception": error})
