"""Cassettes: recorded from an API over real sockets, played again, and turned into a machine."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_mock_model import parse_machine
from marg_mock_model.cassette import (
    CassetteWriter,
    Take,
    draft_machine,
    read_cassette,
    serve_cassette,
    serve_recorder,
)
from marg_mock_model.cassette.difference import differences
from marg_mock_model.endpoint import serve
from marg_runtime.errors import LocatedError, UsageError

pytest.importorskip("uvicorn")

MACHINE = parse_machine(
    """\
machine: real
start: a
states:
  a:
    transitions:
      - when: {user: hello}
        reply: "Hello. {{Is}} it urgent?"
        to: b
      - when: {user: search}
        reply: I look.
        calls: [{search: {query: "a: {{b}}", limit: 5}}]
        to: c
  b:
    transitions:
      - when: {user: "yes"}
        reply: High then.
        to: a
      - when: {user: "no"}
        reply: Low then.
        to: a
  c:
    transitions:
      - when: {result_of: search, result_is_error: true}
        reply: That failed.
        to: a
      - when: {result_of: search}
        reply: Found.
        to: a
""",
    path="real.yaml",
)
KEY = "sk-verysecret-12345678"
CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
HEADERS = {"authorization": f"Bearer {KEY}", "anthropic-version": "2023-06-01"}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def chat(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages), **fields}


HELLO = user("hello")
ASKED = {"role": "assistant", "content": "Hello. {Is} it urgent?"}
TALKS = [chat(HELLO), chat(HELLO, ASKED, user("yes")), chat(HELLO, ASKED, user("no"))]


async def post(address: str, path: str, body: Any) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False, verify=False) as client:
        return await client.post(address + path, content=json.dumps(body), headers=HEADERS)


def record(cassette: Path, *asked: tuple[str, Any], faults: str = "") -> list[httpx.Response]:
    """What a client gets through the recorder."""

    async def recording() -> list[httpx.Response]:
        found = []
        async with (
            serve(MACHINE, faults=faults) as endpoint,
            serve_recorder(endpoint.address, cassette=cassette) as recorder,
        ):
            for path, body in asked:
                with suppress(httpx.TransportError):
                    found.append(await post(recorder.address, path, body))
        return found

    return asyncio.run(recording())


def replay(cassette: Path, *asked: tuple[str, Any]) -> list[httpx.Response]:
    """What a client gets from the cassette."""

    async def replaying() -> list[httpx.Response]:
        async with serve_cassette(cassette) as replayer:
            return [await post(replayer.address, path, body) for path, body in asked]

    return asyncio.run(replaying())


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    return tmp_path / "real.cassette.jsonl"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("path", "body"),
    [(CHAT, chat(HELLO)), (RESPONSES, {"model": "m", "input": "hello"}), (MESSAGES, chat(HELLO, max_tokens=9))],
)
def test_what_was_recorded_is_played_again_to_the_byte(cassette: Path, path: str, body: Any, stream: bool) -> None:
    asked = (path, {**body, "stream": stream})
    (recorded,) = record(cassette, asked)
    (played,) = replay(cassette, asked)
    assert (played.status_code, played.content) == (recorded.status_code, recorded.content)
    assert played.headers["content-type"] == recorded.headers["content-type"]


def test_no_key_is_on_the_cassette(cassette: Path) -> None:
    record(cassette, (CHAT, chat(user(f"my key is {KEY}"), HELLO, api_key=KEY)))
    text = cassette.read_text(encoding="utf-8")
    assert ("verysecret" in text, "[removed]" in text) == (False, True)


def test_a_key_in_the_body_is_no_part_of_the_match(cassette: Path) -> None:
    record(cassette, (CHAT, chat(HELLO, api_key="one")))
    (played,) = replay(cassette, (CHAT, chat(HELLO, api_key="another")))
    assert played.status_code == 200


@pytest.mark.parametrize("odd", ["a\u2028b", "a\x85b", "\ud83d"])
def test_texts_with_ends_of_lines_and_halves_of_characters_are_played_again(cassette: Path, odd: str) -> None:
    asked = (CHAT, chat(HELLO, user=odd))
    recorded, played = record(cassette, asked), replay(cassette, asked)
    assert [(one.status_code, one.content) for one in played] == [(200, recorded[0].content)]


def spoken(path: bytes, *, data: str, end: str) -> bytes:
    """A stream of another server, with its own ends of lines, that says in pieces how it was asked."""
    texts = [path.decode(), *(KEY[at : at + 4] for at in range(0, len(KEY), 4))]
    deltas = [{"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]} for text in texts]
    last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    events = [*map(json.dumps, [*deltas, last]), "[DONE]"]
    return "".join(f"{data}{event}{end}{end}" for event in events).encode()


@pytest.mark.parametrize(
    ("data", "end"), [("data: ", "\r\n"), ("data:", "\n"), ("data:", "\r"), ("id: 1\ndata: ", "\n")]
)
def test_streams_of_any_server_are_recorded_without_keys_and_drafted(cassette: Path, data: str, end: str) -> None:
    async def upstream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        body = spoken(head.split()[1], data=data, end=end)
        headers = b"content-type: text/event-stream\r\ncontent-length: %d\r\nconnection: close" % len(body)
        writer.write(b"HTTP/1.1 200 OK\r\n%s\r\n\r\n%s" % (headers, body))
        await writer.drain()
        writer.close()

    async def recording() -> bytes:
        async with await asyncio.start_server(upstream, "127.0.0.1", 0) as server:
            address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            async with serve_recorder(address, cassette=cassette) as recorder:
                await post(recorder.address, "/v1/models/a%2Fb?x=%20", {})
                return (await post(recorder.address, CHAT, chat(HELLO, stream=True))).content

    assert asyncio.run(recording()) == spoken(CHAT.encode(), data=data, end=end)
    takes = read_cassette(cassette)
    assert KEY not in "".join(re.findall(r'"content": ?"(.*?)"', "".join(takes[0].chunks + takes[1].chunks)))
    assert "/v1/models/a%2Fb?x=%20" in "".join(takes[0].chunks)
    assert f'reply: "{CHAT}[removed]"' in draft_machine(takes, name="talk").text


def test_an_error_of_the_api_is_recorded_too(cassette: Path) -> None:
    record(cassette, (CHAT, chat(HELLO)), faults="rate_limit@1:retry_after=0.5")
    (played,) = replay(cassette, (CHAT, chat(HELLO)))
    assert (played.status_code, played.headers["retry-after"]) == (429, "0.5")


def test_a_request_recorded_twice_has_its_answers_in_order(cassette: Path) -> None:
    record(cassette, (CHAT, chat(HELLO)), (CHAT, chat(HELLO)), faults="unavailable@1")
    assert [one.status_code for one in replay(cassette, *[(CHAT, chat(HELLO))] * 3)] == [503, 200, 200]


def test_a_changed_prompt_is_a_miss_that_says_what_changed(cassette: Path) -> None:
    record(cassette, *((CHAT, talk) for talk in TALKS))
    (missed,) = replay(cassette, (CHAT, chat(HELLO, ASKED, user("yes please"))))
    error = missed.json()["error"]
    assert (missed.status_code, error["code"]) == (422, "cassette_miss")
    assert (
        "nearest is line 3 of the cassette, but for body.messages[2].content: after 'yes' comes ' please'"
        in (error["message"])
    )


def test_a_path_that_was_not_recorded_is_a_miss(cassette: Path) -> None:
    record(cassette, (CHAT, chat(HELLO)))
    (missed,) = replay(cassette, (RESPONSES, {"model": "m", "input": "hello"}))
    assert "the cassette has no POST /v1/responses; it has POST /v1/chat/completions." in missed.text


def test_an_upstream_that_is_not_there_is_a_bad_gateway_and_is_not_recorded(cassette: Path) -> None:
    async def recording() -> int:
        async with serve_recorder("http://127.0.0.1:9", cassette=cassette) as recorder:
            return (await post(recorder.address, CHAT, chat(HELLO))).status_code

    assert (asyncio.run(recording()), read_cassette(cassette)) == (502, ())


def test_an_answer_that_breaks_off_breaks_off_for_the_client_and_is_not_recorded(cassette: Path) -> None:
    assert (record(cassette, (CHAT, chat(HELLO, stream=True)), faults="cut"), read_cassette(cassette)) == ([], ())


def test_a_cassette_is_not_written_over(cassette: Path) -> None:
    record(cassette, (CHAT, chat(HELLO)))
    with pytest.raises(UsageError, match="exists; name another, or say --append"):
        CassetteWriter(cassette)


def test_a_cassette_is_gone_on_with_where_it_is_said(cassette: Path) -> None:
    record(cassette, (CHAT, chat(HELLO)))
    (take,) = read_cassette(cassette)
    writer = CassetteWriter(cassette, append=True)
    writer.add(take)
    writer.close()
    assert [one.key for one in read_cassette(cassette)] == [take.key] * 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the first line of a cassette is"),
        ('{"cassette":2}\n', "the first line of a cassette is"),
        ('{"cassette":1}\nnonsense\n', ":2: not JSON"),
        ('{"cassette":1}\n{"request": {}}\n', ":2: this line is no recorded exchange"),
    ],
)
def test_a_file_that_is_no_cassette_is_refused(cassette: Path, text: str, message: str) -> None:
    cassette.write_text(text, encoding="utf-8")
    with pytest.raises(LocatedError) as caught:
        read_cassette(cassette)
    assert message in str(caught.value)


@pytest.mark.parametrize("upstream", ["api.example.com", "http://", "http://host:port"])
def test_an_upstream_that_is_no_address_is_refused(cassette: Path, upstream: str) -> None:
    async def recording() -> None:
        async with serve_recorder(upstream, cassette=cassette):
            pass

    with pytest.raises(UsageError, match="is no address"):
        asyncio.run(recording())


Json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(Json)
def test_a_value_does_not_differ_from_itself(value: Any) -> None:
    assert list(differences(value, json.loads(json.dumps(value)))) == []


@given(Json, Json)
def test_two_values_differ_in_words_exactly_where_they_differ(one: Any, other: Any) -> None:
    assert bool(list(differences(one, other))) == (json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True))


def drafted(cassette: Path, *asked: tuple[str, Any]) -> str:
    record(cassette, *asked)
    return draft_machine(read_cassette(cassette), name="draft").text


def answers(text: str, *asked: tuple[str, Any]) -> list[Any]:
    """What a drafted machine answers to chats: texts, or the state of an undeclared situation."""
    machine = parse_machine(text, path="draft.yaml")

    async def asking() -> list[Any]:
        async with serve(machine) as endpoint:
            replies = [await post(endpoint.address, path, body) for path, body in asked]
        documents = [reply.json() for reply in replies]
        return [d["error"]["state"] if "error" in d else d["choices"][0]["message"]["content"] for d in documents]

    return asyncio.run(asking())


def test_a_draft_answers_what_was_recorded(cassette: Path) -> None:
    asked = [(CHAT, talk) for talk in TALKS]
    assert answers(drafted(cassette, *asked), *asked) == [ASKED["content"], "High then.", "Low then."]


def test_a_draft_has_states_and_no_loop(cassette: Path) -> None:
    # A recorder made one looping reply of a conversation (CopilotKit/aimock 166).
    text = drafted(cassette, *((CHAT, talk) for talk in TALKS))
    machine = parse_machine(text, path="draft.yaml")
    assert [(t.state, t.to) for t in machine.transitions()] == [
        ("start", "after_1"),
        ("after_1", "after_2"),
        ("after_1", "after_3"),
    ]
    high = {"role": "assistant", "content": "High then."}
    assert answers(text, (CHAT, chat(HELLO, ASKED, user("yes"), high, HELLO))) == ["after_2"]


def test_conversations_that_begin_alike_share_their_beginning(cassette: Path) -> None:
    text = drafted(cassette, *((CHAT, talk) for talk in (*TALKS, *TALKS)))
    assert len(parse_machine(text, path="draft.yaml").transitions()) == 3


def draft_of_calls(cassette: Path, first: tuple[str, Any], then: Callable[[Any], tuple[str, Any]]) -> str:
    """A draft of a conversation with a call, in which the second request is made of the first reply."""

    async def recording() -> None:
        async with serve(MACHINE) as endpoint, serve_recorder(endpoint.address, cassette=cassette) as recorder:
            reply = await post(recorder.address, *first)
            await post(recorder.address, *then(reply.json()))

    asyncio.run(recording())
    return draft_machine(read_cassette(cassette), name="draft").text


def chat_result(reply: Any) -> tuple[str, Any]:
    message = reply["choices"][0]["message"]
    return CHAT, chat(
        user("search"), message, {"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": "2 (a)"}
    )


def responses_result(reply: Any) -> tuple[str, Any]:
    output = {"type": "function_call_output", "call_id": reply["output"][1]["call_id"], "output": "2 (a)"}
    return RESPONSES, {"model": "m", "input": [user("search"), *reply["output"], output]}


def stored_result(reply: Any) -> tuple[str, Any]:
    _, asked = responses_result(reply)
    return RESPONSES, {"model": "m", "input": asked["input"][-1:], "previous_response_id": reply["id"]}


def messages_result(reply: Any) -> tuple[str, Any]:
    result = {"type": "tool_result", "tool_use_id": reply["content"][1]["id"], "content": "2 (a)"}
    said = {"role": "assistant", "content": reply["content"]}
    return MESSAGES, chat(user("search"), said, {"role": "user", "content": [result]}, max_tokens=9)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ((CHAT, chat(user("search"))), chat_result),
        ((RESPONSES, {"model": "m", "input": "search"}), responses_result),
        ((RESPONSES, {"model": "m", "input": "search"}), stored_result),
        ((MESSAGES, chat(user("search"), max_tokens=9)), messages_result),
    ],
    ids=["chat", "responses", "responses by id", "messages"],
)
def test_calls_and_results_are_drafted_from_every_api(
    cassette: Path, first: tuple[str, Any], then: Callable[[Any], tuple[str, Any]]
) -> None:
    machine = parse_machine(draft_of_calls(cassette, first, then), path="draft.yaml")
    called, found = machine.transitions()
    assert [(call.tool, call.arguments) for call in called.calls] == [("search", {"query": "a: {{b}}", "limit": 5})]
    assert [str(guard) for guard in found.when.guards] == ["result_of 'search'", "result_matches '^2\\\\ \\\\(a\\\\)$'"]


@pytest.mark.parametrize("path", [CHAT, RESPONSES, MESSAGES])
def test_streams_are_drafted_from_every_api(cassette: Path, path: str) -> None:
    body = {"model": "m", "input": "search", "stream": True} if path == RESPONSES else chat(user("search"), stream=True)
    text = drafted(cassette, (path, {**body, "max_tokens": 9} if path == MESSAGES else body))
    (transition,) = parse_machine(text, path="draft.yaml").transitions()
    assert (transition.reply, transition.calls[0].arguments["limit"], transition.finish) == ("I look.", 5, "tool_calls")


def test_what_is_no_whole_reply_is_left_out_with_the_reason(cassette: Path) -> None:
    asked = [(CHAT, chat(HELLO)), (CHAT, chat(user("search")))]
    record(cassette, *asked, faults="unavailable@1")
    draft = draft_machine(read_cassette(cassette), name="draft")
    assert (len(parse_machine(draft.text, path="d").transitions()), dict(draft.left_out)) == (
        1,
        {2: "status 503, or a reply that is not whole"},
    )


def test_a_cassette_with_nothing_to_draft_from_is_refused(cassette: Path) -> None:
    record(cassette, (CHAT, chat(HELLO)), faults="html")
    with pytest.raises(UsageError, match="there is nothing to draft a machine from: line 2"):
        draft_machine(read_cassette(cassette), name="draft")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.text(st.characters(exclude_categories=["Cs"])))
def test_any_words_can_be_drafted(said: str, reply: str) -> None:
    answer = {"choices": [{"message": {"content": reply}, "finish_reason": "stop"}]}
    take = Take(
        method="POST",
        path=CHAT,
        body=chat(user(said)),
        status=200,
        headers={"content-type": "application/json"},
        chunks=(json.dumps(answer),),
        line=2,
    )
    (transition,) = parse_machine(draft_machine([take], name="m").text, path="d").transitions()
    assert transition.when.guards[0].value == said
    assert transition.reply == reply.replace("{", "{{").replace("}", "}}")
