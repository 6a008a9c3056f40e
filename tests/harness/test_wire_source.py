"""A replay over a real wire: the same checks hold, what happens on it is on record, and nothing else is reached."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from marg_harness.errors import NetworkForbidden
from marg_harness.network_guard import loopback_allowed, no_network
from marg_harness.play import Play
from marg_harness.replay import load_all, replay
from marg_harness.source import OverTheWire, WireApi
from marg_harness.target import ReferenceTarget
from marg_reports import RunRecord
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


def test_a_retry_that_recovers_is_on_record_and_makes_no_red() -> None:
    run = over("openai_chat", PLAIN_YES, faults="unavailable@1")
    phases = [event["phase"] for event in run.scenarios[0].turns[0].wire]  # type: ignore[index, call-overload]
    assert run.reds() == ()
    assert phases.count("noise") == 1


def test_an_undeclared_situation_is_one_over_the_wire_too(small: Callable[..., Path]) -> None:
    path = small(turns="  - say: something else\n    expect: {model_calls: 1}\n")
    assert [red.check.kind for red in over("anthropic_messages", path).reds()] == ["undeclared"]


def test_with_loopback_allowed_another_address_is_still_forbidden() -> None:
    with no_network() as attempts, loopback_allowed(), pytest.raises(NetworkForbidden):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    assert "192.0.2.1" in attempts[0]


def test_without_loopback_allowed_this_machine_is_forbidden_too() -> None:
    with no_network(), pytest.raises(NetworkForbidden):
        socket.create_connection(("127.0.0.1", 9), timeout=1)
