"""The coverage of a run: what is declared or was drawn, and which of it was used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from marg_harness.coverage import used
from marg_harness.coverage.declared import ARROW, declared
from marg_harness.coverage.item import KINDS, Item, ItemKind
from marg_harness.paths import shown_path
from marg_reports import RunRecord, ScenarioRecord
from marg_scenarios import Scenario


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """How often each item was used; zero for one that was not. excused: why an item need not be."""

    times: Mapping[Item, int]
    excused: Mapping[Item, str] = field(default_factory=dict)

    def of(self, kind: ItemKind) -> Mapping[Item, int]:
        """The items of one kind."""
        return {item: number for item, number in self.times.items() if item.kind == kind}

    def unused(self) -> tuple[Item, ...]:
        """The items that were not used and are not excused, in order."""
        return tuple(sorted(item for item, number in self.times.items() if not number and item not in self.excused))

    def record(self) -> dict[str, Any]:
        """The coverage as JSON: for each kind how many of how many, and the unused ones."""
        counts = {kind: (sum(bool(n) for n in self.of(kind).values()), len(self.of(kind))) for kind in KINDS}
        return {
            "used": {kind: {"used": some, "all": every} for kind, (some, every) in counts.items()},
            "unused": [
                {"kind": item.kind, "domain": item.domain, "name": item.name, "place": item.place}
                for item in self.unused()
            ],
            "excused": [
                {"kind": item.kind, "domain": item.domain, "name": item.name, "because": because}
                for item, because in sorted(self.excused.items())
            ],
        }


def coverage_of(scenarios: Sequence[Scenario], run: RunRecord) -> Coverage:
    """The coverage of a run of these scenarios. A machine of a scenario's own does not count to its domain's."""
    owners = {(shown_path(one.path), one.title): one for one in scenarios}
    times: Counter[Item] = Counter()
    for scenario in scenarios:
        kit = scenario.kit
        if scenario.machine.path == str(kit.machine):
            for item in declared(kit.domain, scenario.machine, folder=kit.machine.parent):
                times[item] += 0
    places = {(item.kind, item.domain, item.place if item.kind == "transition" else item.name): item for item in times}
    for record in run.scenarios:
        owner = owners.get((record.path, record.title))
        if owner is not None:
            times.update(_used(record, owner.kit.domain.name, places))
    _count_states(times)
    reasons = {(one.kit.domain.name, name): because for one in scenarios for name, because in one.kit.excused.items()}
    excused = {
        item: reasons[item.domain, f"{item.kind} {item.name}"]
        for item, number in times.items()
        if not number and (item.domain, f"{item.kind} {item.name}") in reasons
    }
    return Coverage(times=dict(sorted(times.items())), excused=excused)


def _used(record: ScenarioRecord, domain: str, places: Mapping[tuple[ItemKind, str, str], Item]) -> Counter[Item]:
    """What one scenario used; options come into being as they are drawn."""
    found: Counter[Item] = Counter()
    open_options: used.Options = {}
    for turn in record.turns:
        names: Mapping[ItemKind, Iterable[str]] = {
            "step": used.used_steps(turn),
            "gate": used.used_gate(turn),
            "tool": used.used_tools(turn),
            "transition": turn.taken,
        }
        for kind, some in names.items():
            found.update(places[kind, domain, name] for name in some if (kind, domain, name) in places)
        found.update(Item(kind="block", domain=domain, name=name) for name in used.used_blocks(turn))
        drawn = {_option(domain, option): 0 for option in used.drawn_options(turn)}
        found.update(drawn)
        found.update(_option(domain, option) for option in used.answered_options(turn, open_options))
        open_options = used.options_after(turn, open_options)
    return found


def _option(domain: str, option: used.DrawnOption) -> Item:
    return Item(kind="option", domain=domain, name=f"{option.step}: {option.label}")


def _count_states(times: Counter[Item]) -> None:
    """A state was used where one of its transitions was; its transitions are named after it."""
    for item in [item for item in times if item.kind == "state"]:
        times[item] = sum(
            number
            for other, number in times.items()
            if (other.kind, other.domain) == ("transition", item.domain) and item.name in other.name.split(ARROW)
        )
