"""Which events a turn wrote into the ledger, and that nothing happened but what is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_runtime.events.model import ToolCalled
from marg_runtime.events.step import FormSettled, StepReopened, ValueSettled
from marg_scenarios.checks.check import Check, Verdict, as_mapping, as_texts, equal, same
from marg_scenarios.checks.tools import ExpectedCall, matched_calls, seen_call
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


# The checks that look at a part of what their events say: at the slots, or at the calls, that they name.
IN_PART = frozenset({"draft", "tools_called", "tools_in_order"})


@dataclass(frozen=True, kw_only=True)
class NothingElseCheck(Check):
    """Nothing happened in the turn but what its other checks look at, and what every turn writes.

    others: the kinds of the turn's other checks. named: the events that its `events` check names as had. slots: those
    that its `draft` names; calls: what `tools_called` names, and what `tools_in_order` does, each of which is one call.
    """

    kind: ClassVar[str] = "nothing_else"
    others: tuple[str, ...]
    named: tuple[str, ...]
    slots: frozenset[str] = frozenset()
    calls: tuple[tuple[ExpectedCall, ...], ...] = ()

    def look(self, observation: Observation) -> Json:
        """The events that nobody looks at."""
        whole = (LOOKED_AT.get(kind, frozenset()) for kind in self.others if kind not in IN_PART)
        part = frozenset().union(*(LOOKED_AT[kind] for kind in self.others if kind in IN_PART))
        looked_at, expected = BOOKKEEPING.union(self.named, *whole), self._expected(observation)
        return [
            name
            for event in (entry.event for entry in observation.entries)
            if (name := type(event).__name__) not in looked_at and not (name in part and self._named(event, expected))
        ]

    def _expected(self, observation: Observation) -> list[ToolCalled]:
        """The calls that the turn's checks of calls name."""
        called = observation.events(ToolCalled)
        seen = [as_mapping(seen_call(event)) for event in called]
        return [called[place] for wanted in self.calls for place in matched_calls(wanted, seen)]

    def _named(self, event: object, expected: list[ToolCalled]) -> bool:
        """Whether an event is of the slots, or of the calls, that a check names; an answer goes with its call."""
        match event:
            case ValueSettled(slot=slot):
                return slot in self.slots
            case FormSettled(values=values):
                return self.slots >= set(values)
            case StepReopened(slots=slots):
                return self.slots >= set(slots)
            case ToolCalled():
                return any(event is one for one in expected)  # two calls may have one id
        return True

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """There are none."""
        return equal([], got, form=form)
