"""Workspaces: each has the code of one side and the checks of a side, and the repository stays as it was."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from marg_harness.evidence import head_workspace, mixed_workspace
from marg_harness.evidence.git import commit_of, git, merge_base
from marg_harness.evidence.workspace import checks_among, is_check
from marg_runtime.errors import UsageError
from marg_scenarios.scenario import FIXTURES_SUFFIX, SCENARIO_SUFFIX


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose base and head differ in code and in a check."""
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    write(root, code="base", check="base")
    (root / "old.scenario.yaml").write_text("only on the base\n")
    commit(root, "base")
    git(root, "branch", "trunk")
    write(root, code="head", check="head")
    (root / "old.scenario.yaml").unlink()
    commit(root, "head")
    return root


def write(root: Path, *, code: str, check: str) -> None:
    (root / "agent").mkdir(exist_ok=True)
    (root / "agent" / "side.py").write_text(f"SIDE = {code!r}\n")
    (root / "a.scenario.yaml").write_text(f"{check}\n")


def commit(root: Path, message: str) -> None:
    git(root, "add", "--all")
    git(root, "-c", "user.name=t", "-c", "user.email=t@example.test", "commit", "--quiet", "-m", message)


def sides(root: Path) -> tuple[str, str]:
    return (root / "agent" / "side.py").read_text().split("'")[1], (root / "a.scenario.yaml").read_text().strip()


@pytest.mark.parametrize("code", ["head", "base"])
@pytest.mark.parametrize("checks", ["head", "base"])
def test_a_workspace_has_the_code_and_the_checks_that_were_asked_for(
    repository: Path, tmp_path: Path, code: str, checks: str
) -> None:
    base = commit_of(repository, "trunk")
    made = mixed_workspace(repository, base=base, code=code, checks=checks, cache=tmp_path / "cache")
    assert sides(made.root) == (code, checks)


def test_a_check_that_only_the_other_side_has_is_not_left_behind(repository: Path, tmp_path: Path) -> None:
    base = commit_of(repository, "trunk")
    made = mixed_workspace(repository, base=base, code="base", checks="head", cache=tmp_path / "cache")
    assert not (made.root / "old.scenario.yaml").exists()


def test_the_repository_is_left_as_it_was(repository: Path, tmp_path: Path) -> None:
    before = (git(repository, "status", "--porcelain"), git(repository, "worktree", "list"))
    base = commit_of(repository, "trunk")
    mixed_workspace(repository, base=base, code="base", checks="head", cache=tmp_path / "cache")
    assert (git(repository, "status", "--porcelain"), git(repository, "worktree", "list")) == before


def test_a_change_that_is_not_committed_makes_another_workspace(repository: Path, tmp_path: Path) -> None:
    base = commit_of(repository, "trunk")
    first = mixed_workspace(repository, base=base, code="head", checks="base", cache=tmp_path / "cache")
    (repository / "agent" / "side.py").write_text("SIDE = 'edited'\n")
    second = mixed_workspace(repository, base=base, code="head", checks="base", cache=tmp_path / "cache")
    assert sides(second.root) == ("edited", "base")
    assert first.key != second.key


def test_what_was_imported_from_the_repository_is_imported_from_the_workspace(repository: Path, tmp_path: Path) -> None:
    base = commit_of(repository, "trunk")
    made = mixed_workspace(repository, base=base, code="base", checks="base", cache=tmp_path / "cache")
    environ = made.environment(path=[str(repository / "agent"), "/usr/lib/python3"])
    code = "import side; print(side.SIDE)"
    said = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True).stdout
    assert said == "base\n"
    assert "/usr/lib/python3" not in environ["PYTHONPATH"]


def test_the_head_is_the_working_tree_itself(repository: Path) -> None:
    assert head_workspace(repository).root == repository


def test_the_merge_base_is_where_the_head_left_the_base(repository: Path) -> None:
    expected = commit_of(repository, "trunk")
    git(repository, "checkout", "--quiet", "trunk")
    (repository / "later.txt").write_text("later\n")
    commit(repository, "later")
    git(repository, "checkout", "--quiet", "main")
    assert merge_base(repository, "trunk") == expected


def test_no_merge_base_is_said_with_the_base_that_was_asked_for(repository: Path) -> None:
    with pytest.raises(UsageError, match="no merge base of HEAD and 'nowhere'"):
        merge_base(repository, "nowhere")


@pytest.mark.parametrize("suffix", [SCENARIO_SUFFIX, FIXTURES_SUFFIX, ".machine.yaml"])
def test_scenarios_fixtures_and_machines_are_checks(suffix: str) -> None:
    assert is_check(f"below/name{suffix}")
    assert not is_check("below/name.yaml")


def test_what_judges_beside_a_kit_belongs_to_the_checks_and_nothing_of_that_name_elsewhere() -> None:
    paths = ["desk/kit.py", "desk/checks.py", "desk/domain.py", "app/checks.py", "desk/a.scenario.yaml"]
    assert checks_among(paths) == {"desk/checks.py", "desk/a.scenario.yaml"}


def test_where_only_the_code_was_changed_the_other_checks_are_no_other_workspace(
    repository: Path, tmp_path: Path
) -> None:
    base = commit_of(repository, "trunk")
    git(repository, "checkout", "--quiet", "trunk", "--", "a.scenario.yaml", "old.scenario.yaml")
    mixed = mixed_workspace(repository, base=base, code="head", checks="base", cache=tmp_path / "cache")
    assert (mixed.root, mixed.key) == (repository, head_workspace(repository).key)
