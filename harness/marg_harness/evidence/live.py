"""Live cells: so many runs a side with the model itself, for the reds that nothing else decides.

Each run draws anew: a real model by itself, a mock that slips by the run's seed. A run in which the wire broke before
the check says nothing of the model; it is drawn again, and counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from marg_harness.evidence.facts import NOT_THE_WIRE
from marg_harness.evidence.gather import SIDES, Bench, Side
from marg_harness.evidence.run import settings_without
from marg_harness.live_source import Live, check_live
from marg_reports import Red, RunRecord
from marg_reports.statistics import STAGES, Rate, Stage, fisher_greater
from marg_reports.triage import Evidence, LiveCell
from marg_reports.triage.findings import findings
from marg_reports.triage.observed import observed
from marg_reports.triage.rules import RULES
from marg_runtime.canonical import Json, digest
from marg_runtime.errors import UsageError

FIRST_SEED = 10_000
"""The seed of the first run: far from those that people take, so that no run is the one that was red."""

MOST_DRAWS = 2
"""Runs that are made for one that counts, at most: a wire that breaks more often than that measures nothing."""


@dataclass(kw_only=True)
class Tally:
    """What the live runs of one red gave: failures of its check, runs that count, those that do not."""

    red: Red
    hits: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    of: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    invalid: int = 0
    higher: bool = False

    def rate(self, side: Side) -> Rate:
        """The rate of failures on a side."""
        return Rate(hits=self.hits[side], of=self.of[side])

    def needs(self, side: Side, stage: Stage) -> bool:
        """Whether the stage asks for more runs of a side."""
        return not self.higher and self.of[side] < stage.runs

    def count(self, side: Side, outcome: bool | None) -> None:
        """One run more; outcome: whether the check failed, None where the run says nothing."""
        if outcome is None:
            self.invalid += 1
        else:
            self.of[side] += 1
            self.hits[side] += outcome

    def look(self, stage: Stage) -> None:
        """Spend the stage's share of the error: a rise that is as sure as that needs no more runs."""
        self.higher = self.higher or fisher_greater(self.rate("head"), self.rate("base")) <= stage.alpha


def with_live(bench: Bench, evidences: Sequence[Evidence], *, runs: int) -> tuple[Evidence, ...]:
    """The evidence with a live cell for every red that only rates decide. runs: at most so many a side.

    None is added where the model cannot be asked; `bench.reasons` says why.
    """
    wanted = {place: Tally(red=bench.reds[place]) for place, one in enumerate(evidences) if only_rates_decide(one)}
    settings = _settings(bench)
    if not wanted or settings is None or bench.base is None:
        return tuple(evidences)
    drawn = _drawn(bench, tuple(wanted.values()), settings, runs=runs)
    found = list(evidences)
    for place, tally in wanted.items():
        if tally.of["head"] and tally.of["base"]:
            cell = _cell(tally, drawn)
            found[place] = replace(found[place], cells=(*found[place].cells, cell))
    return tuple(found)


def only_rates_decide(evidence: Evidence) -> bool:
    """Whether a rule of rates lacks nothing but the rates."""
    found = findings(evidence)
    return any(rule.missing(found) == ("live",) and not rule.contradictions(found) for rule in RULES)


@dataclass(kw_only=True)
class _Drawn:
    """The runs that were made."""

    keys: list[str] = field(default_factory=list)
    command: str = ""
    commit: str = ""


def _drawn(bench: Bench, tallies: Sequence[Tally], settings: Mapping[str, Json], *, runs: int) -> _Drawn:
    """Draw in stages until every red is decided, or has its runs."""
    drawn, number = _Drawn(), 0
    for stage in (stage for stage in STAGES if stage.runs <= runs):
        while number < MOST_DRAWS * stage.runs and any(one.needs(side, stage) for one in tallies for side in SIDES):
            for side in SIDES:
                asked = [one for one in tallies if one.needs(side, stage)]
                if asked and not _draw(bench, side, asked, {**settings, "seed": FIRST_SEED + number}, drawn):
                    return drawn
            number += 1
        for one in tallies:
            one.look(stage)
    return drawn


def _draw(bench: Bench, side: Side, asked: Sequence[Tally], settings: Mapping[str, Json], drawn: _Drawn) -> bool:
    files = tuple(dict.fromkeys(one.red.scenario.path for one in asked))
    made = bench.made("live", code=side, settings=settings, files=files)
    if made is None or made.result.record is None:
        return False
    for one in asked:
        one.count(side, failed(one.red, made.result.record))
    drawn.keys.append(made.spec.key)
    if side == "head" and not drawn.command:
        drawn.command, drawn.commit = made.spec.command, made.spec.workspace.commit
    return True


def failed(red: Red, run: RunRecord) -> bool | None:
    """Whether a red's check failed in a live run; None where the wire broke before it, or nothing was measured."""
    outcome = observed(red, run).outcome
    if outcome not in ("pass", "fail") or _wire_broke(red, run):
        return None
    return outcome == "fail"


def _wire_broke(red: Red, run: RunRecord) -> bool:
    mine = (red.scenario.path, red.scenario.title)
    scenario = next((one for one in run.scenarios if (one.path, one.title) == mine), None)
    for turn in scenario.turns if scenario else ():
        for event in turn.wire:
            if isinstance(event, Mapping) and event.get("phase") == "broken" and event.get("kind") not in NOT_THE_WIRE:
                return True
        if turn.id == red.turn_record.id:
            return False
    return False


def _settings(bench: Bench) -> Mapping[str, Json] | None:
    """How to ask the model that drew the replies; None where it cannot be asked."""
    asked = bench.live_model or _model_of(bench.run.settings)
    if asked is None:
        # The mock that slipped is the model that drew, and needs no key.
        return bench.clean
    try:
        check_live(asked)
    except UsageError as error:
        bench.reasons["live"] = str(error)
        return None
    return {**settings_without(bench.clean, "over"), **asked.settings()}


def _model_of(settings: Mapping[str, Json]) -> Live | None:
    if "model" not in settings:
        return None
    url = settings.get("base_url")
    return Live(model=str(settings["model"]), base_url=None if url is None else str(url))


def _cell(tally: Tally, drawn: _Drawn) -> LiveCell:
    return LiveCell(
        head=tally.rate("head"),
        base=tally.rate("base"),
        invalid=tally.invalid,
        key=digest(drawn.keys)[:24],
        commit=drawn.commit,
        command=drawn.command,
    )
