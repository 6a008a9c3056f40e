"""`marg replay`: scenarios against the runtime, with no key and no network."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from marg_harness.cli.console import cell, json_option, note, print_json, progress, quiet_option, stdout
from marg_harness.cli.printable import printable
from marg_harness.network_guard import no_network
from marg_harness.paths import shown_path
from marg_harness.replay import load_all, replay
from marg_harness.target import ReferenceTarget
from marg_harness.writes_off import writes_off
from marg_reports import Red, RunRecord, ScenarioRecord, differences, reds_text, write_record
from marg_runtime import numbers
from marg_runtime.errors import UsageError
from marg_scenarios import find_kit
from marg_scenarios.kit_finder import SHIPPED_KITS

DEFAULT_RECORD = Path(".marg") / "run.jsonl"


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=DEFAULT_RECORD,
    show_default=True,
    help="Where the record of the run goes, in JSON Lines.",
)
@json_option
@quiet_option
def replay_command(paths: tuple[str, ...], output: Path, as_json: bool, quiet: bool) -> None:
    """Replay scenarios: every file named *.scenario.yaml in each PATH, by default in the present folder.

    A PATH may also be the name of a shipped domain, such as support_intake. Writes are off, whatever the caller's
    environment says. Exit code 1 where any check failed.
    """
    scenarios = load_all([_place(path) for path in paths or (".",)])
    target = ReferenceTarget()
    with writes_off(), no_network():
        target.prepare(scenarios)
    done: list[ScenarioRecord] = []
    started = time.monotonic()
    with progress("replaying", total=len(scenarios), quiet=quiet or as_json) as advance:

        def on_scenario(record: ScenarioRecord) -> None:
            done.append(record)
            advance(len(done))

        run = replay(scenarios, target=target, on_scenario=on_scenario)
    seconds = time.monotonic() - started
    write_record(run, output)
    if as_json:
        print_json(_as_json(run, output, seconds))
    else:
        _print(run)
        note(f"record: {shown_path(output)}", quiet=quiet)
    sys.exit(1 if run.reds() else 0)


def _place(path: str) -> Path:
    """A path, or the scenarios of a domain where no file or folder has that name."""
    if Path(path).exists():
        return Path(path)
    if path in SHIPPED_KITS or ":" in path:
        return find_kit(path, beside=Path.cwd()).scenarios
    raise UsageError(
        f"{path!r} is neither a file nor a folder, nor a shipped domain ({', '.join(SHIPPED_KITS)}); check the path."
    )


def _print(run: RunRecord) -> None:
    console = stdout()
    table = Table(box=None, pad_edge=False)
    for title in ("scenario", "file"):
        table.add_column(title)
    for title in ("turns", "checks", "reds"):
        table.add_column(title, justify="right")
    for scenario in run.scenarios:
        reds = sum(not check.passed for check in scenario.checks)
        style = "red" if reds else ""
        table.add_row(
            cell(scenario.title, style=style),
            cell(scenario.path),
            cell(f"{len(scenario.turns)}/{scenario.turns_planned}"),
            cell(str(len(scenario.checks))),
            cell(str(reds), style=style),
        )
    console.print(table)
    if run.reds():
        console.print()
        console.print(printable(reds_text(run.reds()), newlines=True), soft_wrap=True)
    console.print()
    console.print(cell(_summary(run)), soft_wrap=True)


def _summary(run: RunRecord) -> str:
    counted = ", ".join(numbers.plural(number, what) for what, number in _counts(run).items())
    reds = len(run.reds())
    verdict = numbers.plural(reds, "reds") if reds else "all green"
    writes = sum(scenario.writes for scenario in run.scenarios)
    return f"{counted}: {verdict}; {numbers.plural(writes, 'writes')} by the backend's own count"


def _counts(run: RunRecord) -> dict[str, int]:
    return {
        "scenarios": len(run.scenarios),
        "turns": sum(len(scenario.turns) for scenario in run.scenarios),
        "checks": sum(len(scenario.checks) for scenario in run.scenarios),
    }


def _as_json(run: RunRecord, output: Path, seconds: float) -> dict[str, Any]:
    return {
        **_counts(run),
        "reds": [_red_json(red) for red in run.reds()],
        "writes": sum(scenario.writes for scenario in run.scenarios),
        "record": shown_path(output),
        "seconds": round(seconds, 3),
    }


def _red_json(red: Red) -> dict[str, Any]:
    return {
        "id": red.id,
        "scenario": red.scenario.name,
        **({} if red.scenario.row is None else {"row": red.scenario.row}),
        "path": red.check.file or red.scenario.path,
        "line": red.check.line,
        "turn": red.turn_record.id,
        "check": red.check.id,
        "owner": red.check.owner,
        "expected": red.check.expected,
        "got": red.check.got,
        "difference": differences(red.check.expected, red.check.got),
    }
