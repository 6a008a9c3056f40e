"""Replaying each scenario in a process that is forked from this one, which has all imported and nothing replayed."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from marg_harness.play import Play
from marg_harness.replay import replay_scenario
from marg_harness.target import ReferenceTarget
from marg_reports import ScenarioRecord
from marg_scenarios import Scenario


def replay_forked(
    scenarios: Sequence[Scenario], *, play: Play, jobs: int
) -> Iterator[tuple[Scenario, ScenarioRecord | None]]:
    """Each scenario with its record, as they are done; None where its process died. jobs: at most so many at once."""
    waiting, running = list(reversed(scenarios)), dict[Connection, tuple[Any, Scenario]]()
    while waiting or running:
        while waiting and len(running) < jobs:
            _begin(waiting.pop(), play, running)
        for ready in wait(list(running)):
            assert isinstance(ready, Connection)
            process, scenario = running.pop(ready)
            yield scenario, _received(ready)
            process.join()


def _begin(scenario: Scenario, play: Play, running: dict[Connection, tuple[Any, Scenario]]) -> None:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_replay, args=(scenario, play, there))
    process.start()
    there.close()
    running[here] = (process, scenario)


def _replay(scenario: Scenario, play: Play, answer: Connection) -> None:
    answer.send(replay_scenario(scenario, target=ReferenceTarget(play=play)))
    answer.close()


def _received(answer: Connection) -> ScenarioRecord | None:
    try:
        record: ScenarioRecord = answer.recv()
    except EOFError:
        return None
    finally:
        answer.close()
    return record
