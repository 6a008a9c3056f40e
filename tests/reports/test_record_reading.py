"""A run's record comes back from its lines; a damaged or cut file is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from marg_reports import (
    CheckRecord,
    Line,
    RecordError,
    RunRecord,
    ScenarioRecord,
    TurnRecord,
    lines_of,
    write_record,
)
from marg_reports.record_reading import read_record, record_of

CHECK = CheckRecord(
    id="draft", kind="draft", owner="runtime", line=3, passed=False, expected={"a": 1}, got=[None, 2.5], raised="check"
)
TURN = TurnRecord(
    id="t1",
    line=2,
    checks=(CHECK,),
    transcript=(Line(by="user", text="hi"),),
    request_digests=("d",),
    events=({"kind": "UserSaid"},),
    taken=("m.yaml:3",),
)
RUN = RunRecord(
    version="0.1.0",
    scenarios=(
        ScenarioRecord(name="a", path="a.yaml", line=1, turns=(TURN, TURN), turns_planned=3, writes=0, tags=("x",)),
        ScenarioRecord(name="b", path="b.yaml", line=1, turns=(), turns_planned=1, writes=1, row="r"),
    ),
)


def test_a_run_comes_back_as_it_was_written(tmp_path: Path) -> None:
    write_record(RUN, tmp_path / "run.jsonl")
    assert list(lines_of(read_record(tmp_path / "run.jsonl"))) == list(lines_of(RUN))


@pytest.mark.parametrize("number", range(1, len(list(lines_of(RUN)))))
def test_a_file_that_was_cut_anywhere_is_refused(number: int) -> None:
    with pytest.raises(RecordError, match="cut short"):
        record_of(list(lines_of(RUN))[:number], name="x")


@pytest.mark.parametrize(
    ("line", "problem"),
    [("{", "no JSON"), ("[]", "no JSON object"), ('{"record":"turn"}', "'turn' is no record of a run")],
)
def test_a_damaged_line_is_refused_with_its_number(line: str, problem: str) -> None:
    with pytest.raises(RecordError, match=rf"x:1: .*{problem}"):
        record_of([line], name="x")


def test_a_field_of_the_wrong_type_is_refused_by_name() -> None:
    lines = [line.replace('"line":3', '"line":"three"') for line in lines_of(RUN)]
    with pytest.raises(RecordError, match="x:4: 'line' of the CheckRecord is wrong"):
        record_of(lines, name="x")


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"there is no run record .*none\.jsonl'.*: marg replay PATH"):
        read_record(tmp_path / "none.jsonl")
