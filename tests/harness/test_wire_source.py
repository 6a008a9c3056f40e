"""A replay over a real wire: the same checks hold, what happens on it is on record, and nothing else is reached."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from marg_harness.cli.replay import replay_command
from marg_harness.errors import NetworkForbidden
from marg_harness.network_guard import loopback_allowed, no_network
from marg_harness.play import Play
from marg_harness.replay import load_all, replay
from marg_harness.settings_flags import SETTING_FLAGS
from marg_harness.source import OverTheWire, WireApi
from marg_harness.target import ReferenceTarget
from marg_reports import RunRecord
from marg_runtime.models.retry import Retries, Timeout
from marg_scenarios import find_kit

PLAIN_YES = find_kit("support_intake").scenarios / "plain_yes.scenario.yaml"


def over(api: WireApi, path: Path, *, faults: str = "") -> RunRecord:
    play = Play(over=OverTheWire(api=api, faults=faults, retries=1))
    return replay(load_all([path]), target=ReferenceTarget(play=play))


@pytest.mark.parametrize("api", get_args(WireApi))
def test_the_scenario_is_green_over_each_api(api: WireApi) -> None:
    assert over(api, PLAIN_YES).reds() == ()


def test_a_reply_that_is_cut_off_is_on_record_as_broken_and_makes_reds() -> None:
    run = over("openai_chat", PLAIN_YES, faults="truncated@1-2")
    first = run.scenarios[0].turns[0]
    assert [event["kind"] for event in first.wire if event["phase"] == "broken"] == ["truncated"]  # type: ignore[index, call-overload]
    assert run.reds()


@pytest.mark.parametrize("fault", ["duplicate_delta", "reordered_delta"])
def test_a_reply_that_ends_well_and_is_not_what_was_sent_is_on_record_as_broken(fault: str) -> None:
    first = over("openai_chat", PLAIN_YES, faults=f"{fault}@1-2").scenarios[0].turns[0]
    assert "protocol" in [event["kind"] for event in first.wire if event["phase"] == "broken"]  # type: ignore[index, call-overload]


@pytest.mark.parametrize("api", get_args(WireApi))
def test_a_reply_that_is_what_was_sent_is_not_on_record_as_broken(api: WireApi) -> None:
    turns = over(api, PLAIN_YES).scenarios[0].turns
    assert {event["phase"] for turn in turns for event in turn.wire} == {"sent", "answered"}  # type: ignore[index, call-overload]


def test_a_retry_that_recovers_is_on_record_and_makes_no_red() -> None:
    run = over("openai_chat", PLAIN_YES, faults="unavailable@1")
    phases = [event["phase"] for event in run.scenarios[0].turns[0].wire]  # type: ignore[index, call-overload]
    assert run.reds() == ()
    assert phases.count("noise") == 1


def test_where_nothing_is_asked_for_the_timeouts_and_retries_are_the_runtimes_own() -> None:
    play = Play(over=OverTheWire(api="openai_chat"))
    run = replay(load_all([PLAIN_YES]), target=ReferenceTarget(play=play))
    settings = str(run.scenarios[0].turns[0].wire[0]["settings"])  # type: ignore[index, call-overload]
    assert f"read={Timeout().read:g} " in settings
    assert f"retries={Retries().most} " in settings


@pytest.mark.parametrize(("read", "kinds"), [(None, []), (0.05, ["timeout"])])
def test_a_slow_piece_is_waited_for_as_long_as_is_said(read: float | None, kinds: list[str]) -> None:
    play = Play(over=OverTheWire(api="openai_chat", faults="slow@1:seconds=0.3", read=read))
    run = replay(load_all([PLAIN_YES]), target=ReferenceTarget(play=play))
    events = run.scenarios[0].turns[0].wire
    assert [event["kind"] for event in events if event["phase"] == "broken"] == kinds  # type: ignore[index, call-overload]


@pytest.mark.parametrize("name", SETTING_FLAGS)
def test_every_setting_of_a_cell_is_an_option_of_the_replay(name: str) -> None:
    assert name in {parameter.name for parameter in replay_command.params}


def test_an_undeclared_situation_is_one_over_the_wire_too(small: Callable[..., Path]) -> None:
    path = small(turns="  - say: something else\n    expect: {model_calls: 1}\n")
    assert [red.check.kind for red in over("anthropic_messages", path).reds()] == ["undeclared"]


SLIPPING = """\
machine: small
start: a
slips:
  - {slip: refuses, rate: 1, text: "I would rather not."}
states:
  a:
    transitions:
      - {when: {user_matches: hello}, reply: Hi., to: a}
"""


@pytest.mark.parametrize(("slips", "kinds"), [(True, ["refuses"]), (False, [])])
def test_a_slip_over_the_wire_is_on_record_and_can_be_left_out(
    small: Callable[..., Path], slips: bool, kinds: list[str]
) -> None:
    path = small(turns="  - say: hello\n    expect: {model_calls: 1}\n", machine=SLIPPING)
    play = Play(over=OverTheWire(api="openai_chat"), slips=slips)
    turn = replay(load_all([path]), target=ReferenceTarget(play=play)).scenarios[0].turns[0]
    assert list(turn.slips) == kinds
    assert len(turn.taken) == 1 + len(kinds)


def test_with_loopback_allowed_another_address_is_still_forbidden() -> None:
    with no_network() as attempts, loopback_allowed(), pytest.raises(NetworkForbidden):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    assert "192.0.2.1" in attempts[0]


def test_without_loopback_allowed_this_machine_is_forbidden_too() -> None:
    with no_network(), pytest.raises(NetworkForbidden):
        socket.create_connection(("127.0.0.1", 9), timeout=1)
