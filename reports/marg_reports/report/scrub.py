"""Secrets are removed before anything is written: what looks like a key, and the values of this process's own ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

REMOVED = "[removed]"

_SHAPES = re.compile(
    r"""
    \b(?:sk|pk|rk)-[A-Za-z0-9_-]{12,}                      # keys of model vendors
    | \bgh[opsur]_[A-Za-z0-9]{20,} | \bgithub_pat_\w{20,} | \bglpat-[\w-]{16,}
    | \bxox[abprs]-[A-Za-z0-9-]{10,} | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b | \bAIza[\w-]{30,}
    | \beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}                  # a JSON web token
    | (?<=://)[^\s/:@]+:[^\s/@]+(?=@)                       # a user and password in a URL
    """,
    re.VERBOSE,
)
_NAMED = re.compile(
    r"""(?P<name>(?:proxy-)?authorization|x-api-key|api[-_ ]?key|(?:access|auth|refresh)[-_ ]?token|client[-_ ]?secret
        |password|passwd|set-cookie|cookie)
        (?P<between>["']?\s*[:=]\s*["']?)
        (?P<value>(?:bearer|basic)\s+[^\s"',;}]+|[^\s"',;}]+)""",
    re.VERBOSE | re.IGNORECASE,
)
_BEARER = re.compile(r"\b(bearer|basic)\s+(?=\S*[\d+/=])[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE)
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
SHORTEST_SECRET = 8
"""A shorter value of an environment variable (`true`, `1234`) would be found in ordinary words."""


def secrets_of(environ: Mapping[str, str]) -> frozenset[str]:
    """The values of the variables whose name says that they are secret."""
    return frozenset(
        value for name, value in environ.items() if _SECRET_NAME.search(name) and len(value) >= SHORTEST_SECRET
    )


def scrub(text: str, *, secrets: Collection[str] = ()) -> str:
    """The text without secrets: known values first, the longest before any that is part of it."""
    for secret in sorted(secrets, key=lambda value: (-len(value), value)):
        text = text.replace(secret, REMOVED)
    text = _SHAPES.sub(REMOVED, text)
    text = _NAMED.sub(lambda found: f"{found['name']}{found['between']}{REMOVED}", text)
    return _BEARER.sub(lambda found: f"{found[1]} {REMOVED}", text)
