"""Guards over the whole conversation, data, usage figures, and the coverage of a machine."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from marg_mock_model import Coverage, MockModel, coverage_of, parse_machine
from marg_mock_model.answer import Place, answer_to
from marg_mock_model.situation import situation_of
from marg_mock_model.when import When
from marg_runtime.conversation import AssistantMessage, FactsMessage, Message, ModelRequest, ResultMessage, UserMessage
from marg_runtime.errors import LocatedError

HELLO = UserMessage(text="hello there")
OURS = AssistantMessage(text="Yes?")
FACTS = FactsMessage(facts=("Priority set to High.",))
LATER = FactsMessage(facts=("Priority set to Low.",))
FOUND = ResultMessage(call="call-1", name="search", text="2")


def when(**guards: Any) -> When:
    states = {"a": {"transitions": [{"when": guards, "silent": True, "to": "a"}]}}
    machine = parse_machine(json.dumps({"machine": "m", "start": "a", "states": states}), path="m.yaml")
    return machine.transitions()[0].when


def request(*messages: Message) -> ModelRequest:
    return ModelRequest(system="", messages=messages, tools=())


@pytest.mark.parametrize(
    ("guards", "messages", "expected"),
    [
        ({"turn": 1}, (HELLO,), True),
        ({"turn": 2}, (HELLO, OURS, HELLO), True),
        ({"turn": 1}, (HELLO, OURS, HELLO), False),
        ({"turn": 0}, (FACTS,), True),
        ({"last_user_matches": "hello"}, (HELLO, OURS, FOUND), True),
        ({"last_user_matches": "bye"}, (HELLO, OURS, FOUND), False),
        ({"last_user_matches": ""}, (FACTS,), False),
        ({"told": ["Priority set to  High."]}, (FACTS, HELLO, OURS, HELLO), True),
        ({"told": ["Priority set to High.", "More."]}, (FACTS, HELLO), False),
        ({"told_matches": "^Priority"}, (FACTS, HELLO, OURS, HELLO), True),
        ({"told_matches": "^Title"}, (FACTS, HELLO), False),
        ({"not_told_matches": "^Title"}, (FACTS, HELLO), True),
        ({"not_told_matches": "^Priority"}, (FACTS, HELLO, OURS, HELLO), False),
    ],
)
def test_guards_look_at_the_whole_conversation(
    guards: dict[str, Any], messages: tuple[Message, ...], expected: bool
) -> None:
    assert (not when(**guards).matching(situation_of(request(*messages))).failed) is expected


def test_what_was_told_last_gives_the_groups() -> None:
    matching = when(told_matches="to (?P<priority>\\w+)").matching(situation_of(request(FACTS, OURS, LATER, HELLO)))
    assert matching.groups["priority"] == "Low"


def test_a_pattern_that_must_not_match_is_checked_too() -> None:
    with pytest.raises(LocatedError, match="'not_told_matches' is '\\(', which is not a regular expression"):
        when(not_told_matches="(")


def machine(**transition: Any) -> str:
    states = {"a": {"transitions": [{"when": {"user_matches": "(?P<who>\\w+)"}, "to": "a", **transition}]}}
    return json.dumps({"machine": "m", "start": "a", "states": states})


def test_data_is_a_reply_in_json_with_its_templates_filled() -> None:
    built = parse_machine(machine(data={"name": "{who}", "stars": 5}), path="m.yaml")
    answer = answer_to(request(HELLO), machine=built, place=Place(state="a"))
    assert json.loads(answer.text) == {"name": "hello", "stars": 5}


def test_data_beside_a_reply_is_refused() -> None:
    with pytest.raises(LocatedError, match="'reply' and 'data' stand beside one another"):
        parse_machine(machine(reply="x", data={"a": 1}), path="m.yaml")


def test_data_with_an_unknown_group_is_refused() -> None:
    with pytest.raises(LocatedError, match=r"'\{whom\}' is not captured"):
        parse_machine(machine(data={"name": "{whom}"}), path="m.yaml")


DESK = """\
machine: desk
start: open
states:
  open:
    transitions:
      - when: {user: hello there}
        reply: Hello.
        to: open
      - when: {user: bye}
        reply: Bye.
        to: closed
  closed:
    transitions:
      - when: {}
        silent: true
        to: closed
  lost:
    transitions:
      - when: {}
        silent: true
        to: open
slips:
  - {slip: empty, rate: 0}
"""


def played(*texts: str) -> Coverage:
    """The coverage of a conversation of these messages."""
    player = MockModel(parse_machine(DESK, path="desk.yaml"))

    async def play(text: str) -> None:
        async for _ in player.stream(request(UserMessage(text=text))):
            pass

    for text in texts:
        asyncio.run(play(text))
    return coverage_of(player.machine, [player])


def test_a_conversation_covers_what_it_took() -> None:
    coverage = played("hello there", "hello there")
    assert [coverage.times(t) for t in coverage.machine.transitions()] == [2, 0, 0, 0]


def test_what_was_not_used_is_named_by_line() -> None:
    coverage = played("hello there")
    assert [t.line for t in coverage.unused_transitions()] == [9, 14, 19]
    assert [state.name for state in coverage.unused_states()] == ["closed", "lost"]
    assert [slip.line for slip in coverage.unused_slips()] == [23]


def test_a_state_counts_as_used_when_it_is_entered() -> None:
    assert [state.name for state in played("bye").unused_states()] == ["lost"]


def test_nothing_played_is_nothing_used() -> None:
    assert [state.name for state in played().unused_states()] == ["open", "closed", "lost"]


def test_coverages_of_one_machine_add_up() -> None:
    coverage = played("hello there")
    coverage.add(played("bye"))
    assert coverage.record()["transitions"] == {"all": 4, "used": 2}


def test_a_record_names_the_unreachable_states() -> None:
    assert played().record()["unreachable_states"] == [{"state": "lost", "line": 17}]
