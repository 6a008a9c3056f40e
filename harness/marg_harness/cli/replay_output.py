"""What `marg replay` prints: scenarios, repetitions, coverage, reds."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from marg_harness.cli.console import cell, print_line, safe_text, stdout
from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.cli.replay_run import Ran
from marg_harness.coverage import Coverage
from marg_harness.coverage.item import KINDS
from marg_harness.paths import shown_path
from marg_reports import Red, RunRecord, differences, reds_text
from marg_reports.repetition import Repetition, RepetitionReport
from marg_runtime import numbers


def print_run(run: RunRecord) -> None:
    """A row a scenario, then the reds, then the sum."""
    console = stdout()
    table = _table("scenario", "file", right=("turns", "checks", "reds"))
    for scenario in run.scenarios:
        reds = sum(check.red for check in scenario.checks)
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
        console.print(safe_text(reds_text(run.reds())), soft_wrap=True)
    console.print()
    console.print(cell(_summary(run)), soft_wrap=True)


def print_repetitions(report: RepetitionReport) -> None:
    """A row a scenario: passes of runs, the interval of the rate, pass^k; then the sum."""
    powers = report.powers
    table = _table("scenario", right=("passed", "rate, 95 %", *(f"pass^{k}" for k in powers), "invalid"))
    for one in report.repetitions:
        table.add_row(*(cell(text) for text in _repetition(one, [one.power(k) for k in powers])))
    table.add_row(*(cell(text) for text in _repetition(report.total, [report.mean_power(k) for k in powers])))
    stdout().print(table)


def print_coverage(coverage: Coverage) -> None:
    """How many of how many of each kind, and the unused by file:line."""
    table = _table("kind", right=("used", "of", "share"))
    for kind in KINDS:
        items = coverage.of(kind)
        some = sum(bool(times) for times in items.values())
        table.add_row(
            *(cell(text) for text in (kind, str(some), str(len(items)), numbers.percent_of(some, len(items))))
        )
    stdout().print(table)
    for item in coverage.unused():
        print_line(f"not used: {item.kind} {item.name} ({item.domain}) {item.place}".rstrip())
    for item, because in sorted(coverage.excused.items()):
        print_line(f"excused: {item.kind} {item.name} ({item.domain}): {because}")


def as_json(ran: Ran, options: ReplayOptions, repetitions: RepetitionReport | None, coverage: Coverage | None) -> Any:
    """The same as JSON."""
    run = ran.runs[ran.told]
    return {
        **_counts(run),
        "reds": [_red_json(red) for red in run.reds()],
        "unmeasured": [_unmeasured_json(one) for one in run.unmeasured()],
        "writes": counted_writes(run),
        "record": shown_path(options.output),
        "seconds": round(ran.seconds, 3),
        **({} if repetitions is None else _repetitions_json(repetitions, seed=options.seed + ran.told)),
        **({} if coverage is None else {"coverage": coverage.record()}),
    }


def _table(*left: str, right: tuple[str, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in left:
        table.add_column(title)
    for title in right:
        table.add_column(title, justify="right")
    return table


def _repetition(one: Repetition, powers: list[float]) -> list[str]:
    rate = f"{numbers.percent_of(one.passes, one.of)} ({numbers.interval(one.interval)})"
    return [one.title, numbers.of(one.passes, one.of), rate, *map(numbers.percent, powers), str(one.invalid)]


def _repetitions_json(report: RepetitionReport, *, seed: int) -> dict[str, Any]:
    """The repetitions, and the seed of the one whose reds are told."""
    return {"seed": seed, "repetitions": [_repetition_json(one) for one in report.repetitions]}


def _repetition_json(one: Repetition) -> dict[str, Any]:
    interval = one.interval
    powers = {str(k): one.power(k) for k in range(1, one.of + 1)}
    return {
        "scenario": one.title,
        "path": one.path,
        "passes": one.passes,
        "of": one.of,
        "invalid": one.invalid,
        "interval": [interval.low, interval.high],
        "pass_power": powers,
    }


def _summary(run: RunRecord) -> str:
    counted = ", ".join(numbers.plural(number, what) for what, number in _counts(run).items())
    reds = len(run.reds())
    unmeasured = len(run.unmeasured())
    verdict = numbers.plural(reds, "reds") if reds else "no reds" if unmeasured else "all green"
    writes = counted_writes(run)
    said = (
        "nobody counted the writes"
        if writes is None
        else f"{numbers.plural(writes, 'writes')} by the backend's own count"
    )
    left = f"; {numbers.plural(unmeasured, 'checks')} not measured" if unmeasured else ""
    return f"{counted}: {verdict}{left}; {said}"


def counted_writes(run: RunRecord) -> int | None:
    """The writes of all scenarios by their backends' own counts; None where one of them has no count."""
    counts = [scenario.writes for scenario in run.scenarios]
    return None if None in counts else sum(count or 0 for count in counts)


def _counts(run: RunRecord) -> dict[str, int]:
    return {
        "scenarios": len(run.scenarios),
        "turns": sum(len(scenario.turns) for scenario in run.scenarios),
        "checks": sum(len(scenario.checks) for scenario in run.scenarios),
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


def _unmeasured_json(one: Red) -> dict[str, Any]:
    return {"id": one.id, "check": one.check.id, "turn": one.turn_record.id, "because": one.check.got}
