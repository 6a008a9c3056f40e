"""`marg target check`: whether a program speaks the protocol of targets."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click
from rich.table import Table

from marg_harness.cli.console import cell, json_option, print_json, print_line, stdout
from marg_harness.conformance import Finding, check_target
from marg_harness.named_target import opener
from marg_harness.python_agent import SECONDS
from marg_harness.writes_off import writes_off
from marg_runtime import numbers


@click.command()
@click.argument("target", metavar="URL|MODULE:ATTRIBUTE")
@click.option("--domain", help="The domain to open a conversation of; by default the first that it names.")
@click.option("--say", default="Hello", show_default=True, help="What is typed to it.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=SECONDS, show_default=True)
@json_option
def check_command(target: str, domain: str | None, say: str, timeout: float, as_json: bool) -> None:
    """Check a target against every requirement of the protocol (docs/targets.md).

    It opens conversations, types a message, reloads, asks for what does not exist, and closes them. Exit code 1 where
    it fails a requirement.
    """
    with writes_off():
        findings = check_target(opener(target, seconds=timeout), domain=domain, say=say)
    if as_json:
        print_json({"target": target, "findings": [asdict(one) for one in findings]})
    else:
        _print(findings)
    sys.exit(1 if any(one.verdict == "fail" for one in findings) else 0)


def _print(findings: tuple[Finding, ...]) -> None:
    table = Table(box=None, pad_edge=False)
    for title in ("requirement", "verdict", "because"):
        table.add_column(title)
    for one in findings:
        style = "red" if one.verdict == "fail" else ""
        table.add_row(cell(one.requirement), cell(one.verdict, style=style), cell(one.because))
    stdout().print(table)
    passed = sum(one.verdict == "pass" for one in findings)
    asked = sum(one.verdict != "not asked" for one in findings)
    print_line(f"{numbers.of(passed, asked)} requirements passed; {len(findings) - asked} not asked")
