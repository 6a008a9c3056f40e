"""How a replay plays the model's part: with which seed, with slips or without, in process or over a real wire."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from marg_harness.live_source import Live, open_live
from marg_harness.network_guard import loopback_allowed
from marg_harness.recorded_source import RecordedSource, recorded_replies
from marg_harness.source import OverTheWire, Played
from marg_harness.tool_wire import OverToolWire, open_tools
from marg_harness.wire_source import open_wire
from marg_mock_model import Machine, MockModel
from marg_mock_model.slip import Draw
from marg_reports.record_file import file_digest
from marg_runtime.canonical import Json
from marg_runtime.tools.mcp import McpTools
from marg_runtime.wire import WireLog


@dataclass(frozen=True, kw_only=True)
class Play:
    """How the model is played. seed: of the slips' draws; slips: False for a model that never slips. over: the wire
    to the model; tools: the wire to the tools. None of a wire is in process. replies: a run's record, whose scenarios
    that have replies on record are answered with them. live: a real model in the machine's place.
    """

    seed: int = 0
    slips: bool = True
    over: OverTheWire | None = None
    tools: OverToolWire | None = None
    replies: Path | None = None
    live: Live | None = None

    @contextmanager
    def reachable(self) -> Iterator[None]:
        """Let this process speak to what it asks over a wire, and to nobody else, while the block runs."""
        with ExitStack() as allowed:
            if self.over is not None or self.tools is not None:
                allowed.enter_context(loopback_allowed())
            if self.live is not None:
                allowed.enter_context(self.live.reachable())
            yield

    @asynccontextmanager
    async def open(self, machine: Machine, *, scenario: str, path: str) -> AsyncIterator[Played]:
        """A source for one conversation. scenario: its title, by which its draws differ from those of others; path: its
        file, as records have it."""
        replies = recorded_replies(self.replies).get((path, scenario)) if self.replies is not None else None
        if replies is not None:
            yield Played(source=RecordedSource(replies))
            return
        if self.live is not None:
            async with open_live(self.live, scenario=scenario, seed=self.seed) as played:
                yield played
            return
        if self.over is None:
            drawn = self.slips and any(slip.rate > 0 for slip in machine.slips)
            yield Played(source=self.in_process(machine, scenario=scenario), recorded=drawn)
            return
        drawing = machine if self.slips else replace(machine, slips=())
        async with open_wire(drawing, self.over, seed=self.seed) as played:
            yield played

    @asynccontextmanager
    async def open_tools(self, sources: Mapping[str, Any], *, wire: WireLog) -> AsyncIterator[McpTools]:
        """The tools of a backend for one conversation; what happens on their wire, where they have one, is logged."""
        if self.tools is None:
            async with McpTools(sources) as tools:
                yield tools
            return
        async with open_tools(sources, self.tools, seed=self.seed, wire=wire) as tools:
            yield tools

    def settings(self) -> dict[str, Json]:
        """What of it is not as written, as a run's record has it."""
        said: dict[str, Json] = {"seed": self.seed} if self.seed else {}
        if not self.slips:
            said["slips"] = False
        if self.over is not None:
            said |= self.over.settings()
        if self.live is not None:
            said |= self.live.settings()
        if self.tools is not None:
            said |= self.tools.settings()
        if self.replies is not None:
            said["replies"] = file_digest(self.replies)
        return said

    def in_process(self, machine: Machine, *, scenario: str) -> MockModel:
        """The machine itself."""
        rates = None if self.slips else {slip.kind: 0.0 for slip in machine.slips}
        return MockModel(machine, draw=Draw(seed=self.seed, scenario=scenario, rates=rates))


AS_WRITTEN = Play()
"""The machine as its file says, with the seed 0."""
