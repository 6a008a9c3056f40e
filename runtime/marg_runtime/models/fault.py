"""How a call of a model's API went wrong, told by status, codes, markers and types of exceptions, never by a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marg_runtime.errors import ModelError
from marg_runtime.models.exception_chain import chain_of, kind_of_chain, names_of, was_unsent
from marg_runtime.models.fault_words import kind_of_answer, words_of
from marg_runtime.models.redaction import Redaction
from marg_runtime.models.retry import may_retry, retry_after
from marg_runtime.wire import WireKind

_SENTENCES: Mapping[WireKind | None, str] = {
    "timeout": "no answer in time",
    "connect": "it cannot be reached",
    "reset": "the connection broke off",
    "rate_limit": "it takes no more requests for now",
    "overload": "it is overloaded or broken",
    "auth": "it does not accept the key; set the right one in the environment",
    "quota": "the account has nothing left to spend",
    "protocol": "what it sent is no reply",
    "truncated": "the reply ended without its end",
    "proxy_body": "something else answered in its place",
    "request": "it refuses the request",
}
_PAGES = ("text/html", "application/xhtml+xml", "text/plain")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What is known of a call that went wrong. `what` is a sentence for people, with nothing secret in it.

    kind: None where the wire did its part and the reply is of no use. code: the provider's word for it. causes: the
    types behind it. retry: whether it may be tried again. retry_after: seconds that the provider asks for. received:
    the bytes of an error's body.
    """

    kind: WireKind | None
    what: str
    status: int | None = None
    code: str | None = None
    request_id: str | None = None
    retry_after: float | None = None
    received: int | None = None
    causes: tuple[str, ...] = ()
    retry: bool = False

    def error(self, *, peer: str) -> ModelError:
        """The error to raise. It has no cause: the SDK's own exceptions hold the request with its key."""
        return ModelError(f"{peer}: {self.what}", kind=self.kind)


def fault_of(error: Exception, *, began: bool, redaction: Redaction, now: float) -> Fault | None:
    """The fault behind an exception of an SDK's, or None for one that is not of the wire.

    `began` is whether a stream had begun: whatever breaks its reading is a fault. `now` is in seconds since 1970 UTC.
    """
    chain = chain_of(error)
    status = getattr(error, "status_code", None)
    body = getattr(error, "body", None)
    words = words_of(body)
    if isinstance(status, int):
        return _of_answer(error, status=status, words=words, causes=names_of(chain), redaction=redaction, now=now)
    kind = kind_of_chain(chain, began=began)
    if kind is None and body is not None:
        kind = kind_of_answer(200, words)
    if kind is None and (began or hasattr(error, "request")):
        kind = "protocol" if began else "connect"
    if kind is None:
        return None
    code = next((word for word in map(redaction.word, words) if word), None)
    retry = may_retry(kind, status=None, unsent=was_unsent(chain))
    return Fault(kind=kind, what=sentence(kind, code=code), code=code, causes=names_of(chain), retry=retry)


def fault_of_reply(error: ModelError, *, code: str | None, status: int, media: str, redaction: Redaction) -> Fault:
    """The fault behind a reply that came and is none: by its form, its end, or what it is instead of one.

    media: what came in the place of the reply's own media type, empty where that came.
    """
    kind, what = error.kind, str(error)
    code = redaction.word(code)
    if kind == "truncated" and media:
        kind = "proxy_body" if media in _PAGES else "protocol"
        what = f"{sentence(kind)} ({redaction.text(media)})"
    retry = kind is not None and may_retry(kind, status=None, unsent=False)
    return Fault(kind=kind, what=redaction.text(what), status=status, code=code, retry=retry)


def sentence(kind: WireKind | None, *, status: int | None = None, code: str | None = None) -> str:
    """What a kind means, with the status and the provider's word where there are any."""
    marks = ", ".join(str(mark) for mark in (status, code) if mark is not None)
    said = _SENTENCES.get(kind, "what it sent is of no use")
    return f"{said} ({marks})" if marks else said


def _of_answer(
    error: Exception,
    *,
    status: int,
    words: tuple[str | int, ...],
    causes: tuple[str, ...],
    redaction: Redaction,
    now: float,
) -> Fault:
    headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", {})
    kind = kind_of_answer(status, words)
    code = next((word for word in map(redaction.word, words) if word), None)
    what = sentence(kind, status=status if status >= 300 else None, code=code)
    if kind == "request":
        # What is wrong with a request is in the provider's words alone; no decision hangs on them.
        what += f": {redaction.text(_message(error))}"
    asked = retry_after(headers, now=now)
    retry = may_retry(kind, status=status, unsent=False) and headers.get("x-should-retry") != "false"
    return Fault(
        kind=kind,
        what=what,
        status=status,
        code=code,
        request_id=request_id(headers, redaction),
        retry_after=asked,
        received=getattr(getattr(error, "response", None), "num_bytes_downloaded", None),
        causes=causes,
        retry=retry,
    )


def request_id(headers: Mapping[str, str], redaction: Redaction) -> str | None:
    """The provider's id of a request: `x-request-id` at OpenAI, `request-id` at Anthropic."""
    found = (redaction.word(headers.get(name)) for name in ("x-request-id", "request-id"))
    return next((word for word in found if word), None)


def _message(error: Exception) -> str:
    body: Any = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    message = inner.get("message") if isinstance(inner, Mapping) else None
    return message if isinstance(message, str) else "it does not say why"
