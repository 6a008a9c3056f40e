"""Checks of a kit's own: a function that looks at a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_scenarios.checks.check import Check, Verdict, equal
from marg_scenarios.observation import Observation

CustomLook: TypeAlias = Callable[[Observation, Json], Json]
"""Handed the turn and what the scenario gives it: True or False is the verdict, anything else is compared with that."""


@dataclass(frozen=True, kw_only=True)
class CustomCheck(Check):
    """What a function of the kit's makes of a turn; its name is part of the check's id."""

    kind: ClassVar[str] = "custom"
    name: str
    arguments: Json
    function: CustomLook

    @property
    def id(self) -> str:
        """`custom.name`: a turn may have several, each once."""
        return f"{self.kind}.{self.name}"

    def look(self, observation: Observation) -> Json:
        """Call the function; what it raises is a red of its own."""
        return self.function(observation, self.arguments)

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """A truth value is the verdict itself; else compare with what the scenario gives."""
        if isinstance(got, bool):
            return Verdict(passed=got, expected=self.arguments, got=got)
        return equal(self.arguments, got, form=form)
