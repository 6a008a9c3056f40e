"""Killed by SIGKILL at every boundary of a conversation, on SQLite and on PostgreSQL: nothing that was acknowledged is
lost, a reload draws the right block, and the backend's own count shows one write at most (rules C3 and G9)."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("sqlalchemy")

from tests.runtime.conftest import CREATE, Desk
from tests.runtime.dying import WHOLE, Backend, session_of

from marg_runtime.answer import Answer
from marg_runtime.block import Block
from marg_runtime.events.turn import ActQueued, Reloaded, UserSaid, UserTapped
from marg_runtime.events.write import WriteClaimed, WriteDone, WriteUnknown
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry, decode
from marg_runtime.state import State
from marg_runtime.store import open_store

if TYPE_CHECKING:
    from tests.conftest import Once

ROOT = Path(__file__).parents[2]
STEPS = ("title", "place", "urgency", "note")


@dataclass(frozen=True, kw_only=True)
class Restarted:
    """A session whose process was killed, after another process opened it, reloaded, and confirmed what was open.

    acknowledged: the last revision that the store had said it has. found: the ledger as it was found. opened: the state
    after opening, which serves what was queued. writes: the backend's counts after the kill, after the reload, and
    after a Create tap on the summary, where one was open, and on the same summary once more.
    """

    point: str
    acknowledged: int
    found: tuple[Entry, ...]
    opened: State
    reloaded: Answer
    writes: list[int]
    taps: list[Block | None]
    ledger: tuple[Entry, ...]


@dataclass(frozen=True, kw_only=True)
class Killed:
    """All that were killed, and the ledger of the conversation when nobody is."""

    whole: tuple[Entry, ...]
    sessions: list[Restarted]


class Restart:
    """The process after the crash: it opens the store and goes on with every session."""

    def __init__(self, runner: asyncio.Runner, *, url: str, backend: Path) -> None:
        self._runner, self._backend = runner, backend
        self._store = runner.run(open_store(url))

    def session(self, number: int, point: str) -> Restarted:
        """Go on with the session of a kill point."""
        session, counted = session_of(number), Backend(self._backend)
        told = self._backend.with_name(f"{session}.acknowledged")
        acknowledged = int(told.read_text().split()[-1]) if told.exists() and told.read_text() else 0
        found = self._runner.run(self._store.read(session))
        writes = [counted.writes(session)]
        desk = Desk(
            self._runner,
            store=self._store,
            session=session,
            script={CREATE: lambda arguments: counted.write(session, arguments)},
            hellos=3,
        )
        opened, reloaded = desk.state, desk.reload()
        writes.append(counted.writes(session))
        summary, taps = reloaded.block, list[Block | None]()
        if summary is not None and summary.kind == "summary":
            taps = [desk.tap("Create", block=summary).block for _ in range(2)]
        writes.append(counted.writes(session))
        return Restarted(
            point=f"{number} {point}",
            acknowledged=acknowledged,
            found=found,
            opened=opened,
            reloaded=reloaded,
            writes=writes,
            taps=taps,
            ledger=desk.ledger(),
        )


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def killed(request: pytest.FixtureRequest, database_folders: Callable[[], Path], once: Once) -> Killed:
    """All that were killed on a database."""
    folder = database_folders()
    url = f"sqlite:///{folder / 'store.db'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_module_url")
    return once(f"killed-{request.param}", lambda: kill_and_go_on(url, folder, kind=request.param))


def kill_and_go_on(url: str, folder: Path, *, kind: str) -> Killed:
    """Kill at every point, then go on with every session in this process. The kill points are all there are."""
    with asyncio.Runner() as runner, pytest.MonkeyPatch.context() as environment:
        environment.setenv("MARG_ALLOW_WRITES", "true")
        command = [sys.executable, "-W", "error", "-m", "tests.runtime.dying", url, str(folder / "backend.db")]
        done = subprocess.run(command, cwd=ROOT, env={**os.environ}, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        played: dict[str, Any] = json.loads((folder / "whole.json").read_text(encoding="utf-8"))
        restart = Restart(runner, url=url, backend=folder / "backend.db")
        sessions = [restart.session(number, point) for number, point in enumerate(played["points"])]
        runner.run(restart._store.close())
    whole = tuple(decode(line) for line in played["ledger"])
    print(
        f"\n{kind}: {len(sessions)} processes killed, one at each boundary of {len(whole)} events;"
        f" {sum(one.acknowledged for one in sessions)} acknowledged events, {lost(sessions)} lost;"
        f" most writes of a session: {max(one.writes[-1] for one in sessions)}"
    )
    return Killed(whole=whole, sessions=sessions)


def lost(sessions: list[Restarted]) -> int:
    """How many events the store had acknowledged that are not in it."""
    return sum(max(0, one.acknowledged - len(one.found)) for one in sessions)


def events(entries: tuple[Entry, ...], kind: type) -> int:
    """How many events of a kind there are."""
    return sum(isinstance(entry.event, kind) for entry in entries)


def right_step(state: State) -> str | None:
    """The step that a reload must draw, from the rules: what is open, else the first that is owed, else the summary."""
    if state.write is not None:
        return "receipt" if state.write.status == "done" else None
    if state.question is not None:
        return state.question.step
    if not state.said and not state.ended:
        return None
    return next((step for step in STEPS if step not in state.ended), "confirm")


def test_C3_there_is_a_kill_point_between_any_two_events_and_at_each_side_of_every_effect(killed: Killed) -> None:
    passed = [one.point.split(" ", 1)[1] for one in killed.sessions]
    for entry in killed.whole:
        kind = type(entry.event).__name__
        assert f"before the commit, after {kind} at {entry.revision}" in passed
    for effect in ("OptionsRequested", "ModelCalled", "WriteClaimed"):
        assert f"after the append that ends with {effect}" in passed
    for tool in ("levels", "search", "create"):
        assert f"after the call of desk/{tool}" in passed
    assert {"after the model's TextDelta", "after the model's Finish"} <= set(passed)


def test_C3_no_event_that_was_acknowledged_is_lost(killed: Killed) -> None:
    assert lost(killed.sessions) == 0
    assert max(one.acknowledged for one in killed.sessions) == len(killed.whole)


def test_C2_what_was_found_is_the_conversations_ledger_up_to_there_to_the_byte(killed: Killed) -> None:
    for number, one in enumerate(killed.sessions):
        whole = repr(killed.whole[: len(one.found)]).replace(WHOLE, session_of(number))
        assert repr(one.found) == whole, one.point


def test_C2_an_append_is_found_whole_or_not_at_all(killed: Killed) -> None:
    ends = {0, *(one.acknowledged for one in killed.sessions)}
    assert {len(one.found) for one in killed.sessions} <= ends


def test_C3_a_reload_draws_the_right_block(killed: Killed) -> None:
    for one in killed.sessions:
        block = one.reloaded.block
        assert (one.point, block.step if block else None) == (one.point, right_step(one.opened))


def test_C3_every_act_that_was_queued_is_served_once(killed: Killed) -> None:
    for one in killed.sessions:
        assert one.ledger[: len(one.found)] == one.found, one.point
        queued = [entry.revision for entry in one.ledger if isinstance(entry.event, ActQueued)]
        served = [entry.event.act for entry in one.ledger if isinstance(entry.event, UserSaid | UserTapped | Reloaded)]
        assert served == queued, one.point


def test_G9_the_backend_counts_one_write_at_most(killed: Killed) -> None:
    for one in killed.sessions:
        assert one.writes in ([0, 0, 0], [0, 0, 1], [1, 1, 1], [0, 1, 1]), one.point


def test_G9_a_write_that_the_backend_has_is_done_or_unknown_in_the_ledger(killed: Killed) -> None:
    for one in killed.sessions:
        outcomes = events(one.ledger, WriteDone) + events(one.ledger, WriteUnknown)
        assert events(one.ledger, WriteClaimed) == outcomes <= 1, one.point
        assert one.writes[-1] <= outcomes, one.point
        assert events(one.ledger, WriteDone) <= one.writes[-1], one.point


def test_G9_the_second_tap_on_a_summary_shows_the_receipt_of_the_first(killed: Killed) -> None:
    tapped = [one for one in killed.sessions if one.taps]
    assert len(tapped) > 10
    for one in tapped:
        first, second = one.taps
        assert first is not None, one.point
        assert second is not None, one.point
        assert (first.kind, first.label, first.rows) == ("receipt", "T-1", second.rows), one.point
        assert (second.kind, second.label) == ("receipt", "T-1"), one.point


def test_C1_the_ledger_folds_to_a_state_with_nothing_left_open(killed: Killed) -> None:
    for one in killed.sessions:
        state = fold(one.ledger)
        assert (state.turn_open, state.queue, state.pending) == (False, (), ()), one.point
