"""What `marg replay` was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from marg_harness.live_source import Live
from marg_harness.play import Play
from marg_harness.selection import Selection
from marg_harness.source import OverTheWire, WireApi
from marg_harness.tool_wire import OverToolWire
from marg_reports.record_reading import read_record


@dataclass(frozen=True, kw_only=True)
class ReplayOptions:
    """The options of the command, as they were given.

    jobs: processes; isolated: each scenario in one of its own; repeat: runs of each. over: the API by which the machine
    is asked over a real wire, with its faults, read timeout and retries; tool_faults, tool_timeout: the same of the
    wire to the tools; model, base_url: of a real model in the machine's place; replies: a run's record to answer from.
    output: where the record goes; junit: where a JUnit file goes, if any. target: the name of a target of the protocol,
    in the place of the runtime in this process; target_timeout: seconds for one exchange with it. partial: checks that
    are not measured leave the exit code alone.
    """

    jobs: int
    isolated: bool
    repeat: int
    seed: int
    slips: bool
    over: WireApi | None
    faults: str
    tags: tuple[str, ...]
    names: tuple[str, ...]
    last_failed: bool
    coverage: bool
    output: Path
    junit: Path | None
    as_json: bool
    quiet: bool
    read: float | None = None
    retries: int | None = None
    model: str | None = None
    base_url: str | None = None
    replies: Path | None = None
    tool_faults: str = ""
    tool_timeout: float | None = None
    target: str | None = None
    target_timeout: float = 30.0
    partial: bool = False

    def selection(self) -> Selection:
        """What to choose the scenarios by; raises RecordError where the last run's record cannot be read."""
        last = read_record(self.output) if self.last_failed else None
        return Selection(tags=self.tags, names=self.names, reds_of=last)

    def live(self) -> Live | None:
        """The real model that was asked for, if any."""
        if self.model is None:
            return None
        return Live(model=self.model, base_url=self.base_url, read=self.read, retries=self.retries)

    def play(self, repetition: int) -> Play:
        """How a repetition, from 0, draws the model: each with a seed of its own."""
        wire = None
        if self.over:
            wire = OverTheWire(api=self.over, faults=self.faults, read=self.read, retries=self.retries)
        tools = OverToolWire(faults=self.tool_faults, timeout=self.tool_timeout) if self.tool_faults else None
        return Play(
            seed=self.seed + repetition,
            slips=self.slips,
            over=wire,
            tools=tools,
            replies=self.replies,
            live=self.live(),
        )
