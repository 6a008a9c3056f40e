"""Everything that an endpoint answers but a reply and what a test asks of it: the health, the models, and all else."""

from __future__ import annotations

from marg_mock_model.endpoint.anthropic_messages import VERSION_HEADER
from marg_mock_model.endpoint.apis import APIS, CHAT, MESSAGES
from marg_mock_model.endpoint.journal import Exchange
from marg_mock_model.endpoint.models import models_document
from marg_mock_model.endpoint.refusal import refusal
from marg_mock_model.endpoint.response import Response, json_response
from marg_mock_model.endpoint.wire import WireApi, WireError, header
from marg_mock_model.machine import Machine

READING = ("GET", "HEAD")


def aside_response(machine: Machine, exchange: Exchange) -> Response:
    """The response: status 405 for a path that is asked in another way, 404 for one that is not here."""
    path, method = exchange.path, exchange.method
    if path in APIS:
        error = WireError(status=405, message=f"Not allowed to {method} on {path}.", code="method_not_supported")
        return refusal(_api(exchange), exchange, error, headers=[(b"allow", b"POST")])
    above, _, name = path.removeprefix("/v1").strip("/").partition("/")
    if method in READING and path == "/health":
        return json_response({"status": "ok"})
    if method in READING and above == "models":
        document = models_document(machine, name)
        if document is not None:
            return json_response(document)
        told = f"The model {name!r} does not exist; there is {machine.name!r}."
        error = WireError(status=404, message=told, code="model_not_found", param="model")
        return refusal(_api(exchange), exchange, error)
    error = WireError(status=404, message=f"There is no {method} {path} here; known are {', '.join(APIS)}.")
    return refusal(_api(exchange), exchange, error)


def _api(exchange: Exchange) -> WireApi:
    """The API whose client asks: its errors are read by that client."""
    is_anthropic = header(exchange.headers, VERSION_HEADER) is not None or exchange.path.startswith("/v1/messages")
    return MESSAGES if is_anthropic else CHAT
