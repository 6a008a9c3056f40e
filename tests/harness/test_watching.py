"""`marg replay --watch`: what is affected by a change is replayed again, and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from marg_harness.watching import Watcher

WriteScenario = Callable[..., Path]
FIXTURES = "fixtures:\n  greeted:\n    turns:\n      - say: hello\n"
COMMAND = "from marg_harness.cli import main; main()"


def touched(path: Path, text: str | None = None) -> None:
    """Change a file, and make sure that its time of change is another one."""
    at = path.stat().st_mtime_ns + 1_000_000_000 if path.exists() else None
    path.write_text(path.read_text(encoding="utf-8") if text is None else text, encoding="utf-8")
    if at is not None:
        os.utime(path, ns=(at, at))


@pytest.fixture
def three(small: WriteScenario, tmp_path: Path) -> Path:
    """Three scenarios, two with a file of fixtures, and a file of Python."""
    (tmp_path / "x.fixtures.yaml").write_text(FIXTURES, encoding="utf-8")
    (tmp_path / "kit_of_mine.py").write_text("", encoding="utf-8")
    for name in ("one", "two"):
        small(name, turns="  - use: greeted\n", more="include: [x.fixtures.yaml]\n")
    small("three")
    return tmp_path


def affected(watcher: Watcher) -> list[str]:
    return [file.name.partition(".")[0] for file in watcher.look().scenarios]


def test_where_nothing_changed_nothing_is_affected(three: Path) -> None:
    assert affected(Watcher([three], root=three)) == []


@pytest.mark.parametrize(
    ("name", "scenarios"),
    [
        ("one.scenario.yaml", ["one"]),
        ("x.fixtures.yaml", ["one", "two"]),
        ("small.machine.yaml", ["one", "three", "two"]),
        ("kit_of_mine.py", ["one", "three", "two"]),
    ],
)
def test_a_change_affects_the_scenarios_that_depend_on_it(three: Path, name: str, scenarios: list[str]) -> None:
    watcher = Watcher([three], root=three)
    touched(three / name)
    assert (affected(watcher), affected(watcher)) == (scenarios, [])


def test_a_new_scenario_is_affected_and_one_that_is_gone_is_not(three: Path, small: WriteScenario) -> None:
    watcher = Watcher([three], root=three)
    (three / "one.scenario.yaml").unlink()
    small("four")
    assert affected(watcher) == ["four", "three", "two"]  # the machine was written anew with it


def test_a_scenario_that_does_not_load_is_affected_once_and_again_when_it_is_mended(three: Path) -> None:
    path = three / "three.scenario.yaml"
    text, watcher = path.read_text(encoding="utf-8"), Watcher([three], root=three)
    touched(path, "scenario: [")
    assert (affected(watcher), affected(watcher)) == (["three"], [])
    touched(path, text + "\n")
    assert affected(watcher) == ["three"]


def test_folders_of_others_are_not_looked_into(three: Path) -> None:
    for folder in (".venv", "node_modules", "site-packages"):
        (three / folder).mkdir()
        (three / folder / "their.py").write_text("", encoding="utf-8")
    assert not [file for file in Watcher([three], root=three).files if file.name == "their.py"]


def test_a_changed_file_is_replayed_again_until_the_watch_is_interrupted(small: WriteScenario, tmp_path: Path) -> None:
    path = small()
    command = [sys.executable, "-u", "-c", COMMAND, "replay", "--watch", "--quiet"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        try:
            assert "all green" in until(process, "by the backend's own count")
            until(process, "watching 2 files")
            touched(path, path.read_text(encoding="utf-8").replace("model_calls: 1", "model_calls: 2"))
            until(process, "changed: a_small_one.scenario.yaml")
            assert ": 1 red;" in until(process, "by the backend's own count")
            until(process, "waiting for the next change")
            process.send_signal(signal.SIGINT)
            until(process, "stopped")
            assert process.wait() == 1
        finally:
            process.kill()


def until(process: subprocess.Popen[str], part: str) -> str:
    """The next line with this part in it."""
    assert process.stdout is not None
    seen: list[str] = []
    for line in iter(process.stdout.readline, ""):
        seen.append(line)
        if part in line:
            return line
    raise AssertionError(f"the process ended without {part!r}: {seen}")
