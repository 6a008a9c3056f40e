"""What a kept cell is known by beside its workspace: what is installed, and Marg."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from marg_harness.evidence import installed as module
from marg_harness.evidence.installed import MARG, installed, packages, tree
from marg_harness.evidence.run import CellRunSpec
from marg_harness.evidence.workspace import Workspace


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Nothing that another test found installed."""
    installed.cache_clear()
    yield
    installed.cache_clear()


def _key(folder: Path) -> str:
    installed.cache_clear()  # as in another process
    workspace = Workspace(root=folder, repository=folder, commit="c" * 40, key="k")
    return CellRunSpec(workspace=workspace, files=("a.scenario.yaml",)).key


def test_a_cell_is_another_one_once_a_package_has_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "openai-3.0.0.dist-info").mkdir()
    before, again = _key(tmp_path), _key(tmp_path)
    (tmp_path / "openai-3.0.0.dist-info").rename(tmp_path / "openai-3.0.1.dist-info")
    assert (again == before, _key(tmp_path) == before) == (True, False)


def test_a_cell_is_another_one_once_marg_itself_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marg, repository = tmp_path / "marg", tmp_path / "repository"
    marg.mkdir()
    (marg / "gate.py").write_text("OPEN = False\n")
    monkeypatch.setattr(module, "package_folder", lambda name: marg)
    before = _key(repository)
    (marg / "gate.py").write_text("OPEN = True\n")
    assert _key(repository) != before


def test_marg_counts_once_where_it_lies_in_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gate.py").write_text("OPEN = False\n")
    monkeypatch.setattr(module, "package_folder", lambda name: tmp_path)
    before = _key(tmp_path)
    (tmp_path / "gate.py").write_text("OPEN = True\n")
    assert _key(tmp_path) == before


def test_the_same_package_in_two_folders_of_the_path_is_one(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder / "mcp-2.0.0.dist-info").mkdir(parents=True)
    assert packages([str(tmp_path / "b"), str(tmp_path / "a")]) == ["mcp-2.0.0.dist-info"]


def test_what_python_compiled_is_no_content(tmp_path: Path) -> None:
    before = tree(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "gate.cpython-311.pyc").write_bytes(b"1")
    assert tree(tmp_path) == before


def test_a_file_of_another_name_is_another_tree(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1\n")
    before = tree(tmp_path)
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert tree(tmp_path) != before


@pytest.mark.parametrize("name", MARG)
def test_every_package_that_replays_is_found(name: str) -> None:
    assert (module.package_folder(name) / "__init__.py").is_file()
