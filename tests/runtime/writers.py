"""A process of writers: for each of many sessions it says something and taps Create, as others do at the same time.

    python -m tests.runtime.writers STORE_URL BACKEND_FILE SESSIONS WRITER...

Opens all sessions, prints `ready`, waits for a line, plays all writers at once, and prints one JSON list of what each
was answered.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.runtime.conftest import CREATE, LEVELS, SEARCH, SPECS, desk_domain, desk_steps, fitted

from marg_runtime.acts import Say, Tap
from marg_runtime.answer import Answer
from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelRequest, UserMessage
from marg_runtime.domain import Domain
from marg_runtime.ledger import Entry, decode, encode
from marg_runtime.model import Delta, Finish, TextDelta
from marg_runtime.session import Session
from marg_runtime.store import MemoryStore, Store, open_store
from marg_runtime.tools.scripted import ScriptedTools
from marg_runtime.tools.tool import ToolOutcome

SEED = "s9999"
NOTHING = ToolOutcome(text="nothing", data=[])


def session_of(number: int) -> str:
    """The id of a session by its number."""
    return f"s{number:04d}"


def domain() -> Domain:
    """A desk that asks for a title only."""
    return desk_domain(steps=desk_steps()[:1])


class Echo:
    """A model that repeats what the user said last."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The reply."""
        said = [message.text for message in request.messages if isinstance(message, UserMessage)]
        yield TextDelta(text=f"You said {said[-1].rstrip('?')}.")
        yield Finish(reason="stop")


class NumberedBackend:
    """A backend in a file that numbers what it writes."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        with closing(sqlite3.connect(path, timeout=60)) as rows, rows:
            rows.execute("CREATE TABLE IF NOT EXISTS writes (number INTEGER PRIMARY KEY, session TEXT NOT NULL)")

    def write(self, session: str) -> ToolOutcome:
        """Write a record, whatever was written before; the receipt has its number."""
        with closing(sqlite3.connect(self._path, timeout=60)) as rows, rows:
            number = rows.execute("INSERT INTO writes (session) VALUES (?)", (session,)).lastrowid
        return ToolOutcome(text="created", data={"id": f"T-{number}"})

    def writes(self) -> dict[str, list[int]]:
        """The numbers of the records by session."""
        found: dict[str, list[int]] = {}
        with closing(sqlite3.connect(self._path, timeout=60)) as rows:
            for number, session in rows.execute("SELECT number, session FROM writes ORDER BY number"):
                found.setdefault(session, []).append(number)
        return found


def tools_for(session: str, backend: NumberedBackend) -> ScriptedTools:
    """The tools of a session."""

    def create(arguments: Mapping[str, Json]) -> ToolOutcome:
        return backend.write(session)

    return ScriptedTools(fitted(SPECS, domain()), {LEVELS: NOTHING, SEARCH: NOTHING, CREATE: create})


async def opened(session: str, *, store: Store, backend: NumberedBackend) -> Session:
    """The session of a writer."""
    tools = tools_for(session, backend)
    return await Session.open(session, domain=domain(), model=Echo(), tools=tools, store=store)


async def seed(store: Store, *, sessions: int, backend: NumberedBackend) -> None:
    """Bring every session to its summary: one conversation is played, and its ledger given to all."""
    memory = MemoryStore()
    session = await opened(SEED, store=memory, backend=backend)
    await session.act(Say(text="hello", at=1))
    await session.act(Say(text="Lamp broken", at=2, seen=session.state.revision))
    lines = [encode(entry) for entry in await memory.read(SEED)]
    for number in range(sessions):
        entries: list[Entry] = [decode(line.replace(SEED, session_of(number))) for line in lines]
        await store.append(session_of(number), entries)


def message(session: str, writer: str) -> str:
    """What a writer says; no other says the same."""
    return f"is this {writer} in {session}?"


async def write(mine: Session, writer: str) -> dict[str, Any]:
    """Say something, then tap Create on the summary as it was at first."""
    session = mine.id
    question = mine.state.question or mine.state.spent
    assert question is not None, "the session was brought to its summary"
    seen = question.delivered_at
    said = await mine.act(Say(text=message(session, writer), at=3, seen=seen))
    tap = Tap(question=question.id, revision=question.revision, option="o1", at=4, seen=seen)
    tapped = await mine.act(tap)
    block = tapped.block
    return {
        "session": session,
        "writer": writer,
        "said": texts(said),
        "turns": [said.turn, tapped.turn],
        "block": block and block.kind,
        "receipt": block and block.label,
    }


def texts(answer: Answer) -> list[str]:
    """What the model said in an answer."""
    return [said.text for said in answer.texts if said.by == "model"]


async def main(url: str, path: str, sessions: int, writers: Sequence[str]) -> None:
    """Play all writers at once."""
    backend, store = NumberedBackend(path), await open_store(url)
    names = [(session_of(number), writer) for number in range(sessions) for writer in writers]
    mine = [(await opened(session, store=store, backend=backend), writer) for session, writer in names]
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    print(json.dumps(await asyncio.gather(*(write(session, writer) for session, writer in mine))))
    await store.close()


if __name__ == "__main__":
    os.environ["MARG_ALLOW_WRITES"] = "true"
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]))
