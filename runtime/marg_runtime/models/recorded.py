"""Replies kept as they were streamed, and a model that plays them again, piece by piece, with no wire.

Two requests with one digest are one request, so a reply belongs to a digest; a request that was made several times has
its replies in order. A red is looked into with these: the same replies, on a clean wire, on this code or on other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelRequest
from marg_runtime.errors import ModelError, UsageError
from marg_runtime.model import Delta, Finish, Model
from marg_runtime.wire import WireKind

Keyed: TypeAlias = Literal["digest", "order"]


@dataclass(frozen=True, kw_only=True)
class RecordedReply:
    """One reply: the digest of its request, its deltas with their bounds, and how it broke.

    broke: the error's message, None where the reply came to its end; kind: the error's kind.
    """

    request: str
    deltas: tuple[Delta, ...]
    broke: str | None = None
    kind: WireKind | None = None

    @property
    def whole(self) -> bool:
        """Whether the reply came to its end."""
        return self.broke is None and any(isinstance(delta, Finish) for delta in self.deltas)


@cache
def _adapter() -> TypeAdapter[RecordedReply]:
    return TypeAdapter(RecordedReply)


def reply_json(reply: RecordedReply) -> Json:
    """A reply as JSON."""
    record: Json = _adapter().dump_python(reply, mode="json")
    return record


def read_reply(record: Json) -> RecordedReply:
    """The reply that JSON holds. Raises UsageError for what is none."""
    try:
        return _adapter().validate_python(record)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"this is no recorded reply: {where}: {first['msg']}") from error


class RecordingModel:
    """A model that hands on what another one says, and keeps it. `replies` holds what came, in order.

    A reply that nobody heard to its end is not kept: it is not known how it would have gone on.
    """

    def __init__(self, model: Model) -> None:
        self.replies: list[RecordedReply] = []
        self._model = model

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta]:
        """The other model's reply."""
        heard: list[Delta] = []
        deltas = self._model.stream(request)
        try:
            async for delta in deltas:
                heard.append(delta)
                yield delta
        except ModelError as error:
            self._keep(request, heard, broke=str(error), kind=error.kind)
            raise
        finally:
            if isinstance(deltas, AsyncGenerator):
                await deltas.aclose()
        self._keep(request, heard)

    def _keep(
        self, request: ModelRequest, heard: Sequence[Delta], *, broke: str | None = None, kind: WireKind | None = None
    ) -> None:
        kept = RecordedReply(request=request.digest, deltas=tuple(heard), broke=broke, kind=kind)
        self.replies.append(kept)


class RecordedModel:
    """A model that says again what was recorded, in the same pieces.

    keyed: `digest` gives each request the replies that its digest had, in order; `order` gives the replies one after
    the other whatever is asked, and keeps in `strayed` the numbers (from 0) of the requests that differ from the
    recorded ones. `received` holds every request. A request that nothing was recorded for raises `UsageError`, and so
    does one whose reply broke where `clean`: what such a reply would have been is not known.
    """

    def __init__(self, replies: Sequence[RecordedReply], *, keyed: Keyed = "digest", clean: bool = False) -> None:
        self.received: list[ModelRequest] = []
        self.strayed: list[int] = []
        self._replies = tuple(replies)
        self._keyed = keyed
        self._clean = clean
        self._used: set[int] = set()
        self._by_digest: Mapping[str, list[int]] = _places(self._replies)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta]:
        """The recorded reply; raises ModelError where it broke."""
        self.received.append(request)
        place = self._place(request)
        reply = self._replies[place]
        if self._clean and not reply.whole:
            raise UsageError(
                f"recorded reply {place + 1} broke ({reply.kind}); how it would have ended is not recorded"
            )
        self._used.add(place)
        for delta in reply.deltas:
            yield delta
        if reply.broke is not None:
            raise ModelError(reply.broke, kind=reply.kind)

    @property
    def unused(self) -> tuple[RecordedReply, ...]:
        """The replies that no request has asked for."""
        return tuple(reply for place, reply in enumerate(self._replies) if place not in self._used)

    def _place(self, request: ModelRequest) -> int:
        number = len(self.received)
        if self._keyed == "order":
            if number > len(self._replies):
                raise UsageError(f"{len(self._replies)} replies are recorded, and this is request {number}")
            if self._replies[number - 1].request != request.digest:
                self.strayed.append(number - 1)
            return number - 1
        waiting = [place for place in self._by_digest.get(request.digest, ()) if place not in self._used]
        if not waiting:
            raise UsageError(
                f"no reply is recorded for request {number} (digest {request.digest[:12]}): its system text, messages "
                f"or tools differ from all {len(self._replies)} that are"
            )
        return waiting[0]


def _places(replies: Sequence[RecordedReply]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, reply in enumerate(replies):
        places[reply.request].append(place)
    return dict(places)
