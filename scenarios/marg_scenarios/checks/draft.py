"""What the draft holds after a turn, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_runtime.draft import Draft
from marg_scenarios.checks.check import Check, Verdict, as_mapping, equal, same
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class DraftCheck(Check):
    """Values of the draft by slot; None expects that the slot is not settled. Other slots are not looked at."""

    kind: ClassVar[str] = "draft"
    expected: Mapping[str, Json]

    def look(self, observation: Observation) -> Json:
        """The named slots."""
        values = observation.draft.values
        return {slot: values[slot].value if slot in values else None for slot in self.expected}

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.expected, got, form=form)


@dataclass(frozen=True, kw_only=True)
class DraftIsCheck(Check):
    """All values of the draft by slot: it has these and no others."""

    kind: ClassVar[str] = "draft_is"
    expected: Mapping[str, Json]

    def look(self, observation: Observation) -> Json:
        """The whole draft."""
        return {slot: value.value for slot, value in observation.draft.values.items()}

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.expected, got, form=form)


@dataclass(frozen=True, kw_only=True)
class DraftUnchangedCheck(Check):
    """Whether the draft is the one that the turn found: the same draft, values and provenance."""

    kind: ClassVar[str] = "draft_unchanged"
    expected: bool

    def look(self, observation: Observation) -> Json:
        """The drafts before and after."""
        return {"before": _described(observation.draft_before), "after": _described(observation.draft)}

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare one with the other."""
        drafts = as_mapping(got)
        unchanged = same(drafts.get("before"), drafts.get("after"), form=form)
        return Verdict(passed=unchanged is self.expected, expected=self.expected, got=got)


def _described(draft: Draft) -> dict[str, Json]:
    values: dict[str, Json] = {slot: [value.value, value.provenance] for slot, value in draft.values.items()}
    return {"id": draft.id, "values": values}


@dataclass(frozen=True, kw_only=True)
class ProvenanceCheck(Check):
    """Where values came from, by slot: tap, typed, form, carried or model."""

    kind: ClassVar[str] = "provenance"
    expected: Mapping[str, str]

    def look(self, observation: Observation) -> Json:
        """The named slots."""
        values = observation.draft.values
        return {slot: values[slot].provenance if slot in values else None for slot in self.expected}

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.expected, got, form=form)
