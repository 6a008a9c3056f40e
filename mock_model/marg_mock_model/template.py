"""Templates: texts in which `{name}` and `{0}` stand for the groups of a pattern, and `{{` for a brace."""

from __future__ import annotations

import re
from collections.abc import Mapping

from marg_runtime.canonical import Json

_PART = re.compile(r"\{\{|\}\}|\{(\w+)\}|[{}]")


def check_template(text: str, *, known: tuple[str, ...]) -> None:
    """Raises ValueError for a group that is not known, and for a brace that stands alone."""
    for part in _PART.finditer(text):
        if part[0] in ("{", "}"):
            raise ValueError(
                f"the brace at {text[part.start() :][:20]!r} names no group; write {part[0] * 2!r} for a brace"
            )
        if part[1] is not None and part[1] not in known:
            groups = ", ".join(f"{{{name}}}" for name in known) or "none, because no guard here is a pattern"
            raise ValueError(f"the group {part[0]!r} is not captured by the guards; known here: {groups}")


def fill(text: str, groups: Mapping[str, str]) -> str:
    """The text with its groups filled in."""

    def value(part: re.Match[str]) -> str:
        return part[0][0] if part[1] is None else groups[part[1]]

    return _PART.sub(value, text)


def fill_value(value: Json, groups: Mapping[str, str]) -> Json:
    """A value with every text in it filled, at any depth; the keys stay as they are."""
    if isinstance(value, str):
        return fill(value, groups)
    if isinstance(value, Mapping):
        return {key: fill_value(item, groups) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [fill_value(item, groups) for item in value]
    return value
