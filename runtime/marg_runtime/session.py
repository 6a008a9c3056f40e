"""A session: the shell around the core. It queues acts, holds the lease, runs effects and appends what is decided."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

from marg_runtime.acts import Act, Reload, Say, clean
from marg_runtime.answer import Answer, project
from marg_runtime.decide import decide
from marg_runtime.domain import Domain
from marg_runtime.effects import (
    ActStarted,
    Delivered,
    DispatchWrite,
    Effect,
    Stimulus,
    TakenOver,
    WriteBroke,
    WriteFinished,
)
from marg_runtime.errors import LeaseLost, LedgerError, StoreError, ToolError, UsageError
from marg_runtime.events.turn import ActDropped, AnswerDelivered, SessionOpened
from marg_runtime.fit import check_fit
from marg_runtime.fold import fold
from marg_runtime.gate import WRITE_FLAG
from marg_runtime.ledger import Entry
from marg_runtime.model import Model
from marg_runtime.pinned_step import pin_steps
from marg_runtime.reading import languages, vocabulary_digest
from marg_runtime.runner import OnText, Runner
from marg_runtime.state import State
from marg_runtime.steps.confirm import CONFIRM_KEY
from marg_runtime.store.store import Store
from marg_runtime.surroundings import Surroundings, pin
from marg_runtime.tools.tool import Tools, ToolSpec
from marg_runtime.writer import LedgerWriter, Queued

_T = TypeVar("_T")
MOST_LEASES = 3
"""How often a session waits for its lease anew, for one act, where another worker took it in the midst of a turn."""


class Session:
    """One conversation. Open it with `Session.open`, then hand it acts; every act gets one `Answer`."""

    def __init__(
        self,
        *,
        session: str,
        domain: Domain,
        model: Model,
        tools: Tools,
        store: Store,
        reader: str,
        in_order: bool | None,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.id = session
        self._environ = environ
        self._domain = domain
        self._tools = tools
        self._store = store
        self._writer = LedgerWriter(session=session, store=store)
        self._reader = reader
        self._in_order = in_order
        self._runner = Runner(domain=domain, model=model, tools=tools)
        self._listed: tuple[ToolSpec, ...] = ()
        self._failed: set[int] = set()
        self._late: WriteFinished | WriteBroke | None = None
        self._writing: asyncio.Task[Stimulus] | None = None

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
        in_order: bool | None = None,
        environ: Mapping[str, str] = os.environ,
        at: int = 0,
    ) -> Session:
        """A new session, or one that goes on from its ledger. `at` is the time in milliseconds since 1970 UTC.

        environ: where the write flag is read, at every decision; another than the process's is for rehearsals, in
        which no tool can write (rule G8). in_order: the channel delivers in order, so that an act with no `seen` is
        taken to have seen the last answer; None is as the session was opened last, and False for a new one.

        Acts that another worker left queued are served first; a turn that it left unfinished is taken over with the
        next act. One that goes on while its tools cannot be listed has none until they can be.
        Raises UnknownEvent for a ledger of a later release, ToolError where the tools of a new session cannot be
        listed.
        """
        opened = cls(
            session=session,
            domain=domain,
            model=model,
            tools=tools,
            store=store,
            reader=reader,
            in_order=in_order,
            environ=environ,
        )
        await _under_leases(lambda: opened._begin(at))
        return opened

    @property
    def state(self) -> State:
        """The state as of the last entry that this process has folded."""
        return self._writer.state

    async def entries(self, *, after: int = 0) -> tuple[Entry, ...]:
        """The ledger's entries with a revision above `after`."""
        return await self._store.read(self.id, after=after)

    async def act(self, act: Act, *, on_text: OnText | None = None) -> Answer:
        """Serve one act, after those that came before it; `on_text` is handed the model's text as it is let through.

        An error of a step's, a domain's or a model double's is not caught: it ends the turn where it stands, and
        the next act takes the turn over. Raises StoreError where the store broke, LedgerError where the session was
        deleted or another worker decided meanwhile. An act that ends with an error is never begun later; one whose
        caller is cancelled may be. A write goes on where its caller is cancelled, and later acts wait for it. Tool
        servers that are down are no error: the turn has no tools, and nothing is written.
        """
        queued = await self._writer.queue(clean(act))
        try:
            # Whoever takes the lease serves the act, and its answer is in the ledger.
            return await _under_leases(lambda: self._answer(queued, act, on_text=on_text))
        except Exception:
            self._failed.add(queued.revision)
            raise

    async def _answer(self, queued: Queued, act: Act, *, on_text: OnText | None) -> Answer:
        async with self._writer.lease():
            try:
                return await self._reach(queued.revision, on_text) or await self._served(queued, act)
            except LeaseLost:
                raise
            except Exception as error:
                with suppress(LedgerError, StoreError):  # then it is dropped before anything else is served here
                    await self._drop(queued.revision, repr(error))
                raise

    async def _reach(self, queued: int, on_text: OnText | None) -> Answer | None:
        """Serve the acts up to this caller's own and give its answer; None where somebody else has served it."""
        while self._waits(queued):
            if self.state.queue[0].revision == queued:
                return await self._serve(on_text, received=True)
            await self._serve_left()
        return None

    async def _serve_left(self) -> None:
        """Serve the first act of the queue, which is another caller's; if that is alive, its answer is in the ledger.

        What goes wrong over it is not the error of whoever serves it, and does not stop those behind it.
        """
        queued = self.state.queue[0].revision
        if queued in self._failed:
            await self._drop(queued, "its caller was told that it failed")
            return
        try:
            await self._serve(None, received=False)
        except (LedgerError, StoreError):
            raise
        except Exception as error:
            asyncio.get_running_loop().call_exception_handler(
                {"message": f"session {self.id!r}: the act queued at {queued} broke", "exception": error}
            )
            await self._drop(queued, repr(error))

    async def _drop(self, queued: int, error: str) -> None:
        """Take an act that was not begun off the queue: left there it would be run later, or raise for ever."""
        if self._waits(queued):
            await self._writer.append((ActDropped(act=queued, error=error),), at=self.state.at)
        self._failed.discard(queued)

    def _waits(self, queued: int) -> bool:
        return any(waiting.revision == queued for waiting in self.state.queue)

    async def _served(self, queued: Queued, act: Act) -> Answer:
        """The answer to an act that another worker served, from the ledger; if it died over it, what is open now."""
        entries = await self._store.read(self.id, after=queued.revision)
        began = next((n for n, entry in enumerate(entries) if getattr(entry.event, "act", None) == queued.revision), -1)
        if began < 0 or isinstance(entries[began].event, ActDropped):
            raise LedgerError(f"session {self.id!r}: the act queued at {queued.revision} was dropped by another worker")
        turn = entries[began].turn
        ended = next((n for n in range(began, len(entries)) if _delivers(entries[n], turn)), None)
        if ended is not None:
            await self._receive(entries[ended], act)
            return project(entries[began : ended + 1], state=fold(entries[: ended + 1], state=queued.state))
        again = await self._writer.queue(Reload(at=act.at, seen=act.seen))
        answer = await self._reach(again.revision, None)
        assert answer is not None, "nobody else serves while the lease is held"
        return answer

    async def _receive(self, ended: Entry, act: Act) -> None:
        """Write down that the caller of an act got the answer after all, where it shows what is open still."""
        event, question = ended.event, self.state.question
        if not isinstance(event, AnswerDelivered) or event.received or self.state.turn_open:
            return
        undelivered = question is not None and question.id == event.question and question.delivered_in is None
        if undelivered or ended.turn == self.state.turn:
            await self._writer.append((AnswerDelivered(question=event.question),), at=act.at)

    # Opening

    async def _begin(self, at: int) -> None:
        async with self._writer.lease():
            standing = self.state.opened
            tools = await self._list_for(standing)
            opened = self._opened(tools) if tools is not None else replace(self._opened(()), tools=self.state.tools)
            if standing and (standing.domain, standing.language) != (opened.domain, opened.language):
                raise UsageError(
                    f"session {self.id!r} belongs to the domain {standing.domain!r} in {standing.language!r}, "
                    f"not to {opened.domain!r} in {opened.language!r}; open it with that one"
                )
            if tools is not None:
                check_fit(self._domain, tools)
            if standing != opened:
                # A host that gives no time must not make a session that goes on look as old as 1970.
                await self._writer.append((opened,), at=max(at, self.state.now))
            while self.state.queue:
                await self._serve_left()

    async def _list_for(self, standing: SessionOpened | None) -> tuple[ToolSpec, ...] | None:
        """The tools, or None where they cannot be listed: a session that goes on keeps those that it had."""
        try:
            self._listed = await self._tools.list()
        except ToolError:
            if standing is None:
                raise
            return None
        return self._listed

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
            steps=pin_steps(self._domain),
            in_order=self._declared_in_order(),
        )

    def _declared_in_order(self) -> bool:
        """As this opening declares the channel; where it says nothing, as the session was opened last."""
        standing = self.state.opened
        return (standing is not None and standing.in_order) if self._in_order is None else self._in_order

    # Turns

    async def _serve(self, on_text: OnText | None, *, received: bool) -> Answer:
        """Serve the first act of the queue: decide, append, run, until nothing is left to run; then deliver.

        received: its caller is the one who serves it. An answer that goes to nobody delivers nothing: no go-ahead can
        follow from what nobody was shown (rule G4).
        """
        await self._outlast()
        queued = self.state.queue[0]
        turn = _Turn(at=queued.at, tools=await self._tools_for(queued.act))
        if self.state.turn_open:
            # Its worker died or was cancelled; what it leaves to be said is said with this answer.
            await self._decide(TakenOver(), turn)
        effects = deque(await self._decide(ActStarted(queued=queued, late=self._late), turn))
        while effects:
            self._late = None
            # Between the decision and its effect another worker may have found the lease expired.
            await self._writer.check_lease()
            result = await self._run(effects.popleft(), on_text=on_text)
            self._keep_outcome(result)
            effects.extend(await self._decide(result, turn))
        self._late = None
        await self._decide(Delivered(received=received), turn)
        answer = project(turn.entries, state=self.state)
        await self._writer.keep_snapshot()
        return answer

    async def _run(self, effect: Effect, *, on_text: OnText | None) -> Stimulus:
        """Run an effect; a write in a task of its own, lest what the backend answers go with a caller that hangs up."""
        if not isinstance(effect, DispatchWrite):
            return await self._runner.run(effect, on_text=on_text)
        self._writing = asyncio.create_task(self._runner.run(effect, on_text=None))
        result = await asyncio.shield(self._writing)
        self._writing = None
        return result

    async def _outlast(self) -> None:
        """Wait for a write whose caller is gone (rule G9): what became of it is said first."""
        writing = self._writing
        if writing is None:
            return
        if not writing.done():
            await asyncio.wait([writing])
        self._writing = None
        if not writing.cancelled() and writing.exception() is None:
            self._keep_outcome(writing.result())

    def _keep_outcome(self, result: Stimulus) -> None:
        """What became of a write is known here, whoever has given it up meanwhile; no answer says nothing."""
        if isinstance(result, WriteFinished) or (isinstance(result, WriteBroke) and not result.sent):
            self._late = result

    async def _tools_for(self, act: Act) -> tuple[ToolSpec, ...]:
        """The tools as they are now where the turn may call the model or the gate, or look a write up; else as they
        were listed last.

        A go-ahead needs an open confirmation, and a model call a typed message. Where they cannot be listed there are
        none: the gate refuses, the model has none to call, and what is open is drawn again.
        """
        question, write = self.state.question, self.state.draft_write
        asks = isinstance(act, Say) or (question is not None and question.step == CONFIRM_KEY)
        if asks or not self._listed or (write is not None and write.status != "done"):
            try:
                self._listed = await self._tools.list()
            except ToolError:
                return ()
        return self._listed

    async def _decide(self, stimulus: Stimulus, turn: _Turn) -> tuple[Effect, ...]:
        """Decide on the state as it is, append the events, and give the effects."""
        surroundings = Surroundings(
            domain=self._domain,
            reader=self._reader,
            tools=turn.tools,
            write_flag=self._environ.get(WRITE_FLAG),
            in_order=self.state.opened is not None and self.state.opened.in_order,
        )
        decision = decide(self.state, stimulus, surroundings=surroundings)
        turn.entries.extend(await self._writer.append(decision.events, at=turn.at))
        return decision.effects


async def _under_leases(attempt: Callable[[], Awaitable[_T]]) -> _T:
    """What an attempt gives, which is made anew where another worker took the lease in its midst."""
    for _ in range(MOST_LEASES - 1):
        with suppress(LeaseLost):
            return await attempt()
    return await attempt()


@dataclass(kw_only=True)
class _Turn:
    """A turn under way: the time of its act, the tools as they were listed for it, and what it has appended so far."""

    at: int
    tools: tuple[ToolSpec, ...]
    entries: list[Entry] = field(default_factory=list)


def _delivers(entry: Entry, turn: int) -> bool:
    return entry.turn == turn and isinstance(entry.event, AnswerDelivered)
