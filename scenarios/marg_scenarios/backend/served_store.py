"""A store behind its MCP server, as the backend of one conversation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marg_scenarios.backend.counting_store import CountingStore

STARTED_AT = 1_767_225_600_000  # 2026-01-01T00:00:00Z, in milliseconds: the clock of an example backend stands still


def standing_clock() -> int:
    """The time at which every conversation finds its backend."""
    return STARTED_AT


class ServedStore:
    """One store, one server under a name, and the store's own count."""

    def __init__(self, store: CountingStore[Any, Any], *, name: str, server: Any) -> None:
        self.store = store
        self.name = name
        self.server = server

    @property
    def sources(self) -> Mapping[str, Any]:
        """The one server."""
        return {self.name: self.server}

    def writes(self) -> int:
        """The store's own count of what it wrote."""
        return self.store.counts().writes

    def close(self) -> None:
        """Close the database."""
        self.store.close()
