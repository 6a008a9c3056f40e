"""How long is waited before a call is tried again, and what a provider asks for."""

from __future__ import annotations

import time
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_runtime.errors import UsageError
from marg_runtime.models.retry import Retries, Timeout, may_retry, retry_after
from marg_runtime.wire import WireKind

NOON = 1_767_268_800.0  # Thu, 01 Jan 2026 12:00:00 GMT


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.75"}, 0.75),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 -0000"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 13:00:30 +0100"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
    ],
)
def test_a_provider_asks_in_milliseconds_seconds_or_by_a_date(headers: dict[str, str], seconds: float) -> None:
    assert retry_after(headers, now=NOON) == seconds


@pytest.mark.parametrize("text", ["", "soon", "-1", "inf", "nan", "1e999", "Thu, 99 Foo 2026", "0x10"])
def test_what_cannot_be_read_asks_for_nothing(text: str) -> None:
    assert retry_after({"retry-after": text}, now=NOON) is None


@given(st.text())
def test_no_header_is_a_crash_or_a_wait_without_end(text: str) -> None:
    seconds = retry_after({"retry-after": text, "retry-after-ms": text}, now=NOON)
    assert seconds is None or 0 <= seconds < inf


def test_a_date_means_the_same_in_every_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []
    for zone in ("UTC", "Asia/Kolkata", "America/New_York"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        heard.append(retry_after({"retry-after": "Thu, 01 Jan 2026 12:00:30 -0000"}, now=NOON))
    monkeypatch.undo()
    time.tzset()
    assert heard == [30.0, 30.0, 30.0]


@given(st.integers(1, 10_000), st.floats(0, 1, exclude_max=True))
def test_a_wait_is_at_most_the_longest_and_at_least_half_of_it_all(attempt: int, spread: float) -> None:
    retries = Retries(most=10_000, first=0.5, longest=8)
    wait = retries.wait(attempt, asked=None, spread=spread)
    full = retries.wait(attempt, asked=None, spread=0.0)
    assert wait is not None
    assert full is not None
    assert full / 2 <= wait <= full <= 8


def test_the_waits_double_up_to_the_longest() -> None:
    retries = Retries(most=6, first=0.5, longest=3)
    assert [retries.wait(n, asked=None, spread=0.0) for n in range(1, 7)] == [0.5, 1.0, 2.0, 3.0, 3.0, 3.0]


def test_after_the_last_try_there_is_no_wait() -> None:
    assert [Retries(most=2).wait(n, asked=None, spread=0.0) is None for n in (1, 2, 3)] == [False, False, True]


def test_what_is_asked_for_is_given_up_to_the_patience_and_never_less() -> None:
    retries = Retries(most=1, patience=30)
    assert [retries.wait(1, asked=asked, spread=0.9) for asked in (0.0, 30.0, 30.5)] == [0.0, 30.0, None]


@pytest.mark.parametrize("value", [-1, nan, inf])
def test_waits_that_are_no_number_of_seconds_are_refused(value: float) -> None:
    with pytest.raises(UsageError, match="patience is a number from 0"):
        Retries(patience=value)


@pytest.mark.parametrize("value", [0, -1, nan, inf])
def test_a_timeout_that_is_no_number_of_seconds_is_refused(value: float) -> None:
    with pytest.raises(UsageError, match="read is more than 0 seconds"):
        Timeout(read=value)


@pytest.mark.parametrize("kind", ["auth", "quota", "protocol", "proxy_body", "request", "timeout"])
def test_what_does_not_pass_by_itself_is_not_tried_again(kind: WireKind) -> None:
    assert not may_retry(kind, status=None, unsent=False)


@pytest.mark.parametrize(("status", "unsent"), [(None, True), (504, False), (408, False)])
def test_a_timeout_is_tried_again_where_no_long_silence_was_waited_for(status: int | None, unsent: bool) -> None:
    assert may_retry("timeout", status=status, unsent=unsent)
