"""Faults: what the endpoint does wrong on purpose, and when. Drawn by seed, so that a run can be had again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from marg_mock_model.chance import chance
from marg_mock_model.endpoint.wire import ApiName

FaultKind = Literal[
    "rate_limit",
    "server_error",
    "unavailable",
    "overloaded",
    "unauthorized",
    "html",
    "cut_json",
    "empty",
    "cut",
    "truncated",
    "duplicate_delta",
    "reordered_delta",
    "error_event",
    "stall",
    "slow",
    "drop",
    "refuse",
]

STATUS: dict[FaultKind, int] = {
    "rate_limit": 429,
    "server_error": 500,
    "unavailable": 503,
    "overloaded": 529,
    "unauthorized": 401,
}
"""The faults that are nothing but a status with the API's own error body."""

BY_STATUS = {str(status): kind for kind, status in STATUS.items()}
"""The same faults by what their status is written as."""

STREAM_ONLY: frozenset[FaultKind] = frozenset({"duplicate_delta", "reordered_delta", "error_event"})
"""The faults that a reply in one piece cannot have; a request for one passes them by."""

LEAST_PIECES: Mapping[FaultKind, int] = {"duplicate_delta": 1, "reordered_delta": 2}
"""How many pieces must follow one another for a fault; a reply that has fewer passes it by, too."""

DEFAULT_AFTER = 2
"""Events of a stream that go out before it breaks."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One fault and its schedule: the numbers of the requests that meet it, or the share of them.

    Requests count from 1: in their own conversation where the client names it, else over the endpoint. With neither
    `at` nor `rate` every request meets it. `after` counts the events of a stream that go out first; `seconds` is how
    long a stall or a refusal lasts, None for as long as the client and the endpoint do, and how long a
    slow reply pauses.
    """

    kind: FaultKind
    at: tuple[int, ...] = ()
    rate: float | None = None
    api: ApiName | None = None
    stream: bool | None = None
    conversation: str | None = None
    after: int = DEFAULT_AFTER
    retry_after: int | float | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True, kw_only=True)
class Faults:
    """A schedule of faults; where several fit a request, the first is played."""

    faults: tuple[Fault, ...] = ()
    seed: int = 0

    def at(self, number: int, *, conversation: str, api: ApiName, stream: bool) -> Fault | None:
        """The fault of a request, or None."""
        for index, fault in enumerate(self.faults):
            if fault.kind == "refuse" or not _concerns(fault, conversation=conversation, api=api, stream=stream):
                continue
            if fault.at and number not in fault.at:
                continue
            if fault.rate is not None and chance(self.seed, index, conversation, number) >= fault.rate:
                continue
            return fault
        return None

    def refusal_at(self, number: int) -> Fault | None:
        """The refusal that the request of this number meets, over the whole endpoint: it is never heard of."""
        refusals: Iterable[Fault] = (fault for fault in self.faults if fault.kind == "refuse")
        return next((fault for fault in refusals if not fault.at or number in fault.at), None)


def _concerns(fault: Fault, *, conversation: str, api: ApiName, stream: bool) -> bool:
    if fault.kind in STREAM_ONLY and not stream:
        return False
    wanted = (fault.api or api, stream if fault.stream is None else fault.stream, fault.conversation or conversation)
    return wanted == (api, stream, conversation)
