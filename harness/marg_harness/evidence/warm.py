"""Cell runs made by a server that has the libraries imported: most of a run of a few scenarios is importing."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from marg_harness.evidence import warm_server

CAN_FORK = hasattr(os, "fork") and hasattr(os, "waitstatus_to_exitcode")
_servers: dict[str, _Server] = {}


@dataclass(frozen=True, kw_only=True)
class WarmRun:
    """What became of a run: its exit code, and what it wrote to stderr."""

    code: int
    said: str


def warm_run(
    arguments: Sequence[str],
    *,
    folder: Path,
    environ: Mapping[str, str],
    said: Path,
    seconds: float,
    pycache: Path | None = None,
) -> WarmRun | None:
    """Run `marg` with these arguments in a folder, as a process of its own with this environment would.

    said: a new file for what is written to stderr. pycache: where compiled modules are kept, if at all. None where no
    server can make the run: make it cold then. Raises TimeoutError after so many seconds, with the server ended.
    """
    if not CAN_FORK:
        return None
    hash_seed = environ.get("PYTHONHASHSEED", "random")
    server = _servers.get(hash_seed)
    if server is None or not server.alive:
        server = _servers[hash_seed] = _Server(environ)
    path = [entry for entry in environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    request = {
        "path": path,
        "folder": str(folder),
        "environ": dict(environ),
        "arguments": list(arguments),
        "said": str(said),
        "pycache": None if pycache is None else str(pycache),
    }
    code = server.ask(request, seconds=seconds)
    if code in (None, warm_server.BROKEN):
        return None
    return WarmRun(code=int(code or 0), said=said.read_text(encoding="utf-8", errors="replace"))


class _Server:
    """The server of one hash seed."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        # The path comes with each request; the server itself imports none of it.
        own = {name: value for name, value in environ.items() if name != "PYTHONPATH"}
        self._process = subprocess.Popen(
            [sys.executable, "-P", warm_server.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=own,
            text=True,
            start_new_session=True,
        )
        atexit.register(self.end)

    @property
    def alive(self) -> bool:
        """Whether it still answers."""
        return self._process.poll() is None

    def ask(self, request: Mapping[str, object], *, seconds: float) -> int | None:
        """The exit code of a run; None where the server is gone. Raises TimeoutError, with all its processes ended."""
        asked, answers = self._pipes()
        try:
            asked.write(json.dumps(request) + "\n")
            asked.flush()
            with selectors.DefaultSelector() as selector:
                selector.register(answers, selectors.EVENT_READ)
                if not selector.select(seconds):
                    self._kill()
                    raise TimeoutError(f"no end within {seconds:g} s")
            line = answers.readline()
        except BrokenPipeError:
            return None
        return int(line) if line.strip() else None

    def end(self) -> None:
        """Have it end, and all that it forked."""
        asked, answers = self._pipes()
        with contextlib.suppress(OSError):
            asked.close()
        answers.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, 9)
        self._process.wait()

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout
