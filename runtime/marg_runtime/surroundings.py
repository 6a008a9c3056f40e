"""What `decide` is told of the world outside the ledger, together with each act or result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from marg_runtime.domain import Domain
from marg_runtime.events.turn import PinnedTool
from marg_runtime.tools.tool import ToolName, ToolSpec

BUILT_IN = "marg"
# What the model calls the runtime's own tools: a server's tool of such a name is offered under another.
BUILT_IN_NAMES = frozenset({"propose", "reopen", "propose_items"})


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """The domain, the reader's name, the tools as they are listed now, and the write flag as the process has it.

    write_flag: the value of `MARG_ALLOW_WRITES`, verbatim; None where it is unset.
    in_order: the channel delivers in order, so that an act with no `seen` may be taken to have seen the last answer.
    """

    domain: Domain
    reader: str
    tools: tuple[ToolSpec, ...]
    write_flag: str | None
    in_order: bool = False

    def spec(self, tool: ToolName) -> ToolSpec | None:
        """A tool as it is listed now, or None."""
        return next((spec for spec in self.tools if spec.tool == tool), None)

    @cached_property
    def offered(self) -> Mapping[str, ToolSpec]:
        """The tools by the name that the model calls them by: the tool's own, or `server__name` where two share one, or
        where a tool of the runtime's has it.

        The lookup of unknown writes is the runtime's own and not among them.
        """
        lookup = self.domain.reconcile.tool if self.domain.reconcile else None
        specs = [spec for spec in self.tools if spec.tool != lookup]
        names = [*BUILT_IN_NAMES, *(spec.name for spec in specs)]
        offered: dict[str, ToolSpec] = {}
        for spec in specs:
            shared = names.count(spec.name) > 1
            name = f"{spec.server}__{spec.name}" if shared else spec.name
            while shared and (name in names or name in offered):
                name += "_"  # another tool's own name: neither takes the other's place
            offered[name] = spec
        return offered

    @cached_property
    def offered_tools(self) -> tuple[ToolSpec, ...]:
        """Those tools as the model is shown them, each under the name that it is offered by."""
        return tuple(spec if spec.name == name else replace(spec, name=name) for name, spec in self.offered.items())


def takes(spec: ToolSpec | None, argument: str) -> bool:
    """Whether a tool's schema has an argument of that name."""
    properties = spec.input_schema.get("properties") if spec else None
    return isinstance(properties, Mapping) and argument in properties


def pin(spec: ToolSpec) -> PinnedTool:
    """What is kept of a tool to tell whether it is still the same one."""
    return PinnedTool(tool=spec.tool, identity=spec.identity, schema_digest=spec.schema_digest)
