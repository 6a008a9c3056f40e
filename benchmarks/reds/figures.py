"""The figures of a whole run of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmarks.reds.baselines import BASELINES
from benchmarks.reds.measure import CLASSES, Measure, measure
from benchmarks.reds.score import Scored
from benchmarks.reds.trial import Tried


@dataclass(frozen=True)
class Figures:
    """What all trials gave together, in the order of their kinds' names."""

    scored: Sequence[Scored]

    @cached_property
    def tried(self) -> tuple[Tried, ...]:
        """Every red."""
        return tuple(one for scored in self.scored if scored.trial for one in scored.trial.tried)

    @cached_property
    def triage(self) -> Measure:
        """The triage's own."""
        return measure([one.case for one in self.tried], [one.verdict.red_class for one in self.tried])

    @cached_property
    def baselines(self) -> Mapping[str, Measure]:
        """The baselines', by name."""
        cases = [one.case for one in self.tried]
        return {name: measure(cases, baseline(cases)) for name, baseline in BASELINES.items()}

    @property
    def wrong(self) -> tuple[Tried, ...]:
        """Reds that the triage calls something else than they are."""
        return tuple(one for one in self.tried if one.verdict.red_class != one.case.truth)

    @property
    def proven_wrong(self) -> int:
        """Those of them that it calls proven."""
        return sum(one.verdict.confidence == "proven" for one in self.wrong)

    @property
    def decided(self) -> int:
        """Reds with a class that no key and no network was needed for."""
        return sum(one.verdict.red_class != "unclassified" and one.evidence.cell("live") is None for one in self.tried)

    @property
    def seconds_a_red(self) -> float:
        """What the triage of a run takes, a red, with nothing kept from before but what other runs left."""
        return sum(one.seconds for one in self.tried) / len(self.tried) if self.tried else 0.0

    @property
    def subsets(self) -> int:
        """Subsets of cells that were classified."""
        return sum(one.subsets for scored in self.scored for one in scored.ablated)

    @property
    def changes(self) -> tuple[str, ...]:
        """Those that made another class of a red."""
        return tuple(change for scored in self.scored for one in scored.ablated for change in one.changes)

    @property
    def invalid(self) -> tuple[str, ...]:
        """Kinds whose truth does not hold, and why."""
        told = [(one.kind.name, one.trial.invalid if one.trial else (one.broken,)) for one in self.scored]
        return tuple(f"{name}: {why}" for name, reasons in told for why in reasons)

    @property
    def commands(self) -> tuple[int, int]:
        """Unclassified reds whose printed command, run, shows what they are; and all of them."""
        ran = [one.then_right for one in self.tried if one.then_right is not None]
        return sum(ran), len(ran)

    def as_json(self, *, seconds: float) -> dict[str, Any]:
        """All of it, for `--json`."""
        triage = self.triage
        return {
            "kinds": len(self.scored),
            "reds": triage.reds,
            "accuracy": triage.accuracy,
            "balanced_accuracy": triage.balanced,
            "accuracy_interval": [triage.interval.low, triage.interval.high],
            "regressions": triage.regressions,
            "exonerated": triage.exonerated,
            "exonerated_at_most": triage.exonerated_bound,
            "proven_wrong": self.proven_wrong,
            "decided": self.decided,
            "confusion": _confusion(triage),
            "classes": {name: _class(triage, name) for name in CLASSES},
            "baselines": {
                name: {
                    "accuracy": one.accuracy,
                    "balanced_accuracy": one.balanced,
                    "exonerated": one.exonerated,
                    "confusion": _confusion(one),
                }
                for name, one in self.baselines.items()
            },
            "subsets": self.subsets,
            "changed_by_ablation": list(self.changes),
            "commands_right": self.commands[0],
            "commands_run": self.commands[1],
            "seconds_a_red": round(self.seconds_a_red, 3),
            "seconds": round(seconds, 1),
            "invalid": list(self.invalid),
            "wrong": [
                {"kind": one.case.kind, "red": one.case.red, "truth": one.case.truth, "verdict": one.verdict.name}
                for one in self.wrong
            ],
        }


def _confusion(one: Measure) -> dict[str, dict[str, int]]:
    return {truth: {called: one.confusion.get((truth, called), 0) for called in CLASSES} for truth in CLASSES}


def _class(one: Measure, name: Any) -> dict[str, Any]:
    figures = one.of_class(name)
    return {"reds": figures.of_truth, "precision": figures.precision, "recall": figures.recall}
