"""The words and numbers by which providers name their errors, and the kind of each; a message's text is never read.

Sources: OpenAI's and Anthropic's lists of error types and codes, and the numbers that routers in front of others give.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from marg_runtime.wire import WireKind, kind_of_status

_WORDS: Mapping[WireKind, str] = {
    "quota": "insufficient_quota billing_error billing_hard_limit_reached billing_not_active credits_exhausted",
    "rate_limit": "rate_limit_exceeded rate_limit_error rate_limit too_many_requests resource_exhausted",
    "overload": "overloaded_error overloaded server_error api_error internal_server_error internal_error internal "
    "service_unavailable unavailable engine_overloaded slow_down",
    "auth": "authentication_error permission_error invalid_api_key permission_denied unauthenticated unauthorized",
    "timeout": "timeout_error request_timeout timeout deadline_exceeded",
    "request": "invalid_request_error not_found_error request_too_large invalid_prompt invalid_argument "
    "context_length_exceeded model_not_found not_found unsupported_parameter unsupported_value",
}
_KINDS: dict[str, WireKind] = {word: kind for kind, words in _WORDS.items() for word in words.split()}

REQUEST_STATUSES = frozenset({400, 404, 405, 409, 413, 414, 415, 422, 431})
"""The statuses that blame the request itself: they say nothing of the wire."""


def words_of(body: object) -> tuple[str | int, ...]:
    """What an error's body calls the error: its code before its type, for the code is the narrower word."""
    error = body.get("error", body) if isinstance(body, Mapping) else body
    if isinstance(error, str):
        return (error,)
    if not isinstance(error, Mapping):
        return ()
    found = [error.get(key) for key in ("code", "type", "status")]
    return tuple(word for word in found if isinstance(word, str | int) and not isinstance(word, bool))


def kind_of_words(words: Iterable[str | int]) -> WireKind | None:
    """The kind that the first known word names, or None."""
    kinds = (_kind_of_word(word) for word in words)
    return next((kind for kind in kinds if kind is not None), None)


def kind_of_answer(status: int, words: Iterable[str | int]) -> WireKind:
    """The kind of an error by its status, but for two: a stream that began well, and an empty purse behind a 429.

    Inside a stream an error without a known word is the provider's own breakdown, as a 500 would have been.
    """
    named = kind_of_words(words)
    if status < 300:
        return named or "overload"
    if named == "quota" and status < 500:
        return "quota"
    return kind_of_failed_status(status)


def kind_of_failed_status(status: int) -> WireKind:
    """As `kind_of_status`, with what a model's API means by a status: 504 is a timeout, 400 and its like `request`."""
    if status in REQUEST_STATUSES:
        return "request"
    return "timeout" if status == 504 else kind_of_status(status)


def _kind_of_word(word: str | int) -> WireKind | None:
    if isinstance(word, str) and not word.isdecimal():
        return _KINDS.get(word.lower())
    number = int(word)
    return kind_of_failed_status(number) if 400 <= number < 600 else None
