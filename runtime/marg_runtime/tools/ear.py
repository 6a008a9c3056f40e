"""What is heard of a connection while it stands: responses of HTTP, lines that are no messages, the end of the stream.

The SDK folds all of these into a few codes of JSON-RPC, so that a refused key, a full server and a page of a proxy come
out alike. What tells them apart is noted here, where it comes in.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from httpx2 import Response


@dataclass(kw_only=True)
class Exchange:
    """One request of ours, and the last response of HTTP that came for it."""

    id: str
    what: str
    response: Response | None = None
    noise: int = 0


# The SDK sends from tasks of its own, in the context of whoever asked; so the context knows whose response comes in.
CURRENT: ContextVar[Exchange | None] = ContextVar("marg_exchange", default=None)


@dataclass(kw_only=True)
class Heard:
    """What one connection has heard: how many lines that are no messages, and whether its stream has ended."""

    noise: int = 0
    ended: bool = False
    last_noise: str = field(default="", repr=False)

    async def take(self, message: object) -> None:
        """Take what the SDK hands on beside answers: notifications, and the error for a line that is no message."""
        if isinstance(message, Exception):
            self.noise += 1
            self.last_noise = type(message).__name__

    async def response(self, response: Response) -> None:
        """Note a response of HTTP for the request that it answers."""
        exchange = CURRENT.get()
        if exchange is not None:
            exchange.response = response


class Ear:
    """A read stream of the SDK's that notes its own end."""

    def __init__(self, stream: Any, heard: Heard) -> None:
        self._stream = stream
        self._heard = heard

    @property
    def last_context(self) -> Any:
        """The context of the last message's sender, which the SDK looks for."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Any:
        """The next message."""
        try:
            return await self._stream.receive()
        except BaseException:
            self._heard.ended = True
            raise

    async def aclose(self) -> None:
        """Close the stream."""
        self._heard.ended = True
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self._stream.__anext__()
        except BaseException:
            self._heard.ended = True
            raise

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._heard.ended = True
        await self._stream.__aexit__(kind, error, trace)
