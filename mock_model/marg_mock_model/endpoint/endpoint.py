"""A machine served over HTTP: in this event loop, in a thread of its own, or for good."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from marg_mock_model.coverage import Coverage
from marg_mock_model.endpoint.app import EndpointApp
from marg_mock_model.endpoint.desk import Desk
from marg_mock_model.endpoint.fault import Faults
from marg_mock_model.endpoint.fault_file import load_faults
from marg_mock_model.endpoint.journal import Exchange, Journal
from marg_mock_model.endpoint.listener import HttpParser, Listener
from marg_mock_model.endpoint.verdict import Verdict, judge
from marg_mock_model.file import load_machine
from marg_mock_model.machine import Machine

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """An endpoint that is listening."""

    app: EndpointApp
    listener: Listener
    loop: asyncio.AbstractEventLoop
    thread: int = field(default_factory=threading.get_ident)

    @property
    def address(self) -> str:
        """The address without a path, which is the base URL of Anthropic's SDK."""
        return self.listener.address

    @property
    def openai_url(self) -> str:
        """The base URL of OpenAI's SDK."""
        return f"{self.address}/v1"

    @property
    def anthropic_url(self) -> str:
        """The base URL of Anthropic's SDK."""
        return self.address

    @property
    def journal(self) -> tuple[Exchange, ...]:
        """Every exchange so far, in the order in which the requests came."""
        return tuple(self.app.desk.journal.exchanges)

    def verdict(self) -> Verdict:
        """What the clients did wrong with the faults that they met."""
        return judge(self.journal, machine=self.app.desk.machine)

    @property
    def coverage(self) -> Coverage:
        """What the conversations used of the machine."""
        return self.app.desk.coverage

    def set_faults(self, faults: Faults | str, *, seed: int = 0) -> None:
        """Begin anew with other faults: a schedule, or one in a line or a file. Raises UsageError."""
        schedule = faults if isinstance(faults, Faults) else load_faults(faults, seed=seed)
        self._in_loop(lambda: self.app.reset(faults=schedule))

    def reset(self) -> None:
        """Forget conversations, journal and counts."""
        self._in_loop(self.app.reset)

    def _in_loop(self, change: Callable[[], None]) -> None:
        """Make a change in the endpoint's own loop, whatever thread this is."""
        if threading.get_ident() == self.thread:
            change()
            return

        async def changing() -> None:
            change()

        asyncio.run_coroutine_threadsafe(changing(), self.loop).result()


@asynccontextmanager
async def serve(
    machine: Machine | Path | str,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    faults: Faults | str | None = None,
    seed: int = 0,
    journal: Path | None = None,
    http: HttpParser = "auto",
) -> AsyncIterator[Endpoint]:
    """Serve a machine, or the one of a file, in the running event loop until the block is left.

    Port 0 is any that is free. `faults` is a schedule, or one in a line or a file; it and the machine's slips are drawn
    with `seed`. `journal` is a file that every exchange is appended to. Raises UsageError for what cannot be read,
    written or listened at.
    """
    schedule = load_faults(faults, seed=seed) if isinstance(faults, str) else faults or Faults()
    book = Journal(file=journal)
    desk = Desk(machine=machine if isinstance(machine, Machine) else load_machine(machine), journal=book, seed=seed)
    app = EndpointApp(desk, faults=schedule)
    listener = Listener(app, host=host, port=port, http=http, at_once=app.at_once)
    book.open()
    try:
        await listener.open()
        app.attend(listener)
        yield Endpoint(app=app, listener=listener, loop=asyncio.get_running_loop())
    finally:
        await listener.close()
        book.close()


@contextmanager
def serve_in_thread(
    machine: Machine | Path | str,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    faults: Faults | str | None = None,
    seed: int = 0,
    journal: Path | None = None,
    http: HttpParser = "auto",
) -> Iterator[Endpoint]:
    """The same for clients that block: the endpoint has a thread and an event loop of its own."""
    opened: list[Endpoint | BaseException] = []
    ready, leave = threading.Event(), threading.Event()

    async def run() -> None:
        options = {"host": host, "port": port, "faults": faults, "seed": seed, "journal": journal, "http": http}
        async with serve(machine, **options) as endpoint:  # type: ignore[arg-type]
            opened.append(endpoint)
            ready.set()
            await asyncio.to_thread(leave.wait)

    def main() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            opened.append(error)
            ready.set()

    thread = threading.Thread(target=main, name="marg mock endpoint", daemon=True)
    thread.start()
    ready.wait()
    try:
        if isinstance(opened[0], BaseException):
            raise opened[0]
        yield opened[0]
    finally:
        leave.set()
        thread.join()
