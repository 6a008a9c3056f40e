"""The verdict on a client, from journals that are written here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from marg_mock_model import parse_machine
from marg_mock_model.endpoint import Exchange, Verdict, judge

MACHINE = parse_machine(
    "machine: m\nstart: a\nstates: {a: {transitions: [{when: {}, reply: One two three., to: a}]}}", path="m.yaml"
)
HELLO = [{"role": "user", "content": "hello"}]


def exchange(number: int, at: float, *, messages: list[Any] = HELLO, **fields: Any) -> Exchange:
    """An exchange of a chat that took a tenth of a second."""
    defaults: dict[str, Any] = {"ended": at + 0.1, "status": 200, "outcome": "answered", "api": "openai_chat"}
    return Exchange(
        number=number,
        at=at,
        method="POST",
        path="/v1/chat/completions",
        headers=(),
        body=json.dumps({"model": "m", "messages": messages}).encode(),
        **{**defaults, **fields},
    )


def verdict(*exchanges: Exchange) -> Verdict:
    return judge(exchanges, machine=MACHINE)


def found(*exchanges: Exchange) -> list[tuple[str, tuple[int, ...]]]:
    return [(finding.kind, finding.exchanges) for finding in verdict(*exchanges).findings]


LIMITED: dict[str, Any] = {"status": 429, "fault": "rate_limit"}
CUT: dict[str, Any] = {
    "stream": True,
    "outcome": "truncated",
    "fault": "truncated",
    "sent": "One two three.",
    "went": "One two",
}


def test_a_client_that_waits_as_it_was_told_is_not_found() -> None:
    assert found(exchange(1, 0, retry_after=1, **LIMITED), exchange(2, 1.1)) == []


@pytest.mark.parametrize("retry_after", [1, 0.5])
def test_a_client_that_comes_before_its_time_ignored_it(retry_after: float) -> None:
    early = found(exchange(1, 0, retry_after=retry_after, **LIMITED), exchange(2, 0.3))
    assert early == [("retry_after_ignored", (1, 2))]


def test_a_client_that_comes_again_at_once_has_no_back_off() -> None:
    assert found(exchange(1, 0, status=503), exchange(2, 0.15)) == [("no_back_off", (1, 2))]


def test_a_client_that_backs_off_is_not_found() -> None:
    assert found(exchange(1, 0, status=503), exchange(2, 0.6)) == []


def test_another_request_is_no_retry() -> None:
    assert found(exchange(1, 0, status=503), exchange(2, 0.15, messages=[*HELLO, *HELLO])) == []


@pytest.mark.parametrize(("tries", "expected"), [(5, []), (6, ["retry_storm"])])
def test_more_than_five_tries_in_vain_are_a_storm(tries: int, expected: list[str]) -> None:
    failed = [exchange(number, number * 2.0, status=500) for number in range(1, tries + 1)]
    assert [kind for kind, _ in found(*failed)] == expected


def test_a_dropped_connection_is_a_failure() -> None:
    assert found(exchange(1, 0, status=0, outcome="dropped"), exchange(2, 0.15)) == [("no_back_off", (1, 2))]


def going_on(text: str) -> list[Any]:
    return [*HELLO, {"role": "assistant", "content": text}, {"role": "user", "content": "go on"}]


def test_a_client_that_goes_on_from_a_part_took_it_for_the_whole() -> None:
    accepted = found(exchange(1, 0, **CUT), exchange(2, 9, messages=going_on("One two")))
    assert accepted == [("truncated_accepted", (1, 2))]


def test_a_client_that_goes_on_with_less_than_it_got_knew_of_the_break() -> None:
    assert found(exchange(1, 0, **CUT), exchange(2, 9, messages=going_on("One"))) == []


def test_a_client_that_asked_again_and_got_the_whole_is_not_found() -> None:
    history = going_on("One two")
    assert found(exchange(1, 0, **CUT), exchange(2, 5), exchange(3, 9, messages=history)) == []


def test_a_client_that_asked_again_in_one_piece_goes_on_from_that() -> None:
    calls = [{"id": "call_1", "type": "function", "function": {"name": "search", "arguments": "{}"}}]
    called = [*HELLO, {"role": "assistant", "content": None, "tool_calls": calls}]
    result = {"role": "tool", "tool_call_id": "call_1", "content": "found"}
    again = exchange(2, 1)
    again.body = json.dumps({"model": "m", "stream": False, "messages": HELLO}).encode()
    later = exchange(3, 2, messages=[*called, result])
    assert found(exchange(1, 0, **CUT), later) == [("truncated_accepted", (1, 3))]
    assert found(exchange(1, 0, **CUT), again, later) == []


def test_a_client_that_goes_on_from_the_id_of_a_part_took_it_for_the_whole() -> None:
    broken = exchange(1, 0, **{**CUT, "reply": "resp_1"})
    later = exchange(2, 9)
    later.body = json.dumps({"model": "m", "input": "go on", "previous_response_id": "resp_1"}).encode()
    assert found(broken, later) == [("truncated_accepted", (1, 2))]


def test_a_verdict_counts_its_occasions() -> None:
    one = verdict(exchange(1, 0, retry_after=1, **LIMITED), exchange(2, 1.2), exchange(3, 5, **CUT))
    assert (one.requests, one.faults, dict(one.judged)) == (
        3,
        2,
        {"retry_after_ignored": 1, "no_back_off": 0, "retry_storm": 2, "truncated_accepted": 1},
    )


def test_no_finding_on_no_occasion_is_no_pass() -> None:
    assert (verdict(exchange(1, 0)).passed, verdict(exchange(1, 0, status=503), exchange(2, 1)).passed) == (False, True)
