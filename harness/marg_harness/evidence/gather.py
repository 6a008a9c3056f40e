"""Gathering the cells for the reds of a run: as few runs as decide, each shared by all the reds that it speaks of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

from marg_harness.evidence.drawn import kept_replies, missing_replies
from marg_harness.evidence.facts import red_facts
from marg_harness.evidence.intent import Checks, form_of_check, intent_cell, is_judgeable
from marg_harness.evidence.run import (
    VARIATIONS,
    CellRunResult,
    CellRunSpec,
    Variation,
    run_cell,
    settings_without,
    variations,
)
from marg_harness.evidence.wavering import ROUNDS, tells, wavers
from marg_harness.evidence.workspace import Workspace, head_workspace, mixed_workspace
from marg_harness.live_source import Live
from marg_reports import Red, RunRecord
from marg_reports.forms import Form
from marg_reports.triage import (
    BundleCell,
    Cell,
    CellName,
    CellRun,
    Evidence,
    OutageCell,
    RedFacts,
    RunsCell,
    SettingsCell,
)
from marg_reports.triage.observed import observed, red_signature
from marg_runtime.canonical import Json
from marg_runtime.wire import WireKind

Side = Literal["head", "base"]
SIDES: tuple[Side, ...] = get_args(Side)
WIRE_FAULTS = ("faults", "read", "retries", "tool_faults", "tool_timeout", "model", "base_url")


@dataclass(kw_only=True)
class Bench:
    """What the cells of one run are gathered with. base: its commit, or None. missing: what the record lacks.

    on_run: told of every run that is made, for progress. expected: checks for which the change says `expect-change`.
    live_model: the model to draw live runs from, where it is not the run's own.
    """

    repository: Path
    base: str | None
    run: RunRecord
    cache: Path
    missing: tuple[str, ...] = ()
    expected: Collection[str] = ()
    live_model: Live | None = None
    on_run: Callable[[CellRunSpec], None] | None = None
    reasons: dict[CellName, str] = field(default_factory=dict)
    _results: dict[str, CellRunResult] = field(default_factory=dict)
    _workspaces: dict[tuple[Side, Side, Side], Workspace | None] = field(default_factory=dict)

    @cached_property
    def reds(self) -> tuple[Red, ...]:
        """The reds of the run."""
        return self.run.reds()

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files of all scenarios of the run, in its order."""
        return tuple(dict.fromkeys(scenario.path for scenario in self.run.scenarios))

    @cached_property
    def red_files(self) -> tuple[str, ...]:
        """The files that have reds."""
        return tuple(dict.fromkeys(red.scenario.path for red in self.reds))

    @cached_property
    def wire_kinds(self) -> Mapping[WireKind | None, int]:
        """How many reds have which kind of broken wire."""
        return Counter(red_facts(red, settings=self.run.settings).wire_kind for red in self.reds)

    @cached_property
    def clean(self) -> Mapping[str, Json]:
        """The run's settings on a clean wire: over the same API, which the runtime's own client reads, and no fault."""
        return settings_without(self.run.settings, *WIRE_FAULTS)

    @cached_property
    def over_a_wire(self) -> bool:
        """Whether the run was over a wire of ours, which can be had again as it was."""
        return bool({"over", "tool_faults"} & self.run.settings.keys())

    @cached_property
    def slipped(self) -> bool:
        """Whether a mock model slipped anywhere in the run."""
        return any(turn.slips for scenario in self.run.scenarios for turn in scenario.turns)

    @cached_property
    def replies(self) -> Path | None:
        """A record of the replies that a model drew in this run, to be said again; None where it drew none."""
        return kept_replies(self.run, self.cache / "replies")

    def workspace(self, *, code: Side, checks: Side, judges: Side | None = None) -> Workspace | None:
        """The workspace of these sides; None where there is no base to take one from. judges: of the checks that are
        code."""
        sides = (code, checks, judges or checks)
        if sides not in self._workspaces:
            self._workspaces[sides] = self._laid_out(*sides)
        return self._workspaces[sides]

    def _laid_out(self, code: Side, checks: Side, judges: Side) -> Workspace | None:
        if code == checks == judges == "head":
            return head_workspace(self.repository)
        if self.base is None:
            return None
        cache = self.cache / "workspaces"
        return mixed_workspace(self.repository, base=self.base, code=code, checks=checks, judges=judges, cache=cache)

    def made(
        self,
        cell: CellName,
        *,
        code: Side = "head",
        checks: Side = "head",
        judges: Side | None = None,
        variation: Variation = VARIATIONS[0],
        in_order: bool = False,
        isolated: bool = True,
        settings: Mapping[str, Json] | None = None,
        files: Sequence[str] | None = None,
    ) -> _Made | None:
        """A run for a cell; None where it cannot be made at all, for want of a base."""
        workspace = self.workspace(code=code, checks=checks, judges=judges)
        if workspace is None:
            return None
        spec = CellRunSpec(
            workspace=workspace,
            files=tuple(files) if files is not None else self.files if in_order else self.red_files,
            isolated=isolated,
            variation=variation,
            settings=self.clean if settings is None else settings,
            # What was drawn is said again, unless another way to play is what is asked for.
            replies=self.replies if settings is None else None,
        )
        if self.on_run is not None:
            self.on_run(spec)
        # Cells that come to the same run, as where base and head have the same checks, read its record once.
        if spec.key not in self._results:
            self._results[spec.key] = run_cell(spec, cache=self.cache / "cells")
        result = self._results[spec.key]
        if result.record is None:
            self.reasons[cell] = result.reason
        return _Made(spec=spec, result=result)


