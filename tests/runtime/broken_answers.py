"""Answers of a model's server that break, each in a way of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.runtime.dialects import (
    ApiName,
    Said,
    error_event,
    events_of,
    frames,
)
from tests.runtime.loopback import Answer, failed, head, streamed

if TYPE_CHECKING:
    pass


def cut_before_the_marker(api: ApiName) -> Answer:
    return streamed(frames(events_of(api, Said())[: 4 if api != "chat" else 3]))


def reset_in_the_middle(api: ApiName) -> Answer:
    return streamed(frames(events_of(api, Said())[:3]), end="reset")


def closed_inside_a_counted_body(api: ApiName) -> Answer:
    return streamed(frames(events_of(api, Said())[:3]), content_length="9000")


def stalled(api: ApiName) -> Answer:
    return streamed(frames(events_of(api, Said())[:3]), end="stall")


def silent(api: ApiName) -> Answer:
    return Answer(pieces=(), end="stall")


def closed_at_once(api: ApiName) -> Answer:
    return Answer(pieces=())


def no_http(api: ApiName) -> Answer:
    return Answer(pieces=(b"220 mail.example ready\r\n\r\n",))


def page(api: ApiName) -> Answer:
    return Answer(pieces=(head(media="text/html; charset=utf-8"), b"<html><h1>Sign in</h1></html>"))


def whole_json(api: ApiName) -> Answer:
    return Answer(pieces=(head(media="application/json"), b'{"ok": true}'))


def empty_stream(api: ApiName) -> Answer:
    return streamed([])


def cut_json(api: ApiName) -> Answer:
    first, *_ = frames(events_of(api, Said()))
    return streamed([first, first[: len(first) // 2] + b"\n\n"])


def overloaded_inside(api: ApiName) -> Answer:
    word = "overloaded_error" if api == "messages" else "server_error"
    return streamed(frames([*events_of(api, Said())[:3], error_event(api, word)]))


def limited_inside(api: ApiName) -> Answer:
    word = "rate_limit_error" if api == "messages" else "rate_limit_exceeded"
    return streamed(frames([*events_of(api, Said())[:3], error_event(api, word)]))


def unknown_inside(api: ApiName) -> Answer:
    return streamed(frames([*events_of(api, Said())[:3], error_event(api, "brand_new_error")]))


def redirected(api: ApiName) -> Answer:
    return Answer(pieces=(head(307, media="text/plain", location="http://127.0.0.1:9/elsewhere"),))


def bad_gzip(api: ApiName) -> Answer:
    return streamed([b"this is no gzip"], content_encoding="gzip")


def with_status(status: int, word: str = "some_error") -> Callable[[ApiName], Answer]:
    def answer(api: ApiName) -> Answer:
        return failed(status, {"type": "error", "error": {"type": word, "code": word, "message": "told"}})

    answer.__name__ = f"status_{status}_{word}"
    return answer
