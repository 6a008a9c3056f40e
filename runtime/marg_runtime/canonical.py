"""Canonical JSON: one text for one value, so that equal values have equal digests.

Key order is ignored; `5` and `"5"` differ, and so do `null` and an absent key. NaN and infinities are refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
else:
    # pydantic cannot resolve an alias that names itself; a value that is JSON passes through it as it is.
    Json = Any


_SCALARS = frozenset({str, int, float, bool, type(None)})


def canonical_json(value: Json) -> str:
    """The one JSON text of a value: sorted keys, no spaces, Unicode as it is.

    Raises ValueError for NaN and infinities, TypeError for what JSON has no form for.
    """
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Json) -> str:
    """The sha256 of the canonical JSON, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def is_json(value: Json) -> bool:
    """Whether a value has a canonical JSON that UTF-8 can hold."""
    try:
        canonical_json(value).encode()
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def well_formed(text: str) -> str:
    """The text with lone surrogates, which no UTF-8 can hold, replaced by U+FFFD; pairs become their character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _plain(value: Json) -> Json:
    """Mappings as dicts and sequences as lists, which is all that the json module takes."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    # The exact types come first: to ask an abstract base class takes ten times as long.
    if kind is dict or isinstance(value, Mapping):
        return {_text_key(key): _plain(item) for key, item in cast("Mapping[str, Json]", value).items()}
    if kind in (list, tuple) or (isinstance(value, Sequence) and not isinstance(value, str)):
        return [_plain(item) for item in cast("Sequence[Json]", value)]
    return value


def _text_key(key: object) -> str:
    # The json module would turn 5 into "5" without a word, and two keys into one.
    if not isinstance(key, str):
        raise TypeError(f"a key of a JSON object is text, not {key!r}")
    return key
