"""A model that plays a list of replies, in the tests of the core."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence

from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.errors import ModelError
from marg_runtime.model import CallDelta, Delta, Finish, TextDelta

Piece = str | ModelCall | Finish | ModelError | asyncio.Event


class ModelDouble:
    """A model that plays its list of replies, keeps every request, and refuses one that the list does not foresee.

    A piece that is an error is raised there; a piece that is an event is waited for there.
    """

    def __init__(self) -> None:
        self.script: deque[Sequence[Piece]] = deque()
        self.received: list[ModelRequest] = []

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The next reply of the list."""
        self.received.append(request)
        assert self.script, f"no reply is scripted for {request.messages[-1:]!r}"
        for piece in self.script.popleft():
            match piece:
                case str():
                    yield TextDelta(text=piece)
                case ModelCall():
                    yield CallDelta(call=piece)
                case Finish():
                    yield piece
                case asyncio.Event():
                    await piece.wait()
                case ModelError():
                    raise piece
