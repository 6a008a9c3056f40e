"""A streamed reply of OpenAI's Responses.

The marker is `response.completed` (or `response.incomplete`). The API says everything twice, in pieces and whole, and
numbers its events, so a piece that was lost, came twice or out of order is seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marg_runtime.errors import ModelError
from marg_runtime.model import Delta, FinishReason, TextDelta
from marg_runtime.models.call_pieces import CallList
from marg_runtime.models.chat_reply import finished
from marg_runtime.models.fault_words import kind_of_answer
from marg_runtime.models.reply import Usage, as_object, cut_off, number_in, object_in, text_in, unfit

_ITEMS = ("message", "function_call", "reasoning")
_INCOMPLETE: dict[str, FinishReason] = {"max_output_tokens": "length", "content_filter": "refusal"}


class ResponsesReply:
    """The fold over the events of a response's stream."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.marker = ""
        self.code: str | None = None
        self.usage = Usage()
        self._calls = CallList(names)
        self._texts: dict[tuple[str, int | None, int | None], str] = {}
        self._last = 0
        self._reason: FinishReason = "stop"
        self._refused = False

    def feed(self, event: Mapping[str, Any]) -> tuple[Delta, ...]:
        """The text that an event brings; kinds of events that are not known are passed over."""
        kind = text_in(event, "type")
        if self.marker:
            raise unfit(f"a {kind!r} behind {self.marker}")
        if kind in ("error", "response.failed"):
            raise self._failure(event)
        self._in_order(number_in(event, "sequence_number"))
        match kind:
            case "response.output_text.delta" | "response.refusal.delta":
                return self._say(event, kind.split(".")[1])
            case "response.output_text.done":
                return self._said(event, "output_text", text_in(event, "text"))
            case "response.refusal.done":
                return self._said(event, "refusal", text_in(event, "refusal"))
            case "response.output_item.added" | "response.output_item.done":
                self._item(event, done=kind.endswith("done"))
            case "response.function_call_arguments.delta":
                self._calls.at(self._place(event)).pieces.append(text_in(event, "delta"))
            case "response.function_call_arguments.done":
                self._arguments(event, text_in(event, "arguments"))
            case "response.completed" | "response.incomplete":
                self._close(kind, object_in(event, "response"))
        return ()

    def _in_order(self, number: int | None) -> None:
        # Servers that number nothing say 0 or -1 throughout.
        if number is None or number <= 0:
            return
        if number <= self._last:
            raise unfit(f"event {number} comes behind event {self._last}")
        self._last = number

    def _place(self, event: Mapping[str, Any]) -> int:
        place = number_in(event, "output_index")
        if place is None:
            raise unfit("an event of an item has no output_index")
        return place

    def _say(self, event: Mapping[str, Any], part: str) -> tuple[Delta, ...]:
        key, text = (part, self._place(event), number_in(event, "content_index")), text_in(event, "delta")
        self._texts[key] = self._texts.get(key, "") + text
        self._refused = self._refused or part == "refusal"
        return (TextDelta(text=text),) if text else ()

    def _said(self, event: Mapping[str, Any], part: str, whole: str) -> tuple[Delta, ...]:
        """The whole text of a part: what its pieces must come to; one that came in no pieces is shown now."""
        key = (part, self._place(event), number_in(event, "content_index"))
        if key not in self._texts:
            return self._say({**event, "delta": whole}, part)
        if self._texts[key] != whole:
            raise unfit("the pieces of a text do not come to the text")
        return ()

    def _item(self, event: Mapping[str, Any], *, done: bool) -> None:
        item = as_object(event.get("item"), "an item")
        kind = text_in(item, "type")
        if kind not in _ITEMS:
            raise unfit(f"an item of the unknown type {kind!r}")
        if kind != "function_call":
            return
        self._calls.at(self._place(event)).named(id=text_in(item, "call_id"), name=text_in(item, "name"))
        if done:
            self._arguments(event, text_in(item, "arguments"))

    def _arguments(self, event: Mapping[str, Any], whole: str) -> None:
        call = self._calls.at(self._place(event))
        if not call.arguments:
            call.pieces.append(whole)
        elif call.arguments != whole:
            raise unfit("the pieces of a call's arguments do not come to the arguments")

    def _failure(self, event: Mapping[str, Any]) -> ModelError:
        error = object_in(object_in(event, "response"), "error") or object_in(event, "error") or event
        words = [word for word in (error.get("code"), error.get("type")) if isinstance(word, str) and word != "error"]
        self.code = words[0] if words else None
        return ModelError("the provider broke the reply off with an error", kind=kind_of_answer(200, words))

    def _close(self, kind: str, response: Mapping[str, Any]) -> None:
        self.marker = kind
        usage = object_in(response, "usage")
        self.usage = Usage(tokens_in=number_in(usage, "input_tokens"), tokens_out=number_in(usage, "output_tokens"))
        if kind == "response.incomplete":
            why = text_in(object_in(response, "incomplete_details"), "reason")
            if why not in _INCOMPLETE:
                raise unfit(f"the response is incomplete for {why!r}")
            self._reason = _INCOMPLETE[why]
            return
        self._compare(response.get("output") or [])

    def _compare(self, output: object) -> None:
        """See that all of the whole response has come in pieces; some servers give none of it."""
        if not isinstance(output, list):
            raise unfit(f"output is {type(output).__name__}, not a list")
        items = [as_object(item, "an item") for item in output]
        calls = sum(text_in(item, "type") == "function_call" for item in items)
        if items and (calls != len(self._calls) or "".join(map(_words, items)) != "".join(self._texts.values())):
            raise unfit("the pieces of the response do not come to the response")

    def end(self) -> tuple[Delta, ...]:
        """The calls and the finish."""
        if not self.marker:
            raise cut_off()
        return finished("refusal" if self._refused else self._reason, self._calls)


def _words(item: Mapping[str, Any]) -> str:
    """The text of a message, refusals too; of any other item none."""
    content = item.get("content") if text_in(item, "type") == "message" else None
    parts = [as_object(part, "a part") for part in content] if isinstance(content, list) else []
    return "".join(text_in(part, "text") + text_in(part, "refusal") for part in parts)
