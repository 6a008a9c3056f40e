"""Processes that die: for each kill point of one conversation, a child that plays up to it and is killed there.

    python -m tests.runtime.dying STORE_URL BACKEND_FILE

The conversation is played once with nobody killed; the kill points are all that it passes. Each gets a child and a
session of its own, `s` and four digits. The child opens the session on the ledger as it was before the turn that holds
the kill point, does the turn's act, and ends by SIGKILL. It is forked from a process that holds no connection. Beside
the backend's file lie `whole.json`, the kill points and the whole ledger, and for each session `.acknowledged`, the
last revision that the store said it had.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sqlite3
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeGuard

from sqlalchemy import Connection
from tests.runtime.conftest import CREATE, Desk

from marg_runtime.acts import Act, Tap
from marg_runtime.answer import Answer
from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelRequest
from marg_runtime.events.write import WriteDone
from marg_runtime.ledger import Entry, decode, encode
from marg_runtime.model import Delta, Model
from marg_runtime.runner import OnText
from marg_runtime.session import Session
from marg_runtime.store.connections import connections
from marg_runtime.store.sql import SqlStore
from marg_runtime.tools.tool import ToolName, ToolOutcome, Tools, ToolSpec

LEASE_SECONDS = 3.0
"""Of the dying: long enough that a slow machine loses none by chance, since the test waits for them all at once."""

WHOLE = "s9999"
"""The session that nobody kills."""


def session_of(number: int) -> str:
    """The session of a kill point."""
    return f"s{number:04d}"


class KillPoints:
    """Every place where the process may die, in order; it dies at the one that it is told.

    There is one behind everything that leaves a mark: a row, an append, a piece of the model's, a tool's answer. The
    place before the next one is the same place.
    """

    def __init__(self, dies_at: int | None) -> None:
        self.dies_at = dies_at
        self.passed: list[str] = []

    def __call__(self, name: str) -> None:
        """Pass a kill point, or die there."""
        if self.dies_at == len(self.passed):
            os.kill(os.getpid(), signal.SIGKILL)
        self.passed.append(name)


class Backend:
    """A backend in a file of its own that counts what it wrote for each session."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        with closing(sqlite3.connect(path, timeout=30)) as rows, rows:
            rows.execute("CREATE TABLE IF NOT EXISTS writes (session TEXT NOT NULL, arguments TEXT NOT NULL)")

    def write(self, session: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        """Write a record and count it."""
        with closing(sqlite3.connect(self._path, timeout=30)) as rows, rows:
            rows.execute("INSERT INTO writes VALUES (?, ?)", (session, json.dumps(dict(arguments), sort_keys=True)))
        return ToolOutcome(text="created", data={"id": "T-1"})

    def writes(self, session: str) -> int:
        """How many records there are of a session."""
        with closing(sqlite3.connect(self._path, timeout=30)) as rows:
            count: int = rows.execute("SELECT COUNT(*) FROM writes WHERE session = ?", (session,)).fetchone()[0]
        return count


class DyingStore(SqlStore):
    """The store in SQL, entered row by row, that may die between any two, and tells what it acknowledged."""

    kill: KillPoints
    acknowledged: Path

    async def append(self, session: str, entries: Sequence[Entry]) -> None:
        await super().append(session, entries)
        with self.acknowledged.open("a") as told:
            told.write(f"{entries[-1].revision}\n")
        self.kill(f"after the append that ends with {type(entries[-1].event).__name__}")

    def _insert(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        for row in rows:
            super()._insert(connection, [row])
            self.kill(f"before the commit, after {json.loads(row['line'])['kind']} at {row['revision']}")


class DyingModel:
    """A model that may die within a reply and after it."""

    def __init__(self, model: Model, *, kill: KillPoints) -> None:
        self._model, self._kill = model, kill

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The reply, piece by piece."""
        async for delta in self._model.stream(request):
            yield delta
            self._kill(f"after the model's {type(delta).__name__}")


class DyingTools:
    """Tools that may die after each call."""

    def __init__(self, tools: Tools, *, kill: KillPoints) -> None:
        self._tools, self._kill = tools, kill

    async def list(self) -> tuple[ToolSpec, ...]:
        """The tools."""
        return await self._tools.list()

    async def call(self, tool: ToolName, arguments: Mapping[str, Json]) -> ToolOutcome:
        """The outcome of a call."""
        outcome = await self._tools.call(tool, arguments)
        self._kill(f"after the call of {tool}")
        return outcome


class DyingDesk(Desk):
    """A desk whose process may die wherever it does something."""

    def __init__(
        self, runner: asyncio.Runner, *, store: SqlStore, backend: Backend, session: str, kill: KillPoints
    ) -> None:
        self.kill = kill
        self.turns: list[Turn] = []
        super().__init__(
            runner, store=store, session=session, script={CREATE: lambda arguments: backend.write(session, arguments)}
        )

    async def opened(self) -> Session:
        """The session, on a model and tools that may die."""
        return await Session.open(
            self._id,
            domain=self.domain,
            model=DyingModel(self.model, kill=self.kill),
            tools=DyingTools(self.tools, kill=self.kill),
            store=self.store,
        )

    def act(self, act: Act, *, on_text: OnText | None = None) -> Answer:
        """Do an act, and remember what a process has to know that does it anew."""
        first = len(self.kill.passed) if self.turns else 0
        ledger = [encode(entry) for entry in self.ledger()] if self.turns else []
        self.turns.append(Turn(first=first, ledger=ledger, replies=tuple(self.model.script), act=act))
        return super().act(act, on_text=on_text)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A turn that can be played alone: its first kill point, the ledger before it, the model's replies, the act."""

    first: int
    ledger: list[str]
    replies: tuple[Any, ...]
    act: Act


def conversation(desk: Desk) -> None:
    """All the way to a write: settles, options from a tool, content with a read and a change, a decline, a yes, and
    then a tap as of somebody who clicked as well."""
    desk.to_summary()
    desk.hear("Sure. ", desk.propose("title", "login fails"), desk.call("search", query="x"), desk.call("create"))
    desk.hear("Changed. How urgent is this? Thanks.")
    desk.say("Yes but change the title to login fails")
    desk.say("no")
    desk.hear("Fine.")
    desk.say("ok show it to me again, will you?")
    desk.say("yes")
    desk.tap("Create", block=desk.answers[-2].block)


async def dying_store(url: str, *, kill: KillPoints, acknowledged: Path) -> DyingStore:
    """A store on a schema that is made where it is not there."""
    store = DyingStore(connections(url), lease_seconds=LEASE_SECONDS)
    store.kill, store.acknowledged = kill, acknowledged
    await store._run(store._migrate)
    return store


def play_whole(folder: Path) -> tuple[list[str], list[Turn]]:
    """Play the conversation here and in memory: no child has to load the words and build the validators anew. Writes
    down the whole; gives the kill points and the turns."""
    kill = KillPoints(None)
    with asyncio.Runner() as runner:
        store = runner.run(dying_store("sqlite://", kill=kill, acknowledged=folder / "whole.acknowledged"))
        desk = DyingDesk(runner, store=store, backend=Backend(folder / "whole.db"), session=WHOLE, kill=kill)
        conversation(desk)
        points = list(kill.passed)
        whole = {"points": points, "ledger": [encode(entry) for entry in desk.ledger()]}
        runner.run(store.close())
    (folder / "whole.json").write_text(json.dumps(whole), encoding="utf-8")
    return points, desk.turns


def play_turn(url: str, backend: Path, turn: Turn, *, number: int) -> None:
    """Play a turn in this process, and die at the kill point of that number."""
    session = session_of(number)
    kill, unharmed = KillPoints(number - turn.first), KillPoints(None)
    ledger = [decode(line.replace(WHOLE, session)) for line in turn.ledger]
    there = Backend(backend)
    if any(isinstance(entry.event, WriteDone) for entry in ledger):
        there.write(session, {})
    with asyncio.Runner() as runner:
        told = backend.with_name(f"{session}.acknowledged")
        store = runner.run(dying_store(url, kill=unharmed, acknowledged=told))
        if ledger:
            runner.run(store.append(session, ledger))
        store.kill = kill
        desk = DyingDesk(runner, store=store, backend=there, session=session, kill=kill)
        desk.model.script.extend(turn.replies)
        act = replace(turn.act, question=turn.act.question.replace(WHOLE, session)) if taps(turn.act) else turn.act
        desk.act(act)


def taps(act: Act) -> TypeGuard[Tap]:
    """Whether an act names a question, and with it the session."""
    return isinstance(act, Tap)


def in_a_child(work: Callable[[], None]) -> int:
    """Do the work in a child of this process; gives how it ended, as `os.waitpid` does."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)  # whatever happened: it was to be killed, and may not go on with its parent's work
    return os.waitpid(child, 0)[1]


def main(url: str, backend: Path) -> None:
    """Play the whole conversation, then die at each of its kill points."""
    os.environ["MARG_ALLOW_WRITES"] = "true"
    points, turns = play_whole(backend.parent)
    connections(url)  # makes none, but loads the driver, which each child would load for itself
    gc.freeze()
    for number, name in enumerate(points):
        turn = next(turn for turn in reversed(turns) if turn.first <= number)
        ended = in_a_child(lambda n=number, t=turn: play_turn(url, backend, t, number=n))  # type: ignore[misc]
        assert os.WIFSIGNALED(ended), f"not killed {number} {name}"
        assert os.WTERMSIG(ended) == signal.SIGKILL, f"not killed {number} {name}"


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
