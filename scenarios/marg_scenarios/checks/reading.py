"""What the reader made of the typed message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_runtime.events.turn import ReplyRead
from marg_scenarios.checks.check import Check, Verdict, equal
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class ReadingCheck(Check):
    """The reading of the turn's message: plain_yes, plain_no, choice or content."""

    kind: ClassVar[str] = "reading"
    expected: str

    def look(self, observation: Observation) -> Json:
        """The one recorded reading; a turn without a typed message has none."""
        read = observation.events(ReplyRead)
        return read[0].kind if read else None

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.expected, got, form=form)
