"""`marg scenario check`: what is wrong with scenario files, all of them and not the first alone."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from marg_harness.cli.console import json_option, print_json, print_line
from marg_harness.cli.failures import EXIT_USAGE
from marg_harness.cli.scenario_paths import scenario_files
from marg_harness.paths import shown_path
from marg_runtime import numbers
from marg_runtime.errors import UsageError
from marg_scenarios import load_scenarios


@dataclass(frozen=True, kw_only=True)
class _Checked:
    """A file: how many scenarios it holds, or what is wrong with it."""

    path: Path
    scenarios: int
    error: str = ""


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@json_option
def check(paths: tuple[str, ...], as_json: bool) -> None:
    """Load every scenario, and say of each file what is wrong with it. Exit code 2 where anything is."""
    checked = [_checked(path) for path in scenario_files(paths)]
    wrong = [one for one in checked if one.error]
    scenarios = sum(one.scenarios for one in checked)
    if as_json:
        errors = [{"path": shown_path(one.path), "error": one.error} for one in wrong]
        print_json({"files": len(checked), "scenarios": scenarios, "errors": errors})
    else:
        for one in wrong:
            print_line(one.error)
        verdict = f"{numbers.plural(len(wrong), 'files')} cannot be used" if wrong else "all can be replayed"
        print_line(f"{numbers.plural(len(checked), 'files')}, {numbers.plural(scenarios, 'scenarios')}: {verdict}")
    sys.exit(EXIT_USAGE if wrong else 0)


def _checked(path: Path) -> _Checked:
    try:
        return _Checked(path=path, scenarios=len(load_scenarios(path)))
    except UsageError as error:
        return _Checked(path=path, scenarios=0, error=str(error))
