"""A streamed reply of Anthropic's Messages.

The marker is `message_stop`. A block has a number, so a block that comes twice is seen; a piece of one is not numbered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from marg_runtime.model import Delta, FinishReason, TextDelta
from marg_runtime.models.call_pieces import CallList
from marg_runtime.models.chat_reply import finished
from marg_runtime.models.reply import Usage, cut_off, number_in, object_in, text_in, unfit

_REASONS: dict[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
# What a model thinks is nobody's to see. Any other kind of block would be part of the answer.
_PASSED_OVER = ("thinking", "redacted_thinking")
_SILENT_PIECES = ("citations_delta", "thinking_delta", "signature_delta")


class MessagesReply:
    """The fold over the events of a message's stream."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.marker = ""
        self.code: str | None = None
        self.usage = Usage()
        self._calls = CallList(names)
        self._began = False
        self._blocks: dict[int, str] = {}
        self._open: set[int] = set()
        self._given: dict[int, Mapping[str, Any]] = {}
        self._reason = ""

    def feed(self, event: Mapping[str, Any]) -> tuple[Delta, ...]:
        """The text that an event brings. Kinds of events that are not known are passed over, as the API asks."""
        kind = text_in(event, "type")
        if self.marker and kind != "ping":
            raise unfit(f"a {kind!r} behind message_stop")
        match kind:
            case "message_start":
                self._start(event)
            case "content_block_start":
                return self._block(event)
            case "content_block_delta":
                return self._piece(event)
            case "content_block_stop":
                self._stop(event)
            case "message_delta":
                self._reason = text_in(object_in(event, "delta"), "stop_reason") or self._reason
                self._count(object_in(event, "usage"))
            case "message_stop":
                self.marker = "message_stop"
        return ()

    def _start(self, event: Mapping[str, Any]) -> None:
        if self._began:
            raise unfit("a second message_start")
        self._began = True
        self._count(object_in(object_in(event, "message"), "usage"))

    def _count(self, usage: Mapping[str, Any]) -> None:
        tokens_in, tokens_out = number_in(usage, "input_tokens"), number_in(usage, "output_tokens")
        self.usage = Usage(
            tokens_in=self.usage.tokens_in if tokens_in is None else tokens_in,
            tokens_out=self.usage.tokens_out if tokens_out is None else tokens_out,
        )

    def _block(self, event: Mapping[str, Any]) -> tuple[Delta, ...]:
        index, block = number_in(event, "index"), object_in(event, "content_block")
        kind = text_in(block, "type")
        if index is None or index in self._blocks or not self._began:
            raise unfit(f"a block begins at {event.get('index')!r}, where none can begin")
        if kind not in ("text", "tool_use", *_PASSED_OVER):
            raise unfit(f"a block of the unknown type {kind!r}")
        self._blocks[index] = kind
        self._open.add(index)
        if kind == "tool_use":
            self._calls.at(index).named(id=text_in(block, "id"), name=text_in(block, "name"))
            self._given[index] = object_in(block, "input")
        text = text_in(block, "text") if kind == "text" else ""
        return (TextDelta(text=text),) if text else ()

    def _piece(self, event: Mapping[str, Any]) -> tuple[Delta, ...]:
        index, delta = self._open_index(event), object_in(event, "delta")
        kind, block = text_in(delta, "type"), self._blocks[index]
        if kind == "text_delta" and block == "text":
            text = text_in(delta, "text")
            return (TextDelta(text=text),) if text else ()
        if kind == "input_json_delta" and block == "tool_use":
            self._calls.at(index).pieces.append(text_in(delta, "partial_json"))
        elif kind not in _SILENT_PIECES and block not in _PASSED_OVER:
            raise unfit(f"a {kind!r} in a block of the type {block!r}")
        return ()

    def _stop(self, event: Mapping[str, Any]) -> None:
        index = self._open_index(event)
        self._open.remove(index)
        if self._given.get(index) and not self._calls.at(index).arguments:
            # Some servers give a call's input whole, where the block begins.
            self._calls.at(index).pieces.append(json.dumps(self._given[index]))

    def _open_index(self, event: Mapping[str, Any]) -> int:
        index = number_in(event, "index")
        if index is None or index not in self._open:
            raise unfit(f"a piece of a block {event.get('index')!r} that is not open")
        return index

    def end(self) -> tuple[Delta, ...]:
        """The calls and the finish."""
        if not self.marker:
            raise cut_off()
        reason = _REASONS.get(self._reason)
        if reason is None or self._open:
            raise unfit(f"stop_reason is {self._reason!r}, and {len(self._open)} blocks are open")
        return finished(reason, self._calls)
