"""A session: the shell around the core. It queues acts, holds the lease, runs effects and appends what is decided."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from marg_runtime.acts import Act, Reload, Say, clean
from marg_runtime.answer import Answer, project
from marg_runtime.decide import decide
from marg_runtime.decide.book import Decision, place
from marg_runtime.domain import Domain
from marg_runtime.effects import ActStarted, Delivered, Effect, Stimulus, TakenOver
from marg_runtime.errors import LedgerError, RevisionConflict, UsageError
from marg_runtime.events.event import Event
from marg_runtime.events.turn import ActDropped, ActQueued, AnswerDelivered, SessionOpened
from marg_runtime.fit import check_fit
from marg_runtime.fold import apply, fold
from marg_runtime.gate import WRITE_FLAG
from marg_runtime.ledger import Entry
from marg_runtime.models.model import Model
from marg_runtime.reading import languages, vocabulary_digest
from marg_runtime.runner import OnText, Runner
from marg_runtime.state import QueuedAct, State
from marg_runtime.steps.confirm import CONFIRM_KEY
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
        self._listed: tuple[ToolSpec, ...] = ()

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
        queued = await self._queue(clean(act))
        async with self._store.lease(self.id):
            await self._catch_up()
            while self._waits(queued):
                # Those ahead of it were left by callers that are gone; their words are not this caller's.
                await self._serve(on_text if self._state.queue[0].revision == queued else None)
            if queued not in self._answers:
                return await self._served(queued, act)
        return self._answers.pop(queued)

    def _waits(self, queued: int) -> bool:
        return any(waiting.revision == queued for waiting in self._state.queue)

    async def _served(self, queued: int, act: Act) -> Answer:
        """The answer to an act that another worker served, from the ledger; if it died over it, what is open now."""
        entries = await self._store.read(self.id)
        began = next((n for n, entry in enumerate(entries) if getattr(entry.event, "act", None) == queued), None)
        if began is None or isinstance(entries[began].event, ActDropped):
            raise LedgerError(f"session {self.id!r}: the act queued at {queued} was dropped by another worker")
        turn = entries[began].turn
        ended = next((n for n in range(began, len(entries)) if _delivers(entries[n], turn)), None)
        if ended is not None:
            return project(entries[began : ended + 1], state=fold(entries[: ended + 1]))
        again = await self._queue(Reload(at=act.at, seen=act.seen))
        while self._waits(again):
            await self._serve(None)
        return self._answers.pop(again)

    # Opening

    async def _begin(self, at: int) -> None:
        await self._catch_up()
        tools = self._listed = await self._tools.list()
        opened = self._opened(tools)
        standing = self._state
        if standing.session and (standing.domain, standing.language) != (opened.domain, opened.language):
            raise UsageError(
                f"session {self.id!r} belongs to the domain {standing.domain!r} in {standing.language!r}, "
                f"not to {opened.domain!r} in {opened.language!r}; open it with that one"
            )
        check_fit(self._domain, tools)
        if await self._last_opened() != opened:
            await self._append((opened,), at=at)
        while self._state.queue:
            await self._serve(None)

    def _opened(self, tools: Sequence[ToolSpec]) -> SessionOpened:
        language = self._domain.language
        return SessionOpened(
            session=self.id,
            domain=self._domain.name,
            language=language,
            reader=self._reader,
            # A language without a vocabulary is served all the same: every reply in it is content.
            vocabulary_digest=vocabulary_digest(language) if language in languages() else "",
            skill_digest=self._domain.skill_digest,
            tools=tuple(pin(spec) for spec in tools),
        )

    async def _last_opened(self) -> SessionOpened | None:
        events = [entry.event for entry in await self._store.read(self.id)]
        return next((event for event in reversed(events) if isinstance(event, SessionOpened)), None)

    # Turns

    async def _queue(self, act: Act) -> int:
        """Append the act, behind whatever others append meanwhile; gives its revision."""
        while True:
            await self._catch_up()
            entry = place(self._state, ActQueued(act=act), at=act.at)
            try:
                await self._store.append(self.id, (entry,))
            except RevisionConflict:
                continue
            await self._catch_up()
            return entry.revision

    async def _serve(self, on_text: OnText | None) -> None:
        """Serve the first act of the queue: decide, append, run, until nothing is left to run; then deliver."""
        queued = self._state.queue[0]
        before = self._state.revision
        tools = await self._tools_for(queued.act)
        if self._state.turn_open:
            # Its worker died or was cancelled; what it leaves to be said is said with this answer.
            await self._decide(TakenOver(), tools=tools, at=queued.at)
        effects = deque(await self._start(queued, tools))
        while effects:
            result = await self._runner.run(effects.popleft(), on_text=on_text)
            effects.extend(await self._decide(result, tools=tools, at=queued.at))
        await self._decide(Delivered(), tools=tools, at=queued.at)
        entries = await self._store.read(self.id, after=before)
        self._answers[queued.revision] = project(entries, state=self._state)

    async def _tools_for(self, act: Act) -> tuple[ToolSpec, ...]:
        """The tools as they are now where the turn may call the model or the gate; else as they were listed last.

        A go-ahead needs an open confirmation, and a model call a typed message.
        """
        question = self._state.question
        if isinstance(act, Say) or (question is not None and question.step == CONFIRM_KEY) or not self._listed:
            self._listed = await self._tools.list()
        return self._listed

    async def _start(self, queued: QueuedAct, tools: tuple[ToolSpec, ...]) -> tuple[Effect, ...]:
        try:
            return await self._decide(ActStarted(queued=queued), tools=tools, at=queued.at)
        except Exception as error:
            # Left in the queue it would raise for ever, and every act behind it would wait for ever.
            if self._waits(queued.revision):
                await self._append((ActDropped(act=queued.revision, error=repr(error)),), at=queued.at)
            raise

    async def _decide(
        self, stimulus: Stimulus, *, tools: tuple[ToolSpec, ...], at: int | None = None
    ) -> tuple[Effect, ...]:
        """Decide on the state as it is, append the events, and give the effects."""
        await self._fence()
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
        state = self._state
        self._advance(fold(await self._store.read(self.id, after=state.revision), state=state))

    async def _fence(self) -> None:
        """Take in the acts that were queued since; raise LedgerError where somebody else has decided."""
        state = self._state
        since = await self._store.read(self.id, after=state.revision)
        if not all(isinstance(entry.event, ActQueued) for entry in since):
            raise LedgerError(f"session {self.id!r}: another worker decided under this one's lease")
        self._advance(fold(since, state=state))

    def _advance(self, state: State) -> None:
        # Two tasks of one session may fold the same entries while the store is awaited; the state never goes back.
        if state.revision > self._state.revision:
            self._state = state

    async def _append(self, events: Sequence[Event], *, at: int) -> None:
        """Append by compare-and-swap, as the holder of the lease.

        Where acts were queued meanwhile, the same events follow them; anything else means that another worker decided
        under our lease, and raises LedgerError.
        """
        state = self._state
        while True:
            placed = _place_all(state, events, at=at)
            try:
                await self._store.append(self.id, placed.entries)
            except RevisionConflict:
                await self._fence()
                state = self._state
                continue
            self._advance(placed.state)
            return


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


def _delivers(entry: Entry, turn: int) -> bool:
    return entry.turn == turn and isinstance(entry.event, AnswerDelivered)
