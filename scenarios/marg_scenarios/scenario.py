"""A scenario: a scripted conversation, where it is written, and what it runs against."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from marg_mock_model import Machine
from marg_scenarios.kit import Kit
from marg_scenarios.turn import Turn

SCENARIO_SUFFIX = ".scenario.yaml"
FIXTURES_SUFFIX = ".fixtures.yaml"


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A scenario, or one row of it. `path` and `line` are where it is written.

    row: the id of the row whose parameters were put in; None where the scenario has no rows. rehearse: the gate is open
    and a double takes the writes in the backend's place.
    """

    name: str
    about: str
    kit: Kit
    machine: Machine
    tags: tuple[str, ...]
    in_order: bool
    turns: tuple[Turn, ...]
    path: Path
    line: int
    row: str | None = None
    on_red: Literal["continue", "stop"] = "continue"
    rehearse: bool = False

    @property
    def title(self) -> str:
        """The name, with the row's id: `name[row]`."""
        return self.name if self.row is None else f"{self.name}[{self.row}]"

    @property
    def played(self) -> tuple[Turn, ...]:
        """All turns that are played, those of acts sent at once one by one."""
        return tuple(part for turn in self.turns for part in turn.parts)


def files_below(folder: Path, suffix: str) -> tuple[Path, ...]:
    """The files below a folder whose names end so, in order; what is hidden, such as `.venv`, is left out."""
    return tuple(
        sorted(
            found
            for found in folder.rglob(f"*{suffix}")
            if found.is_file() and not any(part.startswith(".") for part in found.relative_to(folder).parts)
        )
    )
