"""Tool calls that come in pieces, joined; their arguments are JSON only when they are whole."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from marg_runtime.conversation import ModelCall
from marg_runtime.errors import ModelError
from marg_runtime.models.reply import unfit


@dataclass(kw_only=True)
class CallPieces:
    """One call as far as it has come."""

    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)

    def named(self, *, id: str, name: str) -> None:
        """Take the id and the name, which may come again but never change."""
        for had, given in ((self.id, id), (self.name, name)):
            if had and given and had != given:
                raise unfit(f"a call is {had!r} first and {given!r} then")
        self.id, self.name = self.id or id, self.name or name

    @property
    def arguments(self) -> str:
        """The arguments' text so far."""
        return "".join(self.pieces)


class CallList:
    """The calls of one reply, by whatever the API tells them apart with."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` are the tools' own names by their wire names."""
        self._names = names
        self._calls: dict[Hashable, CallPieces] = {}

    def __len__(self) -> int:
        return len(self._calls)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._calls

    def at(self, key: Hashable) -> CallPieces:
        """The call of a key, begun where there is none yet."""
        return self._calls.setdefault(key, CallPieces())

    def whole(self) -> tuple[ModelCall, ...]:
        """All calls, in the order in which they began. Raises ModelError where one cannot be read."""
        return tuple(self._whole(number, call) for number, call in enumerate(self._calls.values(), start=1))

    def _whole(self, number: int, call: CallPieces) -> ModelCall:
        if not call.name:
            raise unfit("a call has no name")
        name = self._names.get(call.name, call.name)
        return ModelCall(id=call.id or f"call-{number}", name=name, arguments=read_arguments(call.arguments, name=name))


def read_arguments(text: str, *, name: str) -> dict[str, Any]:
    """The arguments of a call of the tool `name`; no text at all is no arguments.

    Raises ModelError: of the kind `truncated` where the JSON ends in the middle, of none where a model wrote something
    else, which is no fault of the wire.
    """
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        if _is_open(text):
            raise ModelError(f"the arguments of {name!r} end in the middle", kind="truncated") from None
        raise ModelError(f"the arguments of {name!r} are no JSON") from None
    if not isinstance(value, dict):
        raise ModelError(f"the arguments of {name!r} are no object")
    return value


def _is_open(text: str) -> bool:
    """Whether a text of JSON ends inside a string, an array or an object."""
    depth, quoted, escaped = 0, False, False
    for character in text:
        if escaped:
            escaped = False
        elif quoted:
            escaped, quoted = character == "\\", character != '"'
        elif character == '"':
            quoted = True
        else:
            depth += (character in "{[") - (character in "}]")
    return quoted or depth > 0
