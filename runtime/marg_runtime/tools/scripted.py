"""A double for `Tools`: answers from a script, keeps what it was asked, refuses what is not in the script."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from marg_runtime.canonical import Json
from marg_runtime.errors import UsageError
from marg_runtime.tools.tool import ToolName, ToolOutcome, ToolSpec

Scripted: TypeAlias = "ToolOutcome | Callable[[Mapping[str, Json]], ToolOutcome | Awaitable[ToolOutcome]]"


@dataclass(frozen=True, kw_only=True)
class ScriptedCall:
    """A call that was made, arguments as they came."""

    tool: ToolName
    arguments: Mapping[str, Json]


class ScriptedTools:
    """Tools that need no server.

    `script` gives, for each tool, its outcome, or a function (a coroutine function too) from the arguments to it; a
    function that raises `ToolError` plays a server that broke. `calls` holds every call in order, the refused too.
    Raises `UsageError` for a script of a tool that `specs` does not list, and for a call that is not in the script.
    """

    def __init__(self, specs: Sequence[ToolSpec], script: Mapping[ToolName, Scripted]) -> None:
        unlisted = sorted(str(tool) for tool in script.keys() - {spec.tool for spec in specs})
        if unlisted:
            raise UsageError(f"the script answers for {', '.join(unlisted)}, which no spec lists; add a ToolSpec")
        self.calls: list[ScriptedCall] = []
        self._specs = tuple(specs)
        self._script = dict(script)

    async def list(self) -> tuple[ToolSpec, ...]:
        """The specs as given."""
        return self._specs

    async def call(self, tool: ToolName, arguments: Mapping[str, Json]) -> ToolOutcome:
        """The scripted outcome."""
        self.calls.append(ScriptedCall(tool=tool, arguments=dict(arguments)))
        if tool not in self._script:
            raise UsageError(f"no script for a call of {str(tool)!r} with {dict(arguments)!r}; add it to the script")
        scripted = self._script[tool]
        outcome = scripted(arguments) if callable(scripted) else scripted
        return await outcome if inspect.isawaitable(outcome) else outcome
