"""The reference target: what is seen of each turn, and that every conversation is a fresh one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from marg_harness.reference_conversation import STARTED_AT, TICK
from marg_harness.target import ReferenceTarget
from marg_runtime.acts import Act, Reload, Say, Tap
from marg_runtime.errors import UsageError
from marg_runtime.events.turn import Reloaded, SessionOpened, UserSaid
from marg_scenarios import Observation, Scenario, find_kit, find_scenarios, load_scenario
from marg_scenarios.support_intake.kit import DeskBackend

REPORT = "My login fails since this morning. I get error 500 on every try."


class CountingBackend:
    """A desk that says how many writes it counts as a script says, and whether it was closed."""

    made: int = 0
    closed: int = 0

    def __init__(self, counts: tuple[int, ...]) -> None:
        type(self).made += 1
        self._desk, self._counts = DeskBackend(), list(counts)

    @property
    def sources(self) -> Mapping[str, Any]:
        return self._desk.sources

    def writes(self) -> int:
        return self._counts.pop(0)

    def close(self) -> None:
        type(self).closed += 1
        self._desk.close()


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    """A shipped scenario, for its kit and its machine."""
    paths = find_scenarios(find_kit("support_intake").scenarios)
    return load_scenario(next(path for path in paths if path.name.startswith("plain_yes")))


def counted(scenario: Scenario, *counts: int) -> Scenario:
    """The scenario with a backend whose counts are given."""
    CountingBackend.made = CountingBackend.closed = 0
    return replace(scenario, kit=replace(scenario.kit, backend=lambda: CountingBackend(counts)))


def observed(scenario: Scenario, *acts: Act) -> list[Observation]:
    async def converse() -> list[Observation]:
        async with ReferenceTarget().converse(scenario) as conversation:
            return [await conversation.act(act) for act in acts]

    return asyncio.run(converse())


def say(text: str) -> Say:
    return Say(text=text, at=STARTED_AT)


def test_a_turn_is_seen_with_its_own_part_of_the_ledger(scenario: Scenario) -> None:
    first, second = observed(scenario, say("hello"), Reload(at=STARTED_AT))
    assert (len(first.events(UserSaid)), len(first.events(SessionOpened))) == (1, 0)
    assert (len(second.events(UserSaid)), len(second.events(Reloaded))) == (0, 1)


def test_a_turn_is_seen_with_its_own_model_requests(scenario: Scenario) -> None:
    first, second = observed(scenario, say(REPORT), Reload(at=STARTED_AT))
    assert (len(first.requests), len(second.requests)) == (2, 0)


def test_what_was_shown_before_is_the_last_block_that_was_shown(scenario: Scenario) -> None:
    first, second, third = observed(scenario, Reload(at=STARTED_AT), say(REPORT), Reload(at=STARTED_AT))
    assert (first.shown_before, second.shown_before) == (None, None)
    assert third.shown_before == second.answer.block
    assert second.answer.block is not None


def test_facts_that_an_earlier_request_told_are_not_told_anew(scenario: Scenario) -> None:
    first = observed(scenario, say(REPORT))[0]
    block = first.answer.block
    assert block is not None
    tap = Tap(question=block.question, revision=block.revision, option="o3", at=STARTED_AT, seen=first.answer.revision)
    turns = observed(scenario, say(REPORT), tap, say("how long will it take?"), say("why?"))
    assert [found.facts_received() for found in turns] == [
        ['Title set to "My login fails since this morning".', "Details noted."],
        [],
        ["Priority set to High."],
        [],
    ]


def test_the_draft_is_the_one_that_the_turn_left(scenario: Scenario) -> None:
    first, second = observed(scenario, say("hello"), say(REPORT))
    assert (list(first.draft.values), list(second.draft.values)) == ([], ["title", "details"])


def test_writes_of_a_turn_are_those_that_the_backend_counts_more_than_before(scenario: Scenario) -> None:
    found = observed(counted(scenario, 3, 3, 3, 5), say("hello"), say("hello"))
    assert [observation.writes for observation in found] == [0, 2]


def test_the_rule_is_the_domains(scenario: Scenario) -> None:
    assert observed(scenario, say("hello"))[0].rule == scenario.kit.domain.rule


def test_every_conversation_begins_afresh(scenario: Scenario) -> None:
    assert observed(scenario, say(REPORT)) == observed(scenario, say(REPORT))


def test_the_clock_moves_by_a_tick_an_act_and_by_nothing_else(scenario: Scenario) -> None:
    async def converse() -> list[int]:
        async with ReferenceTarget().converse(scenario) as conversation:
            times = [conversation.now]
            await conversation.act(Reload(at=conversation.now))
            return [*times, conversation.now]

    assert asyncio.run(converse()) == [STARTED_AT + TICK, STARTED_AT + 2 * TICK]


def test_the_backend_is_closed_when_the_conversation_is_over(scenario: Scenario) -> None:
    observed(counted(scenario, 0, 0), Reload(at=STARTED_AT))
    assert (CountingBackend.made, CountingBackend.closed) == (1, 1)


def test_the_backend_is_closed_after_an_error(scenario: Scenario) -> None:
    # The count runs out, which raises in the middle of the act.
    with pytest.raises((IndexError, ExceptionGroup)):
        observed(counted(scenario), Reload(at=STARTED_AT))
    assert (CountingBackend.made, CountingBackend.closed) == (1, 1)


def test_preparing_makes_no_backend(scenario: Scenario) -> None:
    # A backend is made only where writes are off and the network is watched.
    ReferenceTarget().prepare([counted(scenario)])
    assert CountingBackend.made == 0


def test_preparing_without_the_tools_sdk_says_what_to_install(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(UsageError, match=r"a replay needs the extra mcp: pip install 'marg\[mcp\]'"):
        ReferenceTarget().prepare([scenario])
