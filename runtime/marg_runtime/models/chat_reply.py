"""A streamed reply of Chat Completions, OpenAI's and its many likenesses.

The marker is `finish_reason`. Nothing in this API numbers the pieces, so one that came twice looks like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marg_runtime.errors import ModelError
from marg_runtime.model import CallDelta, Delta, Finish, FinishReason, TextDelta
from marg_runtime.models.call_pieces import CallList
from marg_runtime.models.reply import Usage, as_object, cut_off, number_in, object_in, text_in, unfit
from marg_runtime.wire import WireKind

_REASONS: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "refusal",
    "model_length": "length",  # Mistral
}
_BREAKS: dict[str, WireKind] = {"insufficient_system_resource": "overload"}  # DeepSeek


class ChatReply:
    """The fold over `chat.completion.chunk` objects."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.marker = ""
        self.code: str | None = None
        self.usage = Usage()
        self._calls = CallList(names)
        self._place: tuple[int, int] = (0, 0)
        self._reason = ""
        self._refused = False

    def feed(self, event: Mapping[str, Any]) -> tuple[Delta, ...]:
        """The text that a chunk brings; its calls wait until they are whole."""
        choices = event.get("choices")
        if not isinstance(choices, list):
            raise unfit(f"choices is {type(choices).__name__}, not a list")
        if usage := object_in(event, "usage"):
            self.usage = Usage(
                tokens_in=number_in(usage, "prompt_tokens"), tokens_out=number_in(usage, "completion_tokens")
            )
        return tuple(delta for choice in choices for delta in self._choice(as_object(choice, "a choice")))

    def _choice(self, choice: Mapping[str, Any]) -> tuple[Delta, ...]:
        if choice.get("index"):
            raise unfit("a second choice, where one was asked for")
        delta = object_in(choice, "delta")
        content, refusal = text_in(delta, "content"), text_in(delta, "refusal")
        calls = delta.get("tool_calls") or []
        if (content or refusal or calls) and self._reason:
            raise unfit("it goes on behind its finish_reason")
        if not isinstance(calls, list) or delta.get("function_call"):
            raise unfit("its calls are no list of tool calls")
        for piece in calls:
            self._call(as_object(piece, "a tool call"))
        self._refused = self._refused or bool(refusal)
        self._reason = text_in(choice, "finish_reason") or self._reason
        self.marker = "finish_reason" if self._reason else ""
        text = content + refusal
        return (TextDelta(text=text),) if text else ()

    def _call(self, piece: Mapping[str, Any]) -> None:
        function = object_in(piece, "function")
        id, name = text_in(piece, "id"), text_in(function, "name")
        call = self._calls.at(self._key(number_in(piece, "index"), id=id, name=name))
        call.named(id=id, name=name)
        call.pieces.append(text_in(function, "arguments"))

    def _key(self, index: int | None, *, id: str, name: str) -> tuple[int, int]:
        """Which call a piece belongs to.

        By its index; some servers give none, or the same one to every call, and then another id begins another call.
        """
        at = self._place[0] if index is None else index
        nth = self._place[1] if at == self._place[0] else 0
        while id and (at, nth) in self._calls and self._calls.at((at, nth)).id not in ("", id):
            nth += 1
        if index is None and not id and name and (at, nth) in self._calls:
            nth += 1
        self._place = (at, nth)
        return self._place

    def end(self) -> tuple[Delta, ...]:
        """The calls and the finish."""
        if not self._reason:
            raise cut_off()
        if self._reason in _BREAKS:
            raise ModelError(f"the reply ended with {self._reason!r}", kind=_BREAKS[self._reason])
        reason = _REASONS.get(self._reason)
        if reason is None:
            raise unfit(f"finish_reason is {self._reason!r}")
        return finished("refusal" if self._refused else reason, self._calls)


def finished(reason: FinishReason, calls: CallList) -> tuple[Delta, ...]:
    """The end of a reply: its calls, where it came to its own end, and why it ended.

    A reply that was stopped has no calls that count: the last one may be cut where its JSON happens to be whole.
    """
    if reason in ("length", "refusal"):
        return (Finish(reason=reason),)
    whole = calls.whole()
    if reason == "tool_calls" and not whole:
        raise unfit("it ends for its calls and has none")
    # Some servers say `stop` behind calls.
    return (*(CallDelta(call=call) for call in whole), Finish(reason="tool_calls" if whole else "stop"))
