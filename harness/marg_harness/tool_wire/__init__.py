"""A backend's tools over a real wire, a child over stdio or streamable HTTP, with faults on purpose."""

from marg_harness.tool_wire.fault import ToolWireFault, ToolWireFaults, parse_tool_faults
from marg_harness.tool_wire.opening import OverToolWire, open_tools

__all__ = ["OverToolWire", "ToolWireFault", "ToolWireFaults", "open_tools", "parse_tool_faults"]
