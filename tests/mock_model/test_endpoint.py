"""The endpoint: one machine as three APIs, over real sockets, spoken to by the official SDKs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

from marg_mock_model import MockModel, parse_machine
from marg_mock_model.endpoint import Endpoint, serve, serve_in_thread
from marg_runtime.conversation import ModelRequest, UserMessage
from marg_runtime.errors import UsageError
from marg_runtime.model import TextDelta
from marg_runtime.model_facts import facts_text

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
pytest.importorskip("uvicorn")

MACHINE = parse_machine(
    """\
machine: desk
start: listening
states:
  listening:
    transitions:
      - when: {fact_matches: "^Priority set to (?P<priority>.+)[.]$", user_matches: "thanks"}
        reply: "Noted: {priority}."
        to: listening
      - when: {user: hello}
        reply: Hello! What is wrong with the thing that you use?
        to: greeted
      - when: {user_matches: "my (?P<thing>\\\\w+) fails"}
        reply: "I am sorry that your {thing} fails."
        calls:
          - propose: {slot: title, value: "{0}", quote: "{0}"}
          - search_tickets: {query: "{thing}", limit: 5}
        to: searching
      - when: {user: only calls}
        calls:
          - search_tickets: {query: calls}
        to: searching
      - when: {user: nothing}
        silent: true
        to: greeted
      - when: {user: no way}
        reply: I will not do that.
        finish: refusal
        to: listening
      - when: {user: too long}
        reply: This goes on and
        finish: length
        to: listening
  greeted:
    transitions:
      - when: {user: hello}
        reply: Hello again.
        to: greeted
      - when: {user: bye}
        reply: Bye.
        to: listening
  searching:
    transitions:
      - when: {result_is_error: true}
        reply: That did not work.
        to: listening
      - when: {result_of: search_tickets, result_matches: "^(\\\\d+) tickets?$"}
        reply: "I found {1}."
        to: listening
""",
    path="desk.yaml",
)
CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
VERSION = {"anthropic-version": "2023-06-01"}
FAILS = "my login fails"
TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}
    for name in ("propose", "search_tickets")
]
FLAT_TOOLS = [{"type": "function", "strict": False, **tool["function"]} for tool in TOOLS]  # type: ignore[dict-item]
CLAUDE_TOOLS = [{"name": name, "input_schema": {"type": "object"}} for name in ("propose", "search_tickets")]


def run(test: Callable[[Endpoint], Awaitable[Any]], **options: Any) -> Any:
    """Run a test's coroutine against an endpoint."""

    async def main() -> Any:
        async with serve(MACHINE, **options) as endpoint:
            return await test(endpoint)

    return asyncio.run(main())


@asynccontextmanager
async def chat_client(endpoint: Endpoint) -> AsyncIterator[Any]:
    async with openai.AsyncOpenAI(base_url=endpoint.openai_url, api_key="none", max_retries=0) as client:
        yield client


@asynccontextmanager
async def claude_client(endpoint: Endpoint) -> AsyncIterator[Any]:
    async with anthropic.AsyncAnthropic(base_url=endpoint.anthropic_url, api_key="none", max_retries=0) as client:
        yield client


def post(
    endpoint: Endpoint, path: str, body: Any, headers: Mapping[str, str] | None = None
) -> Awaitable[httpx.Response]:
    """One request with no SDK in between."""

    async def posting() -> httpx.Response:
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            return await client.post(endpoint.address + path, json=body, headers=headers)

    return posting()


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def body(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages), **fields}


def said(*messages: dict[str, Any], headers: Mapping[str, str] | None = None) -> str:
    """The text of a chat reply."""
    found = run(lambda endpoint: post(endpoint, CHAT, body(*messages), headers)).json()
    return str(found["choices"][0]["message"]["content"])


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


def test_a_message_has_text_and_calls_and_goes_on_with_the_results() -> None:
    async def test(endpoint: Endpoint) -> Any:
        async with claude_client(endpoint) as client:
            options: dict[str, Any] = {"model": "m", "max_tokens": 500, "tools": CLAUDE_TOOLS}
            messages: list[Any] = [user(FAILS)]
            first = await client.messages.create(messages=messages, **options)
            results = [
                {"type": "tool_result", "tool_use_id": block.id, "content": "2 tickets"}
                for block in first.content
                if block.type == "tool_use"
            ]
            messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": results}]
            return first, await client.messages.create(messages=messages, **options)

    first, second = run(test)
    assert [block.type for block in first.content] == ["text", "tool_use", "tool_use"]
    assert (first.stop_reason, first.content[2].input) == ("tool_use", {"query": "login", "limit": 5})
    assert (second.content[0].text, second.stop_reason) == ("I found 2.", "end_turn")


