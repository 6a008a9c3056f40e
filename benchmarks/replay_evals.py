"""The other side of `benchmarks.replay`: pydantic-evals with a task that does nothing, as many cases, turns and checks.

    python replay_evals.py CASES TURNS CHECKS ROUNDS

It imports nothing of this repository, so that any interpreter that has pydantic-evals can run it. A case is a list of
turns, the task hands them back, and each check is an evaluator that compares one field of a turn. Prints JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from statistics import median
from typing import Any


def main() -> int:
    """Measure; the exit code is 3 where pydantic-evals is not there."""
    try:
        from pydantic_evals import Case, Dataset
        from pydantic_evals.evaluators import Evaluator
    except ModuleNotFoundError as error:
        print(f"no module {error.name!r}; install pydantic-evals for this comparison", file=sys.stderr)
        return 3

    @dataclass
    class Check(Evaluator):  # type: ignore[misc,unused-ignore]  # untyped where the library is not installed
        """One field of one turn is as expected."""

        turn: int
        number: int

        def evaluate(self, ctx: Any) -> bool:
            """Compare."""
            return bool(ctx.output[self.turn]["block"] == ctx.expected_output[self.turn]["block"])

    async def task(turns: list[dict[str, str]]) -> list[dict[str, str]]:
        return [dict(turn) for turn in turns]

    cases, turns, checks, rounds = (int(argument) for argument in sys.argv[1:5])
    made: list[Any] = []
    for case in range(cases):
        own = _share(turns, cases, case)
        said = [{"text": f"turn {turn}", "block": "priority"} for turn in range(own)]
        evaluators = tuple(Check(turn=number % own, number=number) for number in range(_share(checks, cases, case)))
        made.append(Case(name=f"case {case}", inputs=said, expected_output=said, evaluators=evaluators))
    dataset = Dataset(name="turns", cases=made)
    seconds = []
    for _ in range(rounds + 1):
        begin = time.process_time()
        asyncio.run(dataset.evaluate(task, progress=False, max_concurrency=1))
        seconds.append(time.process_time() - begin)
    print(json.dumps({"seconds": median(seconds[1:])}))
    return 0


def _share(things: int, cases: int, case: int) -> int:
    """How many of the things the case has, so that all have as many as can be."""
    return max(1, things * (case + 1) // cases - things * case // cases)


if __name__ == "__main__":
    sys.exit(main())
