"""Faults over the wire: what goes out, what the journal says of it, and the endpoint's own paths for a test."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import httpx
import pytest

from marg_mock_model import parse_machine
from marg_mock_model.endpoint import Endpoint, serve, serve_in_thread

pytest.importorskip("uvicorn")

MACHINE = parse_machine(
    "machine: m\nstart: a\nstates: {a: {transitions: [{when: {user: hello}, reply: One two three., to: a}]}}",
    path="m.yaml",
)
PATHS = ("/v1/chat/completions", "/v1/responses", "/v1/messages")
Replies = Mapping[tuple[str, str, str], httpx.Response]
Asked = Callable[[Endpoint, httpx.AsyncClient], Awaitable[Any]]


def run(test: Asked, faults: str = "") -> Any:
    async def main() -> Any:
        async with (
            serve(MACHINE, faults=faults) as endpoint,
            httpx.AsyncClient(base_url=endpoint.address, trust_env=False, verify=False) as client,
        ):
            return await test(endpoint, client)

    return asyncio.run(main())


async def ask(client: httpx.AsyncClient, text: str = "hello", **fields: Any) -> httpx.Response:
    headers = {"x-marg-conversation": fields.pop("conversation", "")}
    body = {"model": "m", "messages": [{"role": "user", "content": text}], **fields}
    return await client.post("/v1/chat/completions", json=body, headers=headers)


def journal(faults: str, **fields: Any) -> dict[str, Any]:
    """What the journal says of one exchange, whatever its client met."""

    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> dict[str, Any]:
        with suppress(httpx.TransportError):
            await ask(client, **fields)
        for _ in range(200):
            if endpoint.journal[0].outcome != "open":
                break
            await asyncio.sleep(0.005)
        return endpoint.journal[0].record()

    found: dict[str, Any] = run(test, faults)
    return found


@pytest.mark.parametrize(
    ("faults", "stream", "status", "outcome"),
    [
        ("rate_limit", False, 429, "answered"),
        ("html", False, 200, "answered"),
        ("cut:after=3", True, 200, "cut"),
        ("cut", False, 200, "cut"),
        ("truncated", True, 200, "truncated"),
        ("cut_json", False, 200, "truncated"),
        ("duplicate_delta", True, 200, "answered"),
        ("error_event", True, 200, "cut"),
        ("stall:seconds=0.01", False, 0, "stalled"),
        ("slow:seconds=0.01", False, 200, "answered"),
        ("slow:seconds=0.01", True, 200, "answered"),
        ("drop", False, 0, "dropped"),
    ],
)
def test_the_journal_says_how_a_fault_ended(faults: str, stream: bool, status: int, outcome: str) -> None:
    found = journal(faults, stream=stream)
    assert (found["status"], found["outcome"], found["fault"]) == (status, outcome, faults.partition(":")[0])


@pytest.fixture(scope="module")
def odd_replies() -> Replies:
    """Streams of every API whose faults find little to break: nothing said, or one word; the model is named delta."""
    silent = "{when: {user: nothing}, silent: true, to: a}, {when: {user: word}, reply: Hi, to: a}"
    machine = parse_machine(f"machine: m\nstart: a\nstates: {{a: {{transitions: [{silent}]}}}}", path="m.yaml")
    found = {}

    async def main() -> None:
        async with serve(machine) as endpoint, httpx.AsyncClient(trust_env=False, verify=False) as client:
            for fault in ("", "cut_json:after=50", "duplicate_delta", "reordered_delta"):
                endpoint.set_faults(fault)
                for path in PATHS:
                    for text in ("nothing", "word"):
                        words = {"input": text, "messages": [{"role": "user", "content": text}], "max_tokens": 9}
                        sent = {"model": "delta", "stream": True, **words}
                        headers = {"anthropic-version": "2023-06-01"}
                        reply = await client.post(endpoint.address + path, json=sent, headers=headers)
                        found[fault.partition(":")[0], path, text] = reply

    asyncio.run(main())
    return found


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("text", ["nothing", "word"])
def test_an_event_is_cut_in_its_json_however_late(path: str, text: str, odd_replies: Replies) -> None:
    reply = odd_replies["cut_json", path, text]
    last = reply.text.rstrip().rpartition("data: ")[2]
    with pytest.raises(ValueError, match="char"):
        json.loads(last)
    assert (reply.status_code, bool(last)) == (200, True)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("fault", ["duplicate_delta", "reordered_delta"])
def test_a_reply_without_a_piece_passes_a_fault_of_pieces_by(path: str, fault: str, odd_replies: Replies) -> None:
    assert odd_replies[fault, path, "nothing"].content == odd_replies["", path, "nothing"].content


@pytest.mark.parametrize("path", PATHS)
def test_the_delta_that_comes_twice_is_a_piece_of_the_text(path: str, odd_replies: Replies) -> None:
    whole, doubled = (odd_replies[fault, path, "word"].text.split("\n\n") for fault in ("", "duplicate_delta"))
    [more] = {event for event in doubled if doubled.count(event) == 2}
    assert (len(doubled) - len(whole), "Hi" in more) == (1, True)


def test_a_fault_of_streams_finds_them_however_they_are_asked_for() -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> int:
        asked = b'{"model": "m", "stream" :\n true, "messages": [{"role": "user", "content": "hello"}]}'
        return (await client.post(PATHS[0], content=asked)).status_code

    assert run(test, "unavailable:stream=true") == 503


def test_the_journal_says_how_much_of_a_broken_stream_went_out() -> None:
    found = journal("truncated:after=3", stream=True)
    assert (found["sent"], found["went"]) == ("One two three.", "One two")


@pytest.mark.parametrize("written", ["1", "0.5"])
def test_a_retry_after_goes_out_as_it_was_written(written: str) -> None:
    reply = run(lambda endpoint, client: ask(client), f"rate_limit:retry_after={written}")
    assert reply.headers["retry-after"] == written


def test_the_faults_of_a_named_conversation_are_counted_for_it_alone() -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> list[int]:
        return [(await ask(client, conversation=name)).status_code for name in ("a", "b", "a", "b")]

    assert run(test, "unavailable@2") == [200, 200, 503, 503]


def test_a_request_that_the_machine_does_not_answer_meets_no_break() -> None:
    assert run(lambda endpoint, client: ask(client, "what?"), "cut").status_code == 422


def test_a_refused_connection_comes_back_after_its_seconds() -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> int:
        with pytest.raises(httpx.ConnectError):
            await ask(client)
        await asyncio.sleep(0.1)
        return (await ask(client)).status_code

    assert run(test, "refuse@1:seconds=0.05") == 200


def test_the_next_connection_is_refused_where_the_schedule_says_so() -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> int:
        first = await ask(client)
        with pytest.raises(httpx.TransportError):
            await ask(client)
        return first.status_code

    assert run(test, "refuse@2") == 200


def test_other_faults_can_be_set_from_another_thread() -> None:
    with serve_in_thread(MACHINE, faults="refuse") as endpoint, httpx.Client(trust_env=False, verify=False) as client:
        with pytest.raises(httpx.ConnectError):
            client.get(f"{endpoint.address}/health")
        endpoint.set_faults("")
        assert client.get(f"{endpoint.address}/health").status_code == 200


def test_other_faults_can_be_set_over_the_wire() -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> list[Any]:
        set_to = await client.post("/_marg/faults", json={"faults": "overloaded@2", "seed": 1})
        return [set_to.json(), *[(await ask(client)).status_code for _ in range(2)]]

    assert run(test) == [{"faults": ["overloaded"]}, 200, 529]


def test_faults_that_are_none_are_refused_over_the_wire() -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> httpx.Response:
        return await client.post("/_marg/faults", json={"faults": "overload"})

    reply = run(test)
    assert (reply.status_code, "did you mean 'overloaded'?" in reply.json()["error"]) == (400, True)


def test_the_verdict_is_had_over_the_wire_and_in_python_alike() -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> tuple[Any, Any]:
        for _ in range(2):
            await ask(client)
        return endpoint.verdict().record(), (await client.get("/_marg/verdict")).json()

    python, wire = run(test, "rate_limit@1:retry_after=60")
    assert [finding["kind"] for finding in wire["findings"]] == ["retry_after_ignored"]
    assert (python["judged"], python["findings"][0]["text"]) == (wire["judged"], wire["findings"][0]["text"])


def test_the_journal_over_the_wire_has_no_questions_about_itself() -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> list[str]:
        await ask(client)
        await client.get("/_marg/journal")
        found = (await client.get("/_marg/journal")).json()["exchanges"]
        return [f"{exchange['number']} {exchange['path']}" for exchange in found]

    assert run(test) == ["1 /v1/chat/completions"]


def test_a_reset_forgets_journal_and_counts() -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> list[Any]:
        first = await ask(client)
        await client.post("/_marg/reset")
        return [first.status_code, len(endpoint.journal), (await ask(client)).status_code]

    assert run(test, "unavailable@1") == [503, 0, 503]


def test_what_has_everything_forgotten_breaks_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> list[int]:
        paths = {"/_marg/faults": {"faults": "", "seed": []}, "/_marg/reset": {}}
        found = [(await client.post(path, json=sent)).status_code for path, sent in paths.items()]
        await asyncio.sleep(0)
        return found

    assert run(test) == [400, 200]
    assert caplog.records == []


def test_a_stalled_stream_ends_when_the_client_leaves() -> None:
    async def test(endpoint: Endpoint, client: httpx.AsyncClient) -> str:
        client.timeout = httpx.Timeout(0.05)
        with pytest.raises(httpx.ReadTimeout):
            await ask(client, stream=True)
        await client.aclose()
        for _ in range(200):
            if endpoint.journal[0].outcome != "open":
                break
            await asyncio.sleep(0.005)
        return endpoint.journal[0].outcome

    assert run(test, "stall:after=1") == "stalled"
