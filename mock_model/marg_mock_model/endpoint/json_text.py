"""JSON as it goes over the wire: compact, in the order that it was built in, UTF-8."""

from __future__ import annotations

import json
from collections.abc import Callable
from json import encoder
from typing import Any

from marg_runtime.canonical import DEEPEST, well_formed

string_text: Callable[[str], str] = encoder.encode_basestring
"""A string as JSON."""


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON's")


_parsed = json.JSONDecoder(parse_constant=_no_number).decode


def json_value(raw: bytes | str) -> Any:
    """What a text of JSON says.

    Raises ValueError for what is no JSON, as Python's own `NaN` is none, and for what nests deeper than any ledger
    holds: such a value could be read, and then neither written nor looked through.
    """
    try:
        value = _parsed(raw if isinstance(raw, str) else raw.decode(json.detect_encoding(raw)))
    except RecursionError:
        raise ValueError(f"it nests deeper than {DEEPEST} levels") from None
    opened = raw.count("{") + raw.count("[") if isinstance(raw, str) else raw.count(b"{") + raw.count(b"[")
    # Few brackets cannot nest deep: most texts are not looked through.
    if opened > DEEPEST and _is_deep(value):
        raise ValueError(f"it nests deeper than {DEEPEST} levels")
    return value


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        within = (part.values() if isinstance(part, dict) else part for part in level)
        level = [item for items in within for item in items if isinstance(item, (dict, list))]
        if not level:
            return False
    return True


def _refuse(value: object) -> Any:
    raise TypeError(f"{value!r} has no form in JSON")


def _made_encoder() -> Callable[[Any], str]:
    """An encoder that is made once: the json module makes a new one for every text."""
    make = getattr(encoder, "c_make_encoder", None)
    if make is None:
        return json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
    # circular, default, strings, indent, separators, sort_keys, skipkeys, allow_nan
    iterate = make(None, _refuse, string_text, None, ":", ",", False, False, False)
    return lambda value: "".join(iterate(value, 0))


json_text: Callable[[Any], str] = _made_encoder()
"""One line of compact JSON; raises ValueError for NaN and infinities."""


def utf8(text: str) -> bytes:
    """A text in UTF-8; half a character becomes U+FFFD, for UTF-8 cannot hold it."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return well_formed(text).encode()


def json_bytes(value: Any) -> bytes:
    """One line of compact JSON in UTF-8."""
    return utf8(json_text(value))


def data_event(value: Any) -> bytes:
    """A server-sent event without a name."""
    return utf8(f"data: {json_text(value)}\n\n")


def named_event(name: str, value: Any) -> bytes:
    """A server-sent event with a name."""
    return utf8(f"event: {name}\ndata: {json_text(value)}\n\n")
