"""Guards: what each holds of, alone and together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from marg_mock_model import parse_machine
from marg_mock_model.situation import situation_of
from marg_mock_model.when import When
from marg_runtime.conversation import AssistantMessage, FactsMessage, Message, ModelRequest, ResultMessage, UserMessage

HELLO = UserMessage(text="hello there")
LOGIN = UserMessage(text="my login fails")
OURS = AssistantMessage(text="Tell me more.")
FACTS = FactsMessage(facts=("Priority is high.", "Category is access."))
FOUND = ResultMessage(call="call-1", name="search_tickets", text="2 tickets")
REFUSED = ResultMessage(call="call-2", name="propose", text="no such slot", is_error=True)


def when(**guards: Any) -> When:
    states = {"a": {"transitions": [{"when": guards, "silent": True, "to": "a"}]}}
    machine = parse_machine(json.dumps({"machine": "m", "start": "a", "states": states}), path="m.yaml")
    return machine.transitions()[0].when


def holds(guards: dict[str, Any], *messages: Message) -> bool:
    return not when(**guards).matching(situation_of(ModelRequest(system="", messages=messages, tools=()))).failed


def groups(guards: dict[str, Any], *messages: Message) -> dict[str, str]:
    return dict(when(**guards).matching(situation_of(ModelRequest(system="", messages=messages, tools=()))).groups)


@pytest.mark.parametrize("messages", [(), (HELLO,), (HELLO, OURS), (HELLO, OURS, FACTS), (HELLO, OURS, FOUND)])
def test_no_guard_holds_of_anything(messages: tuple[Message, ...]) -> None:
    assert holds({}, *messages)


@pytest.mark.parametrize(
    ("guards", "messages"),
    [
        ({"user": "hello there"}, (HELLO,)),
        ({"user": " hello\n there "}, (HELLO,)),
        ({"user": "hello there"}, (HELLO, LOGIN)),
        ({"user_matches": "log.n"}, (OURS, FACTS, LOGIN)),
        ({"last": "user"}, (FACTS, LOGIN)),
        ({"last": "facts"}, (LOGIN, FACTS)),
        ({"last": "results"}, (LOGIN, OURS, FOUND)),
        ({"facts": ["Category is access."]}, (FACTS, LOGIN)),
        ({"facts": ["Category is access.", "Priority  is high."]}, (FACTS,)),
        ({"fact_matches": "^Priority is"}, (FACTS,)),
        ({"result_of": "propose"}, (LOGIN, OURS, FOUND, REFUSED)),
        ({"result_matches": "^2"}, (LOGIN, OURS, FOUND, REFUSED)),
        ({"result_is_error": True}, (LOGIN, OURS, FOUND, REFUSED)),
        ({"result_of": "propose", "result_is_error": True, "result_matches": "slot"}, (LOGIN, OURS, FOUND, REFUSED)),
        ({"call": 1}, (LOGIN,)),
        ({"call": 1}, (HELLO, OURS, FOUND, OURS, LOGIN)),
        ({"call": 2}, (LOGIN, OURS, FOUND)),
        ({"call": 3}, (LOGIN, OURS, FOUND, OURS, FOUND)),
        ({"user_matches": "login", "facts": ["Priority is high."], "last": "user", "call": 1}, (FACTS, LOGIN)),
    ],
)
def test_the_guards_hold(guards: dict[str, Any], messages: tuple[Message, ...]) -> None:
    assert holds(guards, *messages)


@pytest.mark.parametrize(
    ("guards", "messages"),
    [
        ({"user": "hello"}, (HELLO,)),
        ({"user": "Hello there"}, (HELLO,)),
        ({"user": "hello there"}, (HELLO, OURS)),
        ({"user": "hello there"}, (HELLO, OURS, LOGIN)),
        ({"user_matches": "login"}, (LOGIN, OURS, FOUND)),
        ({"user_matches": "priority"}, (FACTS, LOGIN)),
        ({"user": "hello there", "user_matches": "login"}, (HELLO, LOGIN)),
        ({"last": "user"}, ()),
        ({"last": "user"}, (LOGIN, OURS)),
        ({"last": "user"}, (LOGIN, FACTS)),
        ({"facts": ["Priority is high.", "Title is set."]}, (FACTS,)),
        ({"facts": ["Priority is high."]}, (FACTS, LOGIN, OURS)),
        ({"facts": ["Priority is"]}, (FACTS,)),
        ({"fact_matches": "access"}, (FACTS, OURS, LOGIN)),
        ({"fact_matches": "hello"}, (FACTS, HELLO)),
        ({"result_of": "search_tickets"}, (LOGIN, OURS, FOUND, OURS, REFUSED)),
        ({"result_of": "search"}, (LOGIN, OURS, FOUND)),
        ({"result_of": "search_tickets", "result_is_error": True}, (LOGIN, OURS, FOUND, REFUSED)),
        ({"result_of": "propose", "result_matches": "tickets"}, (LOGIN, OURS, FOUND, REFUSED)),
        ({"result_is_error": False}, (LOGIN, OURS, REFUSED)),
        ({"result_is_error": False}, (LOGIN,)),
        ({"call": 2}, (LOGIN,)),
        ({"call": 1}, (LOGIN, OURS, FOUND)),
    ],
)
def test_the_guards_do_not_hold(guards: dict[str, Any], messages: tuple[Message, ...]) -> None:
    assert not holds(guards, *messages)


def test_a_pattern_gives_its_groups_by_name_and_by_number() -> None:
    assert groups({"user_matches": r"(?P<thing>\w+) (fails|works)"}, LOGIN) == {
        "0": "login fails",
        "1": "login",
        "2": "fails",
        "thing": "login",
    }


def test_a_group_that_took_no_part_is_empty() -> None:
    assert groups({"user_matches": "login( often)?"}, LOGIN) == {"0": "login", "1": ""}


def test_the_newest_message_that_fits_gives_the_groups() -> None:
    assert groups({"user_matches": r"\w+"}, HELLO, LOGIN)["0"] == "my"


def test_two_patterns_give_their_names_together() -> None:
    guards = {"user_matches": "(?P<thing>login)", "fact_matches": "is (?P<priority>high)"}
    found = groups(guards, FACTS, LOGIN)
    assert (found["thing"], found["priority"]) == ("login", "high")


def test_guards_that_do_not_hold_are_told_from_those_that_do() -> None:
    request = ModelRequest(system="", messages=(FACTS, LOGIN), tools=())
    matching = when(user="hello", last="user", call=1, result_of="propose").matching(situation_of(request))
    assert ([str(g) for g in matching.held], [str(g) for g in matching.failed]) == (
        ["last 'user'", "call 1"],
        ["user 'hello'", "result_of 'propose'"],
    )
