"""The list of models, in a form that both SDKs read: there is one, and it is named as the machine is."""

from __future__ import annotations

from typing import Any

from marg_mock_model.endpoint.openai_error import openai_error
from marg_mock_model.endpoint.response import Response, json_response
from marg_mock_model.endpoint.wire import CREATED, WireError
from marg_mock_model.machine import Machine

CREATED_AT = "2026-01-01T00:00:00Z"
"""CREATED as Anthropic's API writes it."""


def models_response(machine: Machine, name: str = "") -> Response:
    """All models, or the one of a name; status 404 where there is none of that name."""
    model = _model(machine.name)
    if not name:
        listed = {
            "object": "list",
            "data": [model],
            "has_more": False,
            "first_id": machine.name,
            "last_id": machine.name,
        }
        return json_response(listed)
    if name == machine.name:
        return json_response(model)
    error = WireError(
        status=404, message=f"The model {name!r} does not exist; there is {machine.name!r}.", param="model"
    )
    return json_response(openai_error(error), status=404)


def _model(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "object": "model",
        "type": "model",
        "display_name": name,
        "created": CREATED,
        "created_at": CREATED_AT,
        "owned_by": "marg",
    }
