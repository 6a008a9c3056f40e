"""The endpoint as OpenAI's two APIs, spoken to by the official SDK: chats and responses."""

from __future__ import annotations

import json
from typing import Any

from tests.mock_model.desk_endpoint import CHAT, FAILS, FLAT_TOOLS, RESPONSES, TOOLS, body, chat_client, post, run, user

from marg_mock_model.endpoint import Endpoint


def test_a_chat_reply_has_text_calls_and_usage() -> None:
    async def test(endpoint: Endpoint) -> Any:
        async with chat_client(endpoint) as client:
            return await client.chat.completions.create(model="m", messages=[user(FAILS)], tools=TOOLS)

    reply = run(test)
    message = reply.choices[0].message
    calls = [(call.function.name, json.loads(call.function.arguments)) for call in message.tool_calls]
    assert message.content == "I am sorry that your login fails."
    assert calls == [
        ("propose", {"slot": "title", "value": FAILS, "quote": FAILS}),
        ("search_tickets", {"query": "login", "limit": 5}),
    ]
    assert (reply.choices[0].finish_reason, reply.usage.prompt_tokens) == ("tool_calls", 4)


def test_a_chat_stream_brings_the_same_reply_in_pieces() -> None:
    async def test(endpoint: Endpoint) -> Any:
        async with chat_client(endpoint) as client:
            options = {"model": "m", "messages": [user(FAILS)], "stream": True}
            stream = await client.chat.completions.create(**options, stream_options={"include_usage": True})
            return [chunk async for chunk in stream]

    chunks = run(test)
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    texts = [delta.content for delta in deltas if delta.content]
    arguments: dict[int, str] = {}
    for piece in (call for delta in deltas for call in delta.tool_calls or []):
        arguments[piece.index] = arguments.get(piece.index, "") + piece.function.arguments
    assert (len(texts) > 3, "".join(texts)) == (True, "I am sorry that your login fails.")
    assert [json.loads(text)["query"] for text in arguments.values() if "query" in text] == ["login"]
    assert chunks[-1].usage.total_tokens > 0


def test_a_chat_goes_on_with_text_after_the_tool_results() -> None:
    async def test(endpoint: Endpoint) -> Any:
        async with chat_client(endpoint) as client:
            messages: list[Any] = [user(FAILS)]
            first = await client.chat.completions.create(model="m", messages=messages, tools=TOOLS)
            messages.append(first.choices[0].message)
            for call in first.choices[0].message.tool_calls:
                messages.append({"role": "tool", "tool_call_id": call.id, "content": "2 tickets"})
            second = await client.chat.completions.create(model="m", messages=messages, tools=TOOLS)
            return second.choices[0]

    choice = run(test)
    assert (choice.message.content, choice.message.tool_calls, choice.finish_reason) == ("I found 2.", None, "stop")


def test_a_result_that_begins_with_error_is_a_refusal_of_the_tool() -> None:
    async def test(endpoint: Endpoint) -> Any:
        first = (await post(endpoint, CHAT, body(user("only calls")))).json()["choices"][0]["message"]
        result = {"role": "tool", "tool_call_id": first["tool_calls"][0]["id"], "content": "error: no such ticket"}
        return (await post(endpoint, CHAT, body(user("only calls"), first, result))).json()

    assert run(test)["choices"][0]["message"]["content"] == "That did not work."


def test_a_response_has_text_and_calls_and_is_gone_on_from_by_its_id() -> None:
    async def test(endpoint: Endpoint) -> Any:
        async with chat_client(endpoint) as client:
            first = await client.responses.create(model="m", input=FAILS, tools=FLAT_TOOLS)
            outputs = [
                {"type": "function_call_output", "call_id": item.call_id, "output": "2 tickets"}
                for item in first.output
                if item.type == "function_call"
            ]
            second = await client.responses.create(model="m", previous_response_id=first.id, input=outputs)
            return first, second

    first, second = run(test)
    names = [item.name for item in first.output if item.type == "function_call"]
    assert (first.output_text, names) == ("I am sorry that your login fails.", ["propose", "search_tickets"])
    assert (second.output_text, second.previous_response_id, second.status) == ("I found 2.", first.id, "completed")


def test_a_response_goes_on_with_its_own_items_as_input() -> None:
    async def test(endpoint: Endpoint) -> Any:
        async with chat_client(endpoint) as client:
            items: list[Any] = [user("only calls")]
            first = await client.responses.create(model="m", input=items)
            items += first.output
            items.append({"type": "function_call_output", "call_id": first.output[0].call_id, "output": "1 ticket"})
            return (await client.responses.create(model="m", input=items)).output_text

    assert run(test) == "I found 1."


def test_a_streamed_response_ends_with_the_whole_response() -> None:
    async def test(endpoint: Endpoint) -> Any:
        async with (
            chat_client(endpoint) as client,
            client.responses.stream(model="m", input=FAILS, tools=FLAT_TOOLS) as stream,
        ):
            events = [event async for event in stream]
            return events, await stream.get_final_response()

    events, final = run(test)
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    pieces = [event for event in events if event.type == "response.function_call_arguments.delta"]
    assert (text, len(pieces) > 4) == ("I am sorry that your login fails.", True)
    assert json.loads(final.output[2].arguments) == {"query": "login", "limit": 5}


def test_an_id_of_no_stored_response_is_refused() -> None:
    request = {"model": "m", "input": "hello", "previous_response_id": "resp_nowhere"}
    reply = run(lambda endpoint: post(endpoint, RESPONSES, request))
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "previous_response_not_found")


def test_a_response_that_was_not_to_be_stored_is_not() -> None:
    async def test(endpoint: Endpoint) -> int:
        first = await post(endpoint, RESPONSES, {"model": "m", "input": "hello", "store": False})
        again = {"model": "m", "input": "bye", "previous_response_id": first.json()["id"]}
        return (await post(endpoint, RESPONSES, again)).status_code

    assert run(test) == 400
