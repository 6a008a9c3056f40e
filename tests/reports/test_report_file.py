"""The triage report as a file: what was written comes back, and what is damaged is refused with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marg_reports import RecordError
from marg_reports.report import TriageReport
from marg_reports.report.report_file import read_report, report_lines, report_of


def test_a_report_comes_back_as_it_was(every_class: TriageReport) -> None:
    assert report_of(report_lines(every_class), name="x") == every_class


def test_the_head_counts_every_class(every_class: TriageReport) -> None:
    head = json.loads(next(report_lines(every_class)))
    assert head["counts"] == dict.fromkeys(head["counts"], 1)


def test_a_file_that_was_cut_short_is_refused(every_class: TriageReport, tmp_path: Path) -> None:
    file = tmp_path / "triage.jsonl"
    file.write_text("\n".join(list(report_lines(every_class))[:-1]))
    with pytest.raises(RecordError, match="cut short"):
        read_report(file)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "no JSON"),
        ("[]", "no JSON object"),
        ('{"record":"else"}', "'else' is no record"),
        ('{"record":"check","place":{},"attempts":[true],"valid":true}', "place.path"),
    ],
)
def test_a_damaged_line_is_refused_with_its_number(line: str, problem: str) -> None:
    with pytest.raises(RecordError, match=rf"x:1: .*{problem}"):
        report_of([line], name="x")


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"there is no triage report .*: marg triage"):
        read_report(tmp_path / "none.jsonl")
