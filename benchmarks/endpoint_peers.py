"""Other mock servers beside the endpoint: installed into a folder of their own for one run, on request only."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ANSWER = "This is the answer to a request: one sentence of a plain length, as a model would give it."
INSTALL_SECONDS = 300
START_SECONDS = 20.0


@dataclass(frozen=True, kw_only=True)
class Peer:
    """A peer as it is run: its command, its port and its environment; or why it is not."""

    name: str
    command: tuple[str, ...] = ()
    port: int = 0
    environment: dict[str, str] | None = None
    skipped: str | None = None


def peers(folder: Path) -> list[Peer]:
    """Every peer, installed below the folder."""
    return [_installed("fakellm", _fakellm, folder), _installed("@copilotkit/aimock", _aimock, folder)]


def start(peer: Peer) -> subprocess.Popen[bytes]:
    """Start a peer and wait until it listens; raises TimeoutError where it does not."""
    process = subprocess.Popen(peer.command, env=peer.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", peer.port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return process
    process.kill()
    process.wait()
    raise TimeoutError(f"{peer.name} does not listen after {START_SECONDS:.0f} seconds")


def _installed(name: str, install: Callable[[Path], Peer], folder: Path) -> Peer:
    try:
        return install(folder)
    except (OSError, subprocess.SubprocessError) as error:
        return Peer(name=name, skipped=f"not installable here: {' '.join(str(error).split())[:200]}")


def _fakellm(folder: Path) -> Peer:
    target = folder / "fakellm"
    _run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), "fakellm"])
    rule = {"name": "all", "when": {"messages_contain": "Request"}, "respond": {"content": ANSWER}}
    config = folder / "fakellm.yaml"
    config.write_text(json.dumps({"version": 1, "rules": [rule]}), encoding="utf-8")
    port = _free_port()
    command = (sys.executable, "-m", "fakellm.cli", "serve", "--port", str(port), "--config", str(config))
    if not (target / "fakellm" / "cli.py").is_file():
        return Peer(name="fakellm", skipped="its command is not where it was")
    start_it = "from fakellm.cli import main; main()"
    command = (sys.executable, "-c", start_it, *command[3:])
    return Peer(name="fakellm", command=command, port=port, environment={**os.environ, "PYTHONPATH": str(target)})


def _aimock(folder: Path) -> Peer:
    name = "@copilotkit/aimock"
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return Peer(name=name, skipped="there is no npm here")
    _run([npm, "install", "--prefix", str(folder / "npm"), "--no-audit", "--no-fund", "--silent", name])
    fixture = {"match": {"userMessage": "Request"}, "response": {"content": ANSWER}}
    fixtures = folder / "fixtures.json"
    fixtures.write_text(json.dumps({"fixtures": [fixture]}), encoding="utf-8")
    port = _free_port()
    program = folder / "npm" / "node_modules" / ".bin" / "llmock"
    command = (str(program), "--port", str(port), "--fixtures", str(fixtures), "--log-level", "silent")
    return Peer(name=name, command=command, port=port)


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=INSTALL_SECONDS)


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port
