"""Server-sent events: one event is its name and its data, JSON on one line."""

from __future__ import annotations

import json
from typing import Any

TEXT = "text"
"""A piece of the model's text, as it is let through: `{"text": ...}`."""

REPORTS = "reports"
"""The reports of the acts, as the JSON answer has them; the last event."""

ERROR = "error"
"""What went wrong, as the JSON answer has it; the last event."""


def event(name: str, data: Any) -> bytes:
    """The bytes of one event."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
