"""What a replay leaves in memory: its record, and nothing of the conversation that it was made of."""

from __future__ import annotations

import gc
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from marg_harness.reference_conversation import ReferenceConversation
from marg_harness.replay import replay_scenario
from marg_harness.target import ReferenceTarget
from marg_reports import ScenarioRecord
from marg_scenarios import Scenario, find_kit, find_scenarios, load_scenario


class WatchedTarget(ReferenceTarget):
    """The reference target, with a weak hold of what each conversation is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, weakref.ref[Any]] = {}

    @asynccontextmanager
    async def converse(self, scenario: Scenario) -> AsyncIterator[ReferenceConversation]:
        """A conversation, looked at before it begins."""
        made: list[Any] = []

        def backend() -> Any:
            made.append(scenario.kit.backend())
            return made[-1]

        async with super().converse(replace(scenario, kit=replace(scenario.kit, backend=backend))) as conversation:
            self.seen = {
                "conversation": weakref.ref(conversation),
                "session": weakref.ref(conversation.session),
                "backend": weakref.ref(made[-1]),
                "server": weakref.ref(next(iter(made[-1].sources.values()))),
            }
            yield conversation


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    """A shipped scenario."""
    paths = find_scenarios(find_kit("support_intake").scenarios)
    return load_scenario(next(path for path in paths if path.name.startswith("plain_yes")))


def _left(scenario: Scenario, check: Callable[[ScenarioRecord], bool]) -> list[str]:
    """What is still there once a scenario was replayed and its record is at hand."""
    target = WatchedTarget()
    record = replay_scenario(scenario, target=target)
    assert check(record)
    gc.collect()
    assert set(target.seen) == {"conversation", "session", "backend", "server"}
    return [name for name, held in target.seen.items() if held() is not None]


def test_a_record_holds_nothing_of_its_conversation(scenario: Scenario) -> None:
    assert _left(scenario, lambda record: not any(turn.red for turn in record.turns)) == []


def test_a_turn_that_broke_holds_nothing_of_its_conversation(scenario: Scenario) -> None:
    def breaks(*_: Any) -> Any:
        raise RuntimeError("the check broke")

    turn = scenario.turns[0]
    check: Any = _Broken(turn.checks[0], breaks)
    broken = replace(turn, checks=(*turn.checks, check))
    torn = replace(scenario, turns=(broken, *scenario.turns[1:]))
    assert _left(torn, lambda record: any(check.raised == "check" for check in record.checks)) == []


class _Broken:
    """A check like another, that raises."""

    def __init__(self, like: Any, evaluate: Callable[..., Any]) -> None:
        self._like, self.evaluate = like, evaluate

    def __getattr__(self, name: str) -> Any:
        return getattr(self._like, name)
