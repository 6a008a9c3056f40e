"""The endpoint: one machine as three APIs, over real sockets; what they have in common."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from tests.mock_model.desk_endpoint import (
    CHAT,
    FAILS,
    MACHINE,
    MESSAGES,
    RESPONSES,
    VERSION,
    body,
    chat_client,
    claude_client,
    openai,
    post,
    run,
    said,
    user,
)

from marg_mock_model import MockModel, parse_machine
from marg_mock_model.endpoint import Endpoint, serve, serve_in_thread
from marg_runtime.conversation import ModelRequest, UserMessage
from marg_runtime.errors import UsageError
from marg_runtime.model import TextDelta
from marg_runtime.model_facts import facts_text


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
        (CHAT, body(user("hello"), stream_options={"include_usage": True}), "stream_options"),
        (CHAT, body(user("hello"), tool_choice="auto"), "tool_choice"),
        (CHAT, body(user("hello"), tools=[], parallel_tool_calls=False), "parallel_tool_calls"),
        (RESPONSES, {"model": "m", "input": []}, "input"),
        (RESPONSES, {"model": "m", "input": "hello", "conversation": "c"}, "conversation"),
    ],
)
def test_a_request_that_the_api_would_not_take_is_refused_by_its_field(
    path: str, request_body: Any, param: str
) -> None:
    reply = run(lambda endpoint: post(endpoint, path, request_body))
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, param)


def chat_calls(*ids: str) -> dict[str, Any]:
    function = {"name": "search_tickets", "arguments": "{}"}
    return {"role": "assistant", "tool_calls": [{"id": one, "type": "function", "function": function} for one in ids]}


def chat_result(call: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": "1 ticket"}


def claude_calls(*ids: str) -> dict[str, Any]:
    uses = [{"type": "tool_use", "id": one, "name": "search_tickets", "input": {}} for one in ids]
    return {"role": "assistant", "content": uses}


def claude_result(call: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call, "content": "1 ticket"}


WORDS = {"type": "text", "text": "hello"}
CALLED = [
    {"type": "function_call", "call_id": one, "name": "search_tickets", "arguments": "{}"} for one in ("one", "two")
]
OUTPUT = {"type": "function_call_output", "call_id": "one", "output": "1 ticket"}
ONLY = user("only calls")


@pytest.mark.parametrize(
    ("path", "request_body"),
    [
        (CHAT, body(ONLY, chat_calls("one"))),
        (CHAT, body(ONLY, chat_calls("one"), user("hello"))),
        (CHAT, body(ONLY, chat_calls("one", "two"), chat_result("one"), user("hello"))),
        (CHAT, body(ONLY, chat_calls("one"), chat_result("one"), chat_result("one"))),
        (RESPONSES, {"model": "m", "input": [ONLY, *CALLED, OUTPUT]}),
        (RESPONSES, {"model": "m", "input": [ONLY, *CALLED, OUTPUT, OUTPUT]}),
        (MESSAGES, body(ONLY, claude_calls("one"), max_tokens=9)),
        (MESSAGES, body(ONLY, claude_calls("one"), user("hello"), max_tokens=9)),
        (MESSAGES, body(ONLY, claude_calls("one", "two"), user([claude_result("one")]), max_tokens=9)),  # type: ignore[arg-type]
        (MESSAGES, body(ONLY, claude_calls("one"), user([WORDS, claude_result("one")]), max_tokens=9)),  # type: ignore[arg-type]
    ],
)
def test_a_history_with_a_call_that_has_no_result_is_refused(path: str, request_body: Any) -> None:
    reply = run(lambda endpoint: post(endpoint, path, request_body, VERSION))
    assert (reply.status_code, "one" in reply.text or "two" in reply.text) == (400, True)


def test_a_response_that_called_is_not_gone_on_from_without_the_result() -> None:
    async def test(endpoint: Endpoint) -> httpx.Response:
        first = (await post(endpoint, RESPONSES, {"model": "m", "input": "only calls"})).json()
        return await post(endpoint, RESPONSES, {"model": "m", "input": "hello", "previous_response_id": first["id"]})

    reply = run(test)
    assert (reply.status_code, reply.json()["error"]["message"][:20]) == (400, "No tool output found")


WITH_A_KIND = user([{"type": [], "text": "hello"}])  # type: ignore[arg-type]
NO_SCHEMA = {"type": "json_schema", "name": "n", "schema": {"type": "object", "required": 5}}


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (CHAT, b'{"model": "m", "messages": [{"role": "user", "content": "hello"}], "temperature": NaN}'),
        (RESPONSES, b'{"model": "m", "input": "hello", "metadata": ' + b"[" * 5000 + b"]" * 5000 + b"}"),
        (MESSAGES, b"[" * 100_000),
        (CHAT, json.dumps(body(WITH_A_KIND)).encode()),
        (MESSAGES, json.dumps(body(WITH_A_KIND, max_tokens=9)).encode()),
        (CHAT, json.dumps(body(user("hello"), response_format={**NO_SCHEMA, "json_schema": NO_SCHEMA})).encode()),
        (RESPONSES, json.dumps({"model": "m", "input": "hello", "text": {"format": NO_SCHEMA}}).encode()),
        (MESSAGES, json.dumps(body(user("hello"), max_tokens=9, output_config={"format": NO_SCHEMA})).encode()),
    ],
)
def test_a_body_that_no_api_would_read_is_refused_and_stays_in_the_journal(
    path: str, content: bytes, tmp_path: Path
) -> None:
    async def test(endpoint: Endpoint) -> list[int]:
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            asked = await client.post(endpoint.address + path, content=content, headers=VERSION)
            journal = await client.get(f"{endpoint.address}/_marg/journal")
        return [asked.status_code, *(one["status"] for one in journal.json()["exchanges"])]

    assert run(test, journal=tmp_path / "journal.jsonl") == [400, 400]
    assert len((tmp_path / "journal.jsonl").read_text().splitlines()) == 1


def test_half_a_character_is_answered_and_stays_in_the_journal(tmp_path: Path) -> None:
    async def test(endpoint: Endpoint) -> int:
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            asked = json.dumps(body(user("hello"), user="\ud83d"))
            return (await client.post(endpoint.address + CHAT, content=asked)).status_code

    assert run(test, journal=tmp_path / "journal.jsonl") == 200
    assert json.loads((tmp_path / "journal.jsonl").read_text())["body"]["user"] == "\ufffd"


@pytest.mark.parametrize("fields", [{}, {"max_tokens": 9, "tool_choice": {"type": "auto"}}])
def test_a_message_without_max_tokens_or_the_tools_to_choose_is_refused(fields: dict[str, Any]) -> None:
    reply = run(lambda endpoint: post(endpoint, MESSAGES, body(user("hello"), **fields), VERSION))
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


@pytest.mark.parametrize(
    ("text", "slips", "content", "refusal"),
    [
        ("no", "[]", None, "I will not."),
        ("nothing", "[]", "", None),
        ("stars", "[]", '{"stars":3,"summary":"fair or so"}', None),
        ("stars", "[{slip: empty, rate: 1}]", "", None),
        ("stars", "[{slip: stops_early, rate: 1}]", '{"stars":3,"summary":"fair', None),
        ("stars", "[{slip: refuses, rate: 1, text: Never.}]", None, "Never."),
    ],
)
def test_a_refusal_and_what_a_slip_spoiled_are_no_structured_output(
    text: str, slips: str, content: str | None, refusal: str | None
) -> None:
    machine = parse_machine(
        f"""\
