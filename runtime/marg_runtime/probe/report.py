"""What a probe found: one row a case, the records it made, and what of it speaks against the backend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import get_args

from marg_runtime.canonical import Json
from marg_runtime.probe.case import STRIPPED, Did, ProbeVerdict, Says, verdict_of
from marg_runtime.tools.tool import ToolName


@dataclass(frozen=True, kw_only=True)
class ProbeRow:
    """One case. `must`: a backend that does not enforce it writes twice, or without a confirmation (rules G6 and G9).

    note: a sentence on what came back, where there is more to say.
    """

    field: str
    case: str
    says: Says
    did: Did
    must: bool = False
    note: str = ""

    @property
    def verdict(self) -> ProbeVerdict:
        """The verdict on this case."""
        return verdict_of(self.says, self.did)

    @property
    def is_finding(self) -> bool:
        """Whether it speaks against the backend: its schema lies, it broke, or it does not enforce what it must."""
        verdict = self.verdict
        return verdict in ("schema lies", "broke") or (self.must and verdict == "not enforced")


@dataclass(frozen=True, kw_only=True)
class ProbeReport:
    """What a probe found of one tool.

    server: its identity. schema: the tool's input schema. record: the known-good record. closed: the fields that were
    probed as lists of values. made: what the records that it made are called, in order. deleted: how many of them it
    deleted again. discarded: the backend was the probe's own, and went with it.
    """

    tool: ToolName
    server: str
    schema: Mapping[str, Json]
    record: Mapping[str, Json]
    closed: tuple[str, ...]
    rows: tuple[ProbeRow, ...]
    made: tuple[str, ...]
    deleted: int = 0
    discarded: bool = False

    def findings(self) -> tuple[ProbeRow, ...]:
        """The rows that speak against the backend."""
        return tuple(row for row in self.rows if row.is_finding)

    def counts(self) -> dict[ProbeVerdict, int]:
        """How many rows have each verdict."""
        counted = Counter(row.verdict for row in self.rows)
        verdicts: tuple[ProbeVerdict, ...] = get_args(ProbeVerdict)
        return {verdict: counted[verdict] for verdict in verdicts}

    def unguarded(self) -> tuple[str, ...]:
        """The fields that the backend takes a record without: only the agent's side makes sure of them."""
        return tuple(row.field for row in self.rows if row.case == STRIPPED and row.did == "accepted")

    def as_json(self) -> dict[str, Json]:
        """The report as JSON."""
        return {
            "tool": str(self.tool),
            "server": self.server,
            "record": dict(self.record),
            "closed": self.closed,
            "rows": [{**asdict(row), "verdict": row.verdict, "finding": row.is_finding} for row in self.rows],
            "counts": {str(verdict): number for verdict, number in self.counts().items()},
            "findings": len(self.findings()),
            "unguarded": self.unguarded(),
            "made": self.made,
            "deleted": self.deleted,
            "discarded": self.discarded,
        }
