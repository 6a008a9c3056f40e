"""What the reader made of the typed message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_runtime.events.turn import ReplyOutcome, ReplyRead
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


@dataclass(frozen=True, kw_only=True)
class OutcomeCheck(Check):
    """What the turn's message came to while a question was open: answer, skip, cancel, correct, digress and so on."""

    kind: ClassVar[str] = "outcome"
    expected: str

    def look(self, observation: Observation) -> Json:
        """The one recorded outcome; a turn without a message, or with no question open, has none."""
        outcomes = observation.events(ReplyOutcome)
        return outcomes[0].outcome if outcomes else None

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.expected, got, form=form)
