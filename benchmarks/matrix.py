"""A matrix on the command line: rows that are run, a table of them, and what was not as its row says.

What such a benchmark has of its own are its rows, how they are run, and how one is told.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from marg_runtime import numbers

AT_ONCE = 8


class Named(Protocol):
    """A row: it can be chosen by its name."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...


class Judged(Protocol):
    """What became of a row."""

    @property
    def is_wrong(self) -> bool:
        """Whether anything was not as the row says."""
        ...


R = TypeVar("R", bound=Named)
O = TypeVar("O", bound=Judged)  # noqa: E741  An outcome.


async def run_rows(chosen: Sequence[R], run: Callable[[R], Awaitable[O]]) -> list[O]:
    """What became of each row, in their order; some are run at once, since most of the time is waiting."""
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(row: R) -> O:
        async with turn:
            return await run(row)

    return list(await asyncio.gather(*(one(row) for row in chosen)))


@dataclass(frozen=True, kw_only=True)
class Matrix(Generic[R, O]):
    """A matrix. name: of its module; what: it shows, for the help.

    run: runs one row. table: of rows, as the documentation has them. wrong: says what was wrong, in lines. record: of
    an outcome, as JSON. counted: what the rows are, behind their number.
    """

    name: str
    what: str
    rows: Callable[[], Sequence[R]]
    run: Callable[[R], Awaitable[O]]
    table: Callable[[Sequence[R]], str]
    wrong: Callable[[O], str]
    record: Callable[[O], Mapping[str, object]]
    counted: str = ""

    def main(self) -> int:
        """Run the rows that are asked for and print them; gives the exit code, 1 where a row was wrong."""
        parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{self.name}", description=self.what)
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--only", default="", help="run only rows whose name has this in it")
        options = parser.parse_args()
        chosen = [row for row in self.rows() if options.only in row.name]
        started = time.perf_counter()
        outcomes = asyncio.run(run_rows(chosen, self.run))
        seconds = time.perf_counter() - started
        wrong = [outcome for outcome in outcomes if outcome.is_wrong]
        if options.json:
            print(json.dumps(self._document(outcomes, seconds), indent=2))
            return 1 if wrong else 0
        print(self.table(chosen))
        for one in wrong:
            print(f"WRONG {self.wrong(one)}")
        print(f"{len(outcomes)} rows{self.counted}, {len(wrong)} wrong; {numbers.seconds(seconds)}")
        return 1 if wrong else 0

    def _document(self, outcomes: Sequence[O], seconds: float) -> dict[str, object]:
        return {
            "rows": len(outcomes),
            "wrong": sum(outcome.is_wrong for outcome in outcomes),
            "seconds": round(seconds, 3),
            "matrix": [{**self.record(one), "wrong": one.is_wrong} for one in outcomes],
        }
