"""How long `marg mock serve` takes from the start of its process to its first whole answer.

The clock runs from before the process is made until a client has read the whole body of an answer, so that it holds
the interpreter's own start, every import, the reading of the machine, and the request itself.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.endpoint_servers import MACHINE

STARTS = 5


@dataclass(frozen=True, kw_only=True)
class Start:
    """Seconds from a process's start to its first whole answer, and the processor's time that it took in all."""

    seconds: float
    cpu_seconds: float


@dataclass(frozen=True, kw_only=True)
class Starts:
    """Some starts of fresh processes, one after the other: medians, and the slowest one's seconds."""

    starts: int
    seconds: float
    worst_seconds: float
    cpu_seconds: float


def first_answers(folder: Path, *, url_path: str, body: bytes) -> Starts:
    """Start the command STARTS times over a machine in a folder; raises OSError where it gives no answer.

    One more start before them is not counted: it writes the bytecode, as a second start of anybody's finds it.
    """
    machine = folder / "bench.machine.yaml"
    machine.write_text(MACHINE, encoding="utf-8")
    first_answer(machine, url_path=url_path, body=body)
    starts = [first_answer(machine, url_path=url_path, body=body) for _ in range(STARTS)]
    return Starts(
        starts=STARTS,
        seconds=median(start.seconds for start in starts),
        worst_seconds=max(start.seconds for start in starts),
        cpu_seconds=median(start.cpu_seconds for start in starts),
    )


def first_answer(machine: Path, *, url_path: str, body: bytes) -> Start:
    """Start the command once, ask it once, and end it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    marg = str(Path(sys.executable).with_name("marg"))
    before, began = _children_cpu_seconds(), time.perf_counter()
    command = [marg, "mock", "serve", str(machine)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = json.loads(process.stdout.readline())["address"]
            with urllib.request.urlopen(urllib.request.Request(address + url_path, data=body)) as reply:
                reply.read()
            took = time.perf_counter() - began
        finally:
            process.terminate()  # else a request that is refused waits for ever
    return Start(seconds=took, cpu_seconds=_children_cpu_seconds() - before)


def _children_cpu_seconds() -> float:
    """The processor's time of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
