"""Measures the endpoint beside a bare server: `python -m benchmarks.endpoint [--json] [--peers]`.

Both servers run uvicorn with the same parser, event loop and options; the bare one is a Starlette route that gives back
the JSON that it got. In every round each is asked in turn over the same number of connections, every request another;
ratios are medians over the rounds of one run. Where other work takes the processors in turns, rates are low and say
little, so that the processor's time for an answer is told beside them, and how much of it is own code, which says
why a ratio is missed. `--peers` installs other mock servers into a temporary folder and measures them too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from benchmarks.endpoint_peers import Peer, peers, start
from benchmarks.endpoint_start import first_answers
from benchmarks.http_load import LoadError, answers_per_second
from benchmarks.own_code import OwnCode, own_code
from marg_runtime import numbers

ROUNDS = 7
SECONDS = 1.5
CONNECTIONS = 8

JSON_LEAST = 1.0
STREAM_LEAST = 0.5
FIRST_ANSWER_LIMIT_SECONDS = 0.5

PATH = "/v1/chat/completions"
HEADERS = b"content-type: application/json\r\nauthorization: Bearer none\r\n"
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, kw_only=True)
class Side:
    """One way of asking one server: answers a second, and microseconds of its processor's time for each."""

    answers_per_second: float
    cpu_us: float | None


@dataclass(frozen=True, kw_only=True)
class Measured:
    """All figures, medians; a ratio is to the bare server's JSON of the same round."""

    http: str
    connections: int
    rounds: int
    echo: Side
    json: Side
    stream: Side
    json_ratio: float
    stream_ratio: float
    json_cpu_ratio: float
    stream_cpu_ratio: float
    own_code: OwnCode
    first_answer_starts: int
    first_answer_seconds: float
    """The median of the starts, which is held against the limit."""
    first_answer_worst_seconds: float
    first_answer_cpu_seconds: float
    peers: dict[str, dict[str, float] | str]


def body(*, stream: bool) -> Callable[[int], bytes]:
    """The body of the request of a number."""

    def made(number: int) -> bytes:
        words = f"Request {number}: what is the weather like in the north today?"
        messages = [{"role": "system", "content": "You are a careful assistant."}, {"role": "user", "content": words}]
        return json.dumps({"model": "bench", "stream": stream, "messages": messages}).encode()

    return made


class Server:
    """A server's process."""

    def __init__(self, name: str, http: str) -> None:
        command = [sys.executable, "-m", "benchmarks.endpoint_servers", name, "--http", http]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(json.loads(self.process.stdout.readline())["port"])

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    async def ask(self, *, stream: bool, seconds: float) -> Side:
        """Ask it for a while."""
        made, asked = body(stream=stream), 0

        def counted(number: int) -> bytes:
            nonlocal asked
            asked = number
            return made(number)

        before = _cpu_seconds(self.process.pid)
        rate = await answers_per_second(
            self.port, path=PATH, body=counted, headers=HEADERS, connections=CONNECTIONS, seconds=seconds
        )
        spent = _cpu_seconds(self.process.pid)
        cpu = None if before is None or spent is None else (spent - before) / asked * 1e6
        return Side(answers_per_second=rate, cpu_us=cpu)


def _cpu_seconds(pid: int) -> float | None:
    """The processor's time of a process so far; None where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure_rounds(http: str, *, rounds: int, seconds: float) -> list[tuple[Side, Side, Side]]:
    """Bare JSON, the endpoint's JSON, the endpoint's stream, in every round."""
    echo, ours = Server("echo", http), Server("ours", http)
    try:
        found = []
        for _ in range(rounds):
            sides = [await server.ask(stream=stream, seconds=seconds) for server, stream in _ways(echo, ours)]
            found.append((sides[0], sides[1], sides[2]))
        return found
    finally:
        echo.close()
        ours.close()


def _ways(echo: Server, ours: Server) -> tuple[tuple[Server, bool], ...]:
    return (echo, False), (ours, False), (ours, True)


async def measure_peer(peer: Peer, *, seconds: float) -> dict[str, float] | str:
    """A peer's answers a second, or why there are none."""
    if peer.skipped is not None:
        return peer.skipped
    try:
        process = start(peer)
    except (OSError, TimeoutError) as error:
        return f"did not start: {error}"
    try:
        rates = {}
        for name, stream in (("json", False), ("stream", True)):
            rates[name] = await answers_per_second(
                peer.port,
                path=PATH,
                body=body(stream=stream),
                headers=HEADERS,
                connections=CONNECTIONS,
                seconds=seconds,
            )
        return rates
    except LoadError as error:
        return f"did not answer: {error}"
    finally:
        process.terminate()
        process.wait()


