"""The calls of a history that have no result yet: what every real API insists on before it goes on."""

from __future__ import annotations

from collections.abc import Iterable

from marg_runtime.conversation import ModelCall


class OpenCalls:
    """The calls as they are made and answered, in the order of the history."""

    def __init__(self, calls: Iterable[ModelCall] = ()) -> None:
        self._names: dict[str, str] = {}
        self.made(calls)

    def made(self, calls: Iterable[ModelCall]) -> None:
        """The model made calls."""
        self._names.update((call.id, call.name) for call in calls)

    def answered(self, call: str) -> str | None:
        """A call got its result; gives the name of its tool, None where no such call is open."""
        return self._names.pop(call, None)

    def __bool__(self) -> bool:
        """Whether any is open."""
        return bool(self._names)

    def __str__(self) -> str:
        """The ids of those that are open, as an API lists them."""
        return ", ".join(self._names)
