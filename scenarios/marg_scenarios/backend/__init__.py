"""What the example backends share: a store that counts what it was asked to create, and the MCP server before it.

The server needs the extra `mcp`, which is imported when one is built.
"""

from marg_scenarios.backend.counting_store import BackendCounts, CountingStore, lone_surrogate
from marg_scenarios.backend.refusal import Refusal, RefusalCode
from marg_scenarios.backend.served_store import ServedStore, standing_clock
from marg_scenarios.backend.write_server import Shapes, WriteServer, counting_server, serve

__all__ = [
    "BackendCounts",
    "CountingStore",
    "Refusal",
    "RefusalCode",
    "ServedStore",
    "Shapes",
    "WriteServer",
    "counting_server",
    "lone_surrogate",
    "serve",
    "standing_clock",
]
