"""Replaying scenarios in several processes, or each in one of its own; the records are those of one process.

A worker is forked from a server that has everything imported and nothing replayed, where the platform can; so no
scenario sees what another left in memory when each has its own.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from multiprocessing.context import BaseContext
from pathlib import Path

from marg_harness.forked import replay_forked
from marg_harness.network_guard import guard_ready, no_network
from marg_harness.paths import shown_path
from marg_harness.play import Play
from marg_harness.replay import replay_scenario
from marg_harness.stop import died_stop
from marg_harness.target import ReferenceTarget
from marg_harness.turn_replay import stopped_turn
from marg_harness.writes_off import writes_off
from marg_reports import ScenarioRecord
from marg_scenarios import Scenario, load_scenarios

_forking = False  # whether this very process is one to fork each scenario from
_ready_for_good = ExitStack()
_PRELOADED = ["marg_harness.preload", "mcp.server", "mcp.client"]


@dataclass(frozen=True, kw_only=True)
class Job:
    """A scenario to replay elsewhere, and how: scenarios hold functions, so a worker loads the file itself.

    path: as given, from `folder`, so that what is recorded of it is the same.
    """

    folder: Path
    path: Path
    title: str
    play: Play


def replay_in_workers(
    scenarios: Sequence[Scenario], *, play: Play, jobs: int, isolated: bool = False
) -> Iterator[ScenarioRecord]:
    """The records as they are done, in no order. isolated: every scenario in a process of its own.

    A process that dies is a crash of its scenario, and the others are replayed all the same.
    """
    if _forking and isolated:
        for scenario, found in replay_forked(scenarios, play=play, jobs=jobs):
            yield found or _died(scenario)
        return
    waiting = {_job(one, play): one for one in scenarios}
    try:
        with _pool(jobs, isolated=isolated) as pool:
            futures = {pool.submit(_replay_job, job): job for job in waiting}
            for future in as_completed(futures):
                record = future.result()
                del waiting[futures[future]]
                yield record
    except BrokenProcessPool:
        # Whichever died took its neighbours with it; from here on each dies alone.
        for job, scenario in waiting.items():
            yield _alone(job, scenario)


def fork_from_here() -> None:
    """Say that this process has everything imported, nothing replayed and no threads: isolated scenarios are forked
    from it, and no server is started that would import everything again."""
    global _forking
    _forking = True


def _job(scenario: Scenario, play: Play) -> Job:
    return Job(folder=Path.cwd(), path=scenario.path, title=scenario.title, play=play)


def _pool(jobs: int, *, isolated: bool) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        max_workers=jobs, mp_context=_context(), max_tasks_per_child=1 if isolated else None, initializer=_ready
    )


def _ready() -> None:
    """Have the guard ready for as long as a worker lives, and not for each of its scenarios: it does nothing else."""
    _ready_for_good.enter_context(guard_ready())


def _context() -> BaseContext:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    return context


def _alone(job: Job, scenario: Scenario) -> ScenarioRecord:
    try:
        with _pool(1, isolated=True) as pool:
            return pool.submit(_replay_job, job).result()
    except BrokenProcessPool:
        return _died(scenario)


def _replay_job(job: Job) -> ScenarioRecord:
    os.chdir(job.folder)
    target = _target(job.play)
    scenario = next(one for one in _loaded(job.folder, job.path) if one.title == job.title)
    return replay_scenario(scenario, target=target)


@cache
def _target(play: Play) -> ReferenceTarget:
    target = ReferenceTarget(play=play)
    with writes_off(), no_network():
        target.prepare(())
    return target


@cache
def _loaded(folder: Path, path: Path) -> tuple[Scenario, ...]:
    del folder  # a relative path names another file in another folder
    with writes_off():
        return load_scenarios(path)


def _died(scenario: Scenario) -> ScenarioRecord:
    stopped = stopped_turn(scenario.turns[0], died_stop(line=scenario.line))
    return ScenarioRecord(
        name=scenario.name,
        path=shown_path(scenario.path),
        line=scenario.line,
        turns=(stopped,),
        turns_planned=len(scenario.played),
        writes=0,
        row=scenario.row,
        tags=scenario.tags,
    )
