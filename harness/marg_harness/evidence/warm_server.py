"""The server that makes cell runs, run as a file: it imports the libraries once, and forks for each path and run.

It is started with one hash seed. For each import path it forks a process that imports Marg and whatever that path
holds; from there each run is forked, and there each scenario. A request is a line of JSON: `path`, the entries to put
before Python's own; `folder`, `environ`, `arguments`, of the replay; `said`, the file that takes what it writes to
stderr; `pycache`, a folder for compiled modules, or null. The answer is a line with its exit code. Nothing of Marg's
own is used before the path is set: the path says which Marg it is.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LIBRARIES = (
    "pydantic",
    "click",
    "rich.console",
    "yaml",
    "httpx",
    "mcp.server",
    "mcp.client",
    "asyncio",
    "multiprocessing",
)
WIRE_LIBRARIES = ("httpx2", "openai", "anthropic")
WIRE_MODULES = ("marg_harness.wire_source", "marg_harness.live_source", "marg_harness.tool_wire")
WIRE_OPTIONS = frozenset({"--over", "--model", "--tool-faults"})
"""What a run with one of these options imports besides, before its scenarios are forked."""

MOST_PATHS = 6
BROKEN = 70


@dataclass(frozen=True, kw_only=True)
class _Ready:
    """A process that has imported an import path. `pid`, and the ends of the two pipes to it."""

    pid: int
    asked: Any
    answers: Any

    def run(self, request: Mapping[str, Any]) -> int:
        """Ask for a run; gives its exit code."""
        self.asked.write(json.dumps(request) + "\n")
        self.asked.flush()
        line = self.answers.readline()
        return int(line) if line else BROKEN

    def end(self) -> None:
        """Let it go."""
        self.close()
        os.waitpid(self.pid, 0)

    def close(self) -> None:
        """Close this side's ends."""
        self.asked.close()
        self.answers.close()


def serve() -> None:
    """Answer requests until stdin ends."""
    _import(LIBRARIES)
    ready: dict[tuple[str, ...], _Ready] = {}
    for line in sys.stdin:
        request = json.loads(line)
        if WIRE_OPTIONS.intersection(request["arguments"]):
            _import(WIRE_LIBRARIES)
        path = tuple(request["path"])
        if path in ready:
            ready[path] = ready.pop(path)  # the last used comes last
        else:
            if len(ready) >= MOST_PATHS:
                ready.pop(next(iter(ready))).end()
            ready[path] = _forked(path, others=list(ready.values()))
        code = ready[path].run(request)
        if code == BROKEN:
            ready.pop(path).end()
        print(code, flush=True)
    for one in ready.values():
        one.end()


def _forked(path: tuple[str, ...], *, others: list[_Ready]) -> _Ready:
    asked_here, asked_there = os.pipe()
    answers_here, answers_there = os.pipe()
    pid = os.fork()
    if pid:
        os.close(asked_here)
        os.close(answers_there)
        return _Ready(pid=pid, asked=os.fdopen(asked_there, "w"), answers=os.fdopen(answers_here))
    # An end of another's pipe that stays open here would keep the other alive.
    for other in others:
        other.close()
    os.close(asked_there)
    os.close(answers_here)
    _serve_path(path, requests=os.fdopen(asked_here), answers=os.fdopen(answers_there, "w"))
    os._exit(0)


def _serve_path(path: tuple[str, ...], *, requests: Any, answers: Any) -> None:
    sys.path[:0] = path
    imported = False
    for line in requests:
        request = json.loads(line)
        try:
            if not imported:
                _import_marg(request)
                imported = True
            if WIRE_OPTIONS.intersection(request["arguments"]):
                _import((*WIRE_LIBRARIES, *WIRE_MODULES))
            code = _run(request)
        except BaseException:
            with open(request["said"], "a", encoding="utf-8") as said:
                traceback.print_exc(file=said)
            code = BROKEN
        answers.write(f"{code}\n")
        answers.flush()
        if code == BROKEN:
            return


def _import(names: tuple[str, ...]) -> None:
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            continue  # what needs it says so itself


def _import_marg(request: Mapping[str, Any]) -> None:
    """Import what every replay needs, and have each scenario forked from here, where this Marg can do that."""
    os.environ.update(request["environ"])
    if request["pycache"] is not None:
        sys.pycache_prefix, sys.dont_write_bytecode = request["pycache"], False
    gc.disable()  # nothing that is imported is garbage, and looking for it takes a third of the time
    importlib.import_module("marg_harness.cli.replay")
    importlib.import_module("marg_harness.preload")
    target: Any = importlib.import_module("marg_harness.target")
    target.ReferenceTarget().prepare(())
    workers: Any = importlib.import_module("marg_harness.workers")
    if hasattr(workers, "fork_from_here"):
        workers.fork_from_here()
    gc.freeze()
    gc.enable()


def _run(request: Mapping[str, Any]) -> int:
    """Make a run in a process of its own."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    code = BROKEN
    try:
        os.environ.update(request["environ"])
        time.tzset()
        os.chdir(request["folder"])
        _redirect(request["said"])
        command: Any = importlib.import_module("marg_harness.cli")
        sys.argv = ["marg", *request["arguments"]]
        command.main()
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _redirect(said: str) -> None:
    with open(os.devnull, "rb") as nothing, open(os.devnull, "wb") as nowhere, open(said, "ab") as errors:
        os.dup2(nothing.fileno(), 0)
        os.dup2(nowhere.fileno(), 1)
        os.dup2(errors.fileno(), 2)


if __name__ == "__main__":
    serve()
