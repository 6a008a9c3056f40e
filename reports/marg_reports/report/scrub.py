"""Secrets are removed before anything is drawn or written: what looks like a key, what is named as one, known values.

The text of a report is scrubbed as it was said, before any format escapes it: what is removed from a written file could
be half of an escape, and would break it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from urllib.parse import quote

REMOVED = "[removed]"

_SHAPES = re.compile(
    r"""
    \b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}                   # keys of model vendors and of those that take payments
    | \bgh[opsur]_[A-Za-z0-9]{20,} | \bgithub_pat_\w{20,} | \bglpat-[\w-]{16,}
    | \bxox[abeprs]-[A-Za-z0-9-]{10,} | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b | \bAIza[\w-]{30,} | \bhf_[A-Za-z0-9]{20,}
    | \beyJ[\w-]{8,400}\.[\w-]{8,}\.[\w-]{4,}                  # a JSON web token
    | (?<=://)[^\s/:@"']*:[^\s/@"']+(?=@)                   # a user and password in a URL
    | -----BEGIN[ A-Z]*PRIVATE[ ]KEY-----.*?(?:-----END[ A-Z]*PRIVATE[ ]KEY-----|\Z)
    """,
    re.VERBOSE | re.DOTALL,
)

_HEADER = r"(?:proxy-)?authorization|(?:set-)?cookie2?"
_KEY = (
    r"(?:[\w.-]{0,60}[-_.])?"
    r"(?:api[-_ ]?key|private[-_]key|access[-_]key(?:[-_]id)?"
    r"|(?:access|auth|refresh|id|session|security|csrf|xsrf|bearer)[-_]?token|token"
    r"|(?:client|app|consumer|shared)[-_ ]?secret|secret(?:[-_](?:access[-_])?key)?"
    r"|passw(?:or)?d|passphrase|credentials?|session[-_]?id|signature)"
)
_NAMED = re.compile(
    rf"""(?<![\w.-])(?:(?P<header>{_HEADER})|(?P<key>{_KEY}))(?![\w-])
        (?P<between>(?:\\*["'])?\s*(?:=>|[:=])\s*(?:b(?=["']))?
          |\\*["']\s*,\s*b?(?=(?P<mark>\\*["'])(?:(?!(?P=mark))(?:\\.|.))*(?P=mark)\s*[\])]))
        (?:(?P<quote>\\*["'])(?P<quoted>.*?)(?<!\\)(?P<end>(?P=quote)|\n|\Z)
          |(?P<pairs>(?:[\w-]+\s+)?[\w-]+=\\*["'].*?(?=[\r\n]|\Z))
          |(?P<bare>(?:bearer|basic|digest|token|negotiate)\s+[^\s"',;\\}}\])]+|[^\s"',;&\\}}\])]+))""",
    re.VERBOSE | re.IGNORECASE,
)
_REST = re.compile(r"[^\r\n\"'\\]*")
_QUERY = re.compile(
    r"(?P<name>[?&;](?:[\w.-]{0,60}?(?:key|token|secret|signature|passw(?:or)?d|pwd|credential)"
    r"|(?:[\w.-]{0,60}[-_.])?(?:sig|auth|session|sid|session[-_]?id))=)[^&\s\"'#<>\\]+",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\b(bearer|basic)\s+(?=\S*[\d+/=])[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE)

_MARKS = (
    *("sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "xox"),
    *("AKIA", "ASIA", "AIza", "hf_", "eyJ", "://", "PRIVATE KEY"),
)
_WORDS = (
    *("authorization", "cookie", "key", "token", "secret", "passw", "passphrase", "pwd", "credential", "session"),
    *("signature", "sig=", "auth=", "sid=", "bearer", "basic"),
)
"""A text with none of these has nothing that the patterns find. Most have none, and looking for words is cheap."""

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
SHORTEST_SECRET = 8
"""A shorter value of an environment variable (`true`, `1234`) would be found in ordinary words."""


def secrets_of(environ: Mapping[str, str]) -> frozenset[str]:
    """The values of the variables whose name says that they are secret."""
    return frozenset(
        value for name, value in environ.items() if _SECRET_NAME.search(name) and len(value) >= SHORTEST_SECRET
    )


def scrub(text: str, *, secrets: Collection[str] = ()) -> str:
    """The text without secrets: known values first, the longest before any that is part of it, also as JSON or a URL
    would write them."""
    for secret in _written(frozenset(secrets)):
        if secret in text:
            text = text.replace(secret, REMOVED)
    if any(mark in text for mark in _MARKS):
        text = _SHAPES.sub(REMOVED, text)
    lowered = text.lower()
    if not any(word in lowered for word in _WORDS):
        return text
    text = _named(text)
    text = _QUERY.sub(lambda found: f"{found['name']}{REMOVED}", text)
    return _BEARER.sub(lambda found: f"{found[1]} {REMOVED}", text)


@lru_cache(maxsize=8)
def _written(secrets: frozenset[str]) -> tuple[str, ...]:
    forms = {form for secret in secrets for form in (secret, json.dumps(secret)[1:-1], quote(secret, safe=""))}
    forms |= {json.dumps(secret, ensure_ascii=False)[1:-1] for secret in secrets}
    return tuple(sorted(forms, key=lambda form: (-len(form), form)))


def _named(text: str) -> str:
    """The text with REMOVED in place of each value that stands behind a name of a secret."""
    kept: list[str] = []
    end = 0
    while found := _NAMED.search(text, end):
        kept += [text[end : found.end("between")], REMOVED]
        if found["quote"] is not None:
            kept[-1] = f"{found['quote']}{REMOVED}{found['end']}"
            end = found.end()
        elif found["header"] is not None and found["pairs"] is None:
            # Cookies and credentials have spaces and semicolons in them: a header's value is the rest of its line.
            rest = _REST.match(text, found.end())
            end = rest.end() if rest else found.end()
        else:
            end = found.end()
    return "".join(kept) + text[end:]
