"""Measures replays: `python -m benchmarks.replay [--json] [--runs N] [--launches N] [--rounds N] [--evals PYTHON]`.

Turns a second of one core over the shipped scenarios, beside pydantic-evals with a task of the same size and no model:
the same cases, and for each the same turns of the same session in process, with the same mock machine, tools over MCP
and checks (`benchmarks.replay_sides` says what is equal and what is not). So the ratio compares what either tool adds
to the work. Beside it stands what pydantic-evals takes for as many cases, turns and checks whose task does nothing,
which is no task of the same size: its ratio says what share of a replay evaluating alone would be.

Each side is a process of its own, CPU seconds count (so that what else the machine does counts for none), and the sides
take turns every few scenarios, so that a machine whose speed changes changes it for all. A round is the sum of its
slices, and a ratio is the median over pairs of rounds. All is launched anew several times, since where a process has
its things in memory makes it some percent faster or slower for as long as it lives.

Then memory: what so many runs of scenarios, one after another in one process, add to it. `--evals` names an interpreter
that has Marg and pydantic-evals, where this one has not; then all sides run there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from benchmarks.replay_sides import Size, shipped, size_of
from marg_harness.replay import replay_scenario
from marg_harness.target import ReferenceTarget
from marg_runtime import numbers
from marg_scenarios import Scenario

LAUNCHES = 5
ROUNDS = 2
RUNS = 10_000
WARM = 1_000
"""Runs before memory is first looked at: by then each scenario was replayed some five times, so that what is loaded and
cached once is there, and so is the garbage that the collector lets lie until it is a quarter of what lives."""
LOOKS = (5_000,)
"""Runs after which memory is looked at, beside the first look and the last."""
GROWTH_LIMIT_MIB = 16.0
RATIO_LIMIT = 1.0
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
STATM = Path("/proc/self/statm")
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, kw_only=True)
class Speed:
    """A side's CPU seconds, round by round, all checks of every round green."""

    size: Size
    seconds: tuple[float, ...]

    @property
    def rate(self) -> float:
        """Turns a second of one core, in the median round."""
        return self.size.turns / median(self.seconds)

    def ratios(self, other: Speed) -> tuple[float, ...]:
        """How many times as fast as another side, round by round, the slowest first."""
        return tuple(sorted(theirs / ours for ours, theirs in zip(self.seconds, other.seconds, strict=True)))


@dataclass(frozen=True, kw_only=True)
class Speeds:
    """Every side; the two of pydantic-evals are None where it is not there."""

    marg: Speed
    evals: Speed | None
    idle: Speed | None


@dataclass(frozen=True, kw_only=True)
class Look:
    """Resident memory after so many runs."""

    runs: int
    mebibytes: float


@dataclass(frozen=True, kw_only=True)
class Memory:
    """Runs of scenarios one after another, and looks at the memory: after the first `WARM`, of `LOOKS`, at the end."""

    looks: tuple[Look, ...]

    @property
    def growth(self) -> float:
        """MiB that the runs after the first look added."""
        return self.looks[-1].mebibytes - self.looks[0].mebibytes


class RoundsFailed(Exception):
    """A side ended, or a check of it was red."""


