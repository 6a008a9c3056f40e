"""Which events a turn wrote into the ledger, and that nothing happened but what is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_scenarios.checks.check import Check, Verdict, as_texts, equal, same
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class EventsCheck(Check):
    """Events by name that the turn must have, or must not have; in an order; or all of them."""

    kind: ClassVar[str] = "events"
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    sequence: tuple[str, ...] = ()
    exactly: tuple[str, ...] | None = None

    def look(self, observation: Observation) -> Json:
        """The names of the turn's events, in order."""
        return list(_names(observation))

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Look for each name among them."""
        names = as_texts(got)
        passed = (
            all(name in names for name in self.has)
            and not any(name in names for name in self.lacks)
            and _in_order(self.sequence, names)
            and (self.exactly is None or same(self.exactly, names, form=form))
        )
        parts: dict[str, Json] = {
            "has": self.has,
            "lacks": self.lacks,
            "sequence": self.sequence,
            "exactly": self.exactly,
        }
        return Verdict(passed=passed, expected={name: part for name, part in parts.items() if part}, got=got)


def _names(observation: Observation) -> list[str]:
    return [type(entry.event).__name__ for entry in observation.entries]


def _in_order(wanted: Iterable[str], names: Iterable[str]) -> bool:
    """Whether the wanted names come in this order; others may stand between them."""
    left = iter(names)
    return all(name in left for name in wanted)


# What every turn writes, whatever happens in it.
BOOKKEEPING = frozenset(
    {
        *("ActQueued", "UserSaid", "UserTapped", "FormSubmitted", "PickerSearched", "Reloaded"),
        *("ReplyRead", "ReplyOutcome", "AnswerDelivered"),
    }
)
# The events that a check looks at; what no check of a turn looks at must not happen in it.
LOOKED_AT: Mapping[str, frozenset[str]] = {
    "block": frozenset(
        {"QuestionDrawn", "SummaryShown", "ReceiptShown", "OptionsRequested", "ReviewOpened", "ReviewClosed"}
    ),
    "redraws": frozenset({"QuestionDrawn"}),
    "drawn": frozenset({"QuestionDrawn", "SummaryShown", "ReceiptShown", "OptionsRequested"}),
    "question": frozenset({"QuestionDrawn", "SummaryShown", "OptionsRequested"}),
    "draft": frozenset({"ValueSettled", "FormSettled", "StepSkipped", "StepReopened", "DraftOpened"}),
    "draft_is": frozenset({"ValueSettled", "FormSettled", "StepSkipped", "StepReopened", "DraftOpened"}),
    "facts": frozenset({"ValueSettled", "FormSettled", "StepSkipped", "SummaryDeclined"}),
    "tools_called": frozenset({"ToolCalled", "ToolReturned"}),
    "tools_only": frozenset({"ToolCalled", "ToolReturned"}),
    "tools_in_order": frozenset({"ToolCalled", "ToolReturned"}),
    "overridden": frozenset({"ArgumentOverridden"}),
    "cut": frozenset({"QuestionCut", "ClaimCut"}),
    "gate": frozenset({"GateDecided", "WriteRefused"}),
    "write": frozenset({"GateDecided", "WriteClaimed", "WriteDone", "WriteRefused", "WriteUnknown"}),
    "model_calls": frozenset({"ModelCalled", "ModelReplied", "ModelFailed"}),
    "received": frozenset({"ModelCalled", "ModelReplied", "ModelFailed", "FactTold"}),
    "text": frozenset({"ModelReplied", "ModelFailed"}),
    "line": frozenset({"LineSaid", "AnswerRefused", "ValueRefused"}),
}


@dataclass(frozen=True, kw_only=True)
class NothingElseCheck(Check):
    """Nothing happened in the turn but what its other checks look at, and what every turn writes.

    others: the kinds of the turn's other checks. named: the events that its `events` check names as had.
    """

    kind: ClassVar[str] = "nothing_else"
    others: tuple[str, ...]
    named: tuple[str, ...]

    def look(self, observation: Observation) -> Json:
        """The events that nobody looks at."""
        looked_at = BOOKKEEPING.union(self.named, *(LOOKED_AT.get(kind, frozenset()) for kind in self.others))
        return [name for name in _names(observation) if name not in looked_at]

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """There are none."""
        return equal([], got, form=form)
