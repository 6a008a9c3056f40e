"""The example domain as a kit: a fresh desk in memory for every conversation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from marg_scenarios.backend import ServedStore, standing_clock
from marg_scenarios.kit import Kit

from .checks import summary_shows
from .domain import SERVER, SUPPORT_INTAKE
from .lax import LaxDesk
from .server import build_server
from .tickets import Desk
from .two_desks import TwoDesks
from .upgrade import UpgradingDesk


class DeskBackend(ServedStore):
    """A desk in memory behind its MCP server."""

    def __init__(self, desk: Desk | None = None) -> None:
        desk = desk or Desk(":memory:", clock=standing_clock)
        super().__init__(desk, name=SERVER, server=build_server(desk, dev=True))
        if isinstance(desk, UpgradingDesk):
            desk.server = self.server


def _upgrading_backend() -> DeskBackend:
    return DeskBackend(UpgradingDesk(":memory:", clock=standing_clock))


def _lax_backend() -> DeskBackend:
    return DeskBackend(LaxDesk(":memory:", clock=standing_clock))


def _two_desks() -> TwoDesks:
    return TwoDesks(*(Desk(":memory:", clock=standing_clock) for _ in range(2)))


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
    excused={
        "gate skill refused": "every request of a replay carries the rule; tests/runtime/test_gate.py takes it out",
        "option priority: Confirmed": "no option of the desk's: a scenario has the tool lie",
    },
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
