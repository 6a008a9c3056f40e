"""How each fault is played: what becomes of a reply that would have been whole."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from marg_mock_model.endpoint.asgi import Receive, Send, client_left, reset, send_part, send_rest, send_whole
from marg_mock_model.endpoint.cork import Cork
from marg_mock_model.endpoint.fault import LEAST_PIECES, STATUS, Fault, FaultKind
from marg_mock_model.endpoint.journal import Exchange, Outcome
from marg_mock_model.endpoint.refusal import refusal
from marg_mock_model.endpoint.response import NO_CACHE, Response
from marg_mock_model.endpoint.spoken import is_piece, words_in
from marg_mock_model.endpoint.wire import WireApi, WireError

HTML = b"<!DOCTYPE html><html><head><title>Welcome</title></head><body><p>Please sign in to go on.</p></body></html>"

MESSAGES: Mapping[FaultKind, str] = {
    "rate_limit": "Rate limit reached; try again later.",
    "server_error": "The server had an error while processing your request.",
    "unavailable": "The service is temporarily unavailable.",
    "overloaded": "Overloaded",
    "unauthorized": "Incorrect API key provided.",
    "error_event": "The server had an error in the middle of the stream.",
}
CODES: Mapping[FaultKind, str] = {"rate_limit": "rate_limit_exceeded", "unauthorized": "invalid_api_key"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Wire:
    """The connection that a fault is played on."""

    receive: Receive
    send: Send
    transport: Cork


def status_response(fault: Fault, api: WireApi, exchange: Exchange) -> Response:
    """The API's own error of a status fault."""
    headers: list[tuple[bytes, bytes]] = []
    if fault.retry_after is not None:
        headers.append((b"retry-after", str(fault.retry_after).encode()))
    return refusal(api, exchange, error_of(fault), headers=headers)


def error_of(fault: Fault) -> WireError:
    """The error that a fault shows in words."""
    # An error in the middle of a stream has no status of its own; the APIs name it as they name an overload.
    status = STATUS.get(fault.kind, 529)
    return WireError(status=status, message=MESSAGES[fault.kind], code=CODES.get(fault.kind))


def html_response() -> Response:
    """What a captive portal or a proxy answers: a page, with the status of success."""
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"%d" % len(HTML))]
    return Response(headers=headers, chunks=(HTML,))


async def break_reply(fault: Fault, response: Response, *, exchange: Exchange, api: WireApi, wire: Wire) -> Outcome:
    """Play a fault that needs the reply; gives how the exchange ended."""
    if fault.kind in LEAST_PIECES and _piece_at(fault, response) is None:
        exchange.fault = None
        await send_whole(wire.send, response, wire.transport)
        return "answered"
    if response.is_stream:
        exchange.went = words_in(response.chunks[: _events_out(fault, response)])
    return await _PLAYS[fault.kind](fault, response, api, wire)


async def hang(fault: Fault, wire: Wire) -> Outcome:
    """Send nothing more, for the fault's seconds or until the client leaves; then the connection is closed."""
    try:
        await asyncio.wait_for(client_left(wire.receive), timeout=fault.seconds)
    except TimeoutError:
        wire.transport.close()
    return "stalled"


async def drop(wire: Wire) -> Outcome:
    """Close the connection without a byte."""
    wire.transport.close()
    return "dropped"


async def _cut(fault: Fault, response: Response, api: WireApi, wire: Wire) -> Outcome:
    """Reset the connection after some events, or, where the reply is in one piece, after its first half."""
    broken = response if response.is_stream else replace(response, chunks=_halves(response))
    await send_part(wire.send, broken, _events_out(fault, response))
    reset(wire.transport)
    return "cut"


async def _truncated(fault: Fault, response: Response, api: WireApi, wire: Wire) -> Outcome:
    """End in good order, too early."""
    chunks = response.chunks if response.is_stream else _halves(response)
    await send_whole(wire.send, _unmeasured(response, chunks[: _events_out(fault, response)]), wire.transport)
    return "truncated"


