"""Targets: what scenarios are replayed against. This one is the reference runtime, in process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol, runtime_checkable

from marg_harness.checked_schemas import schemas_checked_once
from marg_harness.errors import NotBegun
from marg_harness.heard import Heard
from marg_harness.paths import shown_path
from marg_harness.play import AS_WRITTEN, Play
from marg_harness.reference_conversation import ReferenceConversation
from marg_harness.source import Played
from marg_runtime.acts import Act
from marg_runtime.errors import UsageError
from marg_runtime.reading import Question, asks, read
from marg_runtime.reading.kinds import QuestionKind
from marg_runtime.tools import ToolName, Tools
from marg_runtime.tools.mcp import McpTools
from marg_scenarios import Backend, Observation, Scenario, Turn

# The kinds of question that a session asks: the words of each are put in order when it is first read.
READ_KINDS: tuple[QuestionKind, ...] = ("confirm", "choice", "other", "optional", "cancel", "review")


class Conversation(Protocol):
    """A conversation with a target: acts go in, what can be seen of each turn comes out."""

    @property
    def now(self) -> int:
        """The time of the next act, in milliseconds since 1970 UTC."""
        ...

    def direct(self, turn: Turn) -> None:
        """Put the scripted replies and faults of a turn in place, for its acts alone."""
        ...

    def unused(self) -> tuple[str, ...]:
        """What of them the turn had no use for, in words."""
        ...

    async def act(self, act: Act) -> Observation:
        """Do one act and look at its turn."""
        ...

    async def act_together(self, acts: Sequence[Act]) -> tuple[Observation, ...]:
        """Send acts at once, and look at the turn of each; they are served in order."""
        ...

    def wait(self, milliseconds: int) -> None:
        """Let time pass before the next act."""
        ...

    async def restart(self) -> None:
        """Start the runtime anew; the session goes on from its ledger."""
        ...

    def writes(self) -> int | None:
        """How many writes the backend itself counts, of the whole conversation; None where nobody says so."""
        ...


@runtime_checkable
class Overheard(Protocol):
    """A conversation of which more is known than its turns show."""

    def overheard(self) -> Heard:
        """What was heard since the turn began, however it ended."""
        ...


@runtime_checkable
class CountedLast(Protocol):
    """A conversation whose last count of writes comes as it is closed."""

    def last_writes(self) -> int | None:
        """How many writes there were in all, once it is closed; None where nobody says so."""
        ...


class Target(Protocol):
    """Something that scenarios are replayed against."""

    def prepare(self, scenarios: Sequence[Scenario]) -> None:
        """Do once what all conversations need, so that the first takes no longer than the others."""
        ...

    def converse(self, scenario: Scenario) -> AbstractAsyncContextManager[Conversation]:
        """A fresh conversation for a scenario; it is over when the block is left.

        Raises NotMeasured, before anything is played, for a scenario that asks for what the target is not able to do.
        """
        ...


class ReferenceTarget:
    """The reference runtime in this process: a fresh backend, session and mock model for every scenario.

    play: how the mock model is drawn.
    """

    def __init__(self, *, play: Play = AS_WRITTEN) -> None:
        self.play = play

    def prepare(self, scenarios: Sequence[Scenario]) -> None:
        """Load what the first conversation would: the tools' SDK and the words; raises UsageError without the SDK."""
        asyncio.run(_first_call())
        for language in sorted({scenario.kit.domain.language for scenario in scenarios}):
            order_words(language)

    @asynccontextmanager
    async def converse(self, scenario: Scenario) -> AsyncIterator[ReferenceConversation]:
        """A conversation whose model is the scenario's machine."""
        backend = scenario.kit.backend()
        try:
            async with (
                self._reachable(),
                self.play.open(scenario.machine, scenario=scenario.title, path=shown_path(scenario.path)) as played,
                self.play.open_tools(backend.sources, wire=played.wire) as tools,
            ):
                yield await _begun(scenario, backend=backend, tools=tools, played=played)
        finally:
            backend.close()

    @asynccontextmanager
    async def _reachable(self) -> AsyncIterator[None]:
        """Over a wire this process speaks to its other end; otherwise to nobody at all. What tools' schemas are is
        checked once a process."""
        with self.play.reachable(), schemas_checked_once():
            yield


async def _begun(scenario: Scenario, *, backend: Backend, tools: Tools, played: Played) -> ReferenceConversation:
    """The conversation. Raises NotBegun where it broke over a wire, so that what happened there is not lost with it."""
    try:
        return await ReferenceConversation.begin(scenario, backend=backend, tools=tools, played=played)
    except UsageError:
        raise
    except Exception as error:
        if not played.wire.events:
            raise
        raise NotBegun(error, wire=played.wire.events) from error


def order_words(language: str) -> None:
    """Put the words of every kind of question in order, as the first reading of each would."""
    for kind in READ_KINDS:
        read("yes please", Question(text="Shall I?", kind=kind), language=language)
    asks("Shall I?", language=language)


async def _first_call() -> None:
    """One call of a tool in memory: the SDK loads parts of itself only then. Raises UsageError where it is missing."""
    try:
        from mcp.server import MCPServer
    except ModuleNotFoundError as error:
        raise UsageError(f"no module {error.name!r}: a replay needs the extra mcp: pip install 'marg[mcp]'") from None

    async def ready() -> dict[str, int]:
        return {"ready": 1}

    server: MCPServer[Any] = MCPServer("warm-up", log_level="WARNING")
    server.add_tool(ready)
    async with McpTools({"warm-up": server}) as tools:
        await tools.call(ToolName(server="warm-up", name="ready"), {})
