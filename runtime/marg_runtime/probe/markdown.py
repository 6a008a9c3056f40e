"""A probe's report as a Markdown page."""

from __future__ import annotations

from collections.abc import Iterable

from marg_runtime.numbers import plural
from marg_runtime.probe.report import ProbeReport, ProbeRow

COLUMNS = ("field", "case", "schema says", "backend did", "verdict", "note")


def probe_markdown(report: ProbeReport) -> str:
    """The report as Markdown: what was probed, the table, and what stays behind."""
    lines = [
        f"# What `{report.tool}` enforces",
        "",
        f"Server: {_plain(report.server)}. {summary_of(report)}",
        "",
        _line(COLUMNS),
        _line("---" for _ in COLUMNS),
        *(_line(cells_of(row)) for row in report.rows),
        "",
        *(f"- {sentence}" for sentence in remarks_of(report)),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def cells_of(row: ProbeRow) -> tuple[str, ...]:
    """A row's cells, in the order of `COLUMNS`."""
    return (row.field, row.case, row.says, row.did, row.verdict, row.note)


def summary_of(report: ProbeReport) -> str:
    """The counts, in a sentence."""
    counts = [f"{number} {verdict}" for verdict, number in report.counts().items() if number]
    findings = plural(len(report.findings()), "findings")
    return f"{plural(len(report.rows), 'cases')}: {', '.join(counts)}; {findings}."


def remarks_of(report: ProbeReport) -> tuple[str, ...]:
    """What a reader has to know beside the table: findings, fields that nobody else guards, records left behind."""
    remarks = [f"Finding: {row.field}, {row.case}: {_why(row)}" for row in report.findings()]
    if unguarded := report.unguarded():
        remarks.append(f"Only the agent's side makes sure of: {', '.join(unguarded)}.")
    return (*remarks, left_behind(report))


def left_behind(report: ProbeReport) -> str:
    """What became of the records that the probe made, and how to remove those that are left."""
    made = plural(len(report.made), "records")
    if report.discarded:
        return f"{made} made, in a backend of the probe's own that is gone with it."
    if report.deleted == len(report.made):
        return f"{made} made, and all deleted again."
    left = plural(len(report.made) - report.deleted, "records")
    names = ", ".join(report.made)
    return f"{made} made, {left} left behind: delete them, or reset the dev backend. Made: {names}."


def _why(row: ProbeRow) -> str:
    if row.verdict == "schema lies":
        return "the schema refuses it and the backend accepts it."
    if row.verdict == "broke":
        return f"the backend broke on it. {row.note}".rstrip()
    return "the backend has to enforce it and does not."


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_plain(cell) for cell in cells)} |"


def _plain(text: str) -> str:
    """Text of a server's as a cell can hold it: one line, no column of its own, no markup."""
    escaped = "".join(f"\\{character}" if character in "\\`*[]<>|" else character for character in text)
    return " ".join(escaped.split())
