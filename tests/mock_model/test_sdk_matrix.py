"""The official SDKs against the endpoint: every row of the matrix, and the table of the documentation."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("openai")
pytest.importorskip("anthropic")
pytest.importorskip("uvicorn")

from benchmarks.sdk_matrix import run, table
from benchmarks.sdk_rows import APIS, CLIENTS, Row, rows

DOCUMENT = Path(__file__).parents[2] / "docs" / "mock_model.md"
ROWS = rows()


def test_the_matrix_has_sixty_rows_at_least() -> None:
    assert len(set(ROWS)) == len(ROWS) >= 60


def test_every_api_and_client_is_in_the_matrix() -> None:
    assert {(row.api, row.client) for row in ROWS} == {(api, client) for api in APIS for client in CLIENTS}


@pytest.mark.parametrize("client", CLIENTS)
def test_the_sdks_see_what_the_matrix_says(client: str) -> None:
    outcomes = asyncio.run(run([row for row in ROWS if row.client == client]))
    assert [(one.row.name, one.saw, one.requests) for one in outcomes if one.is_wrong] == []


def test_a_row_that_says_otherwise_is_wrong() -> None:
    row = Row(
        api="openai_chat",
        client="async",
        stream=False,
        tool=False,
        fault="none",
        spec="",
        retries=0,
        saw="str",
        requests=1,
    )
    (outcome,) = asyncio.run(run([row]))
    assert (outcome.is_wrong, outcome.saw) == (True, "whole")


def test_the_documentation_has_the_table() -> None:
    assert table(ROWS) in DOCUMENT.read_text(encoding="utf-8")