def measure(*, http: str, rounds: int, seconds: float, with_peers: bool) -> Measured:
    """All of it."""
    found = asyncio.run(measure_rounds(http, rounds=rounds, seconds=seconds))
    echo, ours, stream = ([one[way] for one in found] for way in range(3))
    with tempfile.TemporaryDirectory() as folder:
        beside: dict[str, dict[str, float] | str] = {}
        for peer in peers(Path(folder)) if with_peers else []:
            beside[peer.name] = asyncio.run(measure_peer(peer, seconds=seconds))
        first = first_answers(Path(folder), url_path=PATH, body=body(stream=False)(1))
    return Measured(
        http=http,
        connections=CONNECTIONS,
        rounds=rounds,
        echo=_middle(echo),
        json=_middle(ours),
        stream=_middle(stream),
        json_ratio=_ratio(ours, echo),
        stream_ratio=_ratio(stream, echo),
        json_cpu_ratio=_cpu_ratio(ours, echo),
        stream_cpu_ratio=_cpu_ratio(stream, echo),
        own_code=own_code(),
        first_answer_starts=first.starts,
        first_answer_seconds=first.seconds,
        first_answer_worst_seconds=first.worst_seconds,
        first_answer_cpu_seconds=first.cpu_seconds,
        peers=beside,
    )


def _middle(sides: list[Side]) -> Side:
    cpu = [side.cpu_us for side in sides if side.cpu_us is not None]
    return Side(answers_per_second=median(s.answers_per_second for s in sides), cpu_us=median(cpu) if cpu else None)


def _ratio(sides: list[Side], bare: list[Side]) -> float:
    return median(one.answers_per_second / other.answers_per_second for one, other in zip(sides, bare, strict=True))


def _cpu_ratio(sides: list[Side], bare: list[Side]) -> float:
    """How many answers for the processor's time of one of the bare server's; by rate where there is no such time."""
    pairs = [(one.cpu_us, other.cpu_us) for one, other in zip(sides, bare, strict=True)]
    ratios = [bare_us / us for us, bare_us in pairs if us and bare_us]
    return median(ratios) if ratios else _ratio(sides, bare)


def report(measured: Measured) -> str:
    """The figures as lines, each with the limit that it is held against."""
    own = measured.own_code
    lines = [
        f"{measured.connections} connections, {measured.rounds} rounds, parser {measured.http}; medians",
        f"bare echo, JSON      {_side(measured.echo)}",
        f"endpoint, JSON       {_side(measured.json)}: {_held(measured.json_ratio, JSON_LEAST)},"
        f" by processor {measured.json_cpu_ratio:.2f}",
        f"endpoint, stream     {_side(measured.stream)}: {_held(measured.stream_ratio, STREAM_LEAST)},"
        f" by processor {measured.stream_cpu_ratio:.2f}",
        f"own code an answer   echo {own.echo_us:.0f} µs, endpoint {own.json_us:.0f} µs, stream {own.stream_us:.0f} µs;"
        f" of the endpoint's: {', '.join(f'{name} {us:.0f}' for name, us in own.parts_us.items())}",
        f"first answer         {_first(measured)}",
    ]
    for name, rates in measured.peers.items():
        shown = rates if isinstance(rates, str) else ", ".join(f"{k} {numbers.rate(v)}" for k, v in rates.items())
        lines.append(f"{name:20} {shown}")
    return "\n".join(lines)


def _side(side: Side) -> str:
    cpu = "" if side.cpu_us is None else f", {side.cpu_us:.0f} µs of the processor an answer"
    return f"{numbers.rate(side.answers_per_second)}{cpu}"


def _first(measured: Measured) -> str:
    seconds, limit = measured.first_answer_seconds, FIRST_ANSWER_LIMIT_SECONDS
    return (
        f"{numbers.seconds(seconds)} after the start of the process, the median of {measured.first_answer_starts}"
        f" (limit of the median {numbers.seconds(limit)}: {'held' if seconds < limit else 'EXCEEDED'}),"
        f" the slowest {numbers.seconds(measured.first_answer_worst_seconds)};"
        f" {numbers.seconds(measured.first_answer_cpu_seconds)} of the processor"
    )


def _held(ratio: float, least: float) -> str:
    return f"{ratio:.2f} times (at least {least:.1f}: {'held' if ratio >= least else 'MISSED'})"


def main() -> None:
    """Parse the options, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endpoint", description="Measure the endpoint.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--peers", action="store_true", help="install other mock servers for this run, and measure them"
    )
    parser.add_argument("--http", choices=["h11", "httptools"], default="h11", help="the parser (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of every way in a round (default %(default)s)")
    options = parser.parse_args()
    if options.rounds < 1 or options.seconds <= 0:
        parser.error("--rounds must be 1 or more, and --seconds above 0")
    measured = measure(http=options.http, rounds=options.rounds, seconds=options.seconds, with_peers=options.peers)
    print(json.dumps(asdict(measured), indent=2) if options.json else report(measured))


if __name__ == "__main__":
    main()
