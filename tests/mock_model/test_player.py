"""The mock model: it answers as its machine says, and refuses what the machine does not declare."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_mock_model import MockModel, UndeclaredSituation, parse_machine
from marg_mock_model.pieces import pieces
from marg_runtime.conversation import (
    AssistantMessage,
    FactsMessage,
    Message,
    ModelCall,
    ModelRequest,
    ResultMessage,
    UserMessage,
)
from marg_runtime.errors import ModelError
from marg_runtime.model import CallDelta, Delta, Finish, Model, TextDelta
from marg_runtime.tools.tool import ToolSpec

MACHINE = """\
machine: desk
start: listening
states:
  listening:
    transitions:
      - when: {user_matches: "my (?P<thing>\\\\w+) fails"}
        reply: "I am sorry that your {thing} fails."
        calls:
          - propose: {slot: title, value: "{0}", quote: "{0}"}
          - search_tickets: {query: "{thing}", limit: 5}
        to: searching
      - when: {user: hello, last: user}
        reply: Hello! What is wrong?
        to: listening
  searching:
    transitions:
      - when: {result_of: search_tickets, result_matches: "^(\\\\d+) tickets?$"}
        reply: "I found {1}."
        to: listening
      - when: {result_is_error: true, result_of: propose, result_matches: slot}
        silent: true
        to: listening
