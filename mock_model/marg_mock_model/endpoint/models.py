"""The list of models, in a form that both SDKs read: there is one, and it is named as the machine is."""

from __future__ import annotations

from typing import Any

from marg_mock_model.endpoint.wire import CREATED
from marg_mock_model.machine import Machine

CREATED_AT = "2026-01-01T00:00:00Z"
"""CREATED as Anthropic's API writes it."""


def models_document(machine: Machine, name: str = "") -> dict[str, Any] | None:
    """All models, or the one of a name; None where there is none of that name."""
    model = _model(machine.name)
    if not name:
        return {
            "object": "list",
            "data": [model],
            "has_more": False,
            "first_id": machine.name,
            "last_id": machine.name,
        }
    return model if name == machine.name else None


def _model(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "object": "model",
        "type": "model",
        "display_name": name,
        "created": CREATED,
        "created_at": CREATED_AT,
        "lifecycle": "active",
        "owned_by": "marg",
    }
