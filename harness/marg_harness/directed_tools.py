"""The tools under a scenario's direction: what is wrong with one in this turn, and the double that rehearses writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from marg_harness.errors import WorkerDied
from marg_runtime.canonical import Json
from marg_runtime.domain import IDEMPOTENCY_KEY, Domain
from marg_runtime.errors import ToolError
from marg_runtime.tools import ToolName, ToolOutcome, Tools, ToolSpec
from marg_scenarios.override import ToolFault


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A write that was rehearsed, and the turn of the session that it came in."""

    turn: int
    tool: ToolName
    arguments: Mapping[str, Json]


class Rehearsal:
    """Takes writes in the backend's place. `taken` holds each, the repeated ones once: a key that comes again gets the
    first answer."""

    def __init__(self, *, turn: Callable[[], int]) -> None:
        self.taken: list[Taken] = []
        self._turn = turn
        self._answers: dict[str, ToolOutcome] = {}

    def take(self, tool: ToolName, arguments: Mapping[str, Json]) -> ToolOutcome:
        """Count a write and answer as a backend would that did it."""
        key = str(arguments.get(IDEMPOTENCY_KEY, f"no key, call {len(self.taken) + 1}"))
        if key not in self._answers:
            self.taken.append(Taken(turn=self._turn(), tool=tool, arguments=dict(arguments)))
            identity = f"rehearsed-{len(self.taken)}"
            self._answers[key] = ToolOutcome(text=f"rehearsed: {identity}", data={"id": identity})
        return self._answers[key]

    def look_up(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        """Answer whether a write of one of these keys was taken, as `marg_runtime.reconcile.read_found` reads it."""
        found = next((self._answers[key] for key in map(str, arguments.values()) if key in self._answers), None)
        data: Json = {"found": False} if found is None else {"found": True, "receipt": found.data}
        return ToolOutcome(text="not found" if found is None else found.text, data=data)


class DirectedTools:
    """Tools of which some are at fault in a turn.

    In a rehearsal every call but those of the domain's read tools is taken by the double, which answers the lookup of
    its writes too: nothing else reaches the backend, whatever the runtime does. writes: the backend's own count; ran:
    told that count as it was before each call that reached the backend, once it has returned. `listed` is what was
    listed last.
    """

    def __init__(
        self,
        tools: Tools,
        *,
        domain: Domain,
        rehearsal: Rehearsal | None,
        writes: Callable[[], int],
        ran: Callable[[int], None],
    ) -> None:
        self._tools = tools
        self._domain = domain
        self._rehearsal = rehearsal
        self._writes = writes
        self._ran = ran
        self.listed: tuple[ToolSpec, ...] = ()
        self._faults: Mapping[str, ToolFault] = {}
        self._used: set[str] = set()

    def direct(self, faults: Mapping[str, ToolFault]) -> None:
        """The faults of the turn that begins, by the tool's name; those of the one before are mended."""
        self._faults, self._used = faults, set()

    def unused(self) -> tuple[str, ...]:
        """The faults that nobody met, in words."""
        return tuple(f"the fault of the tool {name!r}" for name in self._faults if name not in self._used)

    async def list(self) -> tuple[ToolSpec, ...]:
        """The tools as they are listed in this turn."""
        listed = [self._listed(spec) for spec in await self._tools.list()]
        self.listed = tuple(spec for spec in listed if spec is not None)
        return self.listed

    async def call(self, tool: ToolName, arguments: Mapping[str, Json]) -> ToolOutcome:
        """Call a tool, or do what its fault says."""
        fault = self._fault(tool)
        if fault is None or fault.kind == "changes":
            return await self._run(tool, arguments)
        match fault.kind:
            case "answers":
                return ToolOutcome(text=fault.text, data=fault.data)
            case "refuses":
                return ToolOutcome(text=fault.text, is_error=True)
            case "gone":
                return ToolOutcome(text=f"Unknown tool: {tool.name}", is_error=True)
        if fault.ran:
            await self._run(tool, arguments)
        if fault.kind == "crashes":
            raise WorkerDied(f"the runtime died over a call of {tool!s}")
        raise ToolError(f"{tool!s}: {'no answer within 30 s' if fault.kind == 'hangs' else 'the server broke'}")

    async def _run(self, tool: ToolName, arguments: Mapping[str, Json]) -> ToolOutcome:
        reconcile = self._domain.reconcile
        if self._rehearsal is not None and reconcile is not None and tool == reconcile.tool:
            return self._rehearsal.look_up(arguments)
        if self._rehearsal is not None and tool not in self._domain.read_tools:
            return self._rehearsal.take(tool, arguments)
        before = self._writes()
        try:
            return await self._tools.call(tool, arguments)
        finally:
            self._ran(before)

    def _fault(self, tool: ToolName) -> ToolFault | None:
        for name in (tool.name, str(tool)):
            if name in self._faults:
                self._used.add(name)
                return self._faults[name]
        return None

    def _listed(self, spec: ToolSpec) -> ToolSpec | None:
        name = next((name for name in (spec.name, str(spec.tool)) if name in self._faults), None)
        fault = self._faults[name] if name is not None else None
        if name is None or fault is None or fault.kind not in ("changes", "gone"):
            return spec
        self._used.add(name)
        if fault.kind == "gone":
            return None
        properties = spec.input_schema.get("properties")
        known = properties if isinstance(properties, Mapping) else {}
        schema = {**spec.input_schema, "properties": {**known, **fault.arguments}}
        return replace(
            spec,
            description=spec.description if fault.description is None else fault.description,
            identity=spec.identity if fault.identity is None else fault.identity,
            input_schema=schema if fault.arguments else spec.input_schema,
        )
