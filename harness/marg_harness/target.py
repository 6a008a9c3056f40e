"""Targets: what scenarios are replayed against. This one is the reference runtime, in process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from marg_mock_model import MockModel
from marg_runtime.acts import Act
from marg_runtime.answer import Answer
from marg_runtime.block import Block
from marg_runtime.errors import UsageError
from marg_runtime.gate import WRITE_FLAG
from marg_runtime.reading import Question, asks, read
from marg_runtime.reading.kinds import QuestionKind
from marg_runtime.session import Session
from marg_runtime.store import MemoryStore
from marg_runtime.tools import ToolName
from marg_runtime.tools.mcp import McpTools
from marg_scenarios import Backend, Observation, Scenario
from marg_scenarios.observation import facts_of

SESSION = "scenario"
# The kinds of question that a session asks: the words of each are put in order when it is first read.
READ_KINDS: tuple[QuestionKind, ...] = ("confirm", "choice", "other", "optional", "cancel")
STARTED_AT = 1_767_225_600_000  # 2026-01-01T00:00:00Z in milliseconds: a replay's clock
TICK = 1_000  # milliseconds between two acts


class Conversation(Protocol):
    """A conversation with a target: acts go in, what can be seen of each turn comes out."""

    @property
    def now(self) -> int:
        """The time of the next act, in milliseconds since 1970 UTC."""
        ...

    async def act(self, act: Act) -> Observation:
        """Do one act and look at its turn."""
        ...

    def writes(self) -> int:
        """How many writes the backend itself counts, of the whole conversation."""
        ...


class Target(Protocol):
    """Something that scenarios are replayed against."""

    def prepare(self, scenarios: Sequence[Scenario]) -> None:
        """Do once what all conversations need, so that the first takes no longer than the others."""
        ...

    def converse(self, scenario: Scenario) -> AbstractAsyncContextManager[Conversation]:
        """A fresh conversation for a scenario; it is over when the block is left."""
        ...


class ReferenceTarget:
    """The reference runtime in this process: a fresh backend, session and mock model for every scenario."""

    def prepare(self, scenarios: Sequence[Scenario]) -> None:
        """Load what the first conversation would: the tools' SDK and the words; raises UsageError without the SDK."""
        asyncio.run(_first_call())
        for language in sorted({scenario.kit.domain.language for scenario in scenarios}):
            for kind in READ_KINDS:
                read("yes please", Question(text="Shall I?", kind=kind), language=language)
            asks("Shall I?", language=language)

    @asynccontextmanager
    async def converse(self, scenario: Scenario) -> AsyncIterator[ReferenceConversation]:
        """A conversation whose model is the scenario's machine."""
        backend = scenario.kit.backend()
        try:
            async with McpTools(backend.sources) as tools:
                model = MockModel(scenario.machine)
                session = await Session.open(
                    SESSION,
                    domain=scenario.kit.domain,
                    model=model,
                    tools=tools,
                    store=MemoryStore(),
                    in_order=scenario.in_order,
                    at=STARTED_AT,
                )
                yield ReferenceConversation(
                    session=session, model=model, backend=backend, rule=scenario.kit.domain.rule
                )
        finally:
            backend.close()


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


@dataclass(kw_only=True)
class ReferenceConversation:
    """A conversation with the reference runtime, and what is remembered between its turns."""

    session: Session
    model: MockModel
    backend: Backend
    rule: str
    answers: list[Answer] = field(default_factory=list)
    shown: Block | None = None

    @property
    def now(self) -> int:
        """The time of the next act."""
        return STARTED_AT + TICK * (len(self.answers) + 1)

    async def act(self, act: Act) -> Observation:
        """Do one act; what it changed is counted by the difference before and after."""
        # A backend may have set the flag since the replay began; it stays off for every act.
        os.environ.pop(WRITE_FLAG, None)
        revision, writes = self.session.state.revision, self.backend.writes()
        received, shown = len(self.model.received), self.shown
        answer = await self.session.act(act)
        self.answers.append(answer)
        self.shown = answer.block or self.shown
        before = self.model.received[received - 1 : received]
        return Observation(
            act=act,
            shown_before=shown,
            answer=answer,
            entries=await self.session.entries(after=revision),
            draft=self.session.state.draft,
            requests=tuple(self.model.received[received:]),
            told_before=len(facts_of(before[0])) if before else 0,
            rule=self.rule,
            writes=self.backend.writes() - writes,
        )

    def writes(self) -> int:
        """The backend's own count."""
        return self.backend.writes()
