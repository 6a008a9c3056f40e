"""How many processes `marg score` takes on its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from marg_harness.cli.count_files import BYTES_WORTH_A_PROCESS, suitable_jobs


@pytest.fixture
def four_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/marg", "score"])
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3}, raising=False)


def of_size(tmp_path: Path, octets: int) -> tuple[Path, ...]:
    path = tmp_path / "own.jsonl"
    with path.open("wb") as file:
        file.truncate(octets)
    return (path,)


@pytest.mark.usefixtures("four_processors")
@pytest.mark.parametrize(("worth", "jobs"), [(0, 1), (1, 1), (3, 3), (100, 4)])
def test_there_is_a_process_for_each_processor_as_far_as_the_corpus_is_worth_it(
    tmp_path: Path, worth: int, jobs: int
) -> None:
    assert suitable_jobs(of_size(tmp_path, worth * BYTES_WORTH_A_PROCESS)) == jobs


@pytest.mark.usefixtures("four_processors")
def test_another_program_that_calls_the_command_gets_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["own_script.py"])
    assert suitable_jobs(of_size(tmp_path, 100 * BYTES_WORTH_A_PROCESS)) == 1
