"""Two desks behind one session: each server has the same three tools, and only the one is written to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .domain import SERVER
from .server import build_server
from .tickets import Desk

ARCHIVE = "archive"


class TwoDesks:
    """The desk and an archive of the same make; both count."""

    def __init__(self, desk: Desk, archive: Desk) -> None:
        self._desks = (desk, archive)
        self._sources: Mapping[str, Any] = {SERVER: build_server(desk), ARCHIVE: build_server(archive)}

    @property
    def sources(self) -> Mapping[str, Any]:
        """Both servers."""
        return self._sources

    def writes(self) -> int:
        """What both wrote, by their own counts."""
        return sum(desk.counts().writes for desk in self._desks)

    def close(self) -> None:
        """Close both databases."""
        for desk in self._desks:
            desk.close()
