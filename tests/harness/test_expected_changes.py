"""What a change says that it means: by options, and in the messages of its commits."""

from __future__ import annotations

from pathlib import Path

import pytest

from marg_harness.edited_checks import edited_since
from marg_harness.evidence.git import commit_of, git
from marg_harness.expected_changes import expected_of, said_in_commits
from marg_runtime.errors import UsageError

REDS = ("a.yaml::one::t1::draft", "a.yaml::one::t2::draft", "b.yaml::two::t1::block")


def commit(root: Path, message: str) -> str:
    git(root, "add", "--all")
    name = ["-c", "user.name=t", "-c", "user.email=t@example.test"]
    git(root, *name, "commit", "--quiet", "--allow-empty", "-m", message)
    return commit_of(root)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    git(root, "init", "--quiet")
    (root / "kept.yaml").write_text("1\n")
    (root / "edited.yaml").write_text("1\n")
    commit(root, "base\n\nexpect-change: of before")
    git(root, "tag", "base")
    (root / "edited.yaml").write_text("2\n")
    commit(root, "Say more\n\nExpect-Change: b.yaml::two\nexpect-change:   t2::draft  \nnot expect-change: no\n")
    (root / "fresh file.yaml").write_text("1\n")
    commit(root, "expect-change: t2::draft")
    (root / "untracked.yaml").write_text("1\n")
    return root


def test_the_commits_since_the_base_are_read_and_no_others(repository: Path) -> None:
    assert said_in_commits(repository, base="base") == ("t2::draft", "b.yaml::two")


def test_without_a_base_the_heads_own_message_is_read(repository: Path) -> None:
    assert said_in_commits(repository, base=None) == ("t2::draft",)


def test_a_check_is_named_by_a_part_of_its_id_that_is_no_other_reds() -> None:
    assert expected_of(["two"], ["t2::draft"], reds=REDS).ids == (REDS[2], REDS[1])


def test_a_whole_id_is_its_own_red_even_where_it_is_a_part_of_another() -> None:
    assert expected_of(["a::x"], (), reds=["a::x", "a::x2"]).ids == ("a::x",)


@pytest.mark.parametrize(("said", "problem"), [("zzz", "is no red of the run; there are a.yaml"), ("draft", "2 reds")])
def test_an_option_that_names_no_red_or_several_is_refused(said: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        expected_of([said], (), reds=REDS)


def test_a_commit_that_names_no_red_is_noted_and_refuses_nothing() -> None:
    found = expected_of((), ["zzz", "two"], reds=REDS)
    assert (found.ids, len(found.notes)) == ((REDS[2],), 1)
    assert found.notes[0].startswith("in a commit: expect-change 'zzz' is no red of the run")


def test_what_differs_from_the_base_is_edited_whether_git_knows_it_or_not(repository: Path) -> None:
    names = {file.name for file in edited_since(repository, "base")}
    assert names == {"edited.yaml", "fresh file.yaml", "untracked.yaml"}
