"""Text without secrets: what looks like a key, what is named as one, known values.

A text is scrubbed as it was said, before any format escapes it: what is removed from a written file could be half of an
escape, and would break it. JSON within a text stays JSON.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Collection
from functools import cache, lru_cache
from urllib.parse import quote, quote_plus

REMOVED = "[removed]"

_SHORT = 80  # characters of a text that is kept with what became of it: names and words come again and again
_MOST_ROUNDS = 4  # what is removed may bring two parts of another secret together

_SHAPES = r"""
    \b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}                   # keys of model vendors and of those that take payments
    | \bgh[opsur]_[A-Za-z0-9]{20,} | \bgithub_pat_\w{20,} | \bglpat-[\w-]{16,}
    | \bxox[abeprs]-[A-Za-z0-9-]{10,} | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b | \bAIza[\w-]{30,} | \bhf_[A-Za-z0-9]{20,}
    | \beyJ[\w-]{8,400}\.[\w-]{8,}\.[\w-]{4,}                  # a JSON web token
    | (?<=//)(?!\[removed\]@)[^\s/:@"']{0,200}:(?!\d+(?:[/?]|\Z))[^\s"'<>\\]{1,256}(?=@)  # a user and password
    | (?<=//)[^\s/:@"'\[\]]{20,400}(?=@)                     # a token for a user
    | -----BEGIN[ A-Z]*PRIVATE[ ]KEY-----.*?(?:-----END[ A-Z]*PRIVATE[ ]KEY-----|\Z)
    """

_HEADER = r"(?:proxy-)?authorization|(?:set-)?cookie2?"
_KEY = (
    r"(?:[\w.-]{0,60}(?:[-_.]|(?-i:[a-z0-9](?=[A-Z]))))?"
    r"(?:api[-_ ]?key|private[-_]?key|access[-_]?key(?:[-_]?id)?"
    r"|(?:access|auth|refresh|id|session|security|csrf|xsrf|bearer)[-_]?token|token"
    r"|(?:client|app|consumer|shared)[-_ ]?secret|secret(?:[-_]?(?:access[-_]?)?key)?"
    r"|passw(?:or)?d|passphrase|credentials?|session[-_]?id|signature)"
)
_NAMED = rf"""(?<![\w.-])(?:(?P<header>{_HEADER})|(?P<key>{_KEY}))(?![\w-])
        (?P<between>(?:\\*["'])?\s*(?:=>|[:=](?!=))\s*(?:b(?=["']))?
          |\\*["']\s*,\s*b?(?=(?P<mark>\\*["'])(?:(?!(?P=mark))(?:\\.|.))*(?P=mark)\s*[\])]))
        (?:(?P<removed>\[removed\])
          |(?P<quote>\\*["'])(?P<quoted>.*?)(?<!\\)(?P<end>(?P=quote)|\n|\Z)
          |(?P<pairs>(?:[\w-]+\s+)?[\w-]+=\\*["'].*?(?=[\r\n]|\Z))
          |(?!(?:none|null|true|false)\b)(?P<bare>(?:bearer|basic|digest|token|negotiate)\s+[^\s"',;\\}}\])]+|[^\s"',;&\\}}\])]+))"""
_NO_NAME = re.compile(r"[^a-z0-9]+")
_SHORTEST_NAME = 8
_PART = re.compile(r"[A-Za-z0-9]{8,}")
_UNLIKE_A_WORD = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])(?!.*\[removed\])\S{8,}")
_REST = re.compile(r"[^\r\n\"'\\]*")
_QUERY = (
    r"(?P<before>[?&;](?:[\w.-]{0,60}?(?:key|token|secret|signature|passw(?:or)?d|pwd|credential)"
    r"|(?:[\w.-]{0,60}[-_.])?(?:sig|auth|session|sid|session[-_]?id))=)[^&\s\"'#<>\\]+"
)
_BEARER = r"\b(?P<before>(?:bearer|basic)\s+)(?=\S*(?:[\d+/=]|(?-i:[a-z][A-Z]))|\S{24})[A-Za-z0-9._~+/=-]{8,}"

_MARKS = (
    *("sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "xox"),
    *("AKIA", "ASIA", "AIza", "hf_", "eyJ", "//", "PRIVATE KEY"),
)
_WORDS = (
    *("authorization", "cookie", "key", "token", "secret", "passw", "passphrase", "pwd", "credential", "session"),
    *("signature", "sig=", "auth=", "sid=", "bearer", "basic"),
)
"""A text with none of these has nothing that the patterns find. Most have none, and looking for words is cheap."""


def scrub(text: str, *, secrets: Collection[str] = ()) -> str:
    """The text without secrets: known values first, the longest before any that is part of it, also as JSON, Python or
    a URL would write them. What is removed stands as `[removed]`; a text with no secret is the same, and so is one that
    was scrubbed before."""
    written = _written(frozenset(secrets)) if secrets else ()
    clean = _short(text, written) if len(text) <= _SHORT else _clean(text, written)
    return text if clean == text else clean


def scrub_url(url: str) -> str:
    """A URL as it may be shown, or what was meant to be one: a password is one without a scheme before it, too."""
    return scrub(url) if "//" in url else scrub(f"//{url}").removeprefix("//")


def _clean(text: str, secrets: tuple[str, ...], removed: list[str] | None = None) -> str:
    """The text without secrets. removed: gets what is removed, where it is given."""
    for _ in range(_MOST_ROUNDS):
        clean = _scrubbed(text, secrets, [] if removed is None else removed)
        if clean == text:
            break
        text = clean
    return text


_short = lru_cache(maxsize=8192)(_clean)


def secrets_in(text: str) -> frozenset[str]:
    """What `scrub` finds in a text that would be known again where nothing says what it is: it has letters and digits.

    Its parts are among them, since who splits a text into words splits a key, too.
    """
    removed: list[str] = []
    _clean(text, (), removed)
    parts = (part for one in removed for part in (one, *_PART.findall(one)))
    return frozenset(part for part in parts if _UNLIKE_A_WORD.fullmatch(part))


@lru_cache(maxsize=4096)
def is_secret_name(name: str) -> bool:
    """Whether this is what a secret is called, as a header, a field or a variable."""
    return _names().fullmatch(name) is not None


def _scrubbed(text: str, secrets: tuple[str, ...], removed: list[str]) -> str:
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, REMOVED)
            removed.append(secret)
    if any(mark in text for mark in _MARKS):
        text = _replaced(_pattern(_SHAPES, re.VERBOSE | re.DOTALL), text, removed)
    lowered = text.lower()
    if not any(word in lowered for word in _WORDS):
        return text
    text = _named(text, removed)
    text = _replaced(_pattern(_QUERY, re.IGNORECASE), text, removed)
    return _replaced(_pattern(_BEARER, re.IGNORECASE), text, removed)


def _replaced(pattern: re.Pattern[str], text: str, removed: list[str]) -> str:
    """The text with REMOVED for each match, but for what the match begins with to say what it is."""

    def instead(found: re.Match[str]) -> str:
        before = (found["before"] or "") if "before" in pattern.groupindex else ""
        removed.append(found[0][len(before) :])
        return f"{before}{REMOVED}"

    return pattern.sub(instead, text)


@cache
def _pattern(pattern: str, flags: re.RegexFlag) -> re.Pattern[str]:
    # Made when the first text needs it: to make them all takes longer than many a process lives.
    return re.compile(pattern, flags)


@cache
def _names() -> re.Pattern[str]:
    return re.compile(f"(?:{_HEADER}|{_KEY})", re.IGNORECASE)


@lru_cache(maxsize=8)
def _written(secrets: frozenset[str]) -> tuple[str, ...]:
    forms = {form for secret in secrets if secret not in REMOVED for form in _forms(secret)}
    return tuple(sorted(forms, key=lambda form: (-len(form), form)))


def _forms(secret: str) -> tuple[str, ...]:
    """The secret as it is, and as it is written where it is quoted, read as words, or made a name of."""
    name = _NO_NAME.sub("-", secret.lower()).strip("-")
    return (
        secret,
        secret.lower(),
        *([name] if len(name) >= _SHORTEST_NAME else []),
        *(part for part in _PART.findall(secret) + _PART.findall(secret.lower()) if _UNLIKE_A_WORD.fullmatch(part)),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        repr(secret)[1:-1],
        quote(secret, safe="", errors="replace"),
        quote_plus(secret, errors="replace"),
        b64encode(secret.encode(errors="replace")).decode(),
    )


def _named(text: str, removed: list[str]) -> str:
    """The text with REMOVED in place of each value that stands behind a name of a secret."""
    named = _pattern(_NAMED, re.VERBOSE | re.IGNORECASE)
    kept: list[str] = []
    end = 0
    while found := named.search(text, end):
        kept += [text[end : found.end("between")], REMOVED]
        end, begins = found.end(), found.end("between")
        if found["quote"] is not None:
            kept[-1] = f"{found['quote']}{REMOVED if found['quoted'] else ''}{found['end']}"
            removed.append(found["quoted"])
            continue
        if found["header"] is not None and found["pairs"] is None:
            # Cookies and credentials have spaces and semicolons in them: a header's value is the rest of its line.
            rest = _REST.match(text, end)
            end = rest.end() if rest else end
        removed += text[begins:end].split()
    return "".join(kept) + text[end:]
