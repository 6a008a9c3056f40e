"""A reply that comes in one piece, as the events that a stream of it would have had: for servers that cannot stream.

So one fold reads both, and both are whole by the same marker.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    import httpx2

Document: TypeAlias = Mapping[str, Any]
Events: TypeAlias = Iterator[Mapping[str, Any]]

WHOLE_MEDIA = "application/json"
STREAM_MEDIA = "text/event-stream"


class _Event(BaseModel):
    """An event, not validated, and not to be: the fold looks at it."""

    model_config = ConfigDict(extra="allow")


class WholeReply:
    """An answer that was read to its end. events: what a stream of such a document would have said."""

    def __init__(self, response: httpx2.Response, events: Callable[[Document], Events]) -> None:
        self.response = response
        self._events = iter(_read(response.content, events))

    async def __anext__(self) -> object:
        """The next event; StopAsyncIteration behind the last."""
        for event in self._events:
            return _Event.model_validate(event)
        raise StopAsyncIteration

    async def close(self) -> None:
        """Let go of the connection."""
        await self.response.aclose()


def _read(content: bytes, events: Callable[[Document], Events]) -> Sequence[Mapping[str, Any]]:
    """The events of a body: none of one that is cut, so that no marker comes, and an empty one of what is no object."""
    try:
        document = json.loads(content)
    except ValueError:
        return [{}] if content.rstrip().endswith(b"}") else []
    return list(events(document)) if isinstance(document, dict) else [{}]


def chat_events(document: Document) -> Events:
    """A `chat.completion` as one chunk."""
    choices = document.get("choices")
    if isinstance(choices, list):
        choices = [
            {**choice, "delta": choice.get("message")} if isinstance(choice, dict) else choice for choice in choices
        ]
    yield {"choices": choices, "usage": document.get("usage")}


def responses_events(document: Document) -> Events:
    """A `response` as the events that say its items whole, and the one that ends it."""
    for place, item in enumerate(_objects(document.get("output"))):
        yield {"type": "response.output_item.done", "output_index": place, "item": item}
        for number, part in enumerate(_objects(item.get("content")) if item.get("type") == "message" else ()):
            at = {"output_index": place, "content_index": number}
            kind = part.get("type")
            if kind in ("output_text", "refusal"):
                said = part.get("text" if kind == "output_text" else "refusal")
                yield {"type": f"response.{kind}.done", ("text" if kind == "output_text" else "refusal"): said, **at}
    if document.get("status") in ("completed", "incomplete", "failed"):
        yield {"type": f"response.{document['status']}", "response": document}


def messages_events(document: Document) -> Events:
    """A `message` as the events of its blocks, and the two that end it."""
    yield {"type": "message_start", "message": {"usage": document.get("usage")}}
    for place, block in enumerate(_objects(document.get("content"))):
        yield {"type": "content_block_start", "index": place, "content_block": block}
        yield {"type": "content_block_stop", "index": place}
    if document.get("stop_reason") is not None:
        yield {"type": "message_delta", "delta": {"stop_reason": document["stop_reason"]}}
        yield {"type": "message_stop"}


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    return (one for one in value if isinstance(one, dict)) if isinstance(value, list) else iter(())