"""
PROPOSE, SEARCH = (
    ToolSpec(server="desk", identity="desk 1", name=name, description="", input_schema={})
    for name in ("propose", "search_tickets")
)
HELLO = UserMessage(text="hello")
LOGIN = UserMessage(text="my login fails")
FOUND = ResultMessage(call="call-2", name="search_tickets", text="2 tickets")


def player(text: str = MACHINE) -> MockModel:
    return MockModel(parse_machine(text, path="m.yaml"))


def request(*messages: Message, tools: tuple[ToolSpec, ...] = (PROPOSE, SEARCH)) -> ModelRequest:
    return ModelRequest(system="Be brief.", messages=messages, tools=tools)


def deltas(model: Model, sent: ModelRequest) -> list[Delta]:
    """The whole reply. The mock waits for nothing, so that no event loop is needed: one step runs it to its end."""

    async def collect() -> list[Delta]:
        return [delta async for delta in model.stream(sent)]

    with pytest.raises(StopIteration) as finished:
        collect().send(None)
    found: list[Delta] = finished.value.value
    return found


def text(found: list[Delta]) -> str:
    return "".join(delta.text for delta in found if isinstance(delta, TextDelta))


@pytest.mark.wheel
def test_the_reply_comes_in_pieces_then_the_calls_then_the_end() -> None:
    found = deltas(player(), request(LOGIN))
    assert found == [
        *(TextDelta(text=piece) for piece in ["I", " am", " sorry", " that", " your", " login", " fails."]),
        CallDelta(
            call=ModelCall(
                id="call-1",
                name="propose",
                arguments={"slot": "title", "value": "my login fails", "quote": "my login fails"},
            )
        ),
        CallDelta(call=ModelCall(id="call-2", name="search_tickets", arguments={"query": "login", "limit": 5})),
        Finish(reason="tool_calls"),
    ]


def test_a_silent_transition_is_only_an_end() -> None:
    model = player()
    deltas(model, request(LOGIN))
    refused = ResultMessage(call="call-1", name="propose", text="no such slot", is_error=True)
    assert deltas(model, request(LOGIN, AssistantMessage(text=""), refused)) == [Finish(reason="stop")]


def test_the_state_moves_with_each_reply() -> None:
    model = player()
    states = [model.state]
    for sent in (request(HELLO), request(LOGIN), request(LOGIN, AssistantMessage(text=""), FOUND)):
        deltas(model, sent)
        states.append(model.state)
    assert states == ["listening", "listening", "searching", "listening"]


def test_call_ids_go_on_over_the_conversation() -> None:
    model = player()
    deltas(model, request(LOGIN))
    deltas(model, request(LOGIN, AssistantMessage(text=""), FOUND))
    calls = [delta.call.id for delta in deltas(model, request(LOGIN)) if isinstance(delta, CallDelta)]
    assert calls == ["call-3", "call-4"]


def test_the_first_transition_that_holds_is_taken() -> None:
    both: list[dict[str, Any]] = [{"when": {}, "reply": reply, "to": "a"} for reply in ("first", "second")]
    model = player(json.dumps({"machine": "m", "start": "a", "states": {"a": {"transitions": both}}}))
    assert text(deltas(model, request(HELLO))) == "first"


def test_what_was_received_and_taken_is_recorded() -> None:
    model = player()
    sent = [request(HELLO), request(LOGIN)]
    for one in sent:
        deltas(model, one)
    assert (model.received, [t.line for t in model.taken]) == (sent, [12, 6])


def test_transitions_that_were_not_taken_are_unused() -> None:
    model = player()
    deltas(model, request(LOGIN))
    assert [t.line for t in model.unused_transitions()] == [12, 17, 20]


def test_a_call_of_a_tool_that_was_not_offered_is_made_and_noted() -> None:
    model = player()
    found = deltas(model, request(LOGIN, tools=(PROPOSE,)))
    made = [delta.call for delta in found if isinstance(delta, CallDelta)]
    assert [(u.call, u.transition) for u in model.unlisted] == [(made[1], model.taken[0])]


def test_a_listener_that_hangs_up_does_not_change_what_was_said() -> None:
    async def first_piece(model: MockModel) -> Delta:
        stream = model.stream(request(LOGIN))
        return await anext(stream)

    model = player()
    assert asyncio.run(first_piece(model)) == TextDelta(text="I")
    assert (model.state, len(model.taken)) == ("searching", 1)


def test_an_answer_that_showed_nothing_is_an_answer_still() -> None:
    # A reply with neither words nor calls, or cut whole, leaves no message between the user's two.
    model = player(two_answers())
    heard = [text(deltas(model, request(HELLO))), text(deltas(model, request(HELLO, UserMessage(text="go on"))))]
    assert heard == ["", "Go on."]


def test_a_request_sent_again_is_shown_again() -> None:
    model = player(two_answers())
    for _ in range(2):
        deltas(model, request(HELLO))
    assert [t.number for t in model.taken] == [1, 1]


def two_answers() -> str:
    """A machine that says nothing to "hello", and "Go on." to all else."""
    both: list[dict[str, Any]] = [
        {"when": {"user": "hello"}, "silent": True, "to": "a"},
        {"when": {}, "reply": "Go on.", "to": "a"},
    ]
    return json.dumps({"machine": "m", "start": "a", "states": {"a": {"transitions": both}}})


def undeclared(model: MockModel, sent: ModelRequest) -> UndeclaredSituation:
    with pytest.raises(UndeclaredSituation) as caught:
        deltas(model, sent)
    return caught.value


def test_an_undeclared_situation_names_state_input_and_nearest_transition() -> None:
    facts = FactsMessage(facts=("Priority is high.",))
    error = undeclared(player(), request(facts, UserMessage(text="good morning")))
    assert str(error) == (
        "m.yaml:4: the mock model's state 'listening' declares nothing for what it was shown: the user said "
        "'good morning'; the runtime told 'Priority is high.' (call 1 of the turn). Nearest is the transition at "
        "m.yaml:12, where 1 of 2 guards hold, but not user 'hello' at m.yaml:12. Correct the guard, or add to the "
        "transitions of 'listening' at m.yaml:4: "
        '- {when: {user: "good morning"}, reply: "...", to: listening}'
    )


@pytest.mark.parametrize("said", ['a "quoted" word', "two\nlines: yes", "{braces}", "# 5", "no"])
def test_the_transition_that_is_proposed_can_be_pasted_and_fits(said: str) -> None:
    error = undeclared(player(), request(UserMessage(text=said)))
    proposed = str(error).rpartition("m.yaml:4: ")[2]
    again = MockModel(
        parse_machine(MACHINE.replace("    transitions:", f"    transitions:\n      {proposed}", 1), path="m.yaml")
    )
    deltas(again, request(UserMessage(text=said)))
    assert again.state == "listening"


def test_the_transition_that_is_proposed_for_a_result_names_its_tool() -> None:
    model = player()
    deltas(model, request(LOGIN))
    refused = ResultMessage(call="call-1", name="propose", text="not said", is_error=True)
    message = str(undeclared(model, request(LOGIN, AssistantMessage(text=""), refused)))
    assert message.endswith('- {when: {result_of: "propose"}, reply: "...", to: searching}')


def test_an_undeclared_result_is_named_with_its_tool_and_outcome() -> None:
    model = player()
    deltas(model, request(LOGIN))
    refused = ResultMessage(call="call-1", name="propose", text="not said", is_error=True)
    message = str(undeclared(model, request(LOGIN, AssistantMessage(text=""), refused)))
    assert "propose refused with 'not said' (call 2 of the turn)" in message
    assert "m.yaml:20, where 2 of 3 guards hold, but not result_matches 'slot' at m.yaml:20." in message


def test_an_undeclared_situation_is_not_the_wire_breaking() -> None:
    assert not isinstance(undeclared(player(), request()), ModelError)


def test_an_undeclared_situation_leaves_the_state_and_is_received() -> None:
    model = player()
    error = undeclared(model, request(UserMessage(text="?")))
    assert (model.state, model.taken, len(model.received)) == ("listening", [], 1)
    assert (error.path, error.line, error.state) == ("m.yaml", 4, "listening")


@given(st.text())
def test_pieces_joined_are_the_text(reply: str) -> None:
    assert "".join(pieces(reply)) == reply


@given(st.text())
def test_no_piece_is_empty_or_longer_than_a_word(reply: str) -> None:
    assert all(0 < len(piece.strip()) <= 12 or piece.isspace() for piece in pieces(reply))


def one_state(reply: str, arguments: dict[str, Any]) -> str:
    transition = {"when": {}, "reply": reply, "calls": [{"propose": arguments}], "to": "a"}
    return json.dumps({"machine": "m", "start": "a", "states": {"a": {"transitions": [transition]}}})


# YAML takes JSON's escapes, but for those that make one character of two surrogates; braces are templates.
Words = st.text(alphabet=st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"], exclude_characters="{}"))


# A key in YAML has at most 1024 characters as written.
@given(
    Words, st.dictionaries(Words.filter(lambda key: len(key) < 100), st.none() | st.booleans() | st.integers() | Words)
)
def test_what_is_streamed_is_what_the_file_says(reply: str, arguments: dict[str, Any]) -> None:
    found = deltas(player(one_state(reply, arguments)), request(HELLO))
    calls = [delta.call.arguments for delta in found if isinstance(delta, CallDelta)]
    assert (text(found), calls) == (reply, [arguments])


Inputs = st.lists(
    st.sampled_from([HELLO, LOGIN, FOUND, AssistantMessage(text="x"), FactsMessage(facts=("Priority is high.",))])
)


def outcomes(conversation: list[list[Message]]) -> list[list[Delta] | str]:
    model = player()
    found: list[list[Delta] | str] = []
    for messages in conversation:
        try:
            found.append(deltas(model, request(*messages)))
        except UndeclaredSituation as error:
            found.append(str(error))
    return found


@given(st.lists(Inputs, max_size=6))
def test_the_same_requests_get_the_same_replies(conversation: list[list[Message]]) -> None:
    assert outcomes(conversation) == outcomes(conversation)
