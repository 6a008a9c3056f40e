"""The events in which a response of OpenAI's Responses is streamed."""

from __future__ import annotations

from typing import Any

from marg_mock_model.endpoint.json_text import named_event
from marg_mock_model.endpoint.wire import argument_pieces
from marg_mock_model.pieces import pieces


class ResponseStream:
    """The events so far, numbered."""

    def __init__(self) -> None:
        self.events: list[bytes] = []

    def add(self, kind: str, **fields: Any) -> None:
        """Add one event."""
        self.events.append(named_event(kind, {"type": kind, "sequence_number": len(self.events), **fields}))

    def item(self, number: int, item: dict[str, Any]) -> None:
        """Add the events of one item of the output, from added to done."""
        empty: dict[str, Any] = {"content": []} if item["type"] == "message" else {"arguments": ""}
        opened = {**item, "status": "in_progress", **empty}
        self.add("response.output_item.added", output_index=number, item=opened)
        if item["type"] == "message":
            self._part(number, item["id"], item["content"][0])
        else:
            self._arguments(number, item)
        self.add("response.output_item.done", output_index=number, item=item)

    def _part(self, number: int, item: str, part: dict[str, Any]) -> None:
        place = {"item_id": item, "output_index": number, "content_index": 0}
        field = "refusal" if part["type"] == "refusal" else "text"
        event = f"response.{part['type']}"
        self.add("response.content_part.added", **place, part={**part, field: ""})
        more: dict[str, Any] = {} if field == "refusal" else {"logprobs": []}
        for piece in pieces(part[field]):
            self.add(f"{event}.delta", **place, delta=piece, **more)
        self.add(f"{event}.done", **place, **{field: part[field]}, **more)
        self.add("response.content_part.done", **place, part=part)

    def _arguments(self, number: int, item: dict[str, Any]) -> None:
        place = {"item_id": item["id"], "output_index": number}
        for piece in argument_pieces(item["arguments"]):
            self.add("response.function_call_arguments.delta", **place, delta=piece)
        done = {"name": item["name"], "arguments": item["arguments"]}
        self.add("response.function_call_arguments.done", **place, **done)
