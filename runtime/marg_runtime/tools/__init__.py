"""Tools: what one is, what a server of them must do, and the MCP client.

`marg_runtime.tools.mcp` holds the client; it is not imported here, since it needs the extra `mcp`.
"""

from marg_runtime.tools.tool import ToolName, ToolOutcome, Tools, ToolSpec

__all__ = ["ToolName", "ToolOutcome", "ToolSpec", "Tools"]