class SideProcess:
    """A side as a process, which plays a slice of a round wherever it is given leave to."""

    def __init__(self, name: str, python: str) -> None:
        command = [python, "-m", "benchmarks.replay_sides", name]
        self.name = name
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.size = Size(**{name: int(number) for name, number in self._line().items()})

    def slice(self) -> float:
        """The CPU seconds of the next slice. Raises RoundsFailed."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        done = self._line()
        if done.get("passed", self.size.checks) != self.size.checks:
            raise RoundsFailed(f"{self.name}: {done['passed']!r} of {self.size.checks!r} checks passed")
        return done["seconds"]

    def close(self) -> None:
        """End it."""
        self.process.communicate()

    def _line(self) -> dict[str, float]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            said = (self.process.communicate()[1].strip().splitlines() or ["it said nothing"])[-1]
            raise RoundsFailed(f"{self.name}: exit code {self.process.returncode}: {said}")
        found: dict[str, float] = json.loads(line)
        return found


def speeds(*, launches: int, rounds: int, python: str) -> Speeds:
    """All sides, in turn, so many rounds of each of so many launches."""
    names = ("marg", "evals", "idle") if _has_evals(python) else ("marg",)
    taken = [seconds for _ in range(launches) for seconds in _launch(names, rounds=rounds, python=python)]
    size = size_of(shipped())
    found = [Speed(size=size, seconds=tuple(one[number] for one in taken)) for number in range(len(names))]
    return Speeds(marg=found[0], evals=found[1] if found[1:] else None, idle=found[2] if found[2:] else None)


def _launch(names: Sequence[str], *, rounds: int, python: str) -> list[list[float]]:
    """Rounds of each side, each in a process of its own."""
    sides: list[SideProcess] = []
    try:
        for name in names:
            sides.append(SideProcess(name, python))
        return [_round(sides) for _ in range(1 + rounds)][1:]  # the first loads and caches what the others find
    finally:
        for side in sides:
            side.close()


def _round(sides: Sequence[SideProcess]) -> list[float]:
    """The CPU seconds of a round of each side, slice by slice; who goes first changes with every slice."""
    seconds = dict.fromkeys(sides, 0.0)
    order = list(sides)
    for _ in range(sides[0].size.slices):
        for side in order:
            seconds[side] += side.slice()
        order = [*order[1:], order[0]]
    return list(seconds.values())


def _has_evals(python: str) -> bool:
    asked = subprocess.run([python, "-c", "import pydantic_evals"], capture_output=True, check=False)
    return asked.returncode == 0


def memory(scenarios: Sequence[Scenario], *, runs: int) -> Memory | str:
    """Replay scenarios in turn until there are so many runs; or why that was not measured."""
    if not STATM.exists():
        return f"no {STATM}: the memory of a process is read there"
    target = ReferenceTarget()
    wanted = {min(WARM, runs // 2), *(look for look in LOOKS if look < runs)}
    looks = []
    for number, scenario in enumerate(itertools.islice(itertools.cycle(scenarios), runs)):
        if number in wanted:
            looks.append(_look(number))
        replay_scenario(scenario, target=target)
    return Memory(looks=(*looks, _look(runs)))


def _look(runs: int) -> Look:
    """Look at the memory, and say so at once: the whole takes minutes."""
    look = Look(runs=runs, mebibytes=_mebibytes())
    print(f"{look.mebibytes:.1f} MiB after {numbers.count(runs)} runs", file=sys.stderr, flush=True)
    return look


def report(found: Speeds | None, kept: Memory | str) -> str:
    """The figures as lines, each with the limit that it is held against."""
    lines = [] if found is None else _speed_lines(found)
    if isinstance(kept, str):
        return "\n".join([*lines, f"memory              not measured: {kept}"])
    held = "held" if kept.growth <= GROWTH_LIMIT_MIB else "EXCEEDED"
    shown = ", ".join(f"{look.mebibytes:.1f} MiB after {numbers.count(look.runs)}" for look in kept.looks)
    lines.append(f"memory              {shown} runs of scenarios")
    lines.append(f"                    {kept.growth:+.1f} MiB (limit {GROWTH_LIMIT_MIB:.0f}: {held})")
    return "\n".join(lines)


def _speed_lines(found: Speeds) -> list[str]:
    size = found.marg.size
    told = (
        f"{numbers.count(size.cases)} scenarios, {numbers.count(size.turns)} turns, {numbers.count(size.checks)} checks"
    )
    lines = [f"marg replay         {found.marg.rate:,.0f} turns a second of one core ({told}; all green)"]
    if found.evals is None or found.idle is None:
        return [*lines, "pydantic-evals      not measured: this interpreter has none; --evals names one that has"]
    ratios = found.marg.ratios(found.evals)
    same, nothing = median(ratios), median(found.marg.ratios(found.idle))
    held = "held" if same >= RATIO_LIMIT else "MISSED"
    return [
        *lines,
        f"pydantic-evals      {found.evals.rate:,.0f} turns a second of the same work; ratio {same:.2f}"
        f" (limit {RATIO_LIMIT:.0f}: {held}), {ratios[0]:.2f} to {ratios[-1]:.2f} in {len(ratios)} pairs of rounds",
        "  on both sides     the same scenarios, sessions, mock machines, tools over MCP, backends, acts and checks",
        "  marg alone        the network guard, writes off, an event loop a scenario, the record of every turn",
        "  evals alone       its spans, its report of every case and check",
        f"with no work        {found.idle.rate:,.0f} turns a second: pydantic-evals, as many cases, turns and checks,"
        f" and a task that does nothing; ratio {nothing:.3f}",
    ]


def _mebibytes() -> float:
    return int(STATM.read_text(encoding="ascii").split()[1]) * PAGE / 2**20


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; gives the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.replay", description="Speed and memory of replays.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of scenarios for the memory; 0 leaves it out")
    parser.add_argument("--launches", type=int, default=LAUNCHES, help="launches of all sides")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help="rounds of a launch, of all of which the median counts; 0: no speed"
    )
    parser.add_argument("--evals", default=sys.executable, help="an interpreter that has Marg and pydantic-evals")
    asked = parser.parse_args(arguments)
    launches, rounds = asked.launches, asked.rounds
    found = speeds(launches=launches, rounds=rounds, python=asked.evals) if launches and rounds else None
    kept = memory(shipped(), runs=asked.runs) if asked.runs else "left out"
    if asked.json:
        kept_json = kept if isinstance(kept, str) else asdict(kept)
        print(json.dumps({"speeds": None if found is None else asdict(found), "memory": kept_json}, indent=1))
    else:
        print(report(found, kept))
    return 0


if __name__ == "__main__":
    sys.exit(main())
