"""`marg sessions`: list, show, delete and prune on a store of our own."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.cli.commands import SESSIONS_COMMANDS
from marg_runtime.errors import StoreError, UsageError
from marg_runtime.events.turn import LineSaid
from marg_runtime.ledger import Entry
from marg_runtime.store import StoredSession, open_store

NOW = time.time_ns() // 1_000_000
DAY = 24 * 60 * 60 * 1000


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store with a session of long ago and one of now."""
    found = f"sqlite:///{tmp_path / 'store.db'}"

    async def fill() -> None:
        store = await open_store(found)
        for session, at in (("old", 1_000), ("new", NOW)):
            said = [Entry(revision=n, turn=0, at=at, event=LineSaid(text=f"[b]line {n}\x1b")) for n in (1, 2)]
            await store.append(session, said)
        await store.close()

    asyncio.run(fill())
    return found


def sessions(url: str) -> tuple[StoredSession, ...]:
    async def look() -> tuple[StoredSession, ...]:
        store = await open_store(url)
        found = await store.sessions()
        await store.close()
        return found

    return asyncio.run(look())


def run(*arguments: str, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(marg, ["sessions", *arguments], env=env)


def test_the_help_lists_every_command_with_its_summary() -> None:
    shown = run("--help").output
    assert all(f"{name} " in shown and summary in shown for name, summary in SESSIONS_COMMANDS.items())


def test_list_gives_the_sessions_with_their_times(url: str) -> None:
    found = run("list", "--store", url)
    assert (found.exit_code, found.stderr) == (0, "")
    assert [line.split()[:3] for line in found.stdout.splitlines() if "old" in line] == [
        ["old", "2", "1970-01-01T00:00:01Z"]
    ]
    assert "2 sessions" in found.stdout


def test_list_gives_json(url: str) -> None:
    found = json.loads(run("list", "--store", url, "--json").stdout)
    assert [one["session"] for one in found] == ["new", "old"]
    assert found[1] == {"session": "old", "revision": 2, "first_at": 1000, "last_at": 1000}


def test_the_store_may_be_named_by_the_environment(url: str) -> None:
    assert "2 sessions" in run("list", env={"MARG_STORE": url}).stdout


def test_show_prints_an_event_a_line_and_nothing_that_a_terminal_obeys(url: str) -> None:
    found = run("show", "old", "--store", url)
    assert [line.split()[0] for line in found.stdout.splitlines()] == ["1", "2"]
    assert "LineSaid" in found.stdout
    assert "[b]line 1" in found.stdout
    assert "\x1b" not in found.stdout


def test_show_gives_the_ledger_as_json(url: str) -> None:
    found = json.loads(run("show", "old", "--store", url, "--json").stdout)
    assert [(line["revision"], line["kind"], line["event"]["text"]) for line in found] == [
        (1, "LineSaid", "[b]line 1\x1b"),
        (2, "LineSaid", "[b]line 2\x1b"),
    ]


def test_show_of_an_unknown_session_is_an_error(url: str) -> None:
    found = run("show", "nobody", "--store", url)
    assert isinstance(found.exception, UsageError)
    assert "no session 'nobody' in this store" in str(found.exception)


def test_delete_deletes_what_it_is_given(url: str) -> None:
    found = run("delete", "old", "--store", url)
    assert (found.exit_code, found.stdout) == (0, "old: deleted\n")
    assert [one.session for one in sessions(url)] == ["new"]


def test_delete_says_what_was_not_there(url: str) -> None:
    found = run("delete", "old", "nobody", "--store", url, "--json")
    assert (found.exit_code, json.loads(found.stdout)) == (1, {"old": True, "nobody": False})


def test_prune_deletes_what_has_been_still_for_so_long(url: str) -> None:
    found = run("prune", "--days", "30", "--store", url)
    assert (found.exit_code, found.stdout) == (0, "old\n1 session deleted\n")
    assert [one.session for one in sessions(url)] == ["new"]


def test_prune_on_trial_deletes_nothing(url: str) -> None:
    found = run("prune", "--days", "30", "--dry-run", "--store", url, "--json")
    assert (json.loads(found.stdout), len(sessions(url))) == (["old"], 2)


@pytest.mark.parametrize("command", [["list"], ["show", "old"], ["delete", "old"], ["prune", "--days", "1"]])
def test_no_command_makes_a_database_where_there_is_none(tmp_path: Path, command: list[str]) -> None:
    found = run(*command, "--store", f"sqlite:///{tmp_path / 'nowhere.db'}")
    assert isinstance(found.exception, UsageError)
    assert list(tmp_path.iterdir()) == []


def test_without_a_store_the_command_says_which_option_is_missing() -> None:
    found = run("list", env={"MARG_STORE": ""})
    assert (found.exit_code, "--store" in found.stderr) == (2, True)


def test_a_store_that_breaks_is_an_error_of_the_store(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no database " * 100)
    found = run("list", "--store", f"sqlite:///{path}")
    assert isinstance(found.exception, StoreError)
