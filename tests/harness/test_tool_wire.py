"""Tools over a real wire with faults: what breaks is on record with its kind, and nothing else breaks."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from marg_harness.cli.command_line import marg
from marg_harness.play import Play
from marg_harness.replay import load_all, replay
from marg_harness.target import ReferenceTarget
from marg_harness.tool_wire import OverToolWire, parse_tool_faults
from marg_reports import RunRecord
from marg_runtime.errors import UsageError
from marg_scenarios import find_kit

PLAIN_YES = find_kit("support_intake").scenarios / "plain_yes.scenario.yaml"


def over(faults: str, *, timeout: float | None = None) -> RunRecord:
    play = Play(tools=OverToolWire(faults=faults, timeout=timeout))
    return replay(load_all([PLAIN_YES]), target=ReferenceTarget(play=play))


def broken(run: RunRecord) -> list[object]:
    events = [event for turn in run.scenarios[0].turns for event in turn.wire]
    return [event["kind"] for event in events if event["phase"] == "broken"]  # type: ignore[index, call-overload]


@pytest.mark.parametrize("faults", ["died@99", "502@99"])
def test_a_schedule_that_nothing_meets_leaves_the_scenario_green_over_both_transports(faults: str) -> None:
    run = over(faults)
    assert (run.reds(), broken(run)) == ((), [])


@pytest.mark.parametrize(("faults", "kind"), [("died@1", "mcp_closed"), ("429@1", "rate_limit")])
def test_a_fault_of_the_wire_is_on_record_with_its_kind_and_makes_reds(faults: str, kind: str) -> None:
    run = over(faults)
    assert broken(run) == [kind]
    assert run.reds()


def test_what_breaks_before_the_first_turn_is_on_record_with_it() -> None:
    run = over("died@1:on=list")
    assert broken(run) == ["mcp_closed"]
    assert [(red.turn, red.check.kind) for red in run.reds()] == [(0, "crash")]


def test_a_tool_that_refuses_makes_reds_and_breaks_no_wire() -> None:
    run = over("is_error@1")
    assert run.reds()
    assert broken(run) == []


def test_a_tool_that_hangs_is_waited_for_as_long_as_is_said() -> None:
    assert broken(over("hang@1", timeout=0.2)) == ["mcp_timeout"]


def test_the_run_says_how_its_tools_were_reached() -> None:
    play = Play(tools=OverToolWire(faults="died@1", timeout=2.0))
    assert play.settings() == {"tool_faults": "died@1", "tool_timeout": 2.0}


def test_the_faults_of_one_tool_pass_the_others_by() -> None:
    assert broken(over("401@1:tool=search_tickets")) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dies@1", "there is no fault 'dies'"),
        ("died@1; html@2", "need two transports: 'died' is a child's, 'html' is of HTTP"),
        ("died@1:on=open", "'on' is 'open'"),
    ],
)
def test_what_is_no_schedule_is_refused(line: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_tool_faults(line)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--read", "2"], "--read 2.0 needs a wire; name its API: --over openai_chat"),
        (["--retries", "0"], "--retries 0 needs a wire; name its API: --over openai_chat"),
        (["--tool-timeout", "2"], "--tool-timeout 2.0 needs a wire to the tools; name faults: --tool-faults"),
    ],
)
def test_what_is_asked_of_a_wire_that_is_not_there_is_refused(given: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        CliRunner().invoke(marg, ["replay", str(PLAIN_YES), *given], catch_exceptions=False)
    assert message in str(caught.value)
