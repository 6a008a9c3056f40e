"""A proxy in front of a model's API that records every exchange onto a cassette, without any key."""

from __future__ import annotations

import httpx

from marg_mock_model.cassette.cassette import CassetteWriter
from marg_mock_model.cassette.clean import clean_body, clean_take
from marg_mock_model.cassette.server_event import events_of
from marg_mock_model.cassette.take import Take
from marg_mock_model.endpoint.apis import APIS, CHAT
from marg_mock_model.endpoint.asgi import Receive, Scope, Send, body_of, client_left, reset, send_whole
from marg_mock_model.endpoint.cork import Cork
from marg_mock_model.endpoint.response import Response, json_response
from marg_mock_model.endpoint.wire import WireError
from marg_runtime.scrub import own_secrets, secrets_of_headers

NOT_PASSED_ON = frozenset(
    {
        b"accept-encoding",
        b"connection",
        b"content-encoding",
        b"content-length",
        b"host",
        b"keep-alive",
        b"proxy-authorization",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
"""Headers of one connection, and those that the proxy writes itself; nothing is compressed, so that it can be read."""

KEPT = ("content-type", "retry-after", "retry-after-ms", "request-id", "x-request-id")
"""The headers of an answer that a client looks at; no other is recorded."""


class Recorder:
    """The application: what comes in goes to the upstream, what comes back goes out and onto the cassette."""

    def __init__(self, upstream: str, *, cassette: CassetteWriter) -> None:
        self.recorded = 0
        self._cassette = cassette
        self._client = httpx.AsyncClient(base_url=upstream, timeout=None)

    async def close(self) -> None:
        """Close the connections to the upstream."""
        await self._client.aclose()

    async def __call__(self, scope: Scope, receive: Receive, send: Send, cork: Cork) -> None:
        """Pass one request on."""
        body = await body_of(receive)
        if body is None:
            return
        try:
            reply = await self._asked(scope, body)
        except httpx.TransportError as error:
            await send_whole(send, _bad_gateway(scope, error), cork)
            return
        try:
            answer = await _relayed(reply, send)
        except httpx.TransportError:
            # The answer had begun: its client meets a break too, and it is no exchange that could be answered again.
            reset(cork)
            await client_left(receive)
            return
        self._record(scope, body, reply, answer)

    async def _asked(self, scope: Scope, body: bytes) -> httpx.Response:
        headers = [(name, value) for name, value in scope["headers"] if name not in NOT_PASSED_ON]
        headers.append((b"accept-encoding", b"identity"))
        # As it was written: a name in a path may have a slash of its own.
        query = scope["query_string"]
        url = (scope["raw_path"] + (b"?" + query if query else b"")).decode("latin-1")
        request = self._client.build_request(scope["method"], url, headers=headers, content=body)
        return await self._client.send(request, stream=True)

    def _record(self, scope: Scope, body: bytes, reply: httpx.Response, answer: bytes) -> None:
        """Record a whole exchange. The client's key is known here, wherever else it stands."""
        secrets = own_secrets() | secrets_of_headers(scope["headers"])
        headers = {name: reply.headers[name] for name in KEPT if name in reply.headers}
        take = Take(
            method=scope["method"],
            path=scope["path"],
            body=clean_body(body, secrets=secrets),
            status=reply.status_code,
            headers=headers,
            chunks=_chunks(answer.decode("utf-8", "replace"), headers.get("content-type", "")),
            line=0,
        )
        self._cassette.add(clean_take(take, secrets=secrets))
        self.recorded += 1


async def _relayed(reply: httpx.Response, send: Send) -> bytes:
    """Hand an answer on as it comes; gives its whole body."""
    parts = []
    try:
        await send({"type": "http.response.start", "status": reply.status_code, "headers": _passed_back(reply)})
        async for part in reply.aiter_bytes():
            parts.append(part)
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        await reply.aclose()
    return b"".join(parts)


def _bad_gateway(scope: Scope, error: httpx.TransportError) -> Response:
    api = APIS.get(scope["path"], CHAT)
    broke = f"The upstream broke: {type(error).__name__}: {error}"
    told = WireError(status=502, message=broke, extra={"code": "upstream"})
    return json_response(api.error(told), status=502)


def _passed_back(reply: httpx.Response) -> list[tuple[bytes, bytes]]:
    return [(name.lower(), value) for name, value in reply.headers.raw if name.lower() not in NOT_PASSED_ON]


def _chunks(text: str, content_type: str) -> tuple[str, ...]:
    """The events of a stream, each with its end; a body of another kind is one."""
    if not content_type.startswith("text/event-stream"):
        return (text,)
    return events_of(text)
