"""How a connection broke, told from the types and codes of what is known, and never from the text of a message.

| what is known | kind |
|---|---|
| no answer in time | `mcp_timeout`; `protocol` where lines came that are no messages |
| the stream to a child has ended, a session of HTTP is gone (404) | `mcp_closed`; `protocol` where such lines came |
| an HTTP status that is an error | `auth`, `quota`, `rate_limit`, `overload`, `timeout`, `request`, `protocol` |
| a page of HTML with a status of success | `proxy_body` |
| nothing listens, no name, no route | `connect` |
| the socket broke before the response, or within it | `reset`, or `truncated` |
| a stream of events that ended without its response, JSON without its last brace | `truncated` |
| an error of JSON-RPC, a result that is not as agreed | `protocol` |
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from marg_runtime.tools.ear import Exchange, Heard
from marg_runtime.wire import WireKind, kind_of_status

if TYPE_CHECKING:
    from httpx2 import Response

CONNECTION_CLOSED = -32000  # the SDK's own code where a stream ended
PARSE_ERROR = -32700
SESSION_HEADER = "mcp-session-id"


@dataclass(frozen=True, kw_only=True)
class Breakage:
    """How an exchange broke. `over`: the connection cannot be used again."""

    kind: WireKind
    over: bool = False
    code: int | None = None


def breakage(error: BaseException | None, *, exchange: Exchange, heard: Heard, over: bool) -> Breakage:
    """The breakage behind an error; `over` says that the task which held the connection has ended."""
    code = _code(error)
    noisy = heard.noise > exchange.noise
    response = exchange.response
    if response is not None and (kind := _kind_of_response(response)) is not None:
        gone = response.status_code == 404 and SESSION_HEADER in response.request.headers
        return Breakage(kind="mcp_closed" if gone else kind, over=over or gone, code=code)
    if (socket_kind := _kind_of_socket(error)) is not None:
        within = response is not None and socket_kind == "reset"
        return Breakage(kind="truncated" if within else socket_kind, over=True, code=code)
    if response is not None and code is not None:
        return Breakage(kind=_kind_of_body(response, code), over=over or heard.ended, code=code)
    if heard.ended or over or isinstance(error, asyncio.CancelledError) or error is None:
        return Breakage(kind="protocol" if noisy else "mcp_closed", over=over or heard.ended, code=code)
    return Breakage(kind="protocol", code=code)


def no_answer(*, exchange: Exchange, heard: Heard) -> Breakage:
    """The breakage of an exchange that was given up."""
    return Breakage(kind="protocol" if heard.noise > exchange.noise else "mcp_timeout")


def first_error(error: BaseException | None) -> BaseException | None:
    """The first real error out of the groups that it came in; None where all was only cancelled."""
    while isinstance(error, BaseExceptionGroup):
        inner = [one for one in error.exceptions if not isinstance(one, asyncio.CancelledError)]
        error = inner[0] if inner else None
    return None if isinstance(error, asyncio.CancelledError) else error


def _code(error: BaseException | None) -> int | None:
    code = getattr(error, "code", None)
    return code if isinstance(code, int) else None


def _kind_of_response(response: Response) -> WireKind | None:
    if response.status_code >= 400:
        return kind_of_status(response.status_code)
    if response.status_code >= 300:
        return "protocol"
    return "proxy_body" if _content_type(response).startswith("text/html") else None


def _kind_of_socket(error: BaseException | None) -> WireKind | None:
    """By the class's name along its ancestry: httpx2 is imported only where an HTTP server is called."""
    names = {one.__name__ for one in type(error).__mro__ if one.__module__.partition(".")[0] in ("httpx2", "httpcore2")}
    if names & {"ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol"}:
        return "connect"
    if "TimeoutException" in names:
        return "timeout"
    return "reset" if names & {"NetworkError", "ProtocolError", "TransportError"} else None


def _kind_of_body(response: Response, code: int) -> WireKind:
    if code == CONNECTION_CLOSED and _content_type(response).startswith("text/event-stream"):
        return "truncated"
    if code == PARSE_ERROR and response.is_closed and not _body(response).endswith(b"}"):
        return "truncated"
    return "protocol"


def _body(response: Response) -> bytes:
    # A body that was never read whole has no end that could be looked at.
    return response.content.rstrip() if response.is_stream_consumed else b"}"


def _content_type(response: Response) -> str:
    return response.headers.get("content-type", "").casefold()
