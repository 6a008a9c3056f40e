"""What goes over the wire, held against the models of the official SDKs, which look at no field before it is read."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter
from tests.mock_model.desk_endpoint import CHAT, FAILS, MACHINE, MESSAGES, RESPONSES, VERSION, body, user

from marg_mock_model.endpoint import serve

ANTHROPIC: Any = pytest.importorskip("anthropic.types")
OPENAI: Any = pytest.importorskip("openai.types")
CHATS: Any = pytest.importorskip("openai.types.chat")
RESPONDED: Any = pytest.importorskip("openai.types.responses")

TEXTS = ("hello", FAILS, "only calls", "nothing", "no way", "too long")
USAGE = {"stream_options": {"include_usage": True}}


def asked(path: str, text: str) -> dict[str, Any]:
    return {"model": "m", "input": text} if path == RESPONSES else body(user(text), max_tokens=9)


@cache
def replies() -> dict[tuple[str, str, bool], httpx.Response]:
    """Every kind of reply of every API, whole and streamed."""

    async def main() -> dict[tuple[str, str, bool], httpx.Response]:
        found = {}
        async with serve(MACHINE) as endpoint, httpx.AsyncClient(trust_env=False, verify=False) as client:
            for path in (CHAT, RESPONSES, MESSAGES):
                for text in (*TEXTS, "undeclared"):
                    for stream in (False, True):
                        sent = {**asked(path, text), "stream": stream, **(USAGE if stream and path == CHAT else {})}
                        reply = await client.post(endpoint.address + path, json=sent, headers=VERSION)
                        found[path, text, stream] = reply
            found["/v1/models", "", False] = await client.get(f"{endpoint.address}/v1/models/desk")
        return found

    return asyncio.run(main())


def events(path: str, text: str) -> list[dict[str, Any]]:
    lines = replies()[path, text, True].text.split("\n")
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


@pytest.mark.parametrize(
    ("path", "model"),
    [(CHAT, CHATS.ChatCompletion), (RESPONSES, RESPONDED.Response), (MESSAGES, ANTHROPIC.Message)],
)
def test_a_reply_has_every_field_that_the_sdk_requires(path: str, model: Any) -> None:
    read = [TypeAdapter(model).validate_python(replies()[path, text, False].json()) for text in TEXTS]
    assert len({reply.id for reply in read}) == len(TEXTS)


@pytest.mark.parametrize(
    ("path", "model"),
    [
        (CHAT, CHATS.ChatCompletionChunk),
        (RESPONSES, RESPONDED.ResponseStreamEvent),
        (MESSAGES, ANTHROPIC.RawMessageStreamEvent),
    ],
)
def test_an_event_has_every_field_that_the_sdk_requires(path: str, model: Any) -> None:
    reads = TypeAdapter(model)
    assert all(reads.validate_python(event) for text in TEXTS for event in events(path, text))


@pytest.mark.parametrize("model", [OPENAI.Model, ANTHROPIC.ModelInfo])
def test_a_model_has_every_field_that_the_sdks_require(model: Any) -> None:
    listed = replies()["/v1/models", "", False].json()
    assert TypeAdapter(model).validate_python(listed).id == "desk"


def test_who_asks_for_usage_finds_the_field_in_every_chunk() -> None:
    *before, last = events(CHAT, "hello")
    assert [chunk["usage"] for chunk in before] == [None] * len(before)
    assert last["usage"]["total_tokens"] > 0


@pytest.mark.parametrize(("path", "header"), [(CHAT, "x-request-id"), (MESSAGES, "request-id")])
def test_an_error_has_the_id_that_its_sdk_reads(path: str, header: str) -> None:
    reply = replies()[path, "undeclared", False]
    assert (reply.json()["error"]["code"], reply.headers[header][:4]) == ("undeclared_situation", "req_")
    assert path == CHAT or reply.json()["request_id"] == reply.headers[header]
