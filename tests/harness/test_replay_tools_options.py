"""The tools of `marg replay` heed every option of a replay, or refuse it: none is passed over in silence."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from marg_harness.cli.command_line import marg
from marg_harness.cli.replay import replay_command
from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.cli.replay_tools import TOOLS
from marg_harness.cli.replay_watch import _arguments
from marg_runtime.errors import UsageError

GIVEN = ReplayOptions(
    jobs=2,
    isolated=True,
    repeat=3,
    seed=4,
    slips=False,
    over="anthropic_messages",
    faults="rate_limit@1",
    tags=("a", "b"),
    names=("c",),
    last_failed=False,
    coverage=True,
    output=Path("o.jsonl"),
    junit=Path("j.xml"),
    as_json=False,
    quiet=True,
    read=1.5,
    retries=0,
    model="openai:x",
    base_url="http://127.0.0.1:1",
    replies=Path(__file__),
    tool_faults="died@1",
    tool_timeout=2.5,
    target="http://127.0.0.1:2",
    target_timeout=3.5,
    partial=True,
)
"""Every option that a watch takes, none with its default."""


@pytest.fixture(autouse=True)
def _nothing_to_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def parsed(arguments: list[str]) -> ReplayOptions:
    context = replay_command.make_context("replay", list(arguments))
    own = {field.name for field in fields(ReplayOptions)}
    return ReplayOptions(**{name: value for name, value in context.params.items() if name in own})


def test_a_watch_replays_with_every_option_that_it_was_given() -> None:
    assert parsed(_arguments(GIVEN)) == GIVEN


def test_a_watch_replays_with_the_defaults_where_nothing_was_given() -> None:
    assert parsed(_arguments(parsed([]))) == parsed([])


def test_every_option_that_a_watch_takes_is_among_those_that_were_given() -> None:
    plain = parsed([])
    left = [field.name for field in fields(GIVEN) if getattr(GIVEN, field.name) == getattr(plain, field.name)]
    assert left == ["last_failed", "as_json"]


@pytest.mark.parametrize("option", ["--target=http://127.0.0.1:1", "--partial", "--junit=j.xml", "--coverage"])
@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool != "watch"])
def test_a_tool_refuses_what_it_would_not_do(tool: str, option: str) -> None:
    found = CliRunner().invoke(marg, ["replay", f"--{tool}", option])
    assert isinstance(found.exception, UsageError)
    assert str(found.exception).startswith(f"--{tool} has no use for {option.partition('=')[0]};")


@pytest.mark.parametrize(("tool", "option"), [("step", "--repeat=2"), ("watch", "--last-failed")])
def test_a_tool_that_goes_its_own_way_refuses_to_choose_or_repeat(tool: str, option: str) -> None:
    found = CliRunner().invoke(marg, ["replay", f"--{tool}", option])
    assert isinstance(found.exception, UsageError)
    assert "has no use for" in str(found.exception)
