"""One API of one SDK, as the part that calls it sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from marg_runtime.conversation import ModelRequest
from marg_runtime.models.reply import Reply

if TYPE_CHECKING:
    import httpx2


class EventStream(Protocol):
    """The open stream of an SDK's, `AsyncStream` in both."""

    response: httpx2.Response

    async def __anext__(self) -> object:
        """The next event, an object of the SDK's."""
        ...

    async def close(self) -> None:
        """Let go of the connection."""
        ...


class Api(Protocol):
    """How requests are written, sent and their replies read."""

    @property
    def peer(self) -> str:
        """The server's host."""
        ...

    @property
    def what(self) -> str:
        """The method and the path behind the base URL."""
        ...

    @property
    def media(self) -> str:
        """The media type of a reply; what comes as another is none."""
        ...

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """The request in the API's form."""
        ...

    def reply(self, request: ModelRequest) -> Reply:
        """The fold of one reply."""
        ...

    async def open(self, body: Mapping[str, Any]) -> EventStream:
        """Send the request once; gives the stream of its reply. Raises the SDK's own exceptions."""
        ...
