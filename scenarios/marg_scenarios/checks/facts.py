"""Which facts a turn queued for the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_scenarios.checks.check import Check, Verdict, equal
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class FactsCheck(Check):
    """The facts that the turn queued, all of them, in order."""

    kind: ClassVar[str] = "facts"
    expected: tuple[str, ...]

    def look(self, observation: Observation) -> Json:
        """The facts of the events that queue one; `FactTold` says that it has been told, later."""
        facts = [getattr(entry.event, "fact", None) for entry in observation.entries if _queues(entry.event)]
        return [fact for fact in facts if isinstance(fact, str)]

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.expected, got, form=form)


def _queues(event: object) -> bool:
    return type(event).__name__ != "FactTold"
