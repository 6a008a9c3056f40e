"""A session: the shell around the core. It queues acts, holds the lease, runs effects and appends what is decided."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from marg_runtime.acts import Act
from marg_runtime.answer import Answer, project
from marg_runtime.decide import decide
from marg_runtime.decide.book import Decision, place
from marg_runtime.domain import Domain
from marg_runtime.effects import ActStarted, Delivered, Effect, Stimulus, TakenOver
from marg_runtime.errors import LedgerError, RevisionConflict, UsageError
from marg_runtime.events.event import Event
from marg_runtime.events.turn import ActQueued, SessionOpened
from marg_runtime.fold import apply, fold
from marg_runtime.gate import WRITE_FLAG
from marg_runtime.ledger import Entry
from marg_runtime.models.model import Model
from marg_runtime.reading import vocabulary_digest
from marg_runtime.runner import OnText, Runner
from marg_runtime.state import State
from marg_runtime.store.store import Store
from marg_runtime.surroundings import Surroundings, pin
from marg_runtime.tools.tool import Tools, ToolSpec


class Session:
    """One conversation. Open it with `Session.open`, then hand it acts; every act gets one `Answer`."""

    def __init__(
        self, *, session: str, domain: Domain, model: Model, tools: Tools, store: Store, reader: str, in_order: bool
    ) -> None:
        self.id = session
        self._domain = domain
        self._tools = tools
        self._store = store
        self._reader = reader
        self._in_order = in_order
        self._runner = Runner(domain=domain, model=model, tools=tools)
        self._state = State()
        self._answers: dict[int, Answer] = {}

    @classmethod
    async def open(
        cls,
        session: str,
        *,
        domain: Domain,
        model: Model,
        tools: Tools,
        store: Store,
        reader: str = "whole_message",
        in_order: bool = False,
        at: int = 0,
    ) -> Session:
        """A new session, or one that goes on from its ledger. `at` is the time in milliseconds since 1970 UTC.

        Acts that another worker left queued are served first; a turn that it left unfinished is taken over with the
        next act.
        Raises UnknownEvent for a ledger of a later release, ToolError where the tools cannot be listed.
        """
        opened = cls(
            session=session,
            domain=domain,
            model=model,
            tools=tools,
            store=store,
            reader=reader,
            in_order=in_order,
        )
        async with store.lease(session):
            await opened._begin(at)
        return opened

    @property
    def state(self) -> State:
        """The state as of the last entry that this process has folded."""
        return self._state

    async def entries(self, *, after: int = 0) -> tuple[Entry, ...]:
        """The ledger's entries with a revision above `after`."""
        return await self._store.read(self.id, after=after)

    async def act(self, act: Act, *, on_text: OnText | None = None) -> Answer:
        """Serve one act, after those that came before it; `on_text` is handed the model's text as it is let through.

        An error of a step's, a domain's or a model double's is not caught: it ends the turn where it stands, and
        the next act takes the turn over.
        """
        queued = await self._queue(act)
        async with self._store.lease(self.id):
            await self._catch_up()
            while any(waiting.revision == queued for waiting in self._state.queue):
                await self._serve(on_text)
        return self._answers.pop(queued, None) or await self._served(queued)

    async def _served(self, queued: int) -> Answer:
        """The answer to an act that another worker served, from the ledger."""
        entries = await self._store.read(self.id)
        turn = next(entry.turn for entry in entries if getattr(entry.event, "act", None) == queued)
        until = max(number for number, entry in enumerate(entries) if entry.turn == turn)
        return project(
            [entry for entry in entries[: until + 1] if entry.turn == turn], state=fold(entries[: until + 1])
        )

    # Opening

    async def _begin(self, at: int) -> None:
        await self._catch_up()
        tools = await self._tools.list()
        opened = self._opened(tools)
        standing = self._state
        if standing.session and (standing.domain, standing.language) != (opened.domain, opened.language):
            raise UsageError(
                f"session {self.id!r} belongs to the domain {standing.domain!r} in {standing.language!r}, "
                f"not to {opened.domain!r} in {opened.language!r}; open it with that one"
            )
        if await self._last_opened() != opened:
            await self._append((opened,), at=at)
        while self._state.queue:
            await self._serve(None)

    def _opened(self, tools: Sequence[ToolSpec]) -> SessionOpened:
        return SessionOpened(
            session=self.id,
            domain=self._domain.name,
            language=self._domain.language,
            reader=self._reader,
            vocabulary_digest=vocabulary_digest(self._domain.language),
            skill_digest=self._domain.skill_digest,
            tools=tuple(pin(spec) for spec in tools),
        )

    async def _last_opened(self) -> SessionOpened | None:
        events = [entry.event for entry in await self._store.read(self.id)]
        return next((event for event in reversed(events) if isinstance(event, SessionOpened)), None)

    # Turns

    async def _queue(self, act: Act) -> int:
        while True:
            try:
                await self._catch_up()
                await self._append((ActQueued(act=act),), at=act.at)
                return self._state.revision
            except RevisionConflict:
                continue

    async def _serve(self, on_text: OnText | None) -> None:
        """Serve the first act of the queue: decide, append, run, until nothing is left to run; then deliver."""
        queued = self._state.queue[0]
        before = self._state.revision
        # The tools are listed once a turn, so that the gate sees them as they are at the go-ahead.
        tools = await self._tools.list()
        if self._state.turn_open:
            # Its worker died or was cancelled; what it leaves to be said is said with this answer.
            await self._decide(TakenOver(), tools=tools, at=queued.at)
        effects = deque(await self._decide(ActStarted(queued=queued), tools=tools, at=queued.at))
        while effects:
            result = await self._runner.run(effects.popleft(), on_text=on_text)
            effects.extend(await self._decide(result, tools=tools, at=queued.at))
        await self._decide(Delivered(), tools=tools, at=queued.at)
        entries = await self._store.read(self.id, after=before)
        self._answers[queued.revision] = project(entries, state=self._state)

    async def _decide(
        self, stimulus: Stimulus, *, tools: tuple[ToolSpec, ...], at: int | None = None
    ) -> tuple[Effect, ...]:
        """Decide on the state as it is, append the events, and give the effects."""
        await self._catch_up()
        surroundings = Surroundings(
            domain=self._domain,
            reader=self._reader,
            tools=tools,
            write_flag=os.environ.get(WRITE_FLAG),
            in_order=self._in_order,
        )
        decision: Decision = decide(self._state, stimulus, surroundings=surroundings)
        await self._append(decision.events, at=self._state.at if at is None else at)
        return decision.effects

    # The ledger

    async def _catch_up(self) -> None:
        self._state = fold(await self._store.read(self.id, after=self._state.revision), state=self._state)

    async def _append(self, events: Sequence[Event], *, at: int) -> None:
        """Append by compare-and-swap. Where acts were queued meanwhile, the same events follow them; anything else
        means that another worker decided under our lease."""
        while True:
            try:
                placed = _place_all(self._state, events, at=at)
                await self._store.append(self.id, placed.entries)
                self._state = placed.state
                return
            except RevisionConflict:
                since = await self._store.read(self.id, after=self._state.revision)
                if not all(isinstance(entry.event, ActQueued) for entry in since):
                    raise LedgerError(f"session {self.id!r}: another worker decided under this one's lease") from None
                self._state = fold(since, state=self._state)


@dataclass(frozen=True, kw_only=True)
class _Placed:
    """Events in their places, and the state after them."""

    entries: tuple[Entry, ...]
    state: State


def _place_all(state: State, events: Sequence[Event], *, at: int) -> _Placed:
    entries: list[Entry] = []
    for event in events:
        entries.append(place(state, event, at=at))
        state = apply(state, entries[-1])
    return _Placed(entries=tuple(entries), state=state)
