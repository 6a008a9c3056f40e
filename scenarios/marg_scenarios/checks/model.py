"""How often the model was called, what it was sent, and what of its words was cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from marg_runtime.canonical import Json
from marg_runtime.conversation import UserMessage
from marg_runtime.events.model import QuestionCut
from marg_scenarios.checks.check import Check, Verdict, equal
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class ModelCallsCheck(Check):
    """How often the model was called in the turn."""

    kind: ClassVar[str] = "model_calls"
    expected: int

    def evaluate(self, observation: Observation) -> Verdict:
        """Count the requests that the model itself received."""
        return equal(self.expected, len(observation.requests))


@dataclass(frozen=True, kw_only=True)
class ReceivedCheck(Check):
    """What the model received in the turn: these new facts and no others, these words of the user, the rule.

    None: not looked at. rule: whether every request of the turn carried the skill's rule.
    """

    kind: ClassVar[str] = "received"
    facts: tuple[str, ...] | None
    user: str | None
    rule: bool | None

    def evaluate(self, observation: Observation) -> Verdict:
        """Look at the requests as the model got them."""
        last = observation.requests[-1].messages if observation.requests else ()
        users = [message.text for message in last if isinstance(message, UserMessage)]
        carried = [observation.rule in request.system for request in observation.requests]
        parts: list[tuple[str, Json, Json]] = [
            ("facts", self.facts, observation.facts_received()),
            ("user", self.user, users[-1] if users else None),
            ("rule", self.rule, bool(carried) and all(carried)),
        ]
        looked_at = [part for part in parts if part[1] is not None]
        return equal({name: expected for name, expected, _ in looked_at}, {name: got for name, _, got in looked_at})


@dataclass(frozen=True, kw_only=True)
class CutCheck(Check):
    """The sentences of the model's that were removed, all of them: the steps that own their questions, in order."""

    kind: ClassVar[str] = "cut"
    expected: tuple[str, ...]

    def evaluate(self, observation: Observation) -> Verdict:
        """Compare with the cuts in the ledger."""
        cuts = observation.events(QuestionCut)
        verdict = equal(self.expected, [cut.step for cut in cuts])
        if verdict.passed:
            return verdict
        return Verdict(passed=False, expected=self.expected, got=[{cut.step: cut.sentence} for cut in cuts])
