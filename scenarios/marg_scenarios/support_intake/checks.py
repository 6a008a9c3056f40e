"""Checks of the desk's own, called by `custom` in its scenarios."""

from __future__ import annotations

from marg_runtime.canonical import Json
from marg_scenarios.observation import Observation


def summary_shows(observation: Observation, given: Json) -> Json:
    """The slots that the block on the screen shows, in its order; `given` is what it should show."""
    block = observation.answer.block
    return [row.slot for row in block.rows] if block is not None else []
