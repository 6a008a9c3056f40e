"""Forms that look at whole values: the order of lists, keys and JSON in texts, ids and times, keys nobody asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from marg_reports.forms.form import over_texts
from marg_runtime.canonical import Json, canonical_json

_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{16,64}\b", re.IGNORECASE)
_TIME = re.compile(
    r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\b1[0-9]{12}\b"
)
_EPOCH_MILLISECONDS = range(10**12, 2 * 10**12)  # 2001 to 2033


def without_order(value: Json) -> Json:
    """Lists sorted, and texts that are JSON objects or lists written anew with their keys sorted."""
    if isinstance(value, str):
        return _sorted_text(value)
    if isinstance(value, Mapping):
        return {key: without_order(value[key]) for key in sorted(value)}
    if isinstance(value, Sequence):
        return sorted((without_order(part) for part in value), key=canonical_json)
    return value


def _sorted_text(text: str) -> str:
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return canonical_json(without_order(json.loads(text)))
    except (ValueError, RecursionError):
        return text


def numbered_ids(value: Json) -> Json:
    """Long hexadecimal ids and UUIDs by the order in which they first appear: two that were equal stay equal."""
    seen: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        return seen.setdefault(match[0].lower(), f"<id {len(seen) + 1}>")

    return over_texts(value, lambda text: _ID.sub(number, text))


def without_clock(value: Json) -> Json:
    """Dates, times and milliseconds since 1970 as `<time>`."""
    if isinstance(value, int) and not isinstance(value, bool):
        return "<time>" if value in _EPOCH_MILLISECONDS else value
    if isinstance(value, str):
        return _TIME.sub("<time>", value)
    if isinstance(value, Mapping):
        return {key: without_clock(part) for key, part in value.items()}
    if isinstance(value, Sequence):
        return [without_clock(part) for part in value]
    return value


def only_keys(value: Json, keys: frozenset[str]) -> Json:
    """Mappings with the keys that the check means, whatever else was pinned with them."""
    if isinstance(value, Mapping):
        return {key: only_keys(part, keys) for key, part in value.items() if key in keys}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [only_keys(part, keys) for part in value]
    return value