def test_a_tool_that_refused_is_told_by_its_own_field() -> None:
    async def test(endpoint: Endpoint) -> Any:
        start = {"max_tokens": 9}
        first = (await post(endpoint, MESSAGES, body(user("only calls"), **start), VERSION)).json()
        result = {"type": "tool_result", "tool_use_id": first["content"][0]["id"], "content": "no", "is_error": True}
        messages = (user("only calls"), {"role": "assistant", "content": first["content"]}, user([result]))  # type: ignore[arg-type]
        return (await post(endpoint, MESSAGES, body(*messages, **start), VERSION)).json()

    assert run(test)["content"][0]["text"] == "That did not work."


def test_a_streamed_message_is_put_together_by_the_sdk() -> None:
    async def test(endpoint: Endpoint) -> Any:
        options: dict[str, Any] = {"model": "m", "max_tokens": 500, "tools": CLAUDE_TOOLS, "messages": [user(FAILS)]}
        async with claude_client(endpoint) as client, client.messages.stream(**options) as stream:
            pieces = [piece async for piece in stream.text_stream]
            return pieces, await stream.get_final_message()

    pieces, final = run(test)
    assert (len(pieces) > 3, "".join(pieces)) == (True, "I am sorry that your login fails.")
    assert (final.content[1].input["value"], final.stop_reason) == (FAILS, "tool_use")


@pytest.mark.parametrize("version", ["2023-06-01", "2026-10-21"])
@pytest.mark.parametrize("key", [{"authorization": "Bearer none"}, {"x-api-key": "none"}])
def test_both_versions_and_both_forms_of_the_key_are_taken(version: str, key: dict[str, str]) -> None:
    headers = {"anthropic-version": version, **key}
    reply = run(lambda endpoint: post(endpoint, MESSAGES, body(user("hello"), max_tokens=9), headers))
    assert reply.json()["content"][0]["text"].startswith("Hello!")


