"""The record as a file: every line is JSON, and it is written whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marg_reports import CheckRecord, Line, RecordError, RunRecord, ScenarioRecord, TurnRecord, lines_of, write_record

CHECK = CheckRecord(
    id="gate", kind="gate", owner="runtime", line=5, passed=False, expected=({"guard": "allowed"},), got=()
)
TURN = TurnRecord(
    id="one",
    line=4,
    checks=(CHECK,),
    transcript=(Line(by="user", text="h\x00i \x1b[31m\u2028 हाँ"),),
    request_digests=("d",),
    events=({"kind": "UserSaid"},),
)
SCENARIO = ScenarioRecord(name="s", path="x.scenario.yaml", line=1, turns=(TURN,), turns_planned=3, writes=0)
RUN = RunRecord(version="1", scenarios=(SCENARIO,))
# A value that JSON has no form for, in the last line of the record.
BROKEN = RunRecord(
    version="1",
    scenarios=(
        ScenarioRecord(
            name="s",
            path="x",
            line=1,
            turns=(
                TurnRecord(
                    id="one",
                    line=4,
                    checks=(
                        CheckRecord(
                            id="c", kind="c", owner="runtime", line=1, passed=True, expected=float("nan"), got=1
                        ),
                    ),
                    transcript=(),
                    request_digests=(),
                    events=(),
                ),
            ),
            turns_planned=1,
            writes=0,
        ),
    ),
)


def records(run: RunRecord) -> list[dict[str, object]]:
    return [json.loads(line) for line in lines_of(run)]


def test_the_lines_are_the_run_then_the_scenario_then_its_turn_then_the_turns_checks() -> None:
    assert [record["record"] for record in records(RUN)] == ["run", "scenario", "turn", "check"]


def test_the_first_line_counts_the_others() -> None:
    first = records(RUN)[0]
    assert {key: first[key] for key in ("scenarios", "turns", "checks", "reds", "version")} == {
        "scenarios": 1,
        "turns": 1,
        "checks": 1,
        "reds": 1,
        "version": "1",
    }


def test_a_scenario_says_how_far_it_came_and_whether_it_passed() -> None:
    scenario = records(RUN)[1]
    assert (scenario["turns"], scenario["turns_planned"], scenario["passed"]) == (1, 3, False)


def test_a_check_stands_alone_with_its_place_its_owner_and_both_values() -> None:
    assert records(RUN)[3] == {
        "record": "check",
        "path": "x.scenario.yaml",
        "scenario": "s",
        "turn": "one",
        "id": "gate",
        "kind": "gate",
        "owner": "runtime",
        "line": 5,
        "passed": False,
        "expected": [{"guard": "allowed"}],
        "got": [],
    }


def test_what_was_said_is_on_record_as_it_was_said() -> None:
    assert records(RUN)[2]["transcript"] == [{"by": "user", "text": "h\x00i \x1b[31m\u2028 हाँ"}]


def test_a_control_character_breaks_no_line() -> None:
    assert [line for line in lines_of(RUN) if "\n" in line or "\x00" in line or "\x1b" in line] == []


def test_the_file_holds_the_lines_each_with_its_end(tmp_path: Path) -> None:
    write_record(RUN, tmp_path / "run.jsonl")
    assert (tmp_path / "run.jsonl").read_bytes() == "".join(line + "\n" for line in lines_of(RUN)).encode()


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    write_record(RUN, tmp_path / "a" / "b" / "run.jsonl")
    assert (tmp_path / "a" / "b" / "run.jsonl").is_file()


def test_a_new_record_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("old", encoding="utf-8")
    write_record(RUN, path)
    assert path.read_text(encoding="utf-8").startswith('{"checks":1,')


def test_nothing_but_the_record_is_left_in_the_folder(tmp_path: Path) -> None:
    write_record(RUN, tmp_path / "run.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["run.jsonl"]


def test_a_record_that_breaks_off_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(ValueError, match="JSON compliant"):
        write_record(BROKEN, path)
    assert {found.name: found.read_text(encoding="utf-8") for found in tmp_path.iterdir()} == {"run.jsonl": "old"}


def test_a_full_disk_leaves_the_old_file_and_is_told_with_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "run.jsonl"
    path.write_text("old", encoding="utf-8")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(RecordError, match=r"run\.jsonl' cannot be written: No space left on device"):
        write_record(RUN, path)
    assert {found.name: found.read_text(encoding="utf-8") for found in tmp_path.iterdir()} == {"run.jsonl": "old"}


def test_a_file_where_a_folder_is_needed_is_told_with_the_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RecordError, match=r"run\.jsonl' cannot be written"):
        write_record(RUN, tmp_path / "file" / "run.jsonl")
