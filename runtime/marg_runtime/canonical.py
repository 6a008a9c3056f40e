"""Canonical JSON: one text for one value, so that equal values have equal digests.

Key order is ignored; `5` and `"5"` differ, and so do `null` and an absent key. NaN and infinities are refused.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
else:
    # pydantic cannot resolve an alias that names itself; a value that is JSON passes through it as it is.
    Json = Any


_SCALARS = frozenset({str, int, float, bool, type(None)})

DEEPEST = 100
"""How many objects and lists a value may have within one another to be kept: any ledger can hold it, snapshots too, and
no backend's receipt has as many."""

_ANY_DEPTH = sys.maxsize


def canonical_json(value: Json) -> str:
    """The one JSON text of a value: sorted keys, no spaces, Unicode as it is.

    Raises ValueError for NaN and infinities, TypeError for what JSON has no form for.
    """
    return _text(_plain(value, _ANY_DEPTH))


# `json.dumps` would make a new one for each value.
_text = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def digest(value: Json) -> str:
    """The sha256 of the canonical JSON, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def is_json(value: Json) -> bool:
    """Whether every ledger can hold a value: it has a canonical JSON that UTF-8 can hold, no deeper than `DEEPEST`.

    What comes from outside is asked this where it enters, so that no event is refused once what it tells has happened.
    """
    try:
        _text(_plain(value, DEEPEST)).encode()
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def plain(value: Json) -> Json:
    """The value as a ledger gives it back: mappings as dicts, sequences as lists, scalars as they are.

    Raises TypeError for a key that is no text.
    """
    return value if type(value) in _SCALARS else _plain(value, _ANY_DEPTH)


def well_formed(text: str) -> str:
    """The text with lone surrogates, which no UTF-8 can hold, replaced by U+FFFD; pairs become their character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _plain(value: Json, depth: int) -> Json:
    """Mappings as dicts and sequences as lists, which is all that the json module takes, down to a depth."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    # The exact types come first: to ask an abstract base class takes ten times as long.
    if kind is dict or isinstance(value, Mapping):
        below = _below(depth)
        return {_text_key(key): _plain(item, below) for key, item in cast("Mapping[str, Json]", value).items()}
    if kind in (list, tuple) or (isinstance(value, Sequence) and not isinstance(value, str)):
        below = _below(depth)
        return [_plain(item, below) for item in cast("Sequence[Json]", value)]
    return value


def _below(depth: int) -> int:
    if not depth:
        raise ValueError("a value has more objects and lists within one another than a ledger keeps")
    return depth - 1


def _text_key(key: object) -> str:
    # The json module would turn 5 into "5" without a word, and two keys into one.
    if not isinstance(key, str):
        raise TypeError(f"a key of a JSON object is text, not {key!r}")
    return key
