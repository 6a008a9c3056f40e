"""The base: the merge base of a revision; where a shallow clone hides it, the command that fetches it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from marg_harness.base import base_of
from marg_harness.evidence.git import commit_of, git
from marg_runtime.errors import UsageError


def commit(root: Path, message: str) -> str:
    name = ["-c", "user.name=t", "-c", "user.email=t@example.test"]
    git(root, *name, "commit", "--quiet", "--allow-empty", "-m", message)
    return commit_of(root)


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose branch `change` left `trunk` two commits ago."""
    root = tmp_path_factory.mktemp("origin")
    git(root, "init", "--quiet", "--initial-branch=trunk")
    commit(root, "one")
    git(root, "checkout", "--quiet", "-b", "change")
    commit(root, "two")
    commit(root, "three")
    git(root, "checkout", "--quiet", "trunk")
    commit(root, "later")
    return root


@pytest.fixture
def shallow(origin: Path, tmp_path: Path) -> Path:
    clone = tmp_path / "a clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", "--branch=change", origin.as_uri(), str(clone))
    return clone


def test_no_revision_asks_for_no_base(origin: Path) -> None:
    assert base_of(origin, [], run="r").commit is None


def test_the_base_is_where_the_head_left_the_revision(origin: Path) -> None:
    assert base_of(origin, ["change"], run="r").commit == commit_of(origin, "change~2")


def test_a_revision_that_there_is_not_is_refused(origin: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        base_of(origin, ["nowhere"], run="r")


def test_a_report_is_no_revision(origin: Path, tmp_path: Path) -> None:
    report = tmp_path / "base.xml"
    report.write_text("<testsuite/>")
    with pytest.raises(UsageError, match="is a file, and 'r' a run of Marg's"):
        base_of(origin, [str(report)], run="r")


def test_several_revisions_are_refused(origin: Path) -> None:
    with pytest.raises(UsageError, match="--base is given 2 times"):
        base_of(origin, ["change", "trunk"], run="r")


def test_a_shallow_clone_has_no_base_and_the_command_that_fetches_it_gives_it(origin: Path, shallow: Path) -> None:
    found = base_of(shallow, ["origin/trunk"], run="a run.jsonl")
    fetch, triage = found.command.split(" && ")
    assert (found.commit, triage) == (None, "marg triage 'a run.jsonl' --base origin/trunk")
    assert "shallow clone" in found.reason
    subprocess.run(["bash", "-c", fetch], cwd=shallow, check=True, capture_output=True)
    assert base_of(shallow, ["origin/trunk"], run="r").commit == commit_of(origin, "change~2")


def test_a_revision_that_is_there_without_the_history_between_is_the_same_case(origin: Path, shallow: Path) -> None:
    git(shallow, "fetch", "--quiet", "--depth=1", "origin", "+refs/heads/trunk:refs/remotes/origin/trunk")
    found = base_of(shallow, ["origin/trunk"], run="r")
    assert found.commit is None
    assert found.command.startswith("git fetch --unshallow origin ")
