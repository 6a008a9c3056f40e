"""200 sessions with two writers each, in one process and in two that share the store, on SQLite and on PostgreSQL: no
message is lost, none is answered twice, nothing is written twice, and a double click shows one receipt (C2, G9)."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("sqlalchemy")

from tests.runtime.writers import NumberedBackend, message, seed, session_of

from marg_runtime.acts import Say
from marg_runtime.events.turn import ActQueued, AnswerDelivered, UserSaid, UserTapped
from marg_runtime.events.write import ReceiptShown, WriteClaimed
from marg_runtime.ledger import Entry
from marg_runtime.store import open_store

if TYPE_CHECKING:
    from tests.conftest import Once

ROOT = Path(__file__).parents[2]
SESSIONS = 200
WRITERS = ("a", "b")
SESSION_IDS = [session_of(number) for number in range(SESSIONS)]


@dataclass(frozen=True, kw_only=True)
class Written:
    """What the writers were answered, what the ledgers hold, and the numbers of what the backend wrote, by session."""

    answers: list[dict[str, Any]]
    ledgers: dict[str, tuple[Entry, ...]]
    writes: dict[str, list[int]]

    def events(self, session: str, kind: type) -> list[Any]:
        """The events of a kind in a session, without those that it was given at first."""
        played = [entry.event for entry in self.ledgers[session]]
        return [event for event in played if isinstance(event, kind)]


def start(url: str, backend: Path, writers: Sequence[str]) -> subprocess.Popen[str]:
    """A process with some of the writers of every session, once it is ready."""
    command = [sys.executable, "-W", "error", "-m", "tests.runtime.writers", url, str(backend), str(SESSIONS), *writers]
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ}, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    """Let a process begin."""
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


@pytest.fixture(
    scope="module",
    params=[(kind, processes) for kind in ("sqlite", "postgresql") for processes in (1, 2)],
    ids=lambda param: f"{param[0]}-{param[1]}",
)
def written(request: pytest.FixtureRequest, database_folders: Callable[[], Path], once: Once) -> Written:
    """What came of all writers at once, in one process or one each."""
    kind, processes = request.param
    folder = database_folders()
    url = f"sqlite:///{folder / 'store.db'}"
    if kind == "postgresql":
        url = request.getfixturevalue("postgres_module_url")
    return once(f"writers-{kind}-{processes}", lambda: write_at_once(url, folder, kind=kind, processes=processes))


def write_at_once(url: str, folder: Path, *, kind: str, processes: int) -> Written:
    """Let all writers go at once, and look at what they left."""
    backend = NumberedBackend(folder / "backend.db")
    with asyncio.Runner() as runner:
        store = runner.run(open_store(url))
        for one in runner.run(store.sessions()):  # a schema is the module's; every number of processes begins empty
            runner.run(store.delete(one.session))
        runner.run(seed(store, sessions=SESSIONS, backend=backend))
        started = [start(url, folder / "backend.db", part) for part in ([WRITERS] if processes == 1 else WRITERS)]
        for process in started:
            go(process)
        answers = [answer for process in started for answer in json.loads(process.communicate()[0])]
        assert [process.returncode for process in started] == [0] * processes
        ledgers = {session: runner.run(store.read(session)) for session in SESSION_IDS}
        runner.run(store.close())
    told = Written(answers=answers, ledgers=ledgers, writes=backend.writes())
    print(f"\n{kind}, {processes} process(es): {told_in_numbers(told)}")
    return told


def told_in_numbers(told: Written) -> str:
    """What the show asks for, in numbers."""
    said = Counter(event.text for session in SESSION_IDS for event in told.events(session, UserSaid))
    answered = [text for answer in told.answers for text in answer["said"]]
    return (
        f"{SESSIONS} sessions, {len(WRITERS)} writers each; {len(expected())} messages,"
        f" {sum(text not in said for text in expected())} lost; {len(answered)} answers,"
        f" {len(answered) - len(set(answered))} double; {sum(map(len, told.writes.values()))} writes,"
        f" {sum(len(numbers) - 1 for numbers in told.writes.values())} double"
    )


def expected() -> list[str]:
    """Every message that was sent."""
    return [message(session, writer) for session in SESSION_IDS for writer in WRITERS]


def test_C2_no_message_is_lost_and_none_is_taken_twice(written: Written) -> None:
    said = Counter(event.text for session in SESSION_IDS for event in written.events(session, UserSaid))
    assert {text: said[text] for text in expected()} == dict.fromkeys(expected(), 1)


def test_C2_every_message_gets_its_own_answer_and_no_other(written: Written) -> None:
    for answer in written.answers:
        said = message(answer["session"], answer["writer"]).rstrip("?")
        assert answer["said"] == [f"You said {said}."], answer


def test_C2_no_two_acts_share_an_answer(written: Written) -> None:
    turns = [(answer["session"], turn) for answer in written.answers for turn in answer["turns"]]
    assert len(turns) == len(set(turns)) == SESSIONS * len(WRITERS) * 2


def test_C2_every_act_is_answered_once(written: Written) -> None:
    """An answer that one worker made for another one's caller is in the ledger twice: made, and got."""
    for session, ledger in written.ledgers.items():
        answered = [entry.turn for entry in ledger if isinstance(entry.event, AnswerDelivered)]
        assert len(written.events(session, ActQueued)) == len(set(answered)), session


def test_C2_acts_are_served_in_the_order_in_which_they_were_queued(written: Written) -> None:
    for session, ledger in written.ledgers.items():
        queued = [entry.revision for entry in ledger if isinstance(entry.event, ActQueued)]
        served = [entry.event.act for entry in ledger if isinstance(entry.event, UserSaid | UserTapped)]
        assert served == queued, session


def test_G9_the_backend_wrote_once_for_every_session(written: Written) -> None:
    assert {session: len(numbers) for session, numbers in written.writes.items()} == dict.fromkeys(SESSION_IDS, 1)


def test_G9_every_session_claimed_one_write(written: Written) -> None:
    assert all(len(written.events(session, WriteClaimed)) == 1 for session in SESSION_IDS)


def test_G9_both_taps_of_a_double_click_show_the_receipt_of_the_one_write(written: Written) -> None:
    for answer in written.answers:
        receipt = f"T-{written.writes[answer['session']][0]}"
        assert (answer["block"], answer["receipt"]) == ("receipt", receipt), answer
    assert all(len(written.events(session, ReceiptShown)) >= len(WRITERS) for session in SESSION_IDS)


def test_C2_both_writers_were_at_it_at_once(written: Written) -> None:
    """In most sessions the second writer's message is queued before the first one's tap: something could go wrong."""
    seeded = 2
    mixed = 0
    for session in SESSION_IDS:
        acts = [event.act for event in written.events(session, ActQueued)][seeded:]
        mixed += all(isinstance(act, Say) for act in acts[: len(WRITERS)])
    assert mixed > SESSIONS // 4
