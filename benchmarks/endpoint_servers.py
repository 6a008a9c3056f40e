"""The servers that `benchmarks.endpoint` measures, each run as a process: `python -m benchmarks.endpoint_servers NAME`.

Both have uvicorn's protocol with the same parser and the same event loop, and the same of its options. A server prints
one line of JSON with its port when it listens.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
from typing import Any

from marg_mock_model import parse_machine
from marg_mock_model.endpoint import Endpoint, serve_forever
from marg_mock_model.endpoint.listener import BACKLOG, HttpParser

MACHINE = """\
machine: bench
start: open
states:
  open:
    transitions:
      - when: {user_matches: "^Request (?P<number>\\\\d+): "}
        reply: "This is the answer to request {number}: one sentence of a plain length, as a model would give it."
        to: open
"""
"""Every request has a number of its own, so that no answer is one that was kept."""


def run_ours(http: HttpParser) -> None:
    """The endpoint."""
    serve_forever(parse_machine(MACHINE, path="bench.machine.yaml"), http=http, on_ready=_announce_endpoint)


def run_echo(http: HttpParser) -> None:
    """Starlette with one route that gives back the JSON that it got."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def echo(request: Request) -> JSONResponse:
        return JSONResponse(await request.json())

    app = Starlette(routes=[Route("/v1/chat/completions", echo, methods=["POST"])])
    config = uvicorn.Config(
        app,
        http=http,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=75,
    )
    # Named by its protocol: asyncio sets TCP_NODELAY only then, as it would on a socket of its own making.
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("127.0.0.1", 0))
    sock.listen(BACKLOG)  # who connects now waits until the server is there
    _announce(sock.getsockname()[1])
    uvicorn.Server(config).run(sockets=[sock])


def _announce_endpoint(endpoint: Endpoint) -> None:
    _announce(endpoint.listener.port)


def _announce(port: int) -> None:
    print(json.dumps({"port": port, "loop": _loop()}), flush=True)


def _loop() -> str:
    try:
        return type(asyncio.get_running_loop()).__module__.partition(".")[0]
    except RuntimeError:
        return "not running"


SERVERS: dict[str, Any] = {"ours": run_ours, "echo": run_echo}


def main() -> None:
    """Run one server until it is told to stop."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endpoint_servers", description="One server.")
    parser.add_argument("name", choices=sorted(SERVERS))
    parser.add_argument("--http", choices=["auto", "h11", "httptools"], default="auto")
    options = parser.parse_args()
    SERVERS[options.name](options.http)


if __name__ == "__main__":
    main()
