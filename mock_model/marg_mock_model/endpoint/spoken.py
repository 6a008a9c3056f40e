"""The pieces of a stream, and the words in them: what a client would hold that took a part for the whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

_NAMED_PIECE = re.compile(rb"event: (?:content_block_delta|response\.[a-z_.]+\.delta)\n")
_CHAT_PIECE = re.compile(rb'"delta":\{"(?:content|refusal|tool_calls)":(?:"|\[\{"index":\d+,"function")')


def is_piece(event: bytes) -> bool:
    """Whether an event of any of the three APIs carries a piece of a text or of a call's arguments."""
    return bool(_NAMED_PIECE.match(event) or _CHAT_PIECE.search(event))


def words_in(events: Sequence[bytes]) -> str:
    """The text that the events of any of the three APIs carry, one after the other."""
    return "".join(text for event in events for value in _data(event) for text in _words(value))


def _data(event: bytes) -> Iterator[Any]:
    for line in event.split(b"\n"):
        if line.startswith(b"data: {"):
            try:
                yield json.loads(line.removeprefix(b"data: "))
            except ValueError:
                continue


def _words(value: Any) -> Iterator[str]:
    if value.get("type") in ("response.output_text.delta", "response.refusal.delta"):
        yield value["delta"]
    elif value.get("type") == "content_block_delta":
        yield value["delta"].get("text", "")
    else:
        for choice in value.get("choices", ()):
            delta = choice.get("delta", {})
            yield delta.get("content") or delta.get("refusal") or ""
