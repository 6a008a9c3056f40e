"""`marg mock`: serve, check and draw a machine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.cli.commands import MOCK_COMMANDS
from marg_runtime.errors import UsageError

MACHINE = """\
machine: desk
start: open
states:
  open:
    transitions:
      - {when: {user: hello}, reply: Hello., to: open}
      - {when: {user: bye}, reply: Bye., to: open}
"""


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    path = tmp_path / "desk.machine.yaml"
    path.write_text(MACHINE, encoding="utf-8")
    return path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(marg, ["mock", *map(str, words)])


def test_the_help_names_every_command() -> None:
    output = run("--help").output
    assert [name for name in MOCK_COMMANDS if name not in output] == []


@pytest.fixture
def served(machine: Path, tmp_path: Path) -> Any:
    """A server that is running: its addresses, its journal and its process."""
    pytest.importorskip("uvicorn")
    journal = tmp_path / "journal.jsonl"
    code = "from marg_harness.cli import main; main()"
    command = [sys.executable, "-c", code, "mock", "serve", str(machine), "--journal", str(journal)]
    with subprocess.Popen([*command, "--faults", "rate_limit@2"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline()), journal, process
        finally:
            process.kill()


@contextmanager
def started(*words: str | Path) -> Iterator[tuple[dict[str, str], subprocess.Popen[str]]]:
    """A command that is running: what it announced, and its process."""
    code = "from marg_harness.cli import main; main()"
    command = [sys.executable, "-c", code, "mock", *map(str, words), "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline()), process
        finally:
            process.kill()


def ask(addresses: dict[str, str]) -> httpx.Response:
    body = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
    return httpx.post(f"{addresses['openai']}/chat/completions", json=body, trust_env=False)


def test_a_machine_is_served_until_the_process_is_told_to_stop(served: Any, machine: Path) -> None:
    addresses, journal, process = served
    assert addresses["openai"] == f"{addresses['address']}/v1"
    assert [ask(addresses).status_code for _ in range(2)] == [200, 429]
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0
    assert [json.loads(line)["status"] for line in journal.read_text(encoding="utf-8").splitlines()] == [200, 429]
    checked = run("check", machine, "--journal", journal, "--json")
    assert json.loads(checked.stdout)["coverage"]["unused_transitions"] == [{"state": "open", "line": 7}]


def test_a_cassette_is_recorded_replayed_and_drafted(served: Any, tmp_path: Path) -> None:
    addresses, _, _ = served
    cassette = tmp_path / "talk.cassette.jsonl"
    with started("record", "--upstream", addresses["address"], "--cassette", cassette) as (recording, recorder):
        assert ask({"openai": f"{recording['address']}/v1"}).status_code == 200
        recorder.send_signal(signal.SIGTERM)
        assert recorder.wait(10) == 0
    with started("replay", cassette) as (replaying, replayer):
        url = f"{replaying['address']}/v1"
        assert ask({"openai": url}).json()["choices"][0]["message"]["content"] == "Hello."
        assert httpx.post(f"{url}/chat/completions", json={}, trust_env=False).status_code == 422
        replayer.send_signal(signal.SIGTERM)
        assert replayer.wait(10) == 1
    drafted = run("draft", cassette)
    assert (drafted.exit_code, 'when: {"user": "hello"}' in drafted.stdout) == (0, True)


def test_a_cassette_that_is_none_is_not_replayed(tmp_path: Path) -> None:
    assert isinstance(run("replay", tmp_path / "none.jsonl").exception, UsageError)


def test_a_machine_that_does_not_load_is_not_served(tmp_path: Path) -> None:
    assert isinstance(run("serve", tmp_path / "none.yaml").exception, UsageError)


def test_faults_that_are_none_are_not_served(machine: Path) -> None:
    assert "there is no fault 'nonsense'" in str(run("serve", machine, "--faults", "nonsense").exception)


def test_a_sound_machine_passes(machine: Path) -> None:
    found = run("check", machine)
    assert (found.exit_code, found.stdout) == (0, "")


def test_a_machine_with_warnings_fails(machine: Path) -> None:
    machine.write_text(f"{MACHINE}      - {{when: {{user: bye}}, reply: Bye again., to: open}}\n", encoding="utf-8")
    found = run("check", machine)
    assert (found.exit_code, found.stdout.count("warning: never taken")) == (1, 1)


def test_a_line_that_is_no_exchange_is_refused(machine: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_text('{"a": 1}\n', encoding="utf-8")
    assert "journal.jsonl:1: this line is no exchange" in str(run("check", machine, "--journal", journal).exception)


def test_a_journal_of_another_machine_is_refused(machine: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_text('{"state": "x", "transition": "m.yaml:99", "slips": []}\n', encoding="utf-8")
    assert "the machine has changed since" in str(run("check", machine, "--journal", journal).exception)


def test_a_machine_is_drawn_on_stdout(machine: Path) -> None:
    assert run("draw", machine).stdout.startswith("stateDiagram-v2\n")


def test_a_machine_is_drawn_into_a_file(machine: Path, tmp_path: Path) -> None:
    assert run("draw", machine, "--format", "svg", "--output", tmp_path / "desk.svg").exit_code == 0
    assert (tmp_path / "desk.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_a_drawing_that_cannot_be_written_is_a_usage_error(machine: Path, tmp_path: Path) -> None:
    assert isinstance(run("draw", machine, "--output", tmp_path / "no" / "desk.svg").exception, UsageError)
