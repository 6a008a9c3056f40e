"""The evidence for one red: what the red itself says, and its cells."""

from __future__ import annotations

from dataclasses import dataclass, replace

from marg_reports.record import Owner
from marg_reports.triage.cell import Cell
from marg_reports.triage.words import CellName, Raised, Replies, WireState
from marg_runtime.wire import WireKind


@dataclass(frozen=True, kw_only=True)
class RedFacts:
    """What is known of a red without another run.

    id: `path::scenario::turn::check`. signature: of its failure. replies: whose they were. wire, wire_kind: what
    happened on the wire on the path of the check, None where nobody looked. flake: what a model flake would be called
    here. expected_change: the change says `expect-change` for this check.
    """

    id: str
    owner: Owner
    signature: str
    replies: Replies = "mock"
    wire: WireState | None = "clean"
    wire_kind: WireKind | None = None
    raised: Raised = "nothing"
    flake: str = "wording"
    expected_change: bool = False


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A red and the cells that were gathered for it, at most one of a name."""

    red: RedFacts
    cells: tuple[Cell, ...]

    def __post_init__(self) -> None:
        names = [cell.name for cell in self.cells]
        if len(set(names)) != len(names):
            raise ValueError(f"two cells of one name for {self.red.id!r}: {sorted(names)!r}")

    def cell(self, name: CellName) -> Cell | None:
        """The cell of a name, or None."""
        return next((cell for cell in self.cells if cell.name == name), None)

    def without(self, names: frozenset[CellName]) -> Evidence:
        """The same evidence without some of its cells."""
        return replace(self, cells=tuple(cell for cell in self.cells if cell.name not in names))