machine: m
start: a
states:
  a:
    transitions:
      - {{when: {{user: "no"}}, reply: I will not., finish: refusal, to: a}}
      - {{when: {{user: nothing}}, silent: true, to: a}}
      - {{when: {{user: stars}}, data: {{stars: 3, summary: fair or so}}, to: a}}
slips: {slips}
""",
        path="m.yaml",
    )
    asked = body(user(text), response_format={"type": "json_schema", "json_schema": {"schema": SCHEMA}})

    async def main() -> Any:
        async with serve(machine) as endpoint:
            return (await post(endpoint, CHAT, asked)).json()["choices"][0]["message"]

    assert asyncio.run(main()) == {"role": "assistant", "content": content, "refusal": refusal}


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
    ("path", "status"),
    [("/health", 200), ("/v1/models/desk", 200), ("/v1/models/x", 404), ("/v1/modelsdesk", 404), ("/", 404)],
)
def test_health_and_models_are_there_and_nothing_else(path: str, status: int) -> None:
    assert get(path).status_code == status


@pytest.mark.parametrize(
    ("method", "path", "status", "kind"),
    [
        ("GET", CHAT, 405, "invalid_request_error"),
        ("OPTIONS", RESPONSES, 405, "invalid_request_error"),
        ("GET", MESSAGES, 405, "invalid_request_error"),
        ("POST", f"{MESSAGES}/count_tokens", 404, "not_found_error"),
        ("GET", "/v1/models/x", 404, "not_found_error"),
    ],
)
def test_what_is_not_here_is_an_error_of_the_api_that_was_asked(method: str, path: str, status: int, kind: str) -> None:
    async def test(endpoint: Endpoint) -> httpx.Response:
        headers = VERSION if kind == "not_found_error" else {}
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            return await client.request(method, endpoint.address + path, headers=headers)

    reply = run(test)
    assert (reply.status_code, reply.json()["error"]["type"]) == (status, kind)
    assert ("allow" in reply.headers) == (status == 405)


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
