"""How much of the example domain is explored, in how long, and what is found with layers of the gate taken away.

    python -m benchmarks.explore [--json] [--jobs N] [--quick]

Runs follow one another, each over all processors (`--jobs`). The alphabets are those of `docs/explore.md`: the deeper a
run, the narrower its alphabet. Issue 4's bounds: no violation with the guard, none written without the guard and with
the flag off, some found without the guard and with the flag on; depth 5 in less than 45 s; at least 1,000,000
transitions over all runs.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

from marg_harness.explored_kit import explored
from marg_harness.processors import processors
from marg_runtime.events.write import LayerName
from marg_runtime.explore import Exploration, explore
from marg_runtime.explore.breadth import Breadth
from marg_scenarios import find_kit

DOMAIN = "support_intake"
SECONDS_AT_DEPTH_5 = 45.0
TRANSITIONS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Run:
    """One exploration. finds: whether violations are expected."""

    name: str
    depth: int
    breadth: Breadth
    layers_off: tuple[LayerName, ...] = ()
    flag: bool = True
    eager: bool = False
    finds: bool = False


RUNS = (
    Run(name="depth 7", depth=7, breadth="narrow"),
    Run(name="depth 3, usual alphabet", depth=3, breadth="usual"),
    Run(name="depth 5", depth=5, breadth="narrow"),
    Run(name="depth 1, thorough alphabet", depth=1, breadth="thorough"),
    Run(name="the guard alone", depth=4, breadth="narrow", layers_off=("skill", "schema"), eager=True),
    Run(name="no guard, flag off", depth=4, breadth="narrow", layers_off=("guard",), flag=False),
    Run(name="no guard, flag on", depth=2, breadth="usual", layers_off=("guard",), finds=True),
)
QUICK = ("depth 5", "the guard alone", "no guard, flag off")


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A run with what it gave; `seconds` are its own process's."""

    run: Run
    seconds: float
    found: Exploration
    rules: dict[str, int] = field(default_factory=dict)

    @property
    def held(self) -> bool:
        """Whether what was expected came true."""
        if self.run.finds:
            return bool(self.rules)
        written_off = not self.run.flag and self.found.writes > 0
        late = self.run.name == "depth 5" and self.seconds >= SECONDS_AT_DEPTH_5
        gate_only = "the gate lets no model write"
        return not (set(self.rules) - ({gate_only} if "guard" in self.run.layers_off else set())) and not (
            written_off or late
        )


def measure(run: Run, jobs: int) -> Measured:
    """Explore once, in so many processes."""
    kit = find_kit(DOMAIN)
    with explored(kit) as kept:
        began = time.monotonic()
        found = explore(
            kit.domain,
            specs=kept.specs,
            load=kept.load,
            depth=run.depth,
            breadth=run.breadth,
            layers_off=run.layers_off,
            flag=run.flag,
            eager=run.eager,
            jobs=jobs,
        )
        seconds = time.monotonic() - began
    return Measured(run=run, seconds=seconds, found=found, rules={one.violation.rule: one.times for one in found.found})


def measured(jobs: int, *, quick: bool) -> list[Measured]:
    """All runs, one after the other, each from a fresh process that forks for `jobs`."""
    runs = [run for run in RUNS if not quick or run.name in QUICK]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
        return list(pool.map(measure, runs, [jobs] * len(runs)))


def main() -> int:
    """Print what was found; gives the exit code: 1 where a bound of the issue does not hold."""
    parser = argparse.ArgumentParser(description="How much of the example domain is explored, and how fast.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--jobs", type=int, default=processors(), help="processes of a run (default: one a processor)")
    parser.add_argument("--quick", action="store_true", help="only the runs that take less than a minute each")
    given = parser.parse_args()
    done = measured(given.jobs, quick=given.quick)
    total = _total(done)
    if given.json:
        print(json.dumps({"runs": [_as_json(one) for one in done], **total}))
    else:
        _print(done, total)
    enough = given.quick or total["transitions"] >= TRANSITIONS
    return 0 if enough and all(one.held for one in done) else 1


def _total(done: list[Measured]) -> dict[str, Any]:
    decisions: Counter[str] = Counter()
    alphabet: Counter[str] = Counter()
    for one in done:
        decisions.update(asdict(one.found.decisions))
        alphabet.update(one.found.alphabet)
    return {
        "transitions": sum(one.found.transitions for one in done),
        "states": sum(one.found.states for one in done),
        "decisions": dict(decisions),
        "alphabet": dict(sorted(alphabet.items())),
    }


def _as_json(one: Measured) -> dict[str, Any]:
    return {
        **asdict(one.run),
        "seconds": round(one.seconds, 1),
        "transitions": one.found.transitions,
        "states": one.found.states,
        "states_at_rest": one.found.at_rest,
        "complete": one.found.complete,
        "writes": one.found.writes,
        "violations": one.rules,
        "decisions": asdict(one.found.decisions),
        "held": one.held,
    }


def _print(done: list[Measured], total: dict[str, Any]) -> None:
    for letter, times in total["alphabet"].items():
        print(f"{letter:<62} {times:>12,}")
    print()
    for name, times in total["decisions"].items():
        print(f"{name:<62} {times:>12,}")
    print()
    for one in done:
        found, held = one.found, "held" if one.held else "NOT HELD"
        print(
            f"{one.run.name:<28} depth {one.run.depth}, {one.run.breadth:<8} {found.transitions:>10,} transitions, "
            f"{found.states:>8,} states ({found.at_rest:,} at rest), {found.writes:,} writes, {one.seconds:6.1f} s, "
            f"{sum(one.rules.values()):,} violations: {held}"
        )
    print(f"in all {total['transitions']:,} transitions and {total['states']:,} states")


if __name__ == "__main__":
    sys.exit(main())
