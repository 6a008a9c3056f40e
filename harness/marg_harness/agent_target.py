"""Replaying against whatever speaks the protocol of `docs/targets.md`: somebody's agent in Python, or one over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from marg_harness.agent_conversation import AgentConversation
from marg_harness.errors import NotMeasured
from marg_harness.network_guard import hosts_allowed
from marg_runtime.gateway.agent import Agent
from marg_runtime.gateway.protocol import Ability, Description
from marg_scenarios import Scenario, find_kit
from marg_scenarios.kit_finder import SHIPPED_KITS
from marg_scenarios.turn import ConcurrentTurn, RestartTurn, WaitTurn

OpensAgent = Callable[[], AbstractAsyncContextManager[Agent]]


class AgentTarget:
    """A target of the protocol.

    opens: opens the agent in the running event loop, for one conversation. host: the one beside this machine that may
    be reached, where it is not on loopback.
    """

    def __init__(self, opens: OpensAgent, *, host: str | None = None) -> None:
        self._opens = opens
        self._hosts = () if host is None else (host,)
        self._described: Description | None = None

    def prepare(self, scenarios: Sequence[Scenario]) -> None:
        """Ask the target what it is. Raises TargetError where it cannot be reached or does not speak the protocol."""
        del scenarios
        asyncio.run(self._describe())

    @asynccontextmanager
    async def converse(self, scenario: Scenario) -> AsyncIterator[AgentConversation]:
        """A conversation. Raises NotMeasured for a scenario that asks for what the target is not able to do."""
        with hosts_allowed(*self._hosts):
            async with self._opens() as agent:
                description = self._described = self._described or await agent.describe()
                check_able(scenario, description)
                conversation = await AgentConversation.begin(scenario, agent)
                try:
                    yield conversation
                finally:
                    await conversation.close()

    async def _describe(self) -> None:
        with hosts_allowed(*self._hosts):
            async with self._opens() as agent:
                self._described = await agent.describe()


def check_able(scenario: Scenario, description: Description) -> None:
    """Raise NotMeasured, with what is missing, for a scenario that the target is not able to play."""
    domain = scenario.kit.domain.name
    if description.domains is not None and domain not in description.domains:
        raise NotMeasured(f"the target has no domain {domain!r}; it has {', '.join(description.domains) or 'none'}")
    lacking = [ability for ability in dict.fromkeys(asked(scenario)) if ability not in description.able]
    if lacking:
        raise NotMeasured(f"the target is not able to do what the scenario asks for: {', '.join(lacking)}")


def asked(scenario: Scenario) -> Iterator[Ability]:
    """The abilities that a scenario asks for."""
    if scenario.rehearse:
        yield "rehearse"
    if Path(scenario.machine.path).resolve() != scenario.kit.machine.resolve() or not _is_shipped(scenario):
        yield "machine"
    for turn in scenario.turns:
        if isinstance(turn.act, WaitTurn):
            yield "clock"
        if isinstance(turn.act, RestartTurn):
            yield "restart"
        if isinstance(turn.act, ConcurrentTurn):
            yield "together"
        if turn.replies or turn.faults:
            yield "script"


def _is_shipped(scenario: Scenario) -> bool:
    """Whether the kit is the one of its domain's name, and no variant of it; one of somebody's own is its own."""
    name = scenario.kit.domain.name
    return name not in SHIPPED_KITS or scenario.kit is find_kit(name)
