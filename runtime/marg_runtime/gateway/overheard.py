"""A model whose requests are kept, for a gateway that reports what the model received."""

from __future__ import annotations

from collections.abc import AsyncIterator

from marg_runtime.conversation import ModelRequest
from marg_runtime.model import Delta, Model


class OverheardModel:
    """The model itself, and every request that it received, in `requests`."""

    def __init__(self, model: Model) -> None:
        self.requests: list[ModelRequest] = []
        self._model = model

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """Note the request, and answer as the model does."""
        self.requests.append(request)
        async for delta in self._model.stream(request):
            yield delta

    def take(self) -> tuple[ModelRequest, ...]:
        """The requests since the last time, which are then forgotten."""
        taken, self.requests = tuple(self.requests), []
        return taken
