"""The gateway behind the wire: JSON-RPC of the handshake era, answered by a backend's own server in this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from marg_harness.tool_wire.fault import ToolWireFault, ToolWireFaults

if TYPE_CHECKING:
    from mcp import Client

NO_METHOD = -32601
INTERNAL = -32603
SERVER_ERROR = "the server had an error"
REFUSAL = "the desk is closed"
Message = dict[str, Any]

_ASKED = {"tools/call": "call", "tools/list": "list"}


@dataclass(kw_only=True)
class Schedule:
    """The faults of one conversation, counted over all its servers."""

    faults: ToolWireFaults
    _counts: Counter[int] = field(default_factory=Counter)

    def of(self, message: Mapping[str, Any]) -> ToolWireFault | None:
        """The fault that a request meets, and one more request counted."""
        asked = _ASKED.get(message.get("method", ""))
        name = message.get("params", {}).get("name")
        met: ToolWireFault | None = None
        for index, fault in enumerate(self.faults.faults):
            if fault.on == asked and fault.tool in (None, name):
                self._counts[index] += 1
                met = met or self.faults.at(index, self._counts[index])
        return met


class Gateway:
    """Answers for one server. client: of the backend's own, open."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def answer(self, message: Mapping[str, Any], fault: ToolWireFault | None = None) -> Message | None:
        """The answer to a message, None to a notification; as a fault has it that is an answer of its own."""
        if "id" not in message:
            return None
        said: Message = {"jsonrpc": "2.0", "id": message["id"]}
        if fault is not None and fault.kind == "rpc_error":
            return said | {"error": {"code": INTERNAL, "message": SERVER_ERROR}}
        if fault is not None and fault.kind == "is_error":
            return said | {"result": {"content": [{"type": "text", "text": REFUSAL}], "isError": True}}
        return said | await self._answer(message["method"], message.get("params") or {})

    async def _answer(self, method: str, params: Mapping[str, Any]) -> Message:
        from mcp import MCPError

        try:
            match method:
                case "initialize":
                    return {"result": self._hello(params)}
                case "ping":
                    return {"result": {}}
                case "tools/list":
                    return {"result": _plain(await self._client.list_tools(cursor=params.get("cursor")))}
                case "tools/call":
                    return {"result": _plain(await self._client.call_tool(params["name"], params.get("arguments")))}
        except MCPError as error:
            return {"error": {"code": error.code, "message": error.message}}
        return {"error": {"code": NO_METHOD, "message": f"there is no method {method!r}"}}

    def _hello(self, params: Mapping[str, Any]) -> Message:
        info = self._client.server_info
        server = {"name": "server", "version": ""} if info is None else {"name": info.name, "version": info.version}
        version = params.get("protocolVersion")
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}


def _plain(result: Any) -> Message:
    plain: Message = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return plain
