"""What the three wire APIs share: a request as it was read, a reply as it is to be written, and the API itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from marg_runtime.conversation import Message, ModelCall, ModelRequest
from marg_runtime.model import FinishReason

Headers = Sequence[tuple[bytes, bytes]]
"""The headers of a request as ASGI gives them: names in lower case."""

ApiName = Literal["openai_chat", "openai_responses", "anthropic_messages"]

CREATED = 1_767_225_600
"""The time that every reply bears, in seconds since 1970 UTC (2026-01-01): the same request gets the same bytes."""

PIECE = 12  # characters of a call's arguments in one event


@dataclass(frozen=True, kw_only=True, slots=True)
class StructuredFormat:
    """What a reply's text must be: JSON, valid against the schema where there is one."""

    schema: Mapping[str, Any] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class WireRequest:
    """A request as an API's client wrote it; `echo` are fields that the API repeats in its reply."""

    request: ModelRequest
    model: str
    stream: bool = False
    usage: bool = True
    format: StructuredFormat | None = None
    store: bool = True
    echo: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens of a reply, as the endpoint counts them."""

    input: int
    output: int


@dataclass(frozen=True, kw_only=True, slots=True)
class WireReply:
    """A reply to be written. `id` is a digest of conversation and history, bare of the API's prefix."""

    id: str
    text: str
    calls: tuple[ModelCall, ...]
    finish: FinishReason
    usage: Usage
    model: str


@dataclass(frozen=True, kw_only=True, slots=True)
class WireError:
    """An error to be written; `extra` goes into the error's object as it is, `request` is the id of what it answers."""

    status: int
    message: str
    code: str | None = None
    param: str | None = None
    extra: Mapping[str, Any] | None = None
    request: str | None = None


class Stored(Protocol):
    """The replies that a client may go on from by their id."""

    def history(self, response: str) -> tuple[Message, ...]:
        """The messages up to and with a stored reply; raises BadRequest for an id that is not stored."""
        ...


class WireApi(Protocol):
    """One API: how its requests are read and its replies are written."""

    name: ApiName
    prefix: str
    """What a reply's id begins with."""

    def read(self, body: Mapping[str, Any], *, headers: Headers, stored: Stored) -> WireRequest:
        """The request of a body; raises BadRequest."""
        ...

    def document(self, reply: WireReply, asked: WireRequest) -> dict[str, Any]:
        """The reply as one JSON object."""
        ...

    def events(self, reply: WireReply, asked: WireRequest) -> list[bytes]:
        """The reply as server-sent events, each ready for the wire; the last ones are the terminal marker."""
        ...

    def hollow_document(self, reply: WireReply, asked: WireRequest) -> dict[str, Any]:
        """The document of a reply with nothing in it, such as no choices."""
        ...

    def hollow_events(self, reply: WireReply, asked: WireRequest) -> list[bytes]:
        """The events of a reply with nothing in it, from its beginning to its end."""
        ...

    def error(self, error: WireError) -> dict[str, Any]:
        """An error's body."""
        ...

    def error_event(self, error: WireError, *, number: int) -> bytes:
        """An error as an event in the middle of a stream, behind `number` others."""
        ...


def header(headers: Headers, name: bytes) -> bytes | None:
    """The value of a header; None where there is none of that name."""
    for known, value in headers:
        if known == name:
            return value
    return None


def argument_pieces(text: str) -> list[str]:
    """The pieces in which a call's arguments are streamed; joined they are the text."""
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
