"""Why a red is unclassified, and the one command that would decide it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from marg_reports.statistics import STAGES
from marg_reports.triage.cell import BundleCell, LiveCell, RunsCell
from marg_reports.triage.evidence import Evidence
from marg_reports.triage.findings import About, Findings
from marg_reports.triage.rules import RULES
from marg_reports.triage.words import CellName, Unclassified

_BASE_CELLS = frozenset(
    {"base_varied", "base_runtime", "base_check", "base_pair", "base_in_order", "old_judges_in_order", "settings"}
)

LIVE_RUNS = STAGES[-1].runs

# A replay with reds ends with exit code 1, and is triaged all the same.
_REPLAY = "marg replay {path} --output {run}; marg triage {run}"


@dataclass(frozen=True, kw_only=True)
class Deciding:
    """Why nothing is decided, and what would decide it."""

    reason: Unclassified
    command: str


def deciding(evidence: Evidence, found: Findings) -> Deciding:
    """What to run next: for the open rule that misses least."""
    bundle = evidence.cell("bundle")
    if bundle is None or (isinstance(bundle, BundleCell) and bundle.missing):
        return Deciding(reason="no_replies", command=_REPLAY)
    open_rules = [rule for rule in RULES if not rule.contradictions(found)]
    undeclared = [rule for rule in RULES if {about.dimension for about in rule.contradictions(found)} == {"declared"}]
    if any(not rule.missing(found) for rule in undeclared):
        return Deciding(reason="intended_change", command="marg reds label {red} regression --because REASON")
    live = evidence.cell("live")
    if isinstance(live, LiveCell) and min(live.head.of, live.base.of) < LIVE_RUNS and not open_rules:
        return Deciding(reason="more_runs", command=f"marg triage {{run}} --live {LIVE_RUNS}")
    if not open_rules and found.get(About(cell="base_runtime")) == "other":
        # The base has a failure of its own there, which hides what the change did: the commit before it may not.
        return Deciding(reason="conflict", command="marg triage {run} --base REV")
    if not open_rules:
        return Deciding(reason="conflict", command="marg explain {red}")
    if any(isinstance(cell, RunsCell) and not cell.tells for cell in evidence.cells):
        return Deciding(reason="conflict", command="marg explain {red}")
    least = min(open_rules, key=lambda rule: len(rule.missing(found)))
    return _for_missing(least.missing(found))


def _for_missing(missing: Iterable[CellName]) -> Deciding:
    cells = set(missing)
    if cells & _BASE_CELLS:
        return Deciding(reason="no_base", command="marg triage {run} --base REV")
    if "live" in cells:
        return Deciding(reason="no_key", command=f"marg triage {{run}} --live {LIVE_RUNS}")
    if "clean_wire" in cells:
        return Deciding(reason="no_replies", command=_REPLAY)
    return Deciding(reason="more_runs", command="marg triage {run}")
