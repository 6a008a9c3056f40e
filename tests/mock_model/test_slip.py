"""Slips: what each does to a reply, where it fits, and how it is drawn."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import Any, get_args

import pytest

from marg_mock_model import Draw, MockModel, parse_machine
from marg_mock_model.slip import SlipKind
from marg_mock_model.slip_reader import NEEDS, TAKES
from marg_runtime.conversation import AssistantMessage, Message, ModelRequest, UserMessage
from marg_runtime.errors import LocatedError
from marg_runtime.model import CallDelta, Finish, TextDelta

REPLY = "I found two. Shall I go on?"
TRANSITIONS: list[dict[str, Any]] = [
    {
        "when": {"user_matches": "search (?P<what>\\w+)"},
        "reply": REPLY,
        "calls": [{"search": {"query": "{what}"}}],
        "to": "a",
    },
    {"when": {}, "reply": "Hello.", "to": "a"},
]


def text_of(*slips: dict[str, Any]) -> str:
    states = {"a": {"transitions": TRANSITIONS}, "b": {"transitions": TRANSITIONS}}
    return json.dumps({"machine": "m", "start": "a", "states": states, "slips": slips})


def model(*slips: dict[str, Any], draw: Draw | None = None) -> MockModel:
    return MockModel(parse_machine(text_of(*slips), path="m.yaml"), draw=draw or Draw())


def answers(player: MockModel, *messages: Message) -> tuple[str, list[tuple[str, Any]], str]:
    """The text, the calls and the finish of a reply."""

    async def collect() -> list[Any]:
        return [delta async for delta in player.stream(ModelRequest(system="", messages=messages, tools=()))]

    deltas = asyncio.run(collect())
    text = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    calls = [(delta.call.name, dict(delta.call.arguments)) for delta in deltas if isinstance(delta, CallDelta)]
    return text, calls, next(delta.reason for delta in deltas if isinstance(delta, Finish))


def test_a_slip_that_is_asked_for_happens_in_the_next_reply_whatever_is_drawn() -> None:
    player = model({"slip": "empty", "rate": 0})
    player.slip_next("empty")
    first, second = answers(player, SEARCH), answers(player, SEARCH)
    assert (first, second, [slip.kind for slip in player.slips]) == (
        ("", [], "stop"),
        (REPLY, [CALL], "tool_calls"),
        ["empty"],
    )


def test_a_slip_that_is_asked_for_is_the_only_one_of_its_reply() -> None:
    player = model({"slip": "empty", "rate": 1}, {"slip": "refuses", "rate": 0})
    player.slip_next("refuses")
    answers(player, SEARCH)
    assert [slip.kind for slip in player.slips] == ["refuses"]


def test_a_slip_that_is_asked_for_and_does_not_fit_does_not_happen() -> None:
    player = model({"slip": "empty", "rate": 0, "states": ["b"]})
    player.slip_next("empty")
    assert (answers(player, SEARCH), player.slips) == ((REPLY, [CALL], "tool_calls"), [])


SEARCH = UserMessage(text="search login")
CALL = ("search", {"query": "login"})


@pytest.mark.parametrize(
    ("slip", "expected"),
    [
        (
            {"slip": "asks_the_question", "text": "Which priority?"},
            (f"{REPLY} Which priority?", [CALL], "tool_calls"),
        ),
        ({"slip": "skips_question"}, ("I found two.", [CALL], "tool_calls")),
        (
            {"slip": "attests_unsaid", "calls": [{"propose": {"slot": "title", "value": "x", "quote": "x"}}]},
            (REPLY, [CALL, ("propose", {"slot": "title", "value": "x", "quote": "x"})], "tool_calls"),
        ),
        (
            {"slip": "creates_early", "calls": [{"create_ticket": {"title": "x"}}]},
            (REPLY, [CALL, ("create_ticket", {"title": "x"})], "tool_calls"),
        ),
        (
            {"slip": "overrides_value", "tool": "search", "arguments": {"priority": "low"}},
            (REPLY, [("search", {"query": "login", "priority": "low"})], "tool_calls"),
        ),
        ({"slip": "claims_success"}, (f"{REPLY} It has been created.", [CALL], "tool_calls")),
        ({"slip": "claims_success", "text": "Done, T-1."}, (f"{REPLY} Done, T-1.", [CALL], "tool_calls")),
        ({"slip": "wrong_tool", "tool": "find"}, (REPLY, [("find", {"query": "login"})], "tool_calls")),
        ({"slip": "bad_arguments"}, (REPLY, [("search", {})], "tool_calls")),
        ({"slip": "bad_arguments", "arguments": {"q": 5}}, (REPLY, [("search", {"q": 5})], "tool_calls")),
        ({"slip": "refuses"}, ("I cannot help with that.", [], "refusal")),
        ({"slip": "empty"}, ("", [], "stop")),
        ({"slip": "stops_early"}, ("I found two.", [], "stop")),
        ({"slip": "stops_early", "finish": "length"}, ("I found two.", [], "length")),
    ],
    ids=lambda value: value["slip"] if isinstance(value, dict) else "",
)
def test_a_slip_changes_the_reply(slip: dict[str, Any], expected: tuple[Any, ...]) -> None:
    assert answers(model(slip), SEARCH) == expected


def test_a_slip_is_recorded_by_the_player() -> None:
    player = model({"slip": "empty"})
    answers(player, SEARCH)
    assert [(slip.kind, slip.line) for slip in player.slips] == [("empty", 1)]


@pytest.mark.parametrize("slip", [{"slip": "wrong_tool", "tool": "find"}, {"slip": "skips_question"}])
def test_a_slip_with_nothing_to_do_wrong_does_not_happen(slip: dict[str, Any]) -> None:
    player = model(slip)
    assert (answers(player, UserMessage(text="hi"))[0], player.slips) == ("Hello.", [])


def test_a_slip_keeps_to_its_states() -> None:
    assert answers(model({"slip": "empty", "states": ["b"]}), SEARCH)[0] == REPLY


def test_a_slip_keeps_to_its_guards_and_uses_their_groups() -> None:
    slip = {"slip": "claims_success", "when": {"user_matches": "search (?P<it>.+)"}, "text": "{it} is done."}
    assert answers(model(slip), SEARCH)[0] == f"{REPLY} login is done."
    assert answers(model(slip), UserMessage(text="hi"))[0] == "Hello."


def test_the_first_slip_that_fits_happens_alone() -> None:
    player = model({"slip": "wrong_tool", "tool": "find"}, {"slip": "empty"})
    answers(player, SEARCH)
    assert [slip.kind for slip in player.slips] == ["wrong_tool"]


def test_a_slip_does_not_change_where_the_machine_goes() -> None:
    player = model({"slip": "empty"})
    answers(player, SEARCH)
    assert (player.state, len(player.taken)) == ("a", 1)


def share(slip: dict[str, Any], **draw: Any) -> list[bool]:
    """Whether the slip happened in each of 400 turns."""
    player = model(slip, draw=Draw(**draw))
    messages: list[Message] = []
    happened = []
    for _ in range(400):
        messages.append(UserMessage(text="hi"))
        before = len(player.slips)
        answers(player, *messages)
        happened.append(len(player.slips) > before)
        messages.append(AssistantMessage(text="Hello."))
    return happened


def test_a_rate_is_met_over_many_turns() -> None:
    assert 0.24 < sum(share({"slip": "refuses", "rate": 0.3}, seed=1)) / 400 < 0.36


def test_another_rate_stands_instead_of_the_files() -> None:
    assert answers(model({"slip": "empty"}, draw=Draw(rates={"empty": 0})), SEARCH)[0] == REPLY


@pytest.mark.parametrize("draw", [{"seed": 2}, {"scenario": "other"}])
def test_seed_and_scenario_draw_apart(draw: dict[str, Any]) -> None:
    slip = {"slip": "refuses", "rate": 0.5}
    assert share(slip, **draw) != share(slip)


def test_a_request_sent_again_slips_again() -> None:
    player = model({"slip": "refuses", "rate": 0.5}, draw=Draw(seed=3))
    found = {answers(player, SEARCH)[0] for _ in range(20)}
    assert len(found) == 1


def test_slips_do_not_depend_on_the_hash_seed() -> None:
    code = "from marg_mock_model.chance import chance; print(chance(1, 'scenario', 2, 1, 'empty', 1))"
    drawn = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(drawn) == 1


@pytest.mark.parametrize(("kind", "needed"), sorted(NEEDS.items()))
def test_a_slip_without_what_it_needs_is_refused(kind: str, needed: str) -> None:
    with pytest.raises(LocatedError, match=f"the slip '{kind}' needs '{needed}'; add it"):
        model({"slip": kind})


@pytest.mark.parametrize("kind", get_args(SlipKind))
def test_a_key_that_would_do_nothing_is_refused(kind: SlipKind) -> None:
    values: dict[str, Any] = {
        "text": "x",
        "tool": "x",
        "arguments": {"a": 1},
        "calls": [{"x": {}}],
        "finish": "stop",
    }
    given = {key: values[key] for key in TAKES[kind]}
    useless = next(key for key in values if key not in TAKES[kind])
    with pytest.raises(LocatedError, match=f"does nothing with '{useless}'"):
        model({"slip": kind, **given, useless: values[useless]})


def test_a_state_that_is_not_declared_is_refused() -> None:
    with pytest.raises(LocatedError, match="this entry is 'c', which is not a declared state"):
        model({"slip": "empty", "states": ["c"]})


def test_a_group_that_the_slips_own_guards_do_not_capture_is_refused() -> None:
    with pytest.raises(LocatedError, match=r"'\{what\}' is not captured"):
        model({"slip": "claims_success", "text": "{what}"})
