"""The base URL of a model's server."""

from __future__ import annotations

from urllib.parse import urlsplit

from marg_runtime.errors import UsageError


def host_of(url: str | None, *, default: str) -> str:
    """The host of a base URL, `default` for None. Raises UsageError for what is no http or https URL."""
    if url is None:
        return default
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        # The URL itself is not shown: it may hold a key.
        raise UsageError("base_url is no http or https URL with a host; write it like 'http://127.0.0.1:8000/v1'")
    return host
