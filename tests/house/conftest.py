"""What the house tests look at: the six packages as syntax trees, and the files that git tracks."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE_ROOTS = ("runtime", "mock_model", "corpora", "reports", "scenarios", "harness")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def sources() -> Mapping[str, str]:
    """The text of every module of the six packages by its path from the root, in the order of the paths."""
    paths = sorted(path for name in SOURCE_ROOTS for path in (ROOT / name / f"marg_{name}").rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture(scope="session")
def trees(sources: Mapping[str, str]) -> Mapping[str, ast.Module]:
    """The syntax tree of every module, by the same paths."""
    return {path: ast.parse(text) for path, text in sources.items()}


@pytest.fixture(scope="session")
def tracked() -> Mapping[str, str]:
    """The text of every file that git tracks, by its path from the root; files that are not UTF-8 text are left out."""
    # The checkout may belong to another user (a container's mount); only listing is asked for.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    texts = {}
    for name in listing.split("\0"):
        if name and (ROOT / name).is_file():
            try:
                texts[name] = (ROOT / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
    return texts
