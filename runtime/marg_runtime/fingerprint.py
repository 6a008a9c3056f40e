"""The fingerprint: one digest over all that a go-ahead stands for (rule G5)."""

from __future__ import annotations

from collections.abc import Mapping

from marg_runtime.canonical import Json, digest
from marg_runtime.events.turn import PinnedTool


def fingerprint(*, draft: str, arguments: Mapping[str, Json], tool: PinnedTool) -> str:
    """The sha256 over draft id, arguments, server, its identity, the tool's name and its schema's digest.

    Key order is ignored; 5 and "5" differ, and so do an absent value and null.
    """
    return digest(
        {
            "draft": draft,
            "arguments": arguments,
            "server": tool.tool.server,
            "identity": tool.identity,
            "tool": tool.tool.name,
            "schema": tool.schema_digest,
        }
    )
