"""A cell of evidence: what one swap of one factor gave. The harness runs them and writes these; here they are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from marg_reports.statistics import Rate
from marg_reports.triage.words import CellName, Outcome, Raised


@dataclass(frozen=True, kw_only=True)
class CellRun:
    """One run in a cell, as the red's check saw it.

    signature: of the failure, empty where it passed. canonical: the digest of what the check saw, under the check's
    declared forms. request_digests: of the model requests up to the red's turn.
    """

    outcome: Outcome
    signature: str = ""
    canonical: str = ""
    request_digests: tuple[str, ...] = ()
    raised: Raised = "nothing"


@dataclass(frozen=True, kw_only=True)
class RunsCell:
    """A cell of one or more runs. key: its content address. commit: of the side that ran. command: runs it again.

    tells: False where the runs are shown and say nothing, since how often they fail could be chance.
    """

    name: CellName
    runs: tuple[CellRun, ...]
    tells: bool = True
    key: str = ""
    commit: str = ""
    command: str = ""


@dataclass(frozen=True, kw_only=True)
class BundleCell:
    """The red's own record: whether all is there that its cells need, and what is missing."""

    missing: tuple[str, ...] = ()
    key: str = ""
    commit: str = ""
    command: str = ""

    @property
    def name(self) -> CellName:
        """Its place among the cells."""
        return "bundle"


@dataclass(frozen=True, kw_only=True)
class IntentCell:
    """What the check makes of transformed observations.

    declared: the meaning-preserving forms that the check declares. satisfied_by: the first of them under which it
    passes on the head's observation, or None. rejected, mutants: how many meaning-changing mutants of a passing
    observation it still rejects, of how many.
    """

    declared: tuple[str, ...]
    satisfied_by: str | None = None
    rejected: int = 0
    mutants: int = 0
    key: str = ""
    commit: str = ""
    command: str = ""

    @property
    def name(self) -> CellName:
        """Its place among the cells."""
        return "intent"


@dataclass(frozen=True, kw_only=True)
class SettingsCell:
    """Timeouts, retries and sizes: whether head and base differ in them, and if base's pass on these faults.

    alike: whether the base fails there in the same way.
    """

    differ: bool
    base_passes: bool | None = None
    alike: bool = False
    key: str = ""
    commit: str = ""
    command: str = ""

    @property
    def name(self) -> CellName:
        """Its place among the cells."""
        return "settings"


@dataclass(frozen=True, kw_only=True)
class OutageCell:
    """How many of the run's reds have this red's wire signature. It groups reds; it decides none."""

    alike: int
    reds: int
    key: str = ""
    commit: str = ""
    command: str = ""

    @property
    def name(self) -> CellName:
        """Its place among the cells."""
        return "outage"


@dataclass(frozen=True, kw_only=True)
class LiveCell:
    """Failures of the check with the real model, on either side; invalid runs count in neither rate.

    corrected: the one-sided Fisher chance after Holm's correction over the report, where that was done.
    """

    head: Rate
    base: Rate
    invalid: int = 0
    corrected: float | None = None
    key: str = ""
    commit: str = ""
    command: str = ""

    @property
    def name(self) -> CellName:
        """Its place among the cells."""
        return "live"


Cell: TypeAlias = RunsCell | BundleCell | IntentCell | SettingsCell | OutageCell | LiveCell
