"""Measures replays: `python -m benchmarks.replay [--json] [--runs N] [--rounds N] [--evals PYTHON]`.

Turns a second of one core (CPU seconds, so that what else the machine does counts for neither side) over the shipped
scenarios, beside pydantic-evals with as many cases, turns and checks and a task that does nothing; and how much memory
so many runs of scenarios take. `--evals` names an interpreter that has pydantic-evals, where this one has not: its own
pins of other libraries need not be those of this repository.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from marg_harness.replay import load_all, replay_scenario
from marg_harness.target import ReferenceTarget
from marg_runtime import numbers
from marg_scenarios import Scenario, find_kit
from marg_scenarios.kit_finder import SHIPPED_KITS

ROUNDS = 3
RUNS = 10_000
WARM = 200
"""Runs before memory is first looked at: what is loaded and cached once is there by then."""
GROWTH_LIMIT_MIB = 16.0
RATIO_LIMIT = 1.0
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
STATM = Path("/proc/self/statm")
EVALS = Path(__file__).with_name("replay_evals.py")


@dataclass(frozen=True, kw_only=True)
class Speed:
    """What was replayed, and the CPU seconds of the median round."""

    cases: int
    turns: int
    checks: int
    seconds: float

    @property
    def rate(self) -> float:
        """Turns a second of one core."""
        return self.turns / self.seconds


@dataclass(frozen=True, kw_only=True)
class Memory:
    """Runs of scenarios one after another: the memory after the first `WARM` of them and after the last, in MiB."""

    runs: int
    before: float
    after: float

    @property
    def growth(self) -> float:
        """MiB that the runs after the first added."""
        return self.after - self.before


def shipped() -> tuple[Scenario, ...]:
    """All shipped scenarios and rows."""
    return load_all([find_kit(name).scenarios for name in SHIPPED_KITS])


def speed(scenarios: Sequence[Scenario], *, rounds: int) -> Speed:
    """Replay all scenarios so many times, after once that is not counted."""
    target = ReferenceTarget()
    target.prepare(scenarios)
    records = [replay_scenario(scenario, target=target) for scenario in scenarios]
    seconds = []
    for _ in range(rounds):
        begin = time.process_time()
        for scenario in scenarios:
            replay_scenario(scenario, target=target)
        seconds.append(time.process_time() - begin)
    turns, checks = sum(len(one.turns) for one in records), sum(len(one.checks) for one in records)
    return Speed(cases=len(records), turns=turns, checks=checks, seconds=median(seconds))


def evals_speed(like: Speed, *, rounds: int, python: str) -> Speed | str:
    """The same number of cases, turns and checks in pydantic-evals, in a process of its own; or why there is none."""
    command = [python, str(EVALS), *(str(number) for number in (like.cases, like.turns, like.checks, rounds))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    seconds = float(json.loads(done.stdout.splitlines()[-1])["seconds"])
    return Speed(cases=like.cases, turns=like.turns, checks=like.checks, seconds=seconds)


def memory(scenarios: Sequence[Scenario], *, runs: int) -> Memory | str:
    """Replay scenarios in turn until there are so many runs; or why that was not measured."""
    if not STATM.exists():
        return f"no {STATM}: the memory of a process is read there"
    target = ReferenceTarget()
    before = 0.0
    for number, scenario in enumerate(itertools.islice(itertools.cycle(scenarios), runs)):
        if number == min(WARM, runs // 2):
            before = _mebibytes()
        replay_scenario(scenario, target=target)
    return Memory(runs=runs, before=before, after=_mebibytes())


def report(ours: Speed, theirs: Speed | str, kept: Memory | str) -> str:
    """The figures as lines, each with the limit that it is held against."""
    size = (
        f"{numbers.count(ours.cases)} scenarios, {numbers.count(ours.turns)} turns, {numbers.count(ours.checks)} checks"
    )
    lines = [f"marg replay         {ours.rate:,.0f} turns a second of one core ({size})"]
    if isinstance(theirs, str):
        lines.append(f"pydantic-evals      not measured: {theirs}")
    else:
        ratio = ours.rate / theirs.rate
        held = "held" if ratio >= RATIO_LIMIT else "MISSED"
        lines.append(f"pydantic-evals      {theirs.rate:,.0f} turns a second; ratio {ratio:.2f} (limit 1: {held})")
    if isinstance(kept, str):
        lines.append(f"memory              not measured: {kept}")
    else:
        held = "held" if kept.growth <= GROWTH_LIMIT_MIB else "EXCEEDED"
        lines.append(
            f"{numbers.count(kept.runs)} runs         {kept.before:.1f} to {kept.after:.1f} MiB, {kept.growth:+.1f}"
            f" (limit {GROWTH_LIMIT_MIB:.0f}: {held})"
        )
    return "\n".join(lines)


def _mebibytes() -> float:
    return int(STATM.read_text(encoding="ascii").split()[1]) * PAGE / 2**20


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; gives the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.replay", description="Speed and memory of replays.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of scenarios for the memory; 0 leaves it out")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds, of which the median counts")
    parser.add_argument("--evals", default=sys.executable, help="an interpreter that has pydantic-evals")
    asked = parser.parse_args(arguments)
    scenarios = shipped()
    ours = speed(scenarios, rounds=asked.rounds)
    theirs = evals_speed(ours, rounds=asked.rounds, python=asked.evals)
    kept = memory(scenarios, runs=asked.runs) if asked.runs else "left out"
    if asked.json:
        figures = {"marg": ours, "pydantic_evals": theirs, "memory": kept}
        found = {name: one if isinstance(one, str) else asdict(one) for name, one in figures.items()}
        print(json.dumps({**found, "turns_per_second": ours.rate}, indent=1))
    else:
        print(report(ours, theirs, kept))
    return 0


if __name__ == "__main__":
    sys.exit(main())
