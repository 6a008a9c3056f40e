"""The commands around targets: replay --target, target check, serve, and the schema of the protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.errors import TargetError
from marg_runtime.errors import UsageError
from marg_runtime.gate import WRITE_FLAG

TARGET = """\
class Agent:
    def describe(self):
        return {"protocol": 1, "name": "a", "reports": ["reading"]}

    def open(self, opening):
        return {"id": opening.get("id", "1")}

    def act(self, conversation, sent):
        return {"reports": [{"texts": [{"text": "Hi"}], "reading": "content"} for act in sent["acts"]]}

    def close(self, conversation):
        return {}
"""
SCENARIO = "scenario: s\ndomain: support_intake\nturns:\n  - say: hello\n    expect: {%s}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The present folder, with a target in it; gives the target's name."""
    monkeypatch.chdir(tmp_path)
    module = f"target_{tmp_path.name}"
    (tmp_path / f"{module}.py").write_text(TARGET, encoding="utf-8")
    yield f"{module}:Agent"
    sys.modules.pop(module, None)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(marg, arguments)


def replayed(target: str, expect: str, *more: str) -> Result:
    Path("x.scenario.yaml").write_text(SCENARIO % expect, encoding="utf-8")
    return run("replay", "x.scenario.yaml", "--target", target, "--quiet", *more)


@pytest.mark.parametrize(
    ("expect", "more", "code"),
    [
        ("reading: content", (), 0),
        ("reading: plain_yes", (), 1),
        ("reading: content, question: none", (), 3),
        ("reading: content, question: none", ("--partial",), 0),
        ("reading: plain_yes, question: none", ("--partial",), 1),
    ],
)
def test_a_red_is_exit_1_and_what_is_not_measured_is_exit_3(
    here: str, expect: str, more: tuple[str, ...], code: int
) -> None:
    assert replayed(here, expect, *more).exit_code == code


def test_what_is_not_measured_is_counted_and_shown_with_its_reason(here: str) -> None:
    shown = replayed(here, "reading: content, question: none").output
    assert "no reds; 1 check not measured; nobody counted the writes" in shown
    assert "not measured: 1 check: the target does not report: question" in shown


def test_what_is_not_measured_is_in_the_json(here: str) -> None:
    answer = json.loads(replayed(here, "question: none", "--json").output)
    assert [one["because"] for one in answer["unmeasured"]] == ["the target does not report: question"]


def test_a_target_that_cannot_be_reached_is_exit_3(here: str) -> None:
    # The command line explains every error of Marg's that is no UsageError with exit code 3.
    assert isinstance(replayed("http://127.0.0.1:9", "reading: content").exception, TargetError)


@pytest.mark.parametrize("more", [("-n", "2"), ("--isolated",), ("--no-slips",), ("--seed", "3")])
def test_what_only_the_runtime_in_this_process_can_do_is_refused_beside_a_target(
    here: str, more: tuple[str, ...]
) -> None:
    assert isinstance(replayed(here, "reading: content", *more).exception, UsageError)


def test_target_check_prints_a_row_for_each_requirement_and_exits_1_on_a_fail(here: str) -> None:
    result = run("target", "check", here)
    assert (result.exit_code, "closes a conversation" in result.output) == (1, True)


@pytest.fixture
def breaking(here: str) -> str:
    """A target whose class needs what nobody gives it."""
    module, _, _ = here.partition(":")
    more = "\nclass Needy(Agent):\n    def __init__(self, key):\n        pass\n"
    Path(f"{module}.py").write_text(TARGET + more, encoding="utf-8")
    return f"{module}:Needy"


@pytest.mark.parametrize("command", ["check", "replay"])
def test_a_target_that_cannot_be_made_is_told_with_what_it_raised(breaking: str, command: str) -> None:
    result = run("target", "check", breaking) if command == "check" else replayed(breaking, "reading: content")
    assert isinstance(result.exception, TargetError)
    assert f"target {breaking!r} could not be made: TypeError" in str(result.exception)


@pytest.mark.parametrize("text", ["raise RuntimeError('no settings')", "def ("])
def test_a_target_whose_module_breaks_is_a_usage_error_with_the_place(here: str, text: str) -> None:
    module, _, _ = here.partition(":")
    Path(f"{module}.py").write_text(text, encoding="utf-8")
    error = run("target", "check", here).exception
    assert isinstance(error, UsageError)
    assert f"target {here!r}: its module broke as it was imported: " in str(error)
    assert f"{module}.py" in str(error)


@pytest.mark.parametrize("command", ["check", "replay"])
def test_G8_a_target_never_sees_the_write_flag_of_the_caller(
    here: str, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    module, _, _ = here.partition(":")
    flag = f"os.environ.get({WRITE_FLAG!r})"
    seen = f"import os\ndef see():\n    with open('seen', 'a') as file:\n        print({flag}, file=file)\n"
    told = TARGET.replace("def act(self, conversation, sent):\n", "def act(self, conversation, sent):\n        see()\n")
    Path(f"{module}.py").write_text(f"{seen}see()\n{told}", encoding="utf-8")
    monkeypatch.setenv(WRITE_FLAG, "true")
    if command == "check":
        run("target", "check", here)
    else:
        replayed(here, "reading: content")
    assert set(Path("seen").read_text(encoding="utf-8").split()) == {"None"}


def test_the_schema_of_the_protocol_is_printed() -> None:
    assert "Report" in json.loads(run("schema", "target").output)["$defs"]


@pytest.mark.parametrize(
    "options",
    [
        ("--mock", "--model", "openai:x"),
        ("--test", "--model", "openai:x"),
        ("--test", "--store", "sqlite:///x.db"),
        ("--dev", "--host", "0.0.0.0"),
    ],
)
def test_serve_refuses_options_that_do_not_go_together(options: tuple[str, ...]) -> None:
    assert isinstance(run("serve", "support_intake", *options).exception, UsageError)


def test_a_gateway_that_was_started_passes_every_requirement() -> None:
    command = [sys.executable, "-c", "from marg_harness.cli import main; main()", "serve", "support_intake", "--test"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = json.loads(server.stdout.readline())["address"]
            result = run("target", "check", address)
        finally:
            server.terminate()
    assert (result.exit_code, server.returncode) == (0, 0), result.output
