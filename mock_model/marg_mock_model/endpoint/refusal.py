"""An error as a response: the API's own body, and the id by which its SDK knows the request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from marg_mock_model.endpoint.journal import Exchange
from marg_mock_model.endpoint.response import Response, json_response
from marg_mock_model.endpoint.wire import WireApi, WireError

DIGEST_BYTES = 12


def refusal(
    api: WireApi, exchange: Exchange, error: WireError, *, headers: Sequence[tuple[bytes, bytes]] = ()
) -> Response:
    """The response to an exchange that gets an error; the same request has the same id."""
    asked = f"{exchange.method} {exchange.path} {exchange.conversation} ".encode("utf-8", "replace")
    request = f"req_{blake2b(asked + exchange.body, digest_size=DIGEST_BYTES).hexdigest()}"
    named = replace(error, request=request)
    return json_response(api.error(named), status=error.status, headers=[request_header(api, request), *headers])


def request_header(api: WireApi, request: str) -> tuple[bytes, bytes]:
    """The header by which an API's SDK knows a request."""
    return b"request-id" if api.name == "anthropic_messages" else b"x-request-id", request.encode()
