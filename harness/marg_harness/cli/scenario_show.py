"""`marg scenario show`: a scenario as it is played, its fixtures and parameters put in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from marg_harness.cli.console import json_option, print_json, print_line
from marg_harness.paths import shown_path
from marg_harness.transcript import user_line
from marg_scenarios import Scenario, Turn, load_scenario, load_scenarios


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--row", metavar="ID", help="This row alone; by default all of them.")
@json_option
def show(file: Path, row: str | None, as_json: bool) -> None:
    """Show a scenario as it is played: every turn with its id, act, checks, and the file and line that it is from."""
    scenarios = load_scenarios(file) if row is None else (load_scenario(file, row=row),)
    if as_json:
        print_json([_as_json(scenario) for scenario in scenarios])
        return
    for number, scenario in enumerate(scenarios):
        if number:
            print_line("")
        for line in _lines(scenario):
            print_line(line)


def _lines(scenario: Scenario) -> list[str]:
    lines = [scenario.title]
    lines += [f"  {scenario.about}"] if scenario.about else []
    for number, turn in enumerate(scenario.played):
        lines.append(f"  {number + 1:>2}  {turn.id}: {user_line(turn).text}  ({_place(scenario, turn)})")
        lines += [f"        {check.id} ({check.owner})" for check in turn.checks]
    return lines


def _place(scenario: Scenario, turn: Turn) -> str:
    return f"{shown_path(Path(turn.file) if turn.file else scenario.path)}:{turn.line}"


def _as_json(scenario: Scenario) -> dict[str, Any]:
    return {
        "scenario": scenario.name,
        "row": scenario.row,
        "about": scenario.about,
        "tags": list(scenario.tags),
        "turns": [
            {
                "id": turn.id,
                "act": user_line(turn).text,
                "at": _place(scenario, turn),
                "seen": turn.seen,
                "checks": [{"id": check.id, "owner": check.owner} for check in turn.checks],
            }
            for turn in scenario.played
        ],
    }