async def _cut_json(fault: Fault, response: Response, api: WireApi, wire: Wire) -> Outcome:
    """End in the middle of a JSON text: of the reply's, or of an event's."""
    if response.is_stream:
        out = _events_out(fault, response)
        head, mark, data = response.chunks[out].partition(b"data: ")
        kept = [*response.chunks[:out], head + mark + _half(data.rstrip()) + b"\n\n"]
    else:
        kept = [_half(response.body)]
    await send_whole(wire.send, _unmeasured(response, kept), wire.transport)
    return "truncated"


async def _duplicated(fault: Fault, response: Response, api: WireApi, wire: Wire) -> Outcome:
    """Send one delta twice."""
    at = _piece_at(fault, response) or 0
    doubled = [*response.chunks[: at + 1], *response.chunks[at:]]
    await send_whole(wire.send, _unmeasured(response, doubled), wire.transport)
    return "answered"


async def _reordered(fault: Fault, response: Response, api: WireApi, wire: Wire) -> Outcome:
    """Send two deltas in the wrong order."""
    at = _piece_at(fault, response) or 0
    chunks = list(response.chunks)
    chunks[at : at + 2] = chunks[at : at + 2][::-1]
    await send_whole(wire.send, _unmeasured(response, chunks), wire.transport)
    return "answered"


async def _error_event(fault: Fault, response: Response, api: WireApi, wire: Wire) -> Outcome:
    """Say in the middle of the stream that it broke, and end it."""
    out = _events_out(fault, response)
    kept = [*response.chunks[:out], api.error_event(error_of(fault), number=out)]
    await send_whole(wire.send, _unmeasured(response, kept), wire.transport)
    return "cut"


async def _stall(fault: Fault, response: Response, api: WireApi, wire: Wire) -> Outcome:
    """Send some events, or where the reply is in one piece nothing, and hang."""
    if response.is_stream and fault.after:
        await send_part(wire.send, response, _events_out(fault, response))
    return await hang(fault, wire)


async def _slow(fault: Fault, response: Response, api: WireApi, wire: Wire) -> Outcome:
    """Pause for the fault's seconds after some events, then send the rest: whole for whoever waits."""
    out = _events_out(fault, response) if response.is_stream else 0
    if out:
        await send_part(wire.send, response, out)
    try:
        await asyncio.wait_for(client_left(wire.receive), timeout=fault.seconds or 0)
        return "left"
    except TimeoutError:
        await (send_rest(wire.send, response, out) if out else send_whole(wire.send, response, wire.transport))
        return "answered"


_Play = Callable[[Fault, Response, WireApi, Wire], Awaitable[Outcome]]
_PLAYS: Mapping[FaultKind, _Play] = {
    "cut": _cut,
    "truncated": _truncated,
    "cut_json": _cut_json,
    "duplicate_delta": _duplicated,
    "reordered_delta": _reordered,
    "error_event": _error_event,
    "stall": _stall,
    "slow": _slow,
}


def _events_out(fault: Fault, response: Response) -> int:
    """How many chunks go out before the break: never all, for then nothing would be broken."""
    return min(fault.after, len(response.chunks) - 1) if response.is_stream else 1


def _piece_at(fault: Fault, response: Response) -> int | None:
    """Which piece to double, or to swap with the next: the first from `after` on, else the first; None without any."""
    pieces = {number for number, chunk in enumerate(response.chunks) if is_piece(chunk)}
    found = sorted(n for n in pieces if pieces.issuperset(range(n, n + LEAST_PIECES[fault.kind])))
    return next((n for n in found if n >= fault.after), next(iter(found), None))


def _halves(response: Response) -> Sequence[bytes]:
    half = _half(response.body)
    return half, response.body[len(half) :]


def _half(chunk: bytes) -> bytes:
    return chunk[: len(chunk) // 2]


def _unmeasured(response: Response, chunks: Sequence[bytes]) -> Response:
    """The response with other chunks, and no length that tells how many there should be."""
    kept = [(name, value) for name, value in response.headers if name not in (b"content-length", NO_CACHE[0])]
    return replace(response, headers=kept, chunks=tuple(chunks))
