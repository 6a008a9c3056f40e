"""Replaying scenarios: one conversation each, every turn checked, all of it put on record."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from marg_harness.errors import NetworkForbidden
from marg_harness.network_guard import no_network
from marg_harness.script import Client
from marg_harness.target import Conversation, ReferenceTarget, Target
from marg_harness.transcript import answer_lines, user_line
from marg_harness.writes_off import writes_off
from marg_mock_model import UndeclaredSituation
from marg_reports import CheckRecord, RunRecord, ScenarioRecord, TurnRecord
from marg_runtime.ledger import encode
from marg_scenarios import Check, Observation, Owner, Scenario, Turn, find_scenarios, load_scenario

CRASH_FRAMES = 3  # of a traceback, in a crash's record


def replay(
    scenarios: Sequence[Scenario],
    *,
    target: Target | None = None,
    on_scenario: Callable[[ScenarioRecord], None] | None = None,
) -> RunRecord:
    """Replay scenarios one after another, writes off and no network; `on_scenario` is handed each record as it ends.

    Raises UsageError where a scenario taps or submits what was never shown.
    """
    records = []
    for scenario in scenarios:
        records.append(replay_scenario(scenario, target=target))
        if on_scenario is not None:
            on_scenario(records[-1])
    return RunRecord(version=version("marg"), scenarios=tuple(records))


def replay_scenario(scenario: Scenario, *, target: Target | None = None) -> ScenarioRecord:
    """Replay one scenario in an event loop of its own, writes off and no network."""
    with writes_off(), no_network():
        return asyncio.run(_replay(scenario, target or ReferenceTarget()))


async def _replay(scenario: Scenario, target: Target) -> ScenarioRecord:
    turns: list[TurnRecord] = []
    async with target.converse(scenario) as conversation:
        client = Client(scenario=scenario)
        for turn in scenario.turns:
            turns.append(await _turn(turn, client, conversation))
            if turns[-1].stopped:
                break
        writes = conversation.writes()
    return ScenarioRecord(
        name=scenario.name,
        path=shown_path(scenario.path),
        line=scenario.line,
        turns=tuple(turns),
        turns_planned=len(scenario.turns),
        writes=writes,
    )


async def _turn(turn: Turn, client: Client, conversation: Conversation) -> TurnRecord:
    act = client.act(turn, now=conversation.now)
    try:
        observation = await conversation.act(act)
    except NetworkForbidden:
        raise
    except UndeclaredSituation as error:
        return _stopped(turn, kind="undeclared", owner="model", expected="a declared transition", got=str(error))
    except Exception as error:
        # Whatever the runtime raises is a red of that turn, not the end of the run.
        return _stopped(turn, kind="crash", owner="runtime", expected="no error", got=_crash(error))
    client.took(turn, observation.answer)
    return _observed(turn, observation)


def _observed(turn: Turn, observation: Observation) -> TurnRecord:
    return TurnRecord(
        id=turn.id,
        line=turn.line,
        checks=tuple(_checked(check, observation) for check in turn.checks),
        transcript=(user_line(turn), *answer_lines(observation.answer)),
        request_digests=tuple(request.digest for request in observation.requests),
        events=tuple(json.loads(encode(entry)) for entry in observation.entries),
    )


def _checked(check: Check, observation: Observation) -> CheckRecord:
    verdict = check.evaluate(observation)
    return CheckRecord(
        id=check.id,
        kind=check.kind,
        owner=check.owner,
        line=check.line,
        passed=verdict.passed,
        expected=verdict.expected,
        got=verdict.got,
    )


def _stopped(turn: Turn, *, kind: Literal["crash", "undeclared"], owner: Owner, expected: str, got: str) -> TurnRecord:
    check = CheckRecord(id=kind, kind=kind, owner=owner, line=turn.line, passed=False, expected=expected, got=got)
    return TurnRecord(
        id=turn.id, line=turn.line, checks=(check,), transcript=(user_line(turn),), request_digests=(), events=()
    )


def _crash(error: BaseException) -> str:
    """An error with its innermost frames; file names without folders, so that records are the same everywhere."""
    frames = traceback.extract_tb(error.__traceback__)[-CRASH_FRAMES:]
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__}: {error} (at {places})"


def shown_path(path: Path) -> str:
    """A path as it is shown and put on record: from the present folder where it lies below it, with `/`."""
    resolved, here = path.resolve(), Path.cwd().resolve()
    return (resolved.relative_to(here) if resolved.is_relative_to(here) else resolved).as_posix()


def load_all(paths: Iterable[Path]) -> tuple[Scenario, ...]:
    """The scenarios of files and folders, each file once, in order; raises UsageError for the first unusable one."""
    files = dict.fromkeys(found for path in paths for found in find_scenarios(path))
    return tuple(load_scenario(file) for file in files)
