"""Stepping through a scenario: after every turn somebody looks, and says whether it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from marg_harness.network_guard import no_network
from marg_harness.script import Client
from marg_harness.stop import network_stop
from marg_harness.target import Conversation, Target
from marg_harness.turn_replay import replay_turn
from marg_harness.writes_off import writes_off
from marg_reports import TurnRecord
from marg_scenarios import Observation, Scenario


@dataclass(frozen=True, kw_only=True)
class Stepped:
    """A turn that was played: its number from 1 and how many there are, its records, and what was seen of its acts.

    observations: one for each record; none where the turn had no act, or went no further.
    """

    number: int
    of: int
    records: tuple[TurnRecord, ...]
    observations: tuple[Observation, ...]


Look = Callable[[Stepped], bool]
"""Shown a turn; gives False where nothing more is to be played."""


def step_through(scenario: Scenario, *, target: Target, look: Look) -> tuple[TurnRecord, ...]:
    """Play a scenario turn by turn, writes off and no network; the records of the turns that were played."""
    with writes_off(), no_network() as attempts:
        return asyncio.run(_played(scenario, target, look, attempts))


async def _played(scenario: Scenario, target: Target, look: Look, attempts: Sequence[str]) -> tuple[TurnRecord, ...]:
    records: list[TurnRecord] = []
    async with target.converse(scenario) as conversation:
        client, watched = Client(), _Watched(conversation)
        for number, turn in enumerate(scenario.turns, start=1):
            watched.seen = []
            played = await replay_turn(turn, client, cast("Conversation", watched))
            if attempts:
                played = _with_network(played, attempts)
            records += played
            stepped = Stepped(number=number, of=len(scenario.turns), records=played, observations=tuple(watched.seen))
            if not look(stepped) or played[-1].stopped:
                break
    return tuple(records)


def _with_network(played: Sequence[TurnRecord], attempts: Sequence[str]) -> tuple[TurnRecord, ...]:
    """The records of a turn in which somebody tried the network, though whoever did caught the error."""
    *others, last = played
    return (*others, replace(last, checks=(*last.checks, network_stop(attempts, line=last.line))))


class _Watched:
    """A conversation of which every observation is kept; all else is the conversation's own."""

    def __init__(self, conversation: Conversation) -> None:
        self.seen: list[Observation] = []
        self._conversation = conversation

    def __getattr__(self, name: str) -> Any:
        return getattr(self._conversation, name)

    async def act(self, act: Any) -> Observation:
        """Do the act, and keep what was seen."""
        observation = await self._conversation.act(act)
        self.seen.append(observation)
        return observation

    async def act_together(self, acts: Sequence[Any]) -> tuple[Observation, ...]:
        """Do the acts, and keep what was seen of each."""
        observations = await self._conversation.act_together(acts)
        self.seen += observations
        return observations
