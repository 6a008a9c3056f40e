"""What every test folder shares: where the public corpora are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def corpora_folder() -> Path:
    """Give the folder of the public corpora, from MARG_CORPORA; skip without it, or fail where MARG_REQUIRE is 1."""
    folder = Path(os.environ.get("MARG_CORPORA") or REPOSITORY / "../shared/corpora").resolve()
    if not (folder / "sgd.jsonl.gz").is_file():
        message = "the public corpora are not here; set MARG_CORPORA to the folder that holds sgd.jsonl.gz"
        if os.environ.get("MARG_REQUIRE") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return folder


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test a terminal of 200 columns: readline tells the children of a test run that it has 80."""
    monkeypatch.setenv("COLUMNS", "200")
