"""An error's body as OpenAI's APIs write it."""

from __future__ import annotations

from typing import Any

from marg_mock_model.endpoint.wire import WireError

TYPES = {
    400: "invalid_request_error",
    401: "invalid_request_error",
    404: "invalid_request_error",
    405: "invalid_request_error",
    422: "invalid_request_error",
    429: "rate_limit_error",
}


def openai_error(error: WireError) -> dict[str, Any]:
    """The object with `error` in it."""
    body = {"message": error.message, "type": TYPES.get(error.status, "server_error")}
    return {"error": {**body, "param": error.param, "code": error.code, **(error.extra or {})}}
