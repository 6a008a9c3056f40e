"""Shrinking a red: the smallest sequence of the scenario's turns that still shows it, by delta debugging.

A sequence is smallest where no single turn can be left out of it (Zeller and Hildebrandt, "Simplifying and isolating
failure-inducing input", 2002, call that 1-minimal).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from marg_harness.replay import replay_scenario
from marg_harness.scenario_text import scenario_text
from marg_harness.target import Target
from marg_mock_model import Document, parse_document, read_document
from marg_reports import CheckRecord, Red, ScenarioRecord, differences
from marg_reports.record import ONLY_RED
from marg_runtime.errors import UsageError
from marg_scenarios import Scenario
from marg_scenarios.expansion import expand
from marg_scenarios.loader import build_scenarios

_T = TypeVar("_T")
# Of a file's head, what every sequence of its turns is played with.
HEAD = ("about", "domain", "machine", "tags", "in_order", "on_red", "rehearse")
NO_CHECK = ONLY_RED
"""The kinds of red that no check of the scenario's makes."""


UNDECLARED = "undeclared"


@dataclass(frozen=True, kw_only=True)
class RedIdentity:
    """What makes two reds the same: the kind of check, and what differs.

    Of a situation that the machine does not declare, the turn in its place: the words name all that was told before.
    """

    kind: str
    differences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Shrunk:
    """A red's smallest sequence: how many turns there were and are, how many replays it took, and the file's text."""

    red: Red
    before: int
    turns: tuple[str, ...]
    replays: int
    text: str


def identity_of(check: CheckRecord, *, turn: str) -> RedIdentity:
    """The identity of a failed check. turn: the id of the turn that it stands in."""
    if check.kind == UNDECLARED:
        return RedIdentity(kind=check.kind, differences=(turn,))
    return RedIdentity(kind=check.kind, differences=differences(check.expected, check.got))


def shrink(scenario: Scenario, red: Red, *, target: Target, on_replay: Callable[[int], None] | None = None) -> Shrunk:
    """The smallest sequence of turns that shows the red, with their ids and with its check alone.

    on_replay: told after each replay how many there were. Raises UsageError for a scenario that was not written in a
    file of YAML, and for a red that a second replay does not show.
    """
    shrinker = _Shrinker(scenario, red, target=target, on_replay=on_replay)
    everything = shrinker.turns
    if not shrinker.shows(everything):
        raise UsageError(
            f"{red.id}: the red is not there when its turns are replayed with that check alone; "
            "without a red that comes again nothing can be left out"
        )
    last = next(at for at, turn in enumerate(everything) if turn["id"] == shrinker.last)
    rest = everything[: last + 1] if shrinker.shows(everything[: last + 1]) else everything
    left = smallest(rest, shrinker.shows)
    return Shrunk(
        red=red,
        before=len(everything),
        turns=tuple(str(turn["id"]) for turn in left),
        replays=shrinker.replays,
        text=scenario_text(shrinker.root(left), head=shrinker.head(len(left))),
    )


def smallest(items: Sequence[_T], shows: Callable[[Sequence[_T]], bool]) -> list[_T]:
    """A part of the items, in order, that `shows` holds for, and that holds for it with none of them left out.

    `shows` holds for all items. It is asked once for a part.
    """
    left, parts = list(range(len(items))), 2
    asked: dict[tuple[int, ...], bool] = {}

    def holds(places: Sequence[int]) -> bool:
        key = tuple(places)
        if key not in asked:
            asked[key] = bool(key) and shows([items[place] for place in key])
        return asked[key]

    while len(left) > 1:
        size = -(-len(left) // parts)
        chunks = [left[start : start + size] for start in range(0, len(left), size)]
        others = [[place for place in left if place not in chunk] for chunk in chunks]
        found = next((part for part in (*chunks, *others) if len(part) < len(left) and holds(part)), None)
        if found is not None:
            left, parts = found, max(parts - 1, 2) if found in others else 2
        elif size == 1:
            break
        else:
            parts = min(parts * 2, len(left))
    return [items[place] for place in left]


class _Shrinker:
    """Replays of parts of one scenario, and whether they show its red."""

    def __init__(
        self, scenario: Scenario, red: Red, *, target: Target, on_replay: Callable[[int], None] | None
    ) -> None:
        if scenario.path.suffix not in (".yaml", ".yml"):
            raise UsageError(f"{scenario.path}: a scenario is shrunk from its file of YAML, and this one has none")
        self.scenario, self.wanted, self.target = scenario, identity_of(red.check, turn=red.turn_record.id), target
        self.red, self.replays = red, 0
        self.document = next(row.document for row in expand(read_document(scenario.path)) if row.id == scenario.row)
        turns = self.document.root["turns"]
        assert isinstance(turns, list)
        self.turns = [self._bare(turn) for turn in turns if isinstance(turn, Mapping)]
        # A part of acts at once is no turn of its own to leave out: the whole of them is.
        self.last = next(str(turn["id"]) for turn in self.turns if red.turn_record.id in _ids(turn))
        self._on_replay = on_replay

    def shows(self, turns: Sequence[Mapping[str, Any]]) -> bool:
        """Whether these turns alone show the same red; turns that do not hold together show nothing."""
        try:
            scenario = self._scenario(turns)
        except UsageError:
            return False
        self.replays += 1
        record = replay_scenario(scenario, target=self.target)
        if self._on_replay is not None:
            self._on_replay(self.replays)
        return self.wanted in _identities(record)

    def root(self, turns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The tree of a file with these turns."""
        head = {key: self.document.root[key] for key in HEAD if key in self.document.root}
        return {"scenario": self.scenario.title, **head, "turns": list(turns)}

    def head(self, left: int) -> tuple[str, ...]:
        """What the file says of itself."""
        check = f"{self.red.turn_record.id}::{self.red.check.id}"
        return (
            f"Shrunk from {self.red.scenario.path}: {left} of {len(self.turns)} turns show its red {check}.",
            "It is played where that file lies: a machine and a kit are looked for from its folder.",
        )

    def _scenario(self, turns: Sequence[Mapping[str, Any]]) -> Scenario:
        path = self.scenario.path
        document: Document = parse_document(scenario_text(self.root(turns)), path=str(path))
        return build_scenarios(document, path=path)[0]

    def _bare(self, turn: Mapping[str, Any]) -> dict[str, Any]:
        """A turn with no check but the one that is red, so that no other can go red in its place."""
        bare = {key: node for key, node in turn.items() if key != "expect"}
        if isinstance(turn.get("concurrent"), list):
            bare["concurrent"] = [self._bare(part) for part in turn["concurrent"]]
        if turn["id"] == self.red.turn_record.id and isinstance(turn.get("expect"), Mapping):
            kept = self._kept(turn["expect"])
            if kept:
                bare["expect"] = kept
        return bare

    def _kept(self, expect: Mapping[str, Any]) -> dict[str, Any]:
        kind, name = self.red.check.kind, self.red.check.id.partition(".")[2]
        if kind in NO_CHECK:
            return {}
        if kind == "nothing_else":
            # What it looks at is what the others leave over.
            return dict(expect)
        kept = expect[kind]
        return {kind: {name: kept[name]} if name else kept}


def _ids(turn: Mapping[str, Any]) -> tuple[str, ...]:
    """The id of a turn, and of each of its acts at once."""
    return (str(turn["id"]), *(str(part["id"]) for part in turn.get("concurrent", ())))


def _identities(record: ScenarioRecord) -> frozenset[RedIdentity]:
    return frozenset(identity_of(check, turn=turn.id) for turn in record.turns for check in turn.checks if check.red)
