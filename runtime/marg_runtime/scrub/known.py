"""Secrets that are known by their value: those of the environment, of a URL, of a request's headers."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from urllib.parse import parse_qsl, unquote, urlsplit

from marg_runtime.scrub.text import is_secret_name, secrets_in

SHORTEST_SECRET = 8
"""A shorter value (`true`, `1234`) would be found in ordinary words."""


def own_secrets() -> frozenset[str]:
    """The secrets that this process holds in its environment."""
    return secrets_of({name: os.environ[name] for name in os.environ if _kind(name)})


def secrets_of(environ: Mapping[str, str]) -> frozenset[str]:
    """What the variables hold that is secret: the values of those whose name says so, and the passwords in URLs.

    Of headers (`OPENAI_CUSTOM_HEADERS`: one a line, or by commas) the values alone. A password that is the user's name
    as well, as test databases have it, is a word and no secret.
    """
    found = (secret for name, value in environ.items() for secret in _secrets(_kind(name), value))
    return frozenset(secret for secret in found if len(secret) >= SHORTEST_SECRET)


@cache
def _kind(name: str) -> str:
    """How a variable of this name holds secrets; nothing where it does not, or where it names a file that does."""
    if re.search(r"(FILE|PATH|FOLDER|DIR|SOCK)\Z", name, re.IGNORECASE):
        return ""
    if re.search(r"HEADERS\Z", name, re.IGNORECASE):
        return "headers"
    if re.search(r"KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH(ORIZATION)?\Z", name, re.IGNORECASE):
        return "whole"
    if re.search(r"UR[IL]\Z|DSN\Z|PROXY\Z|DATABASE|STORE\Z", name, re.IGNORECASE):
        return "url"
    return ""


def _secrets(kind: str, value: str) -> Iterator[str]:
    if kind == "headers":
        pairs = (re.split("[:=]", one, maxsplit=1) for one in re.split("[\n,]", value))
        yield from (pair[1].strip() for pair in pairs if len(pair) == 2 and is_secret_name(pair[0].strip()))
    elif kind == "whole":
        yield value
    if kind:
        yield from _passwords(value)


def _passwords(value: str) -> Iterator[str]:
    try:
        parts = urlsplit(value)
    except ValueError:
        return
    if parts.password and parts.password != parts.username:
        yield from (parts.password, unquote(parts.password))


def secrets_of_url(url: str | None) -> Iterator[str]:
    """What a URL may hold that is secret: the user's part, as it is and encoded, and every value of its query."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return
    for value in (parts.username, parts.password):
        yield from (value or "", unquote(value or ""))
    if parts.username or parts.password:
        # So it goes in the header of basic authentication.
        yield b64encode(f"{unquote(parts.username or '')}:{unquote(parts.password or '')}".encode()).decode()
    yield from (value for _, value in parse_qsl(parts.query))


def secrets_of_headers(headers: Iterable[tuple[bytes, bytes]]) -> frozenset[str]:
    """What a request's headers hold that is secret: the values of those whose name says so, without their scheme."""
    texts = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers)
    found = [(name, value) for name, value in texts if value.strip() and is_secret_name(name)]
    last = {value.split()[-1] for _, value in found}
    # A cookie has several, and so has a digest.
    others = (secrets_in(f"{name}: {value}") for name, value in found)
    return frozenset(secret for secret in last.union(*others) if len(secret) >= SHORTEST_SECRET)
