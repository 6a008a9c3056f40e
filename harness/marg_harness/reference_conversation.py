"""A conversation with the reference runtime, in process: acts go in, what can be seen of each turn comes out."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from marg_harness.directed_model import DirectedModel
from marg_harness.directed_tools import DirectedTools, Rehearsal
from marg_harness.errors import WorkerDied
from marg_harness.heard import Heard
from marg_harness.source import Played
from marg_runtime.acts import Act
from marg_runtime.answer import Answer
from marg_runtime.block import Block
from marg_runtime.events.turn import ActQueued
from marg_runtime.fold import fold
from marg_runtime.gate import WRITE_FLAG
from marg_runtime.ledger import Entry
from marg_runtime.session import Session
from marg_runtime.state import State
from marg_runtime.store import MemoryStore
from marg_runtime.tools import Tools
from marg_scenarios import Backend, Observation, Scenario, Turn
from marg_scenarios.observation import facts_of

SESSION = "scenario"
STARTED_AT = 1_767_225_600_000  # 2026-01-01T00:00:00Z in milliseconds: a replay's clock
TICK = 1_000  # milliseconds between two acts
MOST_PASSES = 1_000  # of the event loop, until acts that are sent at once are queued
# A rehearsal's gate is open: what it lets through, the double takes. Any other is shut, whatever the environment says
# by then: a tool may have set the flag in the middle of a turn.
OPEN_GATE: Mapping[str, str] = {WRITE_FLAG: "true"}
SHUT_GATE: Mapping[str, str] = {}


@dataclass(kw_only=True)
class _Standing:
    """How things stand before an act."""

    state: State
    writes: int
    rehearsed: int
    requests: int
    taken: int
    said: int
    wire: int


class ReferenceConversation:
    """A conversation with the reference runtime, and what is remembered between its turns. Made by `begin`."""

    def __init__(self, scenario: Scenario, *, backend: Backend, tools: Tools, played: Played) -> None:
        self.session: Session
        self._scenario = scenario
        self._backend = backend
        self._store = MemoryStore()
        self._rehearsal = Rehearsal(turn=self._turn) if scenario.rehearse else None
        self._model = DirectedModel(played.source, turn=self._turn, recorded=played.recorded)
        self._tools = DirectedTools(
            tools, domain=scenario.kit.domain, rehearsal=self._rehearsal, writes=backend.writes, ran=self._count_writes
        )
        self._played = played
        self._acts = 0
        self._waited = 0
        self._shown: Block | None = None
        self._counted: Counter[int] | None = None
        self._begun: _Standing | None = None

    @classmethod
    async def begin(
        cls, scenario: Scenario, *, backend: Backend, tools: Tools, played: Played
    ) -> ReferenceConversation:
        """A conversation with a fresh session."""
        begun = cls(scenario, backend=backend, tools=tools, played=played)
        begun.session = await begun._open()
        return begun

    @property
    def now(self) -> int:
        """The time of the next act."""
        return STARTED_AT + TICK * (self._acts + 1) + self._waited

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        self._waited += milliseconds

    async def restart(self) -> None:
        """Open the session anew from its ledger, as another process would; the tools and the model are as they were."""
        self.session = await self._open()

    def direct(self, turn: Turn) -> None:
        """Put the scripted replies and faults of a turn in place."""
        self._model.direct(turn.replies, turns=[part.id for part in turn.parts])
        self._tools.direct(turn.faults)
        self._begun = self._standing()

    def overheard(self) -> Heard:
        """What was heard since the turn began, however it ended."""
        begun, model = self._begun, self._model
        if begun is None:
            return Heard()
        taken = model.taken[begun.taken :]
        return Heard(
            request_digests=tuple(one.request.digest for one in model.requests[begun.requests :]),
            taken=tuple(one.place for one in taken),
            slips=tuple(one.slip for one in taken if one.slip is not None),
            wire=self._played.events(begun.wire),
            replies=tuple(one.reply for one in model.said[begun.said :]),
        )

    def unused(self) -> tuple[str, ...]:
        """What of them the turn had no use for, in words."""
        return (*self._model.unused(), *self._tools.unused())

    async def act(self, act: Act) -> Observation:
        """Do one act; what it changed is counted by the difference before and after. One in which the runtime's process
        dies has no answer, and the session is opened anew."""
        before = self._standing()
        answer: Answer | None = None
        try:
            answer = await self.session.act(act)
        except WorkerDied:
            await self.restart()
        self._acts += 1
        entries = await self.session.entries(after=before.state.revision)
        served = _Served(act=act, answer=answer, entries=entries, start=before.state, end=self.session.state)
        return self._seen(served, before, writes=self._backend.writes() - before.writes)

    async def act_together(self, acts: Sequence[Act]) -> tuple[Observation, ...]:
        """Send acts at once: all are queued before the first is served, and they are served in order."""
        before = self._standing()
        counted: Counter[int] = Counter()
        self._counted = counted
        async with self._store.lease(SESSION):
            sent = [asyncio.create_task(self.session.act(act)) for act in acts]
            await self._queued(len(acts), after=before.state.revision)
        answers = await asyncio.gather(*sent)
        self._acts += len(acts)
        self._counted = None
        entries = await self.session.entries(after=before.state.revision)
        # What the backend counts beyond the calls that were seen belongs to somebody: to the last.
        counted[answers[-1].turn] += self._backend.writes() - before.writes - counted.total()
        return tuple(
            self._seen(_served(act, answer, entries, before.state), before, writes=counted[answer.turn])
            for act, answer in zip(acts, answers, strict=True)
        )

    def writes(self) -> int:
        """The backend's own count."""
        return self._backend.writes()

    def _turn(self) -> int:
        return self.session.state.turn

    async def _open(self) -> Session:
        return await Session.open(
            SESSION,
            domain=self._scenario.kit.domain,
            model=self._model,
            tools=self._tools,
            store=self._store,
            in_order=self._scenario.in_order,
            environ=SHUT_GATE if self._rehearsal is None else OPEN_GATE,
            at=self.now,
        )

    async def _queued(self, acts: int, *, after: int) -> None:
        """Let the event loop run until so many acts are queued; nothing is served while the lease is ours."""
        for _ in range(MOST_PASSES):
            entries = await self._store.read(SESSION, after=after)
            if len(entries) >= acts:
                return
            await asyncio.sleep(0)

    def _count_writes(self, before: int) -> None:
        if self._counted is not None:
            self._counted[self.session.state.turn] += self._backend.writes() - before

    def _standing(self) -> _Standing:
        # A backend may have set the flag since the replay began; it stays off for what any act starts.
        os.environ.pop(WRITE_FLAG, None)
        return _Standing(
            state=self.session.state,
            writes=self._backend.writes(),
            rehearsed=len(self._rehearsal.taken) if self._rehearsal else 0,
            requests=len(self._model.requests),
            taken=len(self._model.taken),
            said=len(self._model.said),
            wire=len(self._played.wire.events),
        )

    def _seen(self, served: _Served, before: _Standing, *, writes: int) -> Observation:
        """What can be seen of one turn: its own part of what was recorded since."""
        turn = served.turn
        requests = self._model.requests
        own = [number for number in range(before.requests, len(requests)) if turn in (None, requests[number].turn)]
        earlier = requests[: own[0] if own else before.requests]
        taken = self._rehearsal.taken[before.rehearsed :] if self._rehearsal else []
        shown, answer = self._shown, served.answer
        self._shown = (answer.block if answer else None) or shown
        question = served.end.question
        used = [one for one in self._model.taken[before.taken :] if turn in (None, one.turn)]
        return Observation(
            act=served.act,
            shown_before=shown,
            answer=answer or Answer(turn=served.end.turn, revision=0, texts=(), block=None),
            answered=answer is not None,
            entries=served.entries,
            draft=served.end.draft,
            draft_before=served.start.draft,
            question=question.step if question else None,
            requests=tuple(requests[number].request for number in own),
            told_before=len(facts_of(earlier[-1].request)) if earlier else 0,
            rule=self._scenario.kit.domain.rule,
            writes=writes,
            tools=self._tools.listed,
            rehearsed=sum(turn in (None, write.turn) for write in taken),
            machine=tuple(one.place for one in used),
            slips=tuple(one.slip for one in used if one.slip is not None),
            wire=self._played.events(before.wire),
            replies=tuple(one.reply for one in self._model.said[before.said :] if turn in (None, one.turn)),
        )


@dataclass(frozen=True, kw_only=True)
class _Served:
    """An act that was served: its part of the ledger, and the states around that.

    turn: its number where acts were sent at once; None where all that was recorded since is its own.
    """

    act: Act
    answer: Answer | None
    entries: tuple[Entry, ...]
    start: State
    end: State
    turn: int | None = None


def _served(act: Act, answer: Answer, entries: Sequence[Entry], state: State) -> _Served:
    """One of several acts that were sent at once, out of the entries since `state`."""
    own = [entry for entry in entries if entry.turn == answer.turn and not isinstance(entry.event, ActQueued)]
    first, last = own[0].revision, own[-1].revision
    queued = getattr(own[0].event, "act", None)
    start = fold([entry for entry in entries if entry.revision < first], state=state)
    return _Served(
        act=act,
        answer=answer,
        entries=(*(entry for entry in entries if entry.revision == queued), *own),
        start=start,
        end=fold([entry for entry in entries if first <= entry.revision <= last], state=start),
        turn=answer.turn,
    )
