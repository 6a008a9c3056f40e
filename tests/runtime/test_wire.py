"""The events of the wire, and the kind of a status."""

from __future__ import annotations

import pytest

from marg_runtime.wire import WireEvent, WireLog, kind_of_status

KINDS = {
    400: "request",
    401: "auth",
    402: "quota",
    403: "auth",
    404: "request",
    405: "protocol",
    408: "timeout",
    413: "protocol",
    422: "request",
    429: "rate_limit",
    500: "overload",
    502: "overload",
    503: "overload",
    529: "overload",
}


@pytest.mark.parametrize(("status", "kind"), KINDS.items())
def test_a_status_has_its_kind(status: int, kind: str) -> None:
    assert kind_of_status(status) == kind


def event(phase: str) -> WireEvent:
    return WireEvent(side="tool", phase=phase, exchange="s-1", peer="s", what="add")  # type: ignore[arg-type]


def test_a_log_keeps_every_event_in_order() -> None:
    log = WireLog()
    for phase in ("sent", "noise", "broken"):
        log(event(phase))
    assert [one.phase for one in log.events] == ["sent", "noise", "broken"]


def test_a_log_tells_the_exchanges_that_broke() -> None:
    log = WireLog()
    log(event("answered"))
    log(event("broken"))
    assert log.broken() == [event("broken")]
