"""Whatever a history holds, each API is sent a request that it takes, and nothing that was said is lost."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_runtime.conversation import (
    AssistantMessage,
    FactsMessage,
    Message,
    ModelCall,
    ModelRequest,
    ResultMessage,
    UserMessage,
)
from marg_runtime.model_facts import FACTS_HEAD, facts_of
from marg_runtime.models.chat_request import chat_body
from marg_runtime.models.history import GO_ON, NO_RESULT, OPENING, ModelTurn, turns_of
from marg_runtime.models.messages_request import messages_body
from marg_runtime.models.responses_request import responses_body
from marg_runtime.tools.tool import ToolSpec

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

texts = st.one_of(st.text(max_size=12), st.sampled_from(["", " \n", f"{FACTS_HEAD}\n[]", "\ud800", "hello"]))
names = st.sampled_from(["search", "desk/find", "größe", "", "x" * 80, "a.b"])
ids = st.sampled_from(["c1", "c2", "c3", "", "not legal", "x" * 60, "call-1"])
values = st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=5), st.lists, max_leaves=4)
calls = st.builds(ModelCall, id=ids, name=names, arguments=st.dictionaries(st.text(max_size=5), values, max_size=3))
messages: st.SearchStrategy[Message] = st.one_of(
    st.builds(UserMessage, text=texts),
    st.builds(FactsMessage, facts=st.lists(texts, max_size=3).map(tuple)),
    st.builds(AssistantMessage, text=texts, calls=st.lists(calls, max_size=3).map(tuple)),
    st.builds(ResultMessage, call=ids, name=names, text=texts, is_error=st.booleans()),
)
specs = st.builds(
    ToolSpec,
    server=st.just("desk"),
    identity=st.just("desk 1"),
    name=names,
    description=texts,
    input_schema=st.sampled_from([{}, {"type": "object", "properties": {"q": {}}}, {"bad": float("nan")}]),
)
requests = st.builds(
    ModelRequest,
    system=texts,
    messages=st.lists(messages, max_size=8).map(tuple),
    tools=st.lists(specs, max_size=4).map(tuple),
)


def plain(body: dict[str, Any]) -> Any:
    """A body as it goes over the wire; what no UTF-8 JSON can hold raises."""
    return json.loads(json.dumps(body, allow_nan=False).encode("utf-8"))


def check_tools(tools: Sequence[dict[str, Any]]) -> None:
    """Legal names, one of each, and schemas of objects."""
    assert all(NAME.fullmatch(tool["name"]) for tool in tools)
    assert len({tool["name"] for tool in tools}) == len(tools)
    schemas = [tool["parameters"] if "parameters" in tool else tool["input_schema"] for tool in tools]
    assert all(schema["type"] == "object" and "properties" in schema for schema in schemas)


def check_text(content: Any) -> None:
    """Words, or parts that are all words."""
    parts = [content] if isinstance(content, str) else [part["text"] for part in content]
    assert parts
    assert all(part.strip() for part in parts)


@given(requests)
def test_every_history_is_a_valid_request_of_chat_completions(request: ModelRequest) -> None:
    body = plain(chat_body(request))
    check_tools([tool["function"] for tool in body.get("tools", [])])
    sent = body["messages"][1:] if body["messages"][0]["role"] == "system" else body["messages"]
    assert sent[0]["role"] == "user"
    assert sent[-1]["role"] in ("user", "tool")
    open_calls: list[str] = []
    for before, message in zip([None, *sent], sent, strict=False):
        if message["role"] == "tool":
            # Each result is of a call of the reply before it, in order, and each call has one.
            assert message["tool_call_id"] == open_calls.pop(0)
            assert message["content"].strip()
            continue
        assert open_calls == []
        assert before is None or message["role"] != before["role"]
        if message["role"] == "user":
            check_text(message["content"])
        elif message.get("tool_calls"):
            open_calls = [call["id"] for call in message["tool_calls"]]
            for call in message["tool_calls"]:
                assert NAME.fullmatch(call["function"]["name"])
                assert isinstance(json.loads(call["function"]["arguments"]), dict)
        else:
            check_text(message["content"])
    assert open_calls == []


@given(requests)
def test_every_history_is_a_valid_request_of_responses(request: ModelRequest) -> None:
    body = plain(responses_body(request))
    check_tools(body.get("tools", []))
    assert all(tool["strict"] is False for tool in body.get("tools", []))
    assert body["store"] is False
    asked, answered = list[str](), list[str]()
    for item in body["input"]:
        match item.get("type"):
            case "function_call":
                assert isinstance(json.loads(item["arguments"]), dict)
                assert NAME.fullmatch(item["name"])
                asked.append(item["call_id"])
            case "function_call_output":
                # A call comes before its output.
                assert item["call_id"] in asked
                answered.append(item["call_id"])
            case None:
                assert item["role"] in ("user", "assistant")
                check_text(item["content"])
    assert sorted(asked) == sorted(answered)
    assert len(set(asked)) == len(asked)


@given(requests)
def test_every_history_is_a_valid_request_of_messages(request: ModelRequest) -> None:
    body = plain(messages_body(request))
    check_tools(body.get("tools", []))
    sent = body["messages"]
    assert [message["role"] for message in sent] == [("user", "assistant")[n % 2] for n in range(len(sent))]
    assert sent[-1]["role"] == "user"
    asked: list[str] = []
    for message in sent:
        kinds = [block["type"] for block in message["content"]]
        assert kinds
        results = [block["tool_use_id"] for block in message["content"] if block["type"] == "tool_result"]
        # All results of the reply before, first of all, in the very next message.
        assert results == asked
        assert kinds[: len(results)] == ["tool_result"] * len(results)
        asked = [block["id"] for block in message["content"] if block["type"] == "tool_use"]
        assert all(re.fullmatch(r"[A-Za-z0-9_-]+", id) for id in asked)
        check_text([block for block in message["content"] if block["type"] == "text"] or "no text")
    assert asked == []


def shown(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False)


@given(st.lists(messages, max_size=8).map(tuple))
def test_every_word_fact_and_result_is_in_the_request_of_each_api(history: tuple[Message, ...]) -> None:
    request = ModelRequest(system="", messages=history, tools=())
    said = {m.text for m in history if isinstance(m, UserMessage | AssistantMessage | ResultMessage) and m.text.strip()}
    said |= {json.dumps([f], ensure_ascii=False)[2:-2] for m in history if isinstance(m, FactsMessage) for f in m.facts}
    for body in (chat_body(request), responses_body(request), messages_body(request)):
        text = shown(body)
        for words in said - {"\ud800"}:
            escaped = json.dumps(words, ensure_ascii=False)[1:-1]
            assert escaped in text, (words, text)


def chat(*history: Message) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = chat_body(ModelRequest(system="s", messages=history, tools=()))["messages"]
    return messages


def test_the_system_text_comes_first() -> None:
    assert chat(UserMessage(text="hello"))[0] == {"role": "system", "content": "s"}


def test_a_single_text_is_sent_as_text_and_several_as_parts_in_order() -> None:
    one = chat(UserMessage(text="hello"))[1]
    two = chat(FactsMessage(facts=("Urgency set to low.",)), UserMessage(text="hello"))[1]
    assert one == {"role": "user", "content": "hello"}
    assert [facts_of(part["text"]) or part["text"] for part in two["content"]] == [("Urgency set to low.",), "hello"]


def test_facts_can_be_sent_in_a_role_of_their_own() -> None:
    history = (FactsMessage(facts=("a",)), UserMessage(text="hello"))
    body = chat_body(ModelRequest(system="", messages=history, tools=()), facts_role="developer")
    assert [message["role"] for message in body["messages"]] == ["developer", "user"]


def test_a_refusal_of_a_tool_is_said_to_be_one_in_each_api() -> None:
    call = ModelCall(id="c1", name="search", arguments={"q": 1})
    history = (
        UserMessage(text="hello"),
        AssistantMessage(text="", calls=(call,)),
        ResultMessage(call="c1", name="search", text="no", is_error=True),
    )
    request = ModelRequest(system="", messages=history, tools=())
    assert chat_body(request)["messages"][-1]["content"] == "error: no"
    assert responses_body(request)["input"][-1]["output"] == "error: no"
    assert messages_body(request)["messages"][-1]["content"][-1]["is_error"] is True


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    call = ModelCall(id="c1", name="search", arguments={})
    (_, turn) = turns_of([UserMessage(text="hello"), AssistantMessage(text="", calls=(call,))])
    assert isinstance(turn, ModelTurn)
    assert [(result.call, result.text, result.is_error) for result in turn.results] == [("c1", NO_RESULT, True)]


def test_the_runtimes_own_ids_are_kept() -> None:
    call = ModelCall(id="t1-m1-c1", name="search", arguments={})
    assert chat(AssistantMessage(text="", calls=(call,)))[2]["tool_calls"][0]["id"] == "t1-m1-c1"


@pytest.mark.parametrize(
    ("history", "roles"),
    [
        ((), ["user"]),
        ((AssistantMessage(text="hi"),), ["user", "assistant", "user"]),
        ((UserMessage(text="a"), UserMessage(text="b")), ["user"]),
        (
            (UserMessage(text="a"), AssistantMessage(text="b"), AssistantMessage(text="c")),
            ["user", "assistant", "user"],
        ),
    ],
)
def test_the_sides_alternate_from_the_persons_to_the_persons(history: tuple[Message, ...], roles: list[str]) -> None:
    assert [message["role"] for message in chat(*history)[1:]] == roles


def test_what_is_put_in_to_make_the_sides_alternate_is_no_ones_words() -> None:
    opened = chat(AssistantMessage(text="hi"))
    assert [opened[1]["content"], opened[-1]["content"]] == [OPENING, GO_ON]


def test_a_history_that_grows_is_sent_with_the_same_beginning() -> None:
    call = ModelCall(id="not legal", name="desk/find", arguments={})
    history = (
        UserMessage(text="a"),
        AssistantMessage(text="b", calls=(call,)),
        ResultMessage(call="not legal", name="desk/find", text="none"),
    )
    longer = (*history, AssistantMessage(text="c"), UserMessage(text="d"))
    short, long = chat(*history), chat(*longer)
    assert long[: len(short)] == short
