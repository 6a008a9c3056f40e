"""The load generator of the benchmarks: it counts whole answers, and takes nothing for one that is none."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from marg_mock_model import parse_machine
from marg_mock_model.endpoint import serve

pytest.importorskip("uvicorn")
pytest.importorskip("starlette")

from benchmarks.endpoint import body
from benchmarks.endpoint_servers import MACHINE
from benchmarks.http_load import LoadError, answers_per_second


async def asked(*, stream: bool, faults: str = "") -> tuple[float, int]:
    """Answers a second, and how many exchanges the endpoint saw."""
    async with serve(parse_machine(MACHINE, path="bench.machine.yaml"), faults=faults) as endpoint:
        options: dict[str, Any] = {"path": "/v1/chat/completions", "headers": b"", "connections": 2, "seconds": 0.05}
        rate = await answers_per_second(endpoint.listener.port, body=body(stream=stream), **options)
        return rate, sum(exchange.outcome == "answered" for exchange in endpoint.journal)


@pytest.mark.parametrize("stream", [False, True])
def test_answers_are_counted_over_connections_that_stay_open(stream: bool) -> None:
    rate, answered = asyncio.run(asked(stream=stream))
    assert rate > 0
    assert answered >= 2


def test_an_answer_that_is_not_200_is_an_error() -> None:
    with pytest.raises(LoadError, match="503"):
        asyncio.run(asked(stream=False, faults="unavailable@2"))


def test_a_connection_that_is_closed_is_an_error() -> None:
    with pytest.raises(LoadError, match="the connection was closed"):
        asyncio.run(asked(stream=False, faults="drop@2"))
