"""`marg probe`: what a backend really enforces, against what its schema says."""

from __future__ import annotations

import json
import sys
import uuid
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from marg_harness.cli.console import cell, json_option, print_json, print_line, progress, quiet_option, stdout
from marg_harness.paths import shown_path
from marg_harness.probe_target import Asked, kit_contract, opened_target
from marg_harness.whole_files import check_writable, write_whole
from marg_runtime.canonical import Json
from marg_runtime.probe import (
    Contract,
    Drift,
    ProbeReport,
    backend_drift,
    contract_of,
    contract_text,
    probe_markdown,
    run_probe,
)
from marg_runtime.probe.markdown import COLUMNS, cells_of, remarks_of, summary_of
from marg_runtime.scrub import own_secrets, scrub, scrub_json
from marg_runtime.tools.mcp import TIMEOUT_SECONDS
from marg_scenarios.contract_file import load_contract, load_record

OUT = click.Path(dir_okay=False, path_type=Path)
STYLES = {"schema lies": "red", "broke": "red", "stricter": "yellow", "not enforced": "yellow"}


@click.command()
@click.argument("target", metavar="KIT_OR_SERVER")
@click.option("--tool", metavar="NAME", help="The tool that writes: NAME or SERVER/NAME; by default the kit's.")
@click.option("--record", type=OUT, metavar="FILE", help="A known-good record, YAML or JSON; by default the kit's.")
@click.option("--closed", multiple=True, metavar="FIELD", help="A field that takes a value of a list. May be repeated.")
@click.option("--delete", metavar="TOOL[:ARGUMENT]", help="A tool that deletes a record by the id of its receipt.")
@click.option("--dev-host", metavar="HOST", help="The host of a URL that is not on this machine, once more.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=TIMEOUT_SECONDS, show_default=True)
@click.option("--md", type=OUT, metavar="FILE", help="Write the table as Markdown.")
@click.option("--json-file", type=OUT, metavar="FILE", help="Write the report as JSON.")
@click.option("--contract", type=OUT, metavar="FILE", help="Write the contract that the report amounts to.")
@click.option("--check", type=OUT, metavar="FILE", help="Hold the backend to a contract; by default to the kit's.")
@json_option
@quiet_option
def probe_command(
    target: str,
    tool: str | None,
    record: Path | None,
    closed: tuple[str, ...],
    delete: str | None,
    dev_host: str | None,
    timeout: float,
    md: Path | None,
    json_file: Path | None,
    contract: Path | None,
    check: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Probe a dev backend: one known-good record, then one thing changed at a time.

    KIT_OR_SERVER is a shipped domain, package.module:KIT, a URL, or stdio:COMMAND. The probe makes records, so it runs
    only where the server says of its tool that it is for development (_meta "marg/dev": true). It sets the write flag
    only for a server that it starts itself.

    Exit code 1 where the backend differs from the contract that it is held to; without one, where a schema lies, the
    backend breaks, or it does not enforce a confirmation or an idempotency key that it takes.
    """
    check_writable(md, json_file, contract)
    held_to = check or (kit_contract(target) if contract is None else None)
    agreed = None if held_to is None else load_contract(held_to)
    given = None if record is None else load_record(record)
    asked = Asked(target=target, tool=tool, record=given, closed=closed, delete=delete, dev_host=dev_host)
    with (
        opened_target(asked, contract=agreed) as probed,
        progress("probing", total=None, quiet=quiet or as_json) as advance,
    ):
        report = run_probe(probed, run=uuid.uuid4().hex, timeout=timeout, on_case=lambda done, _: advance(done))
    drifts = () if agreed is None else backend_drift(agreed, report)
    report = _without_secrets(report)
    _write(report, agreed, drifts, md=md, json_file=json_file, contract=contract)
    if as_json:
        print_json(_as_json(report, agreed, drifts))
    else:
        _print(report, drifts, held_to=held_to)
    sys.exit(1 if (drifts if agreed is not None else report.findings()) else 0)


def _without_secrets(report: ProbeReport) -> ProbeReport:
    """The report as it may be shown and kept; until here, it is what the backend took."""
    secrets = own_secrets()
    record: Any = scrub_json(report.record, secrets=secrets)
    return replace(
        report,
        server=scrub(report.server, secrets=secrets),
        record=record,
        rows=tuple(replace(row, note=scrub(row.note, secrets=secrets)) for row in report.rows),
        made=tuple(scrub(name, secrets=secrets) for name in report.made),
    )


def _write(
    report: ProbeReport,
    agreed: Contract | None,
    drifts: tuple[Drift, ...],
    *,
    md: Path | None,
    json_file: Path | None,
    contract: Path | None,
) -> None:
    texts: dict[Path, str] = {}
    if md is not None:
        texts[md] = probe_markdown(report)
    if json_file is not None:
        texts[json_file] = json.dumps(_as_json(report, agreed, drifts), ensure_ascii=False, indent=2) + "\n"
    if contract is not None:
        texts[contract] = contract_text(contract_of(report))
    write_whole(texts)


def _as_json(report: ProbeReport, agreed: Contract | None, drifts: tuple[Drift, ...]) -> dict[str, Json]:
    drift = None if agreed is None else [asdict(one) for one in drifts]
    return {**report.as_json(), "drift": drift}


def _print(report: ProbeReport, drifts: tuple[Drift, ...], *, held_to: Path | None) -> None:
    table = Table(box=None, pad_edge=False)
    for title in COLUMNS:
        table.add_column(title)
    for row in report.rows:
        table.add_row(*(cell(text, style=STYLES.get(row.verdict, "")) for text in cells_of(row)))
    stdout().print(table)
    print_line("")
    print_line(f"{report.tool} of {report.server}: {summary_of(report)}")
    for remark in remarks_of(report):
        print_line(remark)
    for one in drifts:
        print_line(f"Drift: {one.field}, {one.case}: {one.side} {one.now}; agreed: {one.agreed}", style="red")
    if held_to is not None:
        print_line(f"Held to {shown_path(held_to)}: {'it has drifted' if drifts else 'all as agreed'}.")
