"""The recorder and the replayer behind a real socket, as an endpoint is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import httpx

from marg_mock_model.cassette.cassette import CassetteWriter, read_cassette
from marg_mock_model.cassette.recorder import Recorder
from marg_mock_model.cassette.replayer import Replayer
from marg_mock_model.cassette.take import Take
from marg_mock_model.endpoint.endpoint import LOOPBACK
from marg_mock_model.endpoint.listener import Listener
from marg_runtime.errors import UsageError
from marg_runtime.scrub import scrub_url

AppT = TypeVar("AppT", Recorder, Replayer)


@dataclass(frozen=True, kw_only=True)
class Served(Generic[AppT]):
    """An application that is listening."""

    app: AppT
    listener: Listener

    @property
    def address(self) -> str:
        """The address without a path."""
        return self.listener.address


@asynccontextmanager
async def serve_recorder(
    upstream: str, *, cassette: Path, append: bool = False, host: str = LOOPBACK, port: int = 0
) -> AsyncIterator[Served[Recorder]]:
    """A proxy to `upstream` that records onto a cassette; raises UsageError for a file or an address that is none."""
    if not _is_address(upstream):
        shown = scrub_url(upstream)
        raise UsageError(f"the upstream {shown!r} is no address; write https://HOST, without the API's path.")
    writer = CassetteWriter(cassette, append=append)
    recorder = Recorder(upstream, cassette=writer)
    listener = Listener(recorder, host=host, port=port)
    try:
        await listener.open()
        yield Served(app=recorder, listener=listener)
    finally:
        await listener.close()
        await recorder.close()
        writer.close()


def _is_address(upstream: str) -> bool:
    try:
        url = httpx.URL(upstream)
    except httpx.InvalidURL:
        return False
    return url.scheme in ("http", "https") and bool(url.host)


@asynccontextmanager
async def serve_cassette(
    cassette: Path | Sequence[Take], *, host: str = LOOPBACK, port: int = 0
) -> AsyncIterator[Served[Replayer]]:
    """A server that answers from a cassette; raises UsageError for a file or an address that is none."""
    replayer = Replayer(read_cassette(cassette) if isinstance(cassette, Path) else cassette)
    listener = Listener(replayer, host=host, port=port)
    try:
        await listener.open()
        yield Served(app=replayer, listener=listener)
    finally:
        await listener.close()
