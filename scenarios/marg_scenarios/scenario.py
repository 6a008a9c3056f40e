"""A scenario: a scripted conversation, where it is written, and what it runs against."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from marg_mock_model import Machine
from marg_scenarios.kit import Kit
from marg_scenarios.turn import Turn

SCENARIO_SUFFIX = ".scenario.yaml"


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A scenario. `path` and `line` are where it is written; `file` is the path as it was given."""

    name: str
    about: str
    kit: Kit
    machine: Machine
    tags: tuple[str, ...]
    in_order: bool
    turns: tuple[Turn, ...]
    path: Path
    line: int