@pytest.mark.parametrize("headers", [{}, {"anthropic-version": "2020-01-01"}])
def test_another_version_is_refused(headers: dict[str, str]) -> None:
    reply = run(lambda endpoint: post(endpoint, MESSAGES, body(user("hello"), max_tokens=9), headers))
    assert (reply.status_code, reply.json()["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize(("version", "status"), [("2023-06-01", 200), ("2026-10-21", 400)])
def test_the_newer_version_takes_no_temperature(version: str, status: int) -> None:
    request = body(user("hello"), max_tokens=9, temperature=0)
    reply = run(lambda endpoint: post(endpoint, MESSAGES, request, {"anthropic-version": version}))
    assert reply.status_code == status


def test_a_refusal_has_its_own_field_in_a_chat() -> None:
    message = run(lambda endpoint: post(endpoint, CHAT, body(user("no way")))).json()["choices"][0]["message"]
    assert (message["content"], message["refusal"]) == (None, "I will not do that.")


def test_a_reply_that_is_too_long_is_an_incomplete_response() -> None:
    reply = run(lambda endpoint: post(endpoint, RESPONSES, {"model": "m", "input": "too long"})).json()
    assert (reply["status"], reply["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})


@pytest.mark.parametrize(("text", "reason"), [("no way", "refusal"), ("too long", "max_tokens"), ("hello", "end_turn")])
def test_a_message_says_why_it_ended(text: str, reason: str) -> None:
    reply = run(lambda endpoint: post(endpoint, MESSAGES, body(user(text), max_tokens=9), VERSION))
    assert reply.json()["stop_reason"] == reason


def test_facts_are_told_from_words() -> None:
    parts = [{"type": "text", "text": facts_text(["Priority set to High."])}, {"type": "text", "text": "thanks"}]
    assert said(user(parts)) == "Noted: High."  # type: ignore[arg-type]


def test_a_late_system_message_is_facts_a_line_each() -> None:
    system = [{"role": "system", "content": "Be brief."}, user("hello"), {"role": "assistant", "content": "?"}]
    undeclared = run(
        lambda endpoint: post(endpoint, CHAT, body(*system, {"role": "developer", "content": "A is 1.\nB is 2."}))
    )
    assert "the runtime told 'A is 1.'; the runtime told 'B is 2.'" in undeclared.json()["error"]["input"]


def test_two_conversations_that_start_alike_do_not_mix() -> None:
    async def test(endpoint: Endpoint) -> list[str]:
        start = [user("hello"), {"role": "assistant", "content": "Hello! What is wrong with the thing that you use?"}]
        histories = [[user("hello")], [user("hello")], [*start, user("hello")], [*start, user("bye")]]
        told = [await post(endpoint, CHAT, body(*history)) for history in histories]
        return [reply.json()["choices"][0]["message"]["content"][:9] for reply in told]

    assert run(test) == ["Hello! Wh", "Hello! Wh", "Hello aga", "Bye."]


def test_a_history_that_the_endpoint_never_met_is_walked_from_its_beginning() -> None:
    history = [
        user("hello"),
        {"role": "assistant", "content": "Hi."},
        user("bye"),
        {"role": "assistant", "content": "."},
    ]
    assert said(*history, user(FAILS)) == "I am sorry that your login fails."


def test_an_answer_that_showed_nothing_is_gone_on_from() -> None:
    async def test(endpoint: Endpoint) -> Any:
        await post(endpoint, CHAT, body(user("nothing")))
        return (await post(endpoint, CHAT, body(user("nothing"), user("bye")))).json()

    assert run(test)["choices"][0]["message"]["content"] == "Bye."


def test_a_named_conversation_goes_on_where_its_answer_was_left_out() -> None:
    async def test(endpoint: Endpoint) -> list[str]:
        await post(endpoint, CHAT, body(user("hello")), {"x-marg-conversation": "one"})
        both = body(user("hello"), user("bye"))
        replies = [await post(endpoint, CHAT, both, {"x-marg-conversation": name}) for name in ("one", "two")]
        return [reply.json()["choices"][0]["message"]["content"][:6] for reply in replies]

    # The second was never greeted: both messages are its first, and "hello" is what fits.
    assert run(test) == ["Bye.", "Hello!"]


def test_a_request_sent_again_gets_the_same_bytes() -> None:
    async def test(endpoint: Endpoint) -> list[bytes]:
        return [(await post(endpoint, CHAT, body(user("hello"), stream=True))).content for _ in range(2)]

    first, second = run(test)
    assert first == second


@pytest.mark.parametrize(
    ("path", "request_body"),
    [
        (CHAT, body(user("what?"))),
        (RESPONSES, {"model": "m", "input": "what?"}),
        (MESSAGES, body(user("what?"), max_tokens=9)),
    ],
)
def test_an_undeclared_situation_is_an_error_that_names_state_and_input(path: str, request_body: Any) -> None:
    reply = run(lambda endpoint: post(endpoint, path, request_body, VERSION))
    error = reply.json()["error"]
    assert (reply.status_code, error["state"]) == (422, "listening")
    assert error["input"] == "the user said 'what?' (call 1 of the turn)"


@pytest.mark.parametrize(
    ("path", "request_body", "param"),
    [
        (CHAT, {"messages": [user("hello")]}, "model"),
        (CHAT, body(), "messages"),
        (CHAT, body({"role": "robot", "content": "x"}), "messages[0].role"),
        (CHAT, body(user("hello"), n=2), "n"),
        (CHAT, body(user("hello"), stream="yes"), "stream"),
        (CHAT, body({"role": "tool", "tool_call_id": "no", "content": "x"}), "messages[0]"),
        (CHAT, body(user([{"type": "image_url"}])), "messages[0].content[0].type"),  # type: ignore[arg-type]
        (RESPONSES, {"model": "m", "input": []}, "input"),
        (RESPONSES, {"model": "m", "input": "hello", "conversation": "c"}, "conversation"),
    ],
)
def test_a_request_that_the_api_would_not_take_is_refused_by_its_field(
    path: str, request_body: Any, param: str
) -> None:
    reply = run(lambda endpoint: post(endpoint, path, request_body))
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, param)


def test_a_message_without_max_tokens_is_refused() -> None:
    reply = run(lambda endpoint: post(endpoint, MESSAGES, body(user("hello")), VERSION))
    assert (reply.status_code, reply.json()["type"]) == (400, "error")


SCHEMA = {
    "type": "object",
    "properties": {"summary": {"type": "string"}, "stars": {"type": "integer", "minimum": 1, "maximum": 5}},
    "required": ["summary", "stars"],
    "additionalProperties": False,
}
NAMED = {"type": "json_schema", "name": "review", "schema": SCHEMA}
STRUCTURED = [
    (CHAT, body(user("hello"), response_format={"type": "json_schema", "json_schema": {"schema": SCHEMA}})),
    (RESPONSES, {"model": "m", "input": "hello", "text": {"format": NAMED}}),
    (MESSAGES, body(user("hello"), max_tokens=9, output_config={"format": {"type": "json_schema", "schema": SCHEMA}})),
]


@pytest.mark.parametrize(("path", "request_body"), STRUCTURED)
def test_structured_output_is_valid_and_holds_the_reply(path: str, request_body: Any) -> None:
    reply = run(lambda endpoint: post(endpoint, path, request_body, VERSION)).json()
    text = {
        CHAT: lambda: reply["choices"][0]["message"]["content"],
        RESPONSES: lambda: reply["output"][0]["content"][0]["text"],
        MESSAGES: lambda: reply["content"][0]["text"],
    }[path]()
    value = json.loads(text)
    jsonschema.validate(value, SCHEMA)
    assert value["summary"] == "Hello! What is wrong with the thing that you use?"


def test_the_models_are_listed_for_both_sdks() -> None:
    async def test(endpoint: Endpoint) -> Any:
        async with chat_client(endpoint) as chat, claude_client(endpoint) as claude:
            return [[model.id async for model in client.models.list()] for client in (chat, claude)]

    assert run(test) == [["desk"], ["desk"]]


def get(path: str) -> httpx.Response:
    async def test(endpoint: Endpoint) -> httpx.Response:
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            return await client.get(endpoint.address + path)

    found: httpx.Response = run(test)
    return found


@pytest.mark.parametrize(
    ("path", "status"), [("/health", 200), ("/v1/models/desk", 200), ("/v1/models/x", 404), ("/", 404)]
)
def test_health_and_models_are_there_and_nothing_else(path: str, status: int) -> None:
    assert get(path).status_code == status


def test_the_journal_has_every_exchange_and_no_key() -> None:
    async def test(endpoint: Endpoint) -> list[dict[str, Any]]:
        secret = {"authorization": "Bearer sk-verysecret-12345678", "x-marg-conversation": "c1"}
        await post(endpoint, CHAT, body(user("hello"), api_key="sk-verysecret-12345678"), secret)
        await post(endpoint, CHAT, body(user("what?")))
        return [exchange.record() for exchange in endpoint.journal]

    first, second = run(test)
    assert (first["status"], first["outcome"], first["state"], first["auth"]) == (
        200,
        "answered",
        "listening",
        "bearer",
    )
    assert (first["conversation"], first["sent"][:6], second["status"]) == ("c1", "Hello!", 422)
    assert "verysecret" not in json.dumps(first)


def test_the_journal_is_a_file_where_one_is_named(tmp_path: Path) -> None:
    run(lambda endpoint: post(endpoint, CHAT, body(user("hello"))), journal=tmp_path / "journal.jsonl")
    (line,) = (tmp_path / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["body"]["messages"] == [user("hello")]


def test_a_client_that_blocks_is_served_from_a_thread() -> None:
    with (
        serve_in_thread(MACHINE) as endpoint,
        openai.OpenAI(base_url=endpoint.openai_url, api_key="none", max_retries=0) as client,
    ):
        reply = client.chat.completions.create(model="m", messages=[user("hello")])
    assert reply.choices[0].message.content.startswith("Hello!")


def test_an_address_that_is_taken_is_a_usage_error() -> None:
    async def test(endpoint: Endpoint) -> str:
        with pytest.raises(UsageError) as caught:
            async with serve(MACHINE, port=endpoint.listener.port):
                pass
        return str(caught.value)

    assert "cannot listen at '127.0.0.1'" in run(test)


def test_an_address_that_is_taken_is_a_usage_error_in_a_thread_too() -> None:
    with serve_in_thread(MACHINE) as endpoint, pytest.raises(UsageError):  # noqa: SIM117
        with serve_in_thread(MACHINE, port=endpoint.listener.port):
            pass


def test_the_endpoint_says_what_the_machine_says_in_process() -> None:
    async def in_process() -> str:
        request = ModelRequest(system="", messages=(UserMessage(text=FAILS),), tools=())
        stream = MockModel(MACHINE).stream(request)
        return "".join([delta.text async for delta in stream if isinstance(delta, TextDelta)])

    assert said(user(FAILS)) == asyncio.run(in_process())
