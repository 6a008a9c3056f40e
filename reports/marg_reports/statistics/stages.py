"""Live runs come in stages, each with its share of the error that the whole may make."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """So many valid runs a side, and the chance of a false alarm that may be spent when they are in."""

    runs: int
    alpha: float


STAGES = (Stage(runs=5, alpha=0.002), Stage(runs=20, alpha=0.004), Stage(runs=40, alpha=0.004))
"""Together they spend 0.01, the level of rule R6. Telling 5 % from 50 % takes 20 runs a side (power .94 at .05)."""


def stage_after(runs: int) -> Stage | None:
    """The stage that comes after `runs` runs a side, or None where all have been run."""
    return next((stage for stage in STAGES if stage.runs > runs), None)
