"""The example domain as a kit: a fresh desk in memory for every conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from marg_scenarios.kit import Kit

from .checks import summary_shows
from .domain import SERVER, SUPPORT_INTAKE
from .lax import LaxDesk
from .server import build_server
from .tickets import Desk
from .two_desks import TwoDesks
from .upgrade import UpgradingDesk

STARTED_AT = 1_767_225_600_000  # 2026-01-01T00:00:00Z, in milliseconds: the desk's clock stands still


class DeskBackend:
    """A desk in memory behind its MCP server."""

    def __init__(self, desk: Desk | None = None) -> None:
        self._desk = desk or Desk(":memory:", clock=_standing_clock)
        self._server = build_server(self._desk, dev=True)
        if isinstance(self._desk, UpgradingDesk):
            self._desk.server = self._server

    @property
    def sources(self) -> Mapping[str, Any]:
        """The one server."""
        return {SERVER: self._server}

    def writes(self) -> int:
        """The desk's own count of what it wrote."""
        return self._desk.counts().writes

    def close(self) -> None:
        """Close the database."""
        self._desk.close()


def _standing_clock() -> int:
    return STARTED_AT


def _upgrading_backend() -> DeskBackend:
    return DeskBackend(UpgradingDesk(":memory:", clock=_standing_clock))


def _lax_backend() -> DeskBackend:
    return DeskBackend(LaxDesk(":memory:", clock=_standing_clock))


def _two_desks() -> TwoDesks:
    return TwoDesks(*(Desk(":memory:", clock=_standing_clock) for _ in range(2)))


_HERE = Path(__file__).parent
SUMMARY_HOLDS = 600_000  # milliseconds, in the kit whose summaries expire

KIT = Kit(
    domain=SUPPORT_INTAKE,
    backend=DeskBackend,
    machine=_HERE / "support_intake.machine.yaml",
    scenarios=_HERE / "scenarios",
    dev=True,
    record={
        "title": "Login fails",
        "details": "The page stays blank after the password.",
        "priority": "high",
        "category": "bug",
        "visibility": "private",
        "attachment_note": "a photo of the page",
    },
    contract=_HERE / "contract.yaml",
    checks={"summary_shows": summary_shows},
)

UPGRADING_KIT = replace(KIT, backend=_upgrading_backend)

LAX_KIT = replace(KIT, backend=_lax_backend)
"""A desk of the same schema that accepts a ticket with every field stripped: `marg probe` tells the two apart."""

EXPIRING_KIT = replace(
    KIT, domain=replace(SUPPORT_INTAKE, confirm=replace(SUPPORT_INTAKE.confirm, time_to_live=SUMMARY_HOLDS))
)
"""Its summary can be confirmed for ten minutes."""

CLICK_ONLY_KIT = replace(
    KIT, domain=replace(SUPPORT_INTAKE, confirm=replace(SUPPORT_INTAKE.confirm, policy="click_only"))
)
"""Its summary is confirmed by a tap and by no words."""

TWO_DESKS_KIT = replace(KIT, backend=_two_desks)
"""A second server has tools of the same names."""
