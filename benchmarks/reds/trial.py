"""A trial: a kind's repository, its head replayed with each seed, and the reds classified by the triage itself."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.reds.case import RedCase
from benchmarks.reds.kind import Kind
from benchmarks.reds.site import Site, make_site
from benchmarks.reds.withheld import importable, undecided
from marg_harness.evidence.gather import Bench, gather
from marg_harness.evidence.live import with_live
from marg_harness.evidence.run import VARIATIONS, CellRunSpec, Variation, run_cell
from marg_harness.evidence.triage import corrected
from marg_harness.evidence.workspace import Workspace, head_workspace, mixed_workspace
from marg_reports import Red, RunRecord, ScenarioRecord
from marg_reports.triage import Evidence, Verdict, classify
from marg_runtime.canonical import Json, canonical_json, digest
from marg_runtime.errors import UsageError

RETRIES = 3
HISTORY = 10
RETRY_SEED = 1_000
HISTORY_SEED = 2_000
WIRE = ("over", "faults", "read", "retries", "tool_faults", "tool_timeout")


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A red of the benchmark, and what the triage made of it. seconds: its share of the run's triage. then_right:
    whether the command that its verdict prints showed what it is in the end, where that was tried."""

    case: RedCase
    verdict: Verdict
    evidence: Evidence
    seconds: float
    then_right: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What a kind gave. invalid: why it shows nothing, where its truth does not hold as it should."""

    kind: Kind
    tried: tuple[Tried, ...]
    invalid: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Ground:
    """Where trials are made: the pristine repository, a folder for sites, and the cache of cells."""

    pristine: Path
    folder: Path
    cache: Path


def run_trial(kind: Kind, ground: Ground) -> Trial:
    """Make a kind's repository, replay its head with each seed, and classify every red. Raises UsageError for a patch
    that finds nothing to change."""
    began = time.monotonic()
    site = make_site(kind, pristine=ground.pristine, folder=ground.folder / kind.name)
    tried: list[Tried] = []
    invalid: list[str] = []
    with importable(site.repository):
        invalid += _unsound(site, ground)
        for seed in kind.seeds:
            run = _red_run(site, seed, ground)
            if run is None:
                invalid.append(f"seed {seed}: no red appears")
                continue
            tried += _withheld(site, run, ground) if kind.missing else _classified(site, run, ground)
    return Trial(kind=kind, tried=tuple(tried), invalid=tuple(invalid), seconds=time.monotonic() - began)


def _unsound(site: Site, ground: Ground) -> list[str]:
    """What is red without the fault: then the reds are not of the fault's making. Where the run is over a wire, so is
    this one, and nothing goes wrong there: a scenario that cannot be replayed over it would be red for that alone."""
    clean = {name: value for name, value in site.kind.run.items() if name == "over"}
    run = _replayed(site.sound, site.files, {**clean, "slips": False} if site.kind.slips else clean, ground)
    return [f"red without the fault: {red.id}" for red in run.reds()]


def _red_run(site: Site, seed: int, ground: Ground) -> RunRecord | None:
    """The head's run with a seed, or with the first of those after it that shows a red; None where none does."""
    files = _drawn(site, seed)
    for attempt in range(site.kind.tries + 1):
        settings = _settings(site.kind, seed + 100 * attempt)
        run = _replayed(head_workspace(site.repository), files, settings, ground, isolated=site.kind.isolated)
        if run.reds():
            return run
    return None


def _settings(kind: Kind, seed: int) -> dict[str, Json]:
    """How the head is replayed. A seed that has no say is left out, so that the same run is not made again."""
    return {**kind.run, "seed": seed} if kind.drawn else dict(kind.run)


def _drawn(site: Site, seed: int) -> tuple[str, ...]:
    """The scenarios that a seed takes."""
    files, draw, seeds = site.files, site.kind.draw, site.kind.seeds
    if site.kind.split:
        return tuple(sorted(files[seeds.index(seed) :: len(seeds)]))
    if draw is None or draw >= len(files):
        return files
    return tuple(sorted(random.Random(f"{site.kind.name} {seed}").sample(files, draw)))


def _replayed(
    workspace: Workspace, files: Sequence[str], settings: Mapping[str, Json], ground: Ground, *, isolated: bool = True
) -> RunRecord:
    """Replay files there. Raises UsageError where that gives nothing."""
    spec = CellRunSpec(workspace=workspace, files=tuple(files), settings=settings, isolated=isolated)
    result = run_cell(spec, cache=ground.cache / "cells")
    if result.record is None:
        raise UsageError(f"the replay at {str(workspace.root)!r} gave nothing: {result.reason}")
    return result.record


def _classified(site: Site, run: RunRecord, ground: Ground) -> list[Tried]:
    began = time.monotonic()
    bench = Bench(repository=site.repository, base=site.base, run=run, cache=ground.cache)
    gathered = gather(bench)
    evidences = corrected(with_live(bench, gathered, runs=site.kind.live) if site.kind.live else gathered)
    verdicts = [classify(evidence) for evidence in evidences]
    seconds = (time.monotonic() - began) / len(evidences)
    cases = _cases(site, run, ground)
    return [
        Tried(case=case, verdict=verdict, evidence=evidence, seconds=seconds)
        for case, verdict, evidence in zip(cases, verdicts, evidences, strict=True)
    ]


