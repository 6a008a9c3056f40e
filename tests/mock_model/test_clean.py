"""An exchange without secrets: also where a stream brings one in pieces; what has none is the same to the byte."""

from __future__ import annotations

import json
from typing import Any

import pytest

from marg_mock_model.cassette.clean import clean_body, clean_chunks

KEY = "sk-ant-a1b2c3d4e5f6"
TEXT = f"The key is {KEY}, and no other."
CLEAN = "The key is [removed], and no other."


def pieces(text: str) -> list[str]:
    return [text[at : at + 3] for at in range(0, len(text), 3)]


def chat(piece: str, index: int) -> dict[str, Any]:
    return {"id": "c", "choices": [{"index": index, "delta": {"role": "assistant", "content": piece}}]}


def responses(piece: str, index: int) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "item_id": "m", "output_index": index, "delta": piece}


def anthropic(piece: str, index: int) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": piece}}


def arguments(piece: str, index: int) -> dict[str, Any]:
    called = {"index": index, "id": "call", "type": "function", "function": {"name": "make", "arguments": piece}}
    return {"id": "c", "choices": [{"index": 0, "delta": {"tool_calls": [called]}}]}


def stream(event: Any, texts: list[str]) -> tuple[str, ...]:
    """A stream in which several texts come in turn, each a few letters at a time."""
    parts = [pieces(text) for text in texts]
    turns = max(map(len, parts))
    events = [event(part[at], index) for at in range(turns) for index, part in enumerate(parts) if at < len(part)]
    return (*(f"event: x\ndata: {json.dumps(one)}\n\n" for one in events), "data: [DONE]\n\n")


def text_of(value: Any, index: int) -> str:
    """What a delta brings of a text."""
    match value:
        case {"choices": [{"delta": {"tool_calls": [{"index": which, "function": {"arguments": str() as text}}]}}]}:
            return text if which == index else ""
        case {"choices": [{"index": which, "delta": {"content": str() as text}}]}:
            return text if which == index else ""
        case {"output_index": which, "delta": str() as text}:
            return text if which == index else ""
        case {"index": which, "delta": {"text": str() as text}}:
            return text if which == index else ""
    raise AssertionError(value)


@pytest.mark.parametrize("event", [chat, responses, anthropic, arguments])
def test_a_secret_that_came_in_pieces_is_removed_of_the_text_that_they_are(event: Any) -> None:
    cleaned = clean_chunks(stream(event, [TEXT, "no secret here"]), secrets=())
    assert cleaned[-1] == "data: [DONE]\n\n"
    events = [json.loads(one.split("data: ")[1]) for one in cleaned[:-1]]
    assert ["".join(text_of(one, index) for one in events) for index in (0, 1)] == [CLEAN, "no secret here"]


@pytest.mark.parametrize("event", [chat, responses, anthropic, arguments])
def test_a_stream_without_secrets_is_the_same_to_the_byte(event: Any) -> None:
    chunks = stream(event, ["nothing of the kind", "nor here"])
    assert clean_chunks(chunks, secrets=()) == chunks


def test_a_known_value_is_removed_of_bodies_that_are_json_or_not() -> None:
    assert clean_body(b'{"q": "it is open-sesame"}', secrets={"open-sesame"}) == {"q": "it is [removed]"}
    assert clean_body(b"it is open-sesame", secrets={"open-sesame"}) == "it is [removed]"
    assert clean_chunks(('{"q": "open-sesame"}',), secrets={"open-sesame"}) == ('{"q":"[removed]"}',)
    assert clean_chunks(("<p>open-sesame</p>",), secrets={"open-sesame"}) == ("<p>[removed]</p>",)
