"""An exploration on the terminal and in JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.table import Table

from marg_harness.cli.console import cell, print_line, safe_text, stdout
from marg_harness.path_scenario import PathScenario
from marg_runtime import numbers
from marg_runtime.explore import Exploration
from marg_runtime.explore.breadth import Breadth


def print_exploration(found: Exploration, scenarios: list[PathScenario], *, seconds: float, breadth: Breadth) -> None:
    """What was explored, what the gate decided by who asked, the alphabet, and every violation as a scenario."""
    _print_alphabet(found)
    _print_decisions(found)
    print_line("")
    explored = ", ".join(
        (
            numbers.plural(found.transitions, "transitions"),
            f"{numbers.plural(found.states, 'states')} ({numbers.count(found.at_rest)} at rest)",
            f"depth {found.depth} from {numbers.plural(found.roots, 'roots')} with the {breadth} alphabet",
            f"{numbers.plural(found.writes, 'writes')} claimed",
            numbers.seconds(seconds),
        )
    )
    print_line(explored + ("; nothing is left to explore" if found.complete else ""))
    for one, scenario in zip(found.found, scenarios, strict=True):
        print_line("")
        print_line(f"violation ({numbers.plural(one.times, 'times')}): {one.violation.rule}", style="red")
        print_line(f"  {one.violation.seen}")
        stdout().print(safe_text(scenario.text), soft_wrap=True)
    print_line("no violation" if not found.found else numbers.plural(len(found.found), "rules") + " broken")


def _print_alphabet(found: Exploration) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("letter")
    table.add_column("played", justify="right")
    for letter, times in found.alphabet.items():
        table.add_row(cell(letter), cell(numbers.count(times)))
    stdout().print(table)


def _print_decisions(found: Exploration) -> None:
    decisions = found.decisions
    table = Table(box=None, pad_edge=False)
    table.add_column("the gate, asked by")
    for title in ("allowed", "refused"):
        table.add_column(title, justify="right")
    rows = {
        "a person's go-ahead": (decisions.go_ahead_allowed, decisions.go_ahead_refused),
        "a call of the model's that writes": (decisions.model_call_allowed, decisions.model_call_refused),
    }
    for who, (allowed, refused) in rows.items():
        table.add_row(cell(who), cell(numbers.count(allowed)), cell(numbers.count(refused)))
    table.add_row(cell("a call of the model's that reads"), cell(numbers.count(decisions.reads)), cell(numbers.NOTHING))
    stdout().print()
    stdout().print(table)


def exploration_json(
    found: Exploration, scenarios: list[PathScenario], *, seconds: float, breadth: Breadth
) -> dict[str, Any]:
    """The same as one object; `violations` counts the broken rules' every occurrence."""
    return {
        "transitions": found.transitions,
        "states": found.states,
        "states_at_rest": found.at_rest,
        "violations": found.violations,
        "depth": found.depth,
        "roots": found.roots,
        "breadth": breadth,
        "complete": found.complete,
        "writes": found.writes,
        "model_requests": found.model_requests,
        "write_offered": found.offered,
        "decisions": asdict(found.decisions),
        "alphabet": dict(found.alphabet),
        "found": [
            {
                "rule": one.violation.rule,
                "seen": one.violation.seen,
                "times": one.times,
                "acts": one.acts,
                "path": [f"{move.name}: {move.detail}" if move.detail else move.name for move in one.moves],
                "scenario": scenario.text,
                "not_in_the_scenario": list(scenario.unsaid),
            }
            for one, scenario in zip(found.found, scenarios, strict=True)
        ],
        "seconds": round(seconds, 3),
    }
