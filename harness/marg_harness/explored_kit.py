"""Exploring the domain of a kit: its tools are listed by its own backend, in this process, once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from marg_harness.network_guard import no_network
from marg_harness.writes_off import writes_off
from marg_runtime.effects import LoadOptions, Stimulus
from marg_runtime.models import Model
from marg_runtime.runner import Runner
from marg_runtime.tools import ToolSpec
from marg_runtime.tools.mcp import McpTools
from marg_scenarios import Kit


@dataclass(frozen=True, kw_only=True)
class ExploredKit:
    """A kit's tools as its backend lists them, and its steps' options as that backend gives them."""

    kit: Kit
    specs: tuple[ToolSpec, ...]
    runner: Runner
    loop: asyncio.Runner

    def load(self, effect: LoadOptions) -> Stimulus:
        """A step's options; the same for all drafts that do not differ in what the step looks at."""
        return self.loop.run(self.runner.run(effect, on_text=None))


@contextmanager
def explored(kit: Kit) -> Iterator[ExploredKit]:
    """A kit whose backend is open while the block runs, with no network and with writes off.

    Only reads reach the backend, to list its tools and to find options; every other result is made up.
    """
    backend = kit.backend()
    with writes_off(), no_network(), asyncio.Runner() as loop:
        try:
            tools = McpTools(backend.sources)
            loop.run(tools.__aenter__())
            try:
                specs = loop.run(tools.list())
                # An exploration plays the model itself, so the runner has none to call.
                runner = Runner(domain=kit.domain, model=cast("Model", None), tools=tools)
                yield ExploredKit(kit=kit, specs=tuple(specs), runner=runner, loop=loop)
            finally:
                loop.run(tools.__aexit__(None, None, None))
        finally:
            backend.close()
