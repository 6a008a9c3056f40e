"""The listening socket of an endpoint, with uvicorn's HTTP protocol on it; it can refuse and listen again.

The protocol classes are uvicorn's own; its server is not used, since it takes over signals and sleeps when it closes.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Literal

from marg_mock_model.endpoint.asgi import Receive, Scope, Send
from marg_mock_model.endpoint.cork import Cork
from marg_mock_model.endpoint.lane import AtOnce, plain_request, written
from marg_runtime.errors import UsageError

ConnectedApp = Callable[[Scope, Receive, Send, Cork], Awaitable[None]]
HttpParser = Literal["auto", "h11", "httptools"]

H11_PROTOCOL = "H11Protocol"
BACKLOG = 2048
KEEP_ALIVE_SECONDS = 75
CLOSING_SECONDS = 1.0
"""How long a response under way may take to go out when the endpoint closes."""


class Listener:
    """A socket that hands its requests to an application."""

    def __init__(
        self,
        app: ConnectedApp,
        *,
        host: str,
        port: int,
        http: HttpParser = "auto",
        at_once: AtOnce | None = None,
    ) -> None:
        """`at_once` answers what need not wait, before the application is asked."""
        self.host = host
        self.port = port
        self._app = app
        self._at_once = at_once
        self._http = http
        self._server: asyncio.Server | None = None
        self._state: Any = None
        self._factory: Callable[[], asyncio.Protocol] | None = None

    @property
    def address(self) -> str:
        """The address without a path."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    async def open(self) -> None:
        """Listen; `port` is then the real one. Raises UsageError for an address that cannot be had."""
        self._factory = self._protocol()
        await self.listen()

    async def listen(self) -> None:
        """Listen at the same address as before, if it does not."""
        if self._server is not None:
            return
        assert self._factory is not None
        try:
            sock = _bound(self.host, self.port)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UsageError(
                f"cannot listen at {self.host!r}, port {self.port!r}: {reason}; name another --host or --port."
            ) from None
        self.port = sock.getsockname()[1]
        self._server = await asyncio.get_running_loop().create_server(self._factory, sock=sock, backlog=BACKLOG)

    def refuse(self) -> None:
        """Listen no more: whoever connects is refused, and whoever is connected is sent away after the answer."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for connection in self._connections():
            connection.shutdown()

    async def close(self) -> None:
        """Let what is under way go out, and close every connection."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for connection in self._connections():
            connection.transport.close()
        tasks = list(self._state.tasks) if self._state else []
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSING_SECONDS)
        for connection in self._connections():
            connection.transport.abort()

    def _connections(self) -> list[Any]:
        """Those that are open; none where it never listened."""
        return list(self._state.connections) if self._state else []

    def _protocol(self) -> Callable[[], asyncio.Protocol]:
        try:
            from uvicorn.config import Config
            from uvicorn.server import ServerState
        except ModuleNotFoundError as error:
            raise UsageError(
                f"no module {error.name!r}: an endpoint needs the extra serve: pip install 'marg[serve]'"
            ) from None
        config = Config(
            self._app,
            http=self._http,
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
        )
        config.load()
        self._state = ServerState()
        connected: Any = _connected(config.http_protocol_class)
        if self._at_once is not None and config.http_protocol_class.__name__ == H11_PROTOCOL:
            connected = _short(connected, self._at_once)
        return lambda: connected(config=config, server_state=self._state, app_state={})


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named by its protocol, for asyncio lets small writes go out at once only where it knows that it is TCP.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
    except BaseException:
        sock.close()
        raise
    return sock


def _connected(base: Any) -> Any:
    """A protocol of uvicorn's that calls its application with the connection as well."""

    class Connected(base):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            cork = Cork(transport)
            super().connection_made(cork)
            app: ConnectedApp = self.app  # type: ignore[has-type]
            self.app = lambda scope, receive, send: app(scope, receive, send, cork)

    return Connected


def _short(base: Any, at_once: AtOnce) -> Any:
    """A protocol of uvicorn's on h11 that answers a whole plain request at once, while nothing else is under way."""
    h11: Any = import_module("h11")
    nothing_heard = {h11.CLIENT: h11.IDLE, h11.SERVER: h11.IDLE}

    class Short(base):  # type: ignore[misc]
        def data_received(self, data: bytes) -> None:
            if not self._answered(data):
                super().data_received(data)

        def _answered(self, data: bytes) -> bool:
            idle = self.cycle is None or self.cycle.response_complete
            if not idle or self.conn.states != nothing_heard or self.flow.write_paused or self.transport.is_closing():
                return False
            request = plain_request(data, h11)
            response = None if request is None else at_once(request)
            if response is None:
                return False
            self._unset_keepalive_if_required()
            self.transport.write(written(response))
            return True

    return Short
