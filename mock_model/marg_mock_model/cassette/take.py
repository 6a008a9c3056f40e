"""One recorded exchange with a model's API: the request without its keys, and the answer as it came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marg_runtime.canonical import canonical_json


@dataclass(frozen=True, kw_only=True)
class Take:
    """A request and its answer; `chunks` are the events of a stream, or the body in one piece.

    `body` is the request's JSON, secrets removed; `line` is the line of the cassette's file.
    """

    method: str
    path: str
    body: Any
    status: int
    headers: Mapping[str, str]
    chunks: tuple[str, ...]
    line: int

    @property
    def key(self) -> str:
        """What a request is matched by: method, path and body; the order of keys says nothing."""
        return key_of(self.method, self.path, self.body)

    @property
    def is_stream(self) -> bool:
        """Whether the answer is server-sent events."""
        return self.headers.get("content-type", "").startswith("text/event-stream")

    def record(self) -> dict[str, Any]:
        """The take as a line of a cassette."""
        request = {"method": self.method, "path": self.path, "body": self.body}
        answer = {"status": self.status, "headers": dict(self.headers), "chunks": list(self.chunks)}
        return {"request": request, "answer": answer}


def key_of(method: str, path: str, body: Any) -> str:
    """What a request is matched by."""
    return f"{method} {path} {canonical_json(body)}"
