"""`marg scenario list`: the scenarios by name, with their rows, tags and sizes."""

from __future__ import annotations

from typing import Any

import click
from rich.table import Table

from marg_harness.cli.console import cell, json_option, print_json, stdout
from marg_harness.cli.scenario_paths import scenario_files
from marg_harness.paths import shown_path
from marg_scenarios import Scenario, load_scenarios


@click.command("list")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only scenarios with this tag; may be repeated.")
@json_option
def list_command(paths: tuple[str, ...], tags: tuple[str, ...], as_json: bool) -> None:
    """List scenarios, each row by itself."""
    scenarios = [
        scenario
        for path in scenario_files(paths)
        for scenario in load_scenarios(path)
        if set(tags) <= set(scenario.tags)
    ]
    if as_json:
        print_json([_as_json(scenario) for scenario in scenarios])
        return
    table = Table(box=None, pad_edge=False)
    for title in ("scenario", "file", "tags"):
        table.add_column(title)
    for title in ("turns", "checks"):
        table.add_column(title, justify="right")
    for scenario in scenarios:
        table.add_row(
            cell(scenario.title),
            cell(f"{shown_path(scenario.path)}:{scenario.line}"),
            cell(", ".join(scenario.tags)),
            cell(str(len(scenario.played))),
            cell(str(_checks(scenario))),
        )
    stdout().print(table)


def _checks(scenario: Scenario) -> int:
    return sum(len(turn.checks) for turn in scenario.played)


def _as_json(scenario: Scenario) -> dict[str, Any]:
    return {
        "scenario": scenario.name,
        "row": scenario.row,
        "path": shown_path(scenario.path),
        "line": scenario.line,
        "about": scenario.about,
        "domain": scenario.kit.domain.name,
        "tags": list(scenario.tags),
        "turns": len(scenario.played),
        "checks": _checks(scenario),
    }
