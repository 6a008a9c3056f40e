"""What the official SDKs see of each fault, over real sockets: `python -m benchmarks.sdk_matrix [--json]`.

Every row of `sdk_matrix.yaml` is one reply asked of the endpoint by the SDK, sync or async; what it saw, and how many
requests the endpoint heard, are held against the row. Exit code 1 where a row is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from benchmarks.matrix import Matrix, run_rows
from benchmarks.sdk_clients import MACHINE, observe
from benchmarks.sdk_rows import APIS, CLIENTS, Row, rows
from marg_mock_model import Machine, parse_machine
from marg_mock_model.endpoint import serve


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
    return await run_rows(chosen, _run)


async def _run(row: Row) -> Outcome:
    async with serve(_machine(), faults=row.spec) as endpoint:
        saw = await observe(row, endpoint)
        return Outcome(row=row, saw=saw, requests=len(endpoint.journal))


@cache
def _machine() -> Machine:
    return parse_machine(MACHINE, path="matrix.machine.yaml")


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


def _wrong(one: Outcome) -> str:
    return (
        f"{one.row.name}: expected {one.row.saw!r} of {one.row.requests} requests,\n"
        f"      saw {one.saw!r} of {one.requests}"
    )


def _record(one: Outcome) -> dict[str, object]:
    return {
        "api": one.row.api,
        "client": one.row.client,
        "stream": one.row.stream,
        "tool": one.row.tool,
        "fault": one.row.fault,
        "expected": {"saw": one.row.saw, "requests": one.row.requests},
        "got": {"saw": one.saw, "requests": one.requests},
    }


MATRIX = Matrix(
    name="sdk_matrix",
    what="What the SDKs see.",
    rows=rows,
    run=_run,
    table=table,
    wrong=_wrong,
    record=_record,
    counted=f" ({len(APIS)} APIs, {' and '.join(CLIENTS)})",
)

if __name__ == "__main__":
    sys.exit(MATRIX.main())
