"""What `marg serve` serves: a kit's domain with a model, a store and a backend, or its scenarios."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from marg_harness.scenario_agent import ScenarioAgent
from marg_mock_model import MockModel, load_machine
from marg_runtime.gateway import Agent, SessionAgent
from marg_runtime.models import Model, open_model
from marg_runtime.store import open_store
from marg_runtime.tools.mcp import McpTools
from marg_scenarios import Kit


@dataclass(frozen=True, kw_only=True)
class Serving:
    """What to serve. model: the name of one, None for the kit's mock machine. dev: report the ledger's part of every
    turn. test: serve the kit's scenarios instead, a backend and a machine for each."""

    kit: Kit
    store: str = "memory:"
    model: str | None = None
    base_url: str | None = None
    dev: bool = False
    test: bool = False


def opens_agent(serving: Serving) -> Callable[[], AbstractAsyncContextManager[Agent]]:
    """What opens the agent in the event loop that it is served in."""

    @asynccontextmanager
    async def opens() -> AsyncIterator[Agent]:
        if serving.test:
            agent = ScenarioAgent(serving.kit)
            yield agent
            await agent.close_all()
            return
        model = _model(serving)
        backend = serving.kit.backend()
        try:
            store = await open_store(serving.store)
            try:
                async with McpTools(backend.sources) as tools:
                    yield SessionAgent(
                        domain=serving.kit.domain,
                        model=model,
                        tools=tools,
                        store=store,
                        clock=lambda: time.time_ns() // 1_000_000,
                        dev=serving.dev,
                        writes=backend.writes,
                    )
            finally:
                await store.close()
        finally:
            backend.close()

    return opens


def _model(serving: Serving) -> Callable[[], Model]:
    """One model for all sessions, or a player of the machine for each, since it keeps where its conversation stands."""
    if serving.model is not None:
        opened = open_model(serving.model, base_url=serving.base_url)
        return lambda: opened
    machine = load_machine(serving.kit.machine)
    return lambda: MockModel(machine)
