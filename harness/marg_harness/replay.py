"""Replaying scenarios: one conversation each, every turn checked, all of it put on record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import chdir
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from marg_harness.errors import NotBegun, NotMeasured, UnusableFiles
from marg_harness.heard import Heard, with_heard
from marg_harness.leaving import LEAVING, raise_if_ours
from marg_harness.network_guard import guard_ready, no_network
from marg_harness.paths import shown_path
from marg_harness.script import Client
from marg_harness.stop import crash_stop, network_stop, only_error, written_red
from marg_harness.target import CountedLast, ReferenceTarget, Target
from marg_harness.turn_replay import replay_turn, stopped_turn, unmeasured_turns
from marg_harness.writes_off import writes_off
from marg_reports import CheckRecord, RunRecord, ScenarioRecord, TurnRecord
from marg_runtime.errors import UsageError
from marg_runtime.uncollected import collected_after
from marg_scenarios import Scenario, Turn, find_scenarios, load_scenarios
from marg_scenarios.checks.gate import WriteCheck


def replay(
    scenarios: Sequence[Scenario],
    *,
    target: Target | None = None,
    on_scenario: Callable[[ScenarioRecord], None] | None = None,
) -> RunRecord:
    """Replay scenarios one after another, writes off and no network; `on_scenario` is handed each record as it ends.

    Whatever breaks in a scenario is a red of its own; UsageError is raised only where nothing could be replayed at all.
    """
    records = []
    with guard_ready():
        for scenario in scenarios:
            records.append(replay_scenario(scenario, target=target))
            if on_scenario is not None:
                on_scenario(records[-1])
    return run_of(records)


def run_of(records: Iterable[ScenarioRecord]) -> RunRecord:
    """The run that these records make: in the order of their paths, rows and scenarios of one file as they stand."""
    return RunRecord(version=version("marg"), scenarios=tuple(sorted(records, key=lambda record: record.path)))


def replay_scenario(scenario: Scenario, *, target: Target | None = None) -> ScenarioRecord:
    """Replay one scenario in an event loop of its own, writes off and no network; its garbage goes with it.

    Where a kit changes the present folder, it is changed back: the paths of all that follow are from there.
    """
    done: list[ScenarioRecord] = []
    with chdir("."), collected_after(), writes_off(), no_network() as attempts:
        try:
            asyncio.run(_replay_into(done, scenario, target or ReferenceTarget()))
        except LEAVING as error:
            # It was raised in a task of a tool's or of a target's own, which ended the loop and this task with it.
            done.append(_left(scenario, error))
    record = done[0]
    if not attempts:
        return record
    return _with_stop(_without_crash(record), network_stop(attempts, line=scenario.line), first=scenario.turns[0])


async def _replay_into(done: list[ScenarioRecord], scenario: Scenario, target: Target) -> None:
    """The record is no result of the task: asyncio writes out the task, its result too, as it puts a handler of signals
    back, which takes longer than some scenarios."""
    done.append(await _replay(scenario, target))


async def _replay(scenario: Scenario, target: Target) -> ScenarioRecord:
    turns: list[TurnRecord] = []
    writes: int | None = 0
    broken: CheckRecord | None = None
    try:
        async with target.converse(scenario) as conversation:
            client = Client()
            for turn in scenario.turns:
                turns += await replay_turn(turn, client, conversation)
                if turns[-1].stopped or (scenario.on_red == "stop" and turns[-1].red):
                    break
            writes = conversation.writes()
        if isinstance(conversation, CountedLast):
            writes = conversation.last_writes()
    except UsageError:
        raise
    except NotMeasured as error:
        turns = [record for turn in scenario.turns for record in unmeasured_turns(turn, because=str(error))]
        writes = None
    except (Exception, *LEAVING) as error:
        # The backend, the tools or the session did not open or close; the other scenarios still run.
        raise_if_ours(error)
        first = only_error(error)
        if isinstance(first, NotBegun):
            stopped = stopped_turn(scenario.turns[0], crash_stop(first.cause, line=scenario.line))
            turns = [with_heard(stopped, Heard(wire=first.wire))]
        else:
            broken = crash_stop(first, line=scenario.line)
    if not any(turn.slips or turn.wire for turn in turns):
        # What the machine says of itself is in its file; only what was drawn, or came over a wire, is kept.
        turns = [replace(turn, replies=()) if turn.replies else turn for turn in turns]
    record = ScenarioRecord(
        name=scenario.name,
        path=shown_path(scenario.path),
        line=scenario.line,
        turns=tuple(turns),
        turns_planned=len(scenario.played),
        writes=writes,
        row=scenario.row,
        tags=scenario.tags,
    )
    if broken:
        record = _with_stop(record, broken, first=scenario.turns[0])
    unseen = (writes or 0) - _seen_writes(record)
    if unseen > 0:
        record = _with_stop(record, written_red(unseen, line=scenario.line), first=scenario.turns[0])
    return record


def _left(scenario: Scenario, error: BaseException) -> ScenarioRecord:
    return ScenarioRecord(
        name=scenario.name,
        path=shown_path(scenario.path),
        line=scenario.line,
        turns=(stopped_turn(scenario.turns[0], crash_stop(error, line=scenario.line)),),
        turns_planned=len(scenario.played),
        writes=None,
        row=scenario.row,
        tags=scenario.tags,
    )


def _seen_writes(record: ScenarioRecord) -> int:
    """The writes that the backend counted before the eyes of a check; each of those has its verdict by it."""
    looked = (check.got for check in record.checks if check.kind == WriteCheck.kind and check.measured)
    return sum(seen for got in looked if isinstance(got, Mapping) and isinstance(seen := got.get("performed"), int))


def _without_crash(record: ScenarioRecord) -> ScenarioRecord:
    """The record without the crash that a stopped attempt on the network led to: one cause is one red."""
    turns = (
        replace(turn, checks=tuple(check for check in turn.checks if check.kind != "crash")) for turn in record.turns
    )
    return replace(record, turns=tuple(turns))


def _with_stop(record: ScenarioRecord, stop: CheckRecord, *, first: Turn) -> ScenarioRecord:
    """The record with what stopped it, on the last turn that was played, or on the first where none was."""
    if not record.turns:
        return replace(record, turns=(stopped_turn(first, stop),))
    *others, last = record.turns
    return replace(record, turns=(*others, replace(last, checks=(*last.checks, stop))))


def load_all(paths: Iterable[Path]) -> tuple[Scenario, ...]:
    """The scenarios of files and folders, each file once, in order, each row by itself; raises UsageError for unusable
    files, all of them. Their kits are imported with writes off, so that none finds the flag and keeps it."""
    files = {found.resolve(): found for path in paths for found in find_scenarios(path)}
    scenarios: list[Scenario] = []
    unusable: list[UsageError] = []
    for file in files.values():
        try:
            with writes_off():
                scenarios += load_scenarios(file)
        except UsageError as error:
            unusable.append(error)
    if len(unusable) > 1:
        raise UnusableFiles(unusable, of=len(files))
    if unusable:
        raise unusable[0]
    return tuple(scenarios)
