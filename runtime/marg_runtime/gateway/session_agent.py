"""The runtime as a target: sessions over a store, and in development mode all that a turn left behind."""

from __future__ import annotations

import asyncio
import json
import os
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from marg_runtime.answer import Answer
from marg_runtime.domain import Domain
from marg_runtime.errors import TargetRefused, UsageError
from marg_runtime.gateway.act_forms import act_of
from marg_runtime.gateway.draft_form import draft_form
from marg_runtime.gateway.overheard import OverheardModel
from marg_runtime.gateway.protocol import (
    PROTOCOL,
    ActForm,
    Closed,
    Description,
    Opened,
    Opening,
    Report,
    Reports,
    Sent,
    TextForm,
)
from marg_runtime.gateway.request_forms import request_form, tool_form
from marg_runtime.ledger import Entry, encode
from marg_runtime.model import Model
from marg_runtime.parts import EVERY_PART, Part
from marg_runtime.runner import OnText
from marg_runtime.session import Session
from marg_runtime.store.store import Store, check_id
from marg_runtime.tools.tool import Tools

MOST_HELD = 1_000
"""Sessions that a process keeps at hand; the others are opened anew from their ledgers when they are spoken to."""

DEV_PARTS: tuple[Part, ...] = tuple(sorted(EVERY_PART - {"writes", "rehearsed"}))


