"""The sides that `benchmarks.replay` compares, each a process of its own: `python -m benchmarks.replay_sides NAME`.

- `marg`: the shipped scenarios by `replay`, as `marg replay` does it: an event loop for each, writes off, the network
  guard, the record of every turn (transcript, ledger, digests, verdicts), and a collector that no longer looks at what
  was prepared and rests within a scenario.
- `evals`: the same work as a dataset of pydantic-evals. A case is a scenario; its task opens the same target and plays
  the same turns: the same session, mock machine, tools over MCP and counting backend, each turn looked at in the same
  way; its evaluators are the scenario's own checks, one each. No guard, no writes-off, no record: its report is that.
- `idle`: as many cases, turns and checks of pydantic-evals with a task that hands its input back, so the price of
  evaluating alone.

No side asks a model. A side prints one line of JSON with its size when it is ready. Every line of its stdin is leave to
go on: it plays the next `SLICE` scenarios of a round and prints the CPU seconds that they took, and at the end of a
round how many checks passed. So sides can be let go on in turn, a second each: a machine whose speed changes while a
round is played changes it for all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from marg_harness.replay import load_all, replay
from marg_harness.script import Client
from marg_harness.target import ReferenceTarget
from marg_harness.turn_replay import play_turn
from marg_runtime.uncollected import uncollected
from marg_scenarios import Check, Observation, Scenario, find_kit
from marg_scenarios.kit_finder import SHIPPED_KITS

if TYPE_CHECKING:
    from pydantic_evals import Dataset

SLICE = 20
"""Scenarios after which a side waits for the others; a second of work or less."""
NO_EVALS = 3
"""The exit code of a side whose library is not there."""


@dataclass(frozen=True, kw_only=True)
class Size:
    """What a round is made of."""

    cases: int
    turns: int
    checks: int

    @property
    def slices(self) -> int:
        """How many slices that is."""
        return self.cases // SLICE + 1  # the last one, though it be empty, ends the round


@dataclass(frozen=True, kw_only=True)
class Side:
    """A side.

    round: calls `pause` after every scenario, and gives how many checks passed.
    """

    size: Size
    round: Callable[[Callable[[], None]], int]


class Slices:
    """The rounds of a side, cut into slices."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self._done = 0
        self._since = 0.0

    def serve(self) -> None:
        """Play rounds until nobody gives leave any more."""
        while _leave():
            self._done, self._since = 0, time.process_time()
            passed = self.side.round(self._pause)
            self._tell(passed=passed)

    def _pause(self) -> None:
        self._done += 1
        if self._done % SLICE == 0:
            self._tell()
            if not _leave():
                raise SystemExit
            self._since = time.process_time()

    def _tell(self, **more: int) -> None:
        print(json.dumps({"seconds": time.process_time() - self._since, **more}), flush=True)


def _leave() -> bool:
    """Wait for a line of stdin."""
    return bool(sys.stdin.readline())


def shipped() -> tuple[Scenario, ...]:
    """All shipped scenarios and rows."""
    return load_all([find_kit(name).scenarios for name in SHIPPED_KITS])


def size_of(scenarios: tuple[Scenario, ...]) -> Size:
    """How much a round of these is."""
    turns = [part for scenario in scenarios for turn in scenario.turns for part in turn.parts]
    return Size(cases=len(scenarios), turns=len(turns), checks=sum(len(turn.checks) for turn in turns))


def marg_side() -> Side:
    """`marg replay` of one process, which lets the collector rest while it prepares."""
    scenarios, target = shipped(), ReferenceTarget()
    with uncollected(keep=True):
        target.prepare(scenarios)

    def one_round(pause: Callable[[], None]) -> int:
        run = replay(scenarios, target=target, on_scenario=lambda record: pause())
        return sum(check.passed for record in run.scenarios for check in record.checks)

    return Side(size=size_of(scenarios), round=one_round)


