"""How the SDKs' HTTP clients are set up, the same for both."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from marg_runtime.models.retry import Timeout

if TYPE_CHECKING:
    import ssl

    import httpx2


def http_options(timeout: Timeout) -> dict[str, Any]:
    """Options of an `httpx2.AsyncClient`. Raises ImportError without httpx2."""
    # A redirected request would take the key along to wherever it is sent.
    return {"timeout": http_timeout(timeout), "follow_redirects": False, "verify": _trust()}


def http_timeout(timeout: Timeout) -> httpx2.Timeout:
    """The waits of one request; the total is kept by whoever makes the call."""
    import httpx2

    return httpx2.Timeout(timeout.read, connect=timeout.connect, pool=timeout.connect)


@cache
def _trust() -> ssl.SSLContext:
    """The certificates that are trusted, read once: reading them takes longer than all else that a client sets up."""
    import httpx2

    return httpx2.create_ssl_context()