@dataclass(kw_only=True)
class _Held:
    """A session at hand, what its model received, and the lock under which a turn is reported."""

    session: Session
    model: OverheardModel
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class SessionAgent:
    """Conversations of one domain, each a session in the store.

    model: gives the model of a session, which may be one for all. clock: the time in milliseconds since 1970 UTC.
    dev: report the ledger's part of every turn, the draft, and what the model received, and take the time from the
    acts; for development and tests only, since it shows what the user is not shown. writes: the backend's own count,
    for `dev`. environ: where the write flag is read.
    """

    def __init__(
        self,
        *,
        domain: Domain,
        model: Callable[[], Model],
        tools: Tools,
        store: Store,
        clock: Callable[[], int],
        dev: bool = False,
        writes: Callable[[], int] | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._domain = domain
        self._model = model
        self._tools = tools
        self._store = store
        self._clock = clock
        self._dev = dev
        self._writes = writes if dev else None
        self._environ = environ
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._writes_before: dict[str, int] = {}

    async def describe(self) -> Description:
        """What it reports: texts and blocks, and in development mode everything but what a double would count."""
        parts: tuple[Part, ...] = DEV_PARTS if self._dev else ("block",)
        return Description(
            protocol=PROTOCOL,
            name=f"marg: {self._domain.name}",
            domains=(self._domain.name,),
            reports=(*parts, "writes") if self._writes is not None else parts,
            able=("clock", "restart") if self._dev else (),
        )

    async def open(self, opening: Opening) -> Opened:
        """A new session, or the one of that id as it stands in the store."""
        if opening.domain != self._domain.name:
            raise TargetRefused(f"no domain {opening.domain!r}; this is {self._domain.name!r}", kind="unknown")
        if opening.rehearse:
            raise TargetRefused("writes are not rehearsed here", kind="not_able")
        name = opening.id or uuid.uuid4().hex
        # One that is opened again and says nothing of its channel goes on as it was.
        declared = opening.in_order if "in_order" in opening.model_fields_set else None
        held = await self._open(name, in_order=declared, at=self._time(opening.at))
        if self._writes is not None:
            self._writes_before.setdefault(name, self._writes())
        draft = {"draft": draft_form(held.session.state.draft)} if self._dev else {}
        return Opened(id=name, **draft)

    async def act(self, conversation: str, sent: Sent, *, on_text: OnText | None = None) -> Reports:
        """Serve one act. The time is this process's, but in development mode that of the act."""
        if len(sent.acts) != 1:
            raise TargetRefused("acts are taken one at a time here; send each by itself", kind="not_able")
        if sent.script is not None:
            raise TargetRefused("nothing is scripted here; leave `script` out", kind="not_able")
        held = await self._hold(conversation)
        if self._dev:
            # What a turn left behind is told from that of its neighbours by serving one at a time.
            async with held.lock:
                return Reports(reports=(await self._reported(held, sent.acts[0], on_text),))
        answer = await self._served(held, sent.acts[0], on_text)
        return Reports(reports=(Report(**_shown(answer)),))

    async def restart(self, conversation: str) -> Report:
        """Forget the session, in development mode, and open it anew from its ledger."""
        if not self._dev:
            raise TargetRefused("restarting is for development mode", kind="not_able")
        await self._hold(conversation)
        del self._held[conversation]
        await self._hold(conversation)
        return Report(**self._counted(conversation))

    async def close(self, conversation: str) -> Closed:
        """Forget the session; its ledger stays in the store."""
        await self._hold(conversation)
        self._held.pop(conversation, None)
        counted = self._counted(conversation)
        self._writes_before.pop(conversation, None)
        return Closed(**counted)

    async def _reported(self, held: _Held, form: ActForm, on_text: OnText | None) -> Report:
        before = held.session.state
        answer = await self._served(held, form, on_text)
        state = held.session.state
        entries = await held.session.entries(after=before.revision)
        return Report(
            **_shown(answer),
            question=state.question.step if state.question else None,
            draft=draft_form(state.draft),
            ledger=tuple(json.loads(encode(entry)) for entry in entries if _belongs(entry, answer)),
            requests=tuple(request_form(request) for request in held.model.take()),
            tools=tuple(tool_form(spec) for spec in await self._tools.list()),
            **self._counted(held.session.id),
        )

    async def _served(self, held: _Held, form: ActForm, on_text: OnText | None) -> Answer:
        answer = await held.session.act(act_of(form, at=self._time(form.at)), on_text=on_text)
        if not self._dev:
            held.model.take()
        return answer

    async def _hold(self, conversation: str) -> _Held:
        """The session of an id. Raises TargetRefused where neither this process nor the store has it."""
        if conversation in self._held:
            self._held.move_to_end(conversation)
            return self._held[conversation]
        known = _is_id(conversation) and bool(await self._store.read(conversation))
        if not known:
            raise TargetRefused(f"no conversation {conversation!r}; open one first", kind="unknown")
        return await self._open(conversation, in_order=None, at=self._clock())

    async def _open(self, name: str, *, in_order: bool | None, at: int) -> _Held:
        if not _is_id(name):
            raise TargetRefused(f"{name!r} is no id of a conversation", kind="bad_request")
        model = OverheardModel(self._model())
        session = await Session.open(
            name,
            domain=self._domain,
            model=model,
            tools=self._tools,
            store=self._store,
            in_order=in_order,
            environ=self._environ,
            at=at,
        )
        self._held[name] = held = _Held(session=session, model=model)
        self._held.move_to_end(name)
        while len(self._held) > MOST_HELD:
            self._held.popitem(last=False)
        return held

    def _time(self, at: int | None) -> int:
        return at if self._dev and at is not None else self._clock()

    def _counted(self, conversation: str) -> dict[str, Any]:
        """The backend's count since the conversation was opened; what others write meanwhile is in it, too."""
        if self._writes is None:
            return {}
        return {"writes": self._writes() - self._writes_before.get(conversation, 0)}


def _shown(answer: Answer) -> dict[str, Any]:
    """What every client is shown of a turn."""
    texts = tuple(TextForm(by=said.by, text=said.text) for said in answer.texts)
    return {"turn": answer.turn, "revision": answer.revision, "texts": texts, "block": answer.block}


def _belongs(entry: Entry, answer: Answer) -> bool:
    """Whether an entry is of the answer's turn. The act's own entry has the turn before."""
    return entry.turn == answer.turn or type(entry.event).__name__ == "ActQueued"


def _is_id(name: str) -> bool:
    try:
        check_id(name)
    except UsageError:
        return False
    return True
