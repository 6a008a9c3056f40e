"""Templates: texts in which `{name}` and `{0}` stand for the groups of a pattern, and `{{` for a brace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

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
    if "{" not in text and "}" not in text:
        return text
    return "".join(groups[part] if is_group else part for part, is_group in _parts(text))


@lru_cache(maxsize=4096)
def _parts(text: str) -> tuple[tuple[str, bool], ...]:
    """A template in parts: texts, and names of groups. A machine fills the same few templates again and again."""
    parts: list[tuple[str, bool]] = []
    end = 0
    for part in _PART.finditer(text):
        parts.append((text[end : part.start()], False))
        parts.append((part[0][0], False) if part[1] is None else (part[1], True))
        end = part.end()
    return (*parts, (text[end:], False))


def fill_value(value: Json, groups: Mapping[str, str]) -> Json:
    """A value with every text in it filled, at any depth; the keys stay as they are."""
    if isinstance(value, str):
        return fill(value, groups)
    if isinstance(value, Mapping):
        return {key: fill_value(item, groups) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [fill_value(item, groups) for item in value]
    return value
