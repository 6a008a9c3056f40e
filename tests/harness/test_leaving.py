"""A kit or a target that leaves, by `sys.exit(0)` or a cancelled task, is a red of its scenario; the run goes on."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from marg_harness.agent_target import AgentTarget
from marg_harness.conformance import check_target
from marg_harness.python_agent import opener_of
from marg_harness.replay import replay_scenario
from marg_reports import ScenarioRecord
from marg_runtime.errors import UsageError
from marg_scenarios import load_scenario

KIT = """
import asyncio, sys
from dataclasses import replace
from marg_runtime.steps import Option, chips_step
from marg_scenarios.support_intake.kit import KIT as SHIPPED, DeskBackend
from marg_scenarios.support_intake.tickets import Desk

PLACE, LEAVES = {place!r}, {leaves!r}

def here(place):
    if place == PLACE:
        if LEAVES == "exits":
            sys.exit(0)
        raise asyncio.CancelledError

class Leaving(Desk):
    def options(self, kind):
        here("a tool")
        return super().options(kind)

def backend():
    here("the backend")
    return DeskBackend(Leaving(":memory:", clock=lambda: 0))

async def options(context):
    here("a step")
    return [Option(label="A", value="a")]

STEP = chips_step(key="title", label="T", slot="title", lead="What?", options=options)
here("the module")
KIT = replace(SHIPPED, backend=backend)
if PLACE == "a step":
    listens = SHIPPED.scenarios / "only_listens.machine.yaml"
    KIT = replace(KIT, domain=replace(SHIPPED.domain, steps=(STEP, *SHIPPED.domain.steps[1:])), machine=listens)
"""
REPORT = "My login fails since this morning. I get error 500 on every try."


def scenario_of(folder: Path, *, place: str, leaves: str) -> Path:
    """A scenario of a kit that leaves in one place, and is all well otherwise."""
    kit = f"kit_{folder.name}"
    (folder / f"{kit}.py").write_text(KIT.format(place=place, leaves=leaves), encoding="utf-8")
    path = folder / "x.scenario.yaml"
    turn = f"  - {{say: {REPORT}, expect: {{reading: content}}}}\n"
    path.write_text(f"scenario: s\ndomain: {kit}:KIT\nturns:\n{turn}", encoding="utf-8")
    return path


def crashes(record: ScenarioRecord) -> list[str]:
    """What the crashes of a record say."""
    return [str(check.got) for check in record.checks if check.kind == "crash"]


@pytest.mark.parametrize(
    ("place", "leaves", "error"),
    [
        ("a tool", "exits", "SystemExit"),
        ("a step", "exits", "SystemExit"),
        ("a step", "is cancelled", "CancelledError"),
        ("the backend", "exits", "SystemExit"),
        ("the backend", "is cancelled", "CancelledError"),
    ],
)
def test_a_kit_that_leaves_is_a_crash_with_its_line(tmp_path: Path, place: str, leaves: str, error: str) -> None:
    record = replay_scenario(load_scenario(scenario_of(tmp_path, place=place, leaves=leaves)))
    (said,) = crashes(record)
    assert said.startswith(error)
    assert f"kit_{tmp_path.name}.py:" in said


def test_a_kit_that_exits_as_it_is_imported_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="its module raised SystemExit: 0 at"):
        load_scenario(scenario_of(tmp_path, place="the module", leaves="exits"))


class Agent:
    """A target that leaves when it is spoken to."""

    def __init__(self, leave: Callable[[], None]) -> None:
        self.leave = leave

    def describe(self) -> dict[str, Any]:
        return {"protocol": 1, "name": "leaving", "reports": []}

    def open(self, opening: Mapping[str, Any]) -> dict[str, Any]:
        return {"id": str(opening.get("id", "1"))}

    async def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
        self.leave()
        return {"reports": [{"texts": []} for _ in sent["acts"]]}

    def close(self, conversation: str) -> dict[str, Any]:
        return {}


class Blocking(Agent):
    def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:  # type: ignore[override]
        self.leave()
        return {"reports": [{"texts": []} for _ in sent["acts"]]}


def exits() -> None:
    sys.exit(0)


def is_cancelled() -> None:
    raise asyncio.CancelledError


LEAVING = [Agent(exits), Agent(is_cancelled), Blocking(exits)]


@pytest.mark.parametrize("agent", LEAVING, ids=["exits", "is cancelled", "exits in its thread"])
def test_a_target_that_leaves_is_a_crash_and_fails_to_answer(tmp_path: Path, agent: Agent) -> None:
    path = tmp_path / "x.scenario.yaml"
    path.write_text("scenario: s\ndomain: support_intake\nturns:\n  - say: hello\n", encoding="utf-8")
    opens = opener_of(agent)
    (said,) = crashes(replay_scenario(load_scenario(path), target=AgentTarget(opens)))
    verdicts = {one.requirement: one.verdict for one in check_target(opens)}
    assert ("answered by leaving" in said, verdicts["answers a message"]) == (True, "fail")
