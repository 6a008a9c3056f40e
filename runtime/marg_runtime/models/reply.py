"""A reply as it comes over the wire: a fold over a stream's events that gives deltas, and sees whether it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from marg_runtime.errors import ModelError
from marg_runtime.model import Delta


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of a reply as the provider counts them; None where it does not say."""

    tokens_in: int | None = None
    tokens_out: int | None = None


class Reply(Protocol):
    """The fold of one API's events.

    marker: the name of the marker that ended the reply, "" before it was seen. code: the word for an error that the
    provider gave inside the stream. usage: what it counted.
    """

    marker: str
    code: str | None
    usage: Usage

    def feed(self, event: Mapping[str, Any]) -> tuple[Delta, ...]:
        """What one event brings to show. Raises ModelError where the event is an error, or does not fit."""
        ...

    def end(self) -> tuple[Delta, ...]:
        """The calls and the finish, once the stream is over.

        Raises ModelError of the kind `truncated` where the marker is missing, and where what the reply calls for cannot
        be read.
        """
        ...


def unfit(what: str) -> ModelError:
    """An event that the API's form has no place for."""
    return ModelError(f"the reply does not fit its form: {what}", kind="protocol")


def cut_off() -> ModelError:
    """A stream that ended in good order without the end of its reply."""
    return ModelError("the reply ended without its end", kind="truncated")


def text_in(event: Mapping[str, Any], key: str) -> str:
    """A text that may be absent or null, which is none."""
    value = event.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise unfit(f"{key} is {type(value).__name__}, not text")
    return value


def object_in(event: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """An object that may be absent or null, which is an empty one."""
    return as_object(event.get(key) or {}, key)


def as_object(value: object, what: str) -> Mapping[str, Any]:
    """A value that must be an object."""
    if not isinstance(value, Mapping):
        raise unfit(f"{what} is {type(value).__name__}, not an object")
    return value


def number_in(event: Mapping[str, Any], key: str) -> int | None:
    """A whole number, or None where there is none."""
    value = event.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