def _withheld(site: Site, run: RunRecord, ground: Ground) -> list[Tried]:
    cases = {case.red: case for case in _cases(site, run, ground)}
    began = time.monotonic()
    found = list(undecided(site, run, cache=ground.cache))
    seconds = (time.monotonic() - began) / max(1, len(found))
    return [
        Tried(
            case=cases[one.red],
            verdict=one.verdict,
            evidence=one.evidence,
            seconds=seconds,
            then_right=one.then_right,
        )
        for one in found
    ]


def _cases(site: Site, run: RunRecord, ground: Ground) -> list[RedCase]:
    """The reds as the log, reruns, the base and the history have them."""
    files = tuple(dict.fromkeys(scenario.path for scenario in run.scenarios))
    again = _again(site, files, ground)
    base, history = _on_base(site, files, ground)
    together = Counter(_message_digest(red) for red in run.reds())
    beside = _beside(site, run, ground)
    return [
        RedCase(
            kind=site.kind.name,
            family=site.kind.family,
            truth=_truth(site.kind, red, beside),
            red=red.id,
            test=_test(red),
            seed=int(str(run.settings.get("seed", 0))),
            message=_message(red),
            trace=red.place,
            retries=tuple(one.get(_test(red), False) for one in again),
            base=base.get(_test(red)),
            history=tuple(one[_test(red)] for one in history if _test(red) in one),
            together=together[_message_digest(red)],
            run_reds=len(run.reds()),
            run_tests=len(run.scenarios),
        )
        for red in run.reds()
    ]


def _truth(kind: Kind, red: Red, beside: frozenset[str]) -> str:
    """The class of a red. What the runtime owns must hold whatever a model says, so where a slip gets through there it
    is a hole of the runtime's, the same on both sides, and no flake. beside: reds that are there without the fault."""
    if kind.truth == "model_flake" or red.id in beside:
        return "pre_existing" if red.check.owner == "runtime" else "model_flake"
    return kind.truth


def _beside(site: Site, run: RunRecord, ground: Ground) -> frozenset[str]:
    """The reds that the slips on a fault's ground make by themselves, with the same draws."""
    if not site.kind.slips_beside:
        return frozenset()
    drawn = {name: value for name, value in run.settings.items() if name in ("over", "seed")}
    files = tuple(dict.fromkeys(scenario.path for scenario in run.scenarios))
    alone = _replayed(site.sound, files, drawn, ground, isolated=site.kind.isolated)
    return frozenset(red.id for red in alone.reds())


def _again(site: Site, files: Sequence[str], ground: Ground) -> list[dict[str, bool]]:
    """The head run again as it was, with the next draws; where nothing is drawn, with other hash seeds, and over a wire
    whose faults are not drawn either it is the same run."""
    head = head_workspace(site.repository)
    variations = VARIATIONS if not site.kind.run else VARIATIONS[:1] * RETRIES
    return [
        _outcomes(head, files, _settings(site.kind, RETRY_SEED + number), ground, variation=variation)
        for number, variation in enumerate(variations)
    ]


def _on_base(site: Site, files: Sequence[str], ground: Ground) -> tuple[dict[str, bool], list[dict[str, bool]]]:
    """The base's run in the conditions of the head's, and those of its branch's past, on a clean wire.

    Where nothing is drawn one run stands for all of the past: it would be the same bytes.
    """
    base = mixed_workspace(
        site.repository, base=site.base, code="base", checks="base", cache=ground.cache.parent / "workspaces"
    )
    now = _outcomes(base, files, _settings(site.kind, RETRY_SEED), ground)
    clean = {name: value for name, value in site.kind.run.items() if name not in WIRE}
    seeds = [{"seed": HISTORY_SEED + number} if site.kind.slips else {} for number in range(HISTORY)]
    return now, [_outcomes(base, files, {**clean, **seed}, ground) for seed in seeds]


def _outcomes(
    workspace: Workspace,
    files: Sequence[str],
    settings: Mapping[str, Json],
    ground: Ground,
    *,
    variation: Variation = VARIATIONS[0],
) -> dict[str, bool]:
    """Whether each test passed in a run; none where the run gave nothing."""
    spec = CellRunSpec(workspace=workspace, files=tuple(files), settings=settings, variation=variation)
    record = run_cell(spec, cache=ground.cache / "cells").record
    scenarios = record.scenarios if record else ()
    return {_name(one): not any(check.red for check in one.checks) for one in scenarios}


def _name(scenario: ScenarioRecord) -> str:
    return f"{scenario.path}::{scenario.title}"


def _test(red: Red) -> str:
    return _name(red.scenario)


def _message(red: Red) -> str:
    check = red.check
    expected, got = canonical_json(check.expected), canonical_json(check.got)
    return f"{check.kind} ({check.owner}): expected {expected}, got {got}"


def _message_digest(red: Red) -> str:
    return digest([red.check.kind, red.check.expected, red.check.got])
