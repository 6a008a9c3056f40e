"""What the command says of input that it cannot use: where it is, in lines that can be read, and never a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.cli.failures import EXIT_USAGE, explain
from marg_harness.replay import load_all
from marg_runtime.errors import LocatedError, UsageError
from marg_scenarios import load_scenario

HEAD = "scenario: x\ndomain: support_intake\n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(marg, arguments)


def test_several_unusable_files_are_a_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "ab":
        (tmp_path / f"{name}.scenario.yaml").write_text('"scen\\x1baro": x\nturns: []\n', encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        load_all([tmp_path])
    assert explain(raised.value) == EXIT_USAGE
    first, *lines = capsys.readouterr().err.splitlines()
    assert first == "marg: 2 of 2 files cannot be used:"
    assert [line.partition(":1: ")[0] for line in lines] == [str(tmp_path / f"{name}.scenario.yaml") for name in "ab"]
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize("jobs", ["²", "0", "-1", "9" * 5000, "10000", ""])
def test_a_number_of_processes_that_is_none_is_refused(jobs: str) -> None:
    found = run("replay", f"--jobs={jobs}")
    assert (found.exit_code, "neither a number from 1 to 9999 nor `auto`" in found.output) == (2, True)


@pytest.mark.parametrize("seen", ["²", "9" * 5000])
def test_seen_that_is_no_revision_is_refused_before_anything_is_played(tmp_path: Path, seen: str) -> None:
    path = tmp_path / "x.scenario.yaml"
    path.write_text(f'{HEAD}turns:\n  - say: hi\n    seen: "{seen}"\n', encoding="utf-8")
    with pytest.raises(LocatedError, match=r"x\.scenario\.yaml:5: 'seen' is .* which is no earlier turn"):
        load_scenario(path)


def test_a_file_that_format_cannot_write_is_named_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path, text = Path("x.scenario.yaml"), f"{HEAD}turns: [{{say: hi}}]\n"
    path.write_text(text, encoding="utf-8")
    Path(f".x.scenario.yaml.{os.getpid()}.part").write_text("in the way", encoding="utf-8")
    found = run("scenario", "format")
    assert isinstance(found.exception, UsageError)
    assert "'x.scenario.yaml' cannot be written" in str(found.exception)
    assert path.read_text(encoding="utf-8") == text


def test_format_leaves_hidden_folders_alone_and_takes_a_folder_of_fixtures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "fixtures: {a: {turns: [{say: hi}]}}\n"
    for name in (".venv/x.fixtures.yaml", "shared/x.fixtures.yaml"):
        Path(name).parent.mkdir()
        Path(name).write_text(text, encoding="utf-8")
    found = run("scenario", "format")
    assert (found.exit_code, found.stdout) == (0, "shared/x.fixtures.yaml: is written anew\n1 file, 1 changed\n")
    assert Path(".venv/x.fixtures.yaml").read_text(encoding="utf-8") == text


def test_a_folder_that_is_named_like_a_scenario_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.scenario.yaml").mkdir()
    with pytest.raises(UsageError, match="holds no"):
        load_all([tmp_path])
