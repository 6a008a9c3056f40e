"""What is removed from a request before anything keeps or shows it: keys, and whatever looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

REMOVED = "[removed]"

SECRET_HEADERS = frozenset(
    {
        "api-key",
        "authorization",
        "cookie",
        "openai-organization",
        "openai-project",
        "proxy-authorization",
        "set-cookie",
        "x-api-key",
        "x-goog-api-key",
    }
)
SECRET_FIELDS = frozenset({"access_token", "api_key", "apikey", "authorization", "client_secret", "password", "secret"})

_KEY = re.compile(
    r"\b(?:sk|pk|rk|xox[abp]|gh[pousr]|AKIA|AIza)[-_][A-Za-z0-9_\-]{8,}|\bBearer\s+[A-Za-z0-9._~+/\-]{8,}=*"
)


def redacted(value: Any) -> Any:
    """A JSON value without secrets, at any depth."""
    if isinstance(value, str):
        return redacted_text(value)
    if isinstance(value, Mapping):
        return {k: REMOVED if str(k).lower() in SECRET_FIELDS and v else redacted(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [redacted(item) for item in value]
    return value


def redacted_text(text: str) -> str:
    """A text without what looks like a key."""
    return _KEY.sub(REMOVED, text)


def redacted_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by name, in lower case, the secret ones without their value."""
    found = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}
    return {name: REMOVED if name in SECRET_HEADERS else redacted_text(value) for name, value in found.items()}
