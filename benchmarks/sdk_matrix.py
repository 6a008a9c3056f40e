"""What the official SDKs see of each fault, over real sockets: `python -m benchmarks.sdk_matrix [--json]`.

Every row of `sdk_matrix.yaml` is one reply asked of the endpoint by the SDK, sync or async; what it saw, and how many
requests the endpoint heard, are held against the row. Exit code 1 where a row is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from benchmarks.sdk_clients import MACHINE, observe
from benchmarks.sdk_rows import APIS, CLIENTS, Row, rows
from marg_mock_model import Machine, parse_machine
from marg_mock_model.endpoint import serve
from marg_runtime import numbers

AT_ONCE = 8


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A row, and what was seen and heard."""

    row: Row
    saw: str
    requests: int

    @property
    def is_wrong(self) -> bool:
        """Whether anything was not as the row says."""
        return (self.saw, self.requests) != (self.row.saw, self.row.requests)


async def run(chosen: Sequence[Row]) -> list[Outcome]:
    """Run rows, some at once, each with an endpoint of its own: most of the time is waiting to try again."""
    machine = parse_machine(MACHINE, path="matrix.machine.yaml")
    turn = asyncio.Semaphore(AT_ONCE)
    return list(await asyncio.gather(*(_run(row, machine, turn) for row in chosen)))


async def _run(row: Row, machine: Machine, turn: asyncio.Semaphore) -> Outcome:
    async with turn, serve(machine, faults=row.spec) as endpoint:
        saw = await observe(row, endpoint)
        return Outcome(row=row, saw=saw, requests=len(endpoint.journal))


def table(chosen: Sequence[Row]) -> str:
    """The rows as the documentation has them: one line for each fault and way of asking, a column for each API."""
    lines = [
        "| fault | asked for | openai chat | openai responses | anthropic | requests |",
        "|---|---|---|---|---|---|",
    ]
    for group in _groups(chosen):
        one = group[0]
        saw = [next(row.saw for row in group if row.api == api) for api in APIS]
        asked = f"{'stream' if one.stream else 'JSON'}{', a call' if one.tool else ''}"
        retried = f" (retries: {one.retries})" if one.retries else ""
        cells = [f"{one.fault}{retried}", asked, *(f"`{words}`" for words in saw), str(one.requests)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _groups(chosen: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows that differ by API and client only."""
    for _, group in groupby(chosen, key=lambda row: (row.fault, row.stream, row.tool, row.retries)):
        yield list(group)


def main() -> int:
    """Run the matrix, print it; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sdk_matrix", description="What the SDKs see.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--only", default="", help="run only rows whose name has this in it")
    options = parser.parse_args()
    chosen = [row for row in rows() if options.only in row.name]
    started = time.perf_counter()
    outcomes = asyncio.run(run(chosen))
    seconds = time.perf_counter() - started
    wrong = [outcome for outcome in outcomes if outcome.is_wrong]
    if options.json:
        print(json.dumps(_document(outcomes, seconds), indent=2))
        return 1 if wrong else 0
    print(table(chosen))
    for one in wrong:
        print(f"WRONG {one.row.name}: expected {one.row.saw!r} of {one.row.requests} requests,")
        print(f"      saw {one.saw!r} of {one.requests}")
    counted = f"{len(outcomes)} rows ({len(APIS)} APIs, {' and '.join(CLIENTS)}), {len(wrong)} wrong"
    print(f"{counted}; {numbers.seconds(seconds)}")
    return 1 if wrong else 0


def _document(outcomes: Sequence[Outcome], seconds: float) -> dict[str, object]:
    return {
        "rows": len(outcomes),
        "wrong": sum(outcome.is_wrong for outcome in outcomes),
        "seconds": round(seconds, 3),
        "matrix": [
            {
                "api": one.row.api,
                "client": one.row.client,
                "stream": one.row.stream,
                "tool": one.row.tool,
                "fault": one.row.fault,
                "expected": {"saw": one.row.saw, "requests": one.row.requests},
                "got": {"saw": one.saw, "requests": one.requests},
                "wrong": one.is_wrong,
            }
            for one in outcomes
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