def evals_side() -> Side:
    """The same scenarios as a dataset."""
    scenarios, target = shipped(), ReferenceTarget()
    target.prepare(scenarios)
    dataset = _scenarios_as_dataset(scenarios)

    async def played(scenario: Scenario) -> tuple[Observation | None, ...]:
        seen: list[Observation | None] = []
        async with target.converse(scenario) as conversation:
            client = Client()
            for turn in scenario.turns:
                conversation.direct(turn)
                seen += [one.observation for one in await play_turn(turn, client, conversation)]
        return tuple(seen)

    def one_round(pause: Callable[[], None]) -> int:
        async def task(scenario: Scenario) -> tuple[Observation | None, ...]:
            seen = await played(scenario)
            pause()
            return seen

        return _evaluate(dataset, task)

    return Side(size=size_of(scenarios), round=one_round)


def idle_side() -> Side:
    """As many cases, turns and checks, with nothing behind them."""
    scenarios = shipped()
    dataset = _nothing_as_dataset(scenarios)

    def one_round(pause: Callable[[], None]) -> int:
        async def task(turns: list[str]) -> list[str]:
            pause()
            return list(turns)

        return _evaluate(dataset, task)

    return Side(size=size_of(scenarios), round=one_round)


def _scenarios_as_dataset(scenarios: tuple[Scenario, ...]) -> Dataset[Any, Any, Any]:
    from pydantic_evals import Case, Dataset
    from pydantic_evals.evaluators import Evaluator

    @dataclass
    class Judged(Evaluator):  # type: ignore[misc,unused-ignore]  # untyped where the library is not installed
        """A scenario's own check of one turn."""

        turn: int
        check: Check

        def evaluate(self, ctx: Any) -> bool:
            """What the check says."""
            return self.check.evaluate(ctx.output[self.turn]).passed

    cases = [
        Case(
            name=f"{number} {scenario.title}",
            inputs=scenario,
            evaluators=tuple(
                Judged(turn=place, check=check)
                for place, turn in enumerate(part for turn in scenario.turns for part in turn.parts)
                for check in turn.checks
            ),
        )
        for number, scenario in enumerate(scenarios)
    ]
    return Dataset(name="scenarios", cases=cases)


def _nothing_as_dataset(scenarios: tuple[Scenario, ...]) -> Dataset[Any, Any, Any]:
    from pydantic_evals import Case, Dataset
    from pydantic_evals.evaluators import Evaluator

    @dataclass
    class Same(Evaluator):  # type: ignore[misc,unused-ignore]
        """A turn came back as it was."""

        turn: int

        def evaluate(self, ctx: Any) -> bool:
            """Compare."""
            return bool(ctx.output[self.turn] == ctx.expected_output[self.turn])

    cases = []
    for number, scenario in enumerate(scenarios):
        parts = [part for turn in scenario.turns for part in turn.parts]
        said = [part.id for part in parts]
        evaluators = tuple(Same(turn=place) for place, part in enumerate(parts) for _ in part.checks)
        cases.append(Case(name=f"{number}", inputs=said, expected_output=said, evaluators=evaluators))
    return Dataset(name="nothing", cases=cases)


def _evaluate(dataset: Dataset[Any, Any, Any], task: Callable[[Any], Any]) -> int:
    """Evaluate one case after another; raises AssertionError where a case could not be evaluated."""
    reports: list[Any] = []

    async def evaluated() -> None:
        # No result of the loop's main task: asyncio.run would write out all of it (see `marg_harness.replay`).
        reports.append(await dataset.evaluate(task, progress=False, max_concurrency=1))

    asyncio.run(evaluated())
    report = reports[0]
    broken = [failure.error_message for failure in report.failures]
    broken += [str(failure) for case in report.cases for failure in case.evaluator_failures]
    assert not broken, broken[0]
    return sum(bool(judged.value) for case in report.cases for judged in case.assertions.values())


SIDES: dict[str, Callable[[], Side]] = {"marg": marg_side, "evals": evals_side, "idle": idle_side}


def main() -> int:
    """Serve rounds until stdin ends; the exit code is `NO_EVALS` where pydantic-evals is not there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay_sides", description="One side, as a process.")
    parser.add_argument("name", choices=sorted(SIDES))
    try:
        side = SIDES[parser.parse_args().name]()
    except ModuleNotFoundError as error:
        print(f"no module {error.name!r} in {sys.executable}", file=sys.stderr)
        return NO_EVALS
    print(json.dumps(asdict(side.size)), flush=True)
    Slices(side).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
