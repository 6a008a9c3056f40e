"""A cassette as a server: every recorded request gets its answer, and a changed one an error that says what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from marg_mock_model.cassette.clean import clean_body
from marg_mock_model.cassette.difference import miss_in_words
from marg_mock_model.cassette.take import Take, key_of
from marg_mock_model.endpoint.apis import APIS, CHAT
from marg_mock_model.endpoint.asgi import Receive, Scope, Send, body_of, send_whole
from marg_mock_model.endpoint.cork import Cork
from marg_mock_model.endpoint.response import Response, json_response
from marg_mock_model.endpoint.wire import WireError
from marg_runtime.scrub import own_secrets, scrub, secrets_of_headers

MISS_STATUS = 422
"""As for an undeclared situation: no client tries it again."""


class Replayer:
    """The application. `missed` are the requests that no take answers, in words; `played` counts the takes."""

    def __init__(self, takes: Sequence[Take]) -> None:
        self.missed: list[str] = []
        self.played: Counter[int] = Counter()
        self._takes = tuple(takes)
        self._by_key: dict[str, list[Take]] = {}
        for take in takes:
            self._by_key.setdefault(take.key, []).append(take)
        self._next: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send, cork: Cork) -> None:
        """Answer one request."""
        body = await body_of(receive)
        if body is not None:
            await send_whole(send, self._answer(scope, body), cork)

    def unplayed(self) -> tuple[Take, ...]:
        """The takes that no request has asked for."""
        return tuple(take for take in self._takes if not self.played[take.line])

    def _answer(self, scope: Scope, raw: bytes) -> Response:
        secrets = own_secrets() | secrets_of_headers(scope["headers"])
        method, path, body = scope["method"], scrub(scope["path"], secrets=secrets), clean_body(raw, secrets=secrets)
        key = key_of(method, path, body)
        takes = self._by_key.get(key)
        if takes is None:
            return self._miss(method, path, body)
        # The same request recorded more than once has its answers in order, the last one for good.
        take = takes[min(self._next[key], len(takes) - 1)]
        self._next[key] += 1
        self.played[take.line] += 1
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in take.headers.items()]
        return Response(
            status=take.status,
            headers=headers,
            chunks=tuple(chunk.encode("utf-8", "replace") for chunk in take.chunks),
            is_stream=take.is_stream,
        )

    def _miss(self, method: str, path: str, body: object) -> Response:
        words = miss_in_words(self._takes, method=method, path=path, body=body)
        self.missed.append(words)
        error = WireError(status=MISS_STATUS, message=f"Not on the cassette: {words}", extra={"code": "cassette_miss"})
        return json_response(APIS.get(path, CHAT).error(error), status=MISS_STATUS)
