"""Scalars of a file: every one is text, and where any JSON value may stand the unquoted ones are resolved.

`yes`, `no`, `on` and `off` are always text: they are what users say, not truth values.
"""

from __future__ import annotations

import math
import re
from typing import Any

# Numbers as JSON writes them, and the words of YAML 1.2's core schema. `007`, `+5` and `0x1F` stay text.
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
_WORDS: dict[str, bool | None] = {
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
    "null": None, "Null": None, "NULL": None, "~": None, "": None,
}  # fmt: skip


class Plain(str):
    """The text of a scalar that was written without quotes."""

    __slots__ = ()


def resolve(value: Any) -> Any:
    """The JSON value of a node: plain numbers, truth values and nulls as such, all else text, at any depth.

    Raises ValueError for a number that cannot be carried (an infinite one, one of thousands of digits).
    """
    if isinstance(value, Plain):
        return _resolve_plain(value)
    if isinstance(value, list):
        return [resolve(item) for item in value]
    if isinstance(value, dict):
        return {key: resolve(item) for key, item in value.items()}
    return value


def _resolve_plain(text: Plain) -> bool | int | float | str | None:
    if text in _WORDS:
        return _WORDS[text]
    number = _NUMBER.fullmatch(text)
    if number is None:
        return str(text)
    if number[1] is None and number[2] is None:
        return _whole(text)
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("a number too large to carry; quote it to keep it as text")
    return value


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # Python's own limit on the digits of an int
        raise ValueError("a number of too many digits; quote it to keep it as text") from None