@dataclass(frozen=True, kw_only=True)
class _Made:
    """A run that was made."""

    spec: CellRunSpec
    result: CellRunResult

    def cell(self, name: CellName, runs: Sequence[CellRun]) -> RunsCell:
        """The cell that these runs are, with where they came from."""
        spec = self.spec
        return RunsCell(name=name, runs=tuple(runs), key=spec.key, commit=spec.workspace.commit, command=spec.command)


def gather(bench: Bench) -> tuple[Evidence, ...]:
    """The evidence of every red, in the run's order."""
    if not bench.reds:
        return ()
    if bench.missing:
        bundle = BundleCell(missing=bench.missing)
        return tuple(Evidence(red=_facts(bench, red), cells=(bundle,)) for red in bench.reds)
    shared = _Shared(bench)
    return tuple(Evidence(red=_facts(bench, red), cells=tuple(_cells(bench, shared, red))) for red in bench.reds)


def _facts(bench: Bench, red: Red) -> RedFacts:
    return red_facts(red, settings=bench.run.settings, expected=bench.expected)


class _Shared:
    """The runs that all reds share, each made when it is first asked for."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.checks = Checks(bench.repository)
        self._made: dict[tuple[str, int, str], list[_Made]] = {}

    def runs(self, name: CellName) -> list[_Made]:
        """The runs of a cell; none where they cannot be made."""
        return self._kept((name, 0, ""), lambda: _PLANS[name](self._bench))

    def again(self) -> list[_Made]:
        """The base in the variations that its first run is not in."""
        return self._kept(("again", 0, ""), lambda: _varied(self._bench, code="base", first=1))

    def varied(self, side: Side, number: int, *, of: str) -> list[_Made]:
        """So many varied runs of a side; none where they cannot be made. of: the file that is run, where they are more
        than all red files get."""
        files = None if number <= len(VARIATIONS) else (of,)
        name = (f"varied {side}", number, of if files else "")
        return self._kept(name, lambda: _varied(self._bench, code=side, number=number, files=files))

    def _kept(self, name: tuple[str, int, str], plan: Callable[[], Iterator[_Made | None]]) -> list[_Made]:
        if name not in self._made:
            self._made[name] = [made for made in plan() if made is not None]
        return self._made[name]


def _varied(
    bench: Bench, *, code: Side, first: int = 0, number: int = len(VARIATIONS), files: Sequence[str] | None = None
) -> Iterator[_Made | None]:
    # What a model drew is not what is varied here: the machine's own script is played. Where it drew nothing, that is
    # what the clean run plays too, and the first of these is that run.
    # A seed has no say there, so that runs of other seeds share these.
    scripted = {**settings_without(bench.clean, "seed"), "slips": False}
    settings = scripted if bench.slipped or code == "base" else bench.clean
    for variation in variations(number)[first:]:
        yield bench.made(
            "varied" if code == "head" else "base_varied",
            code=code,
            variation=variation,
            settings=settings,
            files=files,
        )


_PLANS: Mapping[CellName, Callable[[Bench], Iterator[_Made | None]]] = {
    "clean_wire": lambda bench: iter([bench.made("clean_wire")]),
    "varied": lambda bench: _varied(bench, code="head"),
    "base_varied": lambda bench: _varied(bench, code="base"),
    "base_runtime": lambda bench: iter([bench.made("base_runtime", code="base")]),
    "base_check": lambda bench: iter([bench.made("base_check", checks="base")]),
    "base_pair": lambda bench: iter([bench.made("base_pair", code="base", checks="base")]),
    "in_order": lambda bench: iter([bench.made("in_order", in_order=True, isolated=False)]),
    "base_in_order": lambda bench: iter([bench.made("base_in_order", code="base", in_order=True, isolated=False)]),
    "old_judges_in_order": lambda bench: iter(
        [bench.made("old_judges_in_order", code="base", judges="base", in_order=True, isolated=False)]
    ),
    "fresh_runtime": lambda bench: iter([bench.made("fresh_runtime", in_order=True)]),
    "settings": lambda bench: iter([bench.made("settings", code="base", settings=bench.run.settings)]),
}


def _cells(bench: Bench, shared: _Shared, red: Red) -> Iterator[Cell]:
    """The cells of one red: those that every rule needs, then those that what they say makes needed."""
    check = shared.checks.check_of(red)
    form = form_of_check(check)

    def cell(name: CellName) -> RunsCell | None:
        made = shared.runs(name)
        runs = [observed(red, one.result.record, form=form) for one in made]
        return made[0].cell(name, runs) if made else None

    unrecorded = missing_replies(red, settings=bench.run.settings)
    yield BundleCell(missing=unrecorded)
    if unrecorded:
        return
    clean, varied = cell("clean_wire"), cell("varied")
    gone = clean is not None and clean.runs[0].outcome == "pass"
    yield from (one for one in (clean,) if one is not None)
    again = [] if gone or bench.slipped or bench.replies is not None else shared.again()
    if _wavering(cell, [observed(red, one.result.record, form=form) for one in again]):
        failing = [made.result.record for made in shared.runs("varied") if _failed(red, made)]
        intent = intent_cell(
            red,
            check,
            passing=lambda: list(_passing(shared, red)),
            failing=lambda: [_got(red, record, passed=False) for record in failing],
        )
        if is_judgeable(red, check):
            yield intent
        # What wavers in nothing but a declared form needs no more runs.
        yield from _wavers(shared, red, form, more=intent.satisfied_by is None)
    else:
        # The base, the check and what it means are asked about a failure that stands.
        names: list[CellName] = [] if gone else ["base_runtime", "base_check", "base_pair"]
        base = {name: found for name in names if (found := cell(name)) is not None}
        yield from (one for one in (varied, *base.values()) if one is not None)
        if not gone and is_judgeable(red, check):
            yield intent_cell(red, check, passing=lambda: list(_passing(shared, red)))
    if clean is not None and gone:
        yield from _gone(bench, cell, clean)
    facts = red_facts(red, settings=bench.run.settings)
    if facts.wire == "broken" or (gone and bench.over_a_wire):
        yield from _wire(bench, shared, red)


def _wavering(cell: Callable[[CellName], RunsCell | None], again: Sequence[CellRun]) -> bool:
    """Whether runs of one side differ, so that no single one of them says anything: on the head, or on the base where a
    failure that stands is compared with it. again: runs of the base beside its first; none where a model drew, for what
    it drew is said again and is no part of what is varied.
    """
    varied = cell("varied")
    if varied is not None and wavers(varied.runs):
        return True
    once = cell("base_runtime") if again else None
    return once is not None and wavers((*once.runs, *again))


def _wavers(shared: _Shared, red: Red, form: Form, *, more: bool) -> Iterator[Cell]:
    """The varied runs, of the head alone or, where they tell, of both sides: more of them as long as they do not."""
    rounds = ROUNDS if more and shared.runs("base_varied") else (len(VARIATIONS),)
    for number in rounds:
        made = {side: shared.varied(side, number, of=red.scenario.path) for side in SIDES}
        runs = {side: [observed(red, one.result.record, form=form) for one in made[side]] for side in SIDES}
        told = tells(runs["head"], runs["base"], signature=red_signature(red))
        if told or number == rounds[-1]:
            yield made["head"][0].cell("varied", runs["head"])
            if made["base"]:
                yield replace(made["base"][0].cell("base_varied", runs["base"]), tells=told)
            return


def _failed(red: Red, made: _Made) -> bool:
    return observed(red, made.result.record).outcome == "fail"


def _gone(bench: Bench, cell: Callable[[CellName], RunsCell | None], clean: RunsCell) -> Iterator[Cell]:
    """The red is not there alone on a clean wire: is it there in order, and on whose side?"""
    yield RunsCell(name="alone", runs=clean.runs, key=clean.key, commit=clean.commit, command=clean.command)
    in_order = cell("in_order")
    if in_order is None:
        return
    yield in_order
    if in_order.runs[0].outcome == "fail":
        names: list[CellName] = ["base_in_order", "old_judges_in_order", "fresh_runtime"]
        yield from (one for name in names if (one := cell(name)) is not None)


def _wire(bench: Bench, shared: _Shared, red: Red) -> Iterator[Cell]:
    """Whether the base's timeouts, retries and sizes bear the same faults; and how many reds look like this one."""
    made = shared.runs("settings")
    there = observed(red, made[0].result.record) if made else CellRun(outcome="invalid")
    if there.outcome in ("pass", "fail"):
        spec = made[0].spec
        yield SettingsCell(
            differ=there.outcome == "pass",
            base_passes=there.outcome == "pass",
            alike=there.signature == red_signature(red),
            key=spec.key,
            commit=spec.workspace.commit,
            command=spec.command,
        )
    mine = red_facts(red, settings=bench.run.settings).wire_kind
    yield OutageCell(alike=bench.wire_kinds[mine], reds=len(bench.reds))


def _passing(shared: _Shared, red: Red) -> Iterator[Json]:
    """What the check saw in runs in which it passed."""
    names: list[CellName] = ["base_runtime", "base_pair", "varied"]
    for name in names:
        for made in shared.runs(name):
            got = _got(red, made.result.record)
            if got is not None:
                yield got
                return


def _got(red: Red, run: RunRecord | None, *, passed: bool = True) -> Json:
    """What the check saw in a run in which it passed, or failed; None where it did not."""
    scenario = run.scenario(path=red.scenario.path, title=red.scenario.title) if run else None
    for turn in scenario.turns if scenario else ():
        for check in turn.checks:
            if (turn.id, check.id, check.passed) == (red.turn_record.id, red.check.id, passed):
                return check.got
    return None
