"""Every file of a triage is the same bytes whatever the hash seed, the time zone and the order of the input."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from marg_reports import Line
from marg_reports.report import (
    CLASSES,
    CheckLine,
    Place,
    Square,
    TranscriptTurn,
    TriagedRed,
    TriageReport,
    report_lines,
    triage_report,
)
from marg_reports.report.report_file import report_of
from marg_reports.triage import Verdict

DRAW = """
import hashlib, json, random, sys
from io import StringIO
from pathlib import Path
from rich.console import Console
from marg_harness.cli.triage_files import TEXTS
from marg_reports.history import RunOfHistory, history_of, history_page, write_parquet
from marg_reports.render import allure_results
from marg_reports.render.terminal import print_report
from marg_reports.report.report_file import report_of
from marg_reports.report import scrubbed

head, *lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
random.Random(int(sys.argv[2])).shuffle(lines)
report = scrubbed(report_of([head, *lines], name="lines"))
texts = {name: render(report) for name, render in TEXTS.items()}
texts |= {file.name: file.text for file in allure_results(report)}
runs = [RunOfHistory(name="b", report=report), RunOfHistory(name="a", report=report)]
texts["history"] = history_page(history_of(runs))
console = Console(file=StringIO(), width=100)
print_report(report, console)
texts["terminal"] = console.file.getvalue()
table = Path(sys.argv[1]).with_name(f"{sys.argv[2]}.parquet")
write_parquet([RunOfHistory(name="run", report=report)], table)
bytes_of = {name: text.encode() for name, text in texts.items()} | {"parquet": table.read_bytes()}
print(json.dumps({name: hashlib.sha256(one).hexdigest() for name, one in sorted(bytes_of.items())}))
"""
ZONES = ("UTC", "Asia/Kolkata", "America/St_Johns")


def a_report() -> TriageReport:
    reds = tuple(
        TriagedRed(
            place=Place(path=f"s/{number % 5}.yaml", scenario=f"s {number}", turn="t1", check="draft", line=number % 4),
            kind="draft",
            owner="runtime",
            expected='{"a":1}',
            got="{}",
            differences=(f"a: expected {number}, got (nothing)",),
            transcript=(TranscriptTurn(number=1, lines=(Line(by="user", text=f"märz {number} \u202e"),)),),
            verdict=Verdict(red_class=CLASSES[number % 6], sub="x", confidence="proven", rule="R4"),
            squares=(Square(cell="clean_wire", says="same", commit="abc"), Square(cell="base_runtime", says="pass")),
        )
        for number in range(24)
    )
    checks = tuple(CheckLine(place=red.place, attempts=(False,)) for red in reds)
    return triage_report(version="0.1.0", head="abc", base="def", checks=checks, reds=reds)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], str]:
    """What draws the report in a process of its own, whose hash seed, time zone and order a number gives."""
    file = tmp_path_factory.mktemp("same") / "report.jsonl"
    file.write_text("".join(f"{line}\n" for line in report_lines(a_report())), encoding="utf-8")

    def draw(number: int) -> str:
        environ = {**os.environ, "PYTHONHASHSEED": str(977 * number), "TZ": ZONES[number]}
        command = [sys.executable, "-c", DRAW, str(file), str(number)]
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout

    return draw


def test_hash_seed_time_zone_and_order_change_no_byte_of_any_output(drawn: Callable[[int], str]) -> None:
    first, *others = (drawn(number) for number in range(3))
    assert len(first) > 1_000
    assert others == [first, first]


def test_the_record_of_a_report_reads_back_in_any_order_of_its_lines() -> None:
    head, *lines = report_lines(a_report())
    assert report_of([head, *reversed(lines)], name="lines") == a_report()
