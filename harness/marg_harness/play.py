"""How a replay plays the model's part: with which seed, with the machine's slips or without."""

from __future__ import annotations

from dataclasses import dataclass

from marg_mock_model import Machine, MockModel
from marg_mock_model.slip import Draw


@dataclass(frozen=True, kw_only=True)
class Play:
    """What the mock model is drawn with. seed: of the slips' draws; slips: False for a model that never slips."""

    seed: int = 0
    slips: bool = True

    def model(self, machine: Machine, *, scenario: str) -> MockModel:
        """A model for one conversation. scenario: its title, by which its draws differ from those of others."""
        rates = None if self.slips else {slip.kind: 0.0 for slip in machine.slips}
        return MockModel(machine, draw=Draw(seed=self.seed, scenario=scenario, rates=rates))


AS_WRITTEN = Play()
"""The machine as its file says, with the seed 0."""
