"""JSON as it goes over the wire: compact, in the order that it was built in, UTF-8."""

from __future__ import annotations

import json
from typing import Any

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def json_text(value: Any) -> str:
    """One line of compact JSON; raises ValueError for NaN and infinities."""
    return _encode(value)


def json_bytes(value: Any) -> bytes:
    """The same in UTF-8; half a character becomes U+FFFD, for UTF-8 cannot hold it."""
    return _encode(value).encode("utf-8", "replace")


def data_event(value: Any) -> bytes:
    """A server-sent event without a name."""
    return b"data: " + json_bytes(value) + b"\n\n"


def named_event(name: str, value: Any) -> bytes:
    """A server-sent event with a name."""
    return b"event: " + name.encode() + b"\ndata: " + json_bytes(value) + b"\n\n"
