"""Schedules of faults: what they say, when each fault comes, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_mock_model.chance import chance
from marg_mock_model.endpoint import Fault, Faults, load_faults, parse_faults
from marg_mock_model.endpoint.fault import STREAM_ONLY, FaultKind
from marg_runtime.errors import UsageError


def kinds(faults: Faults, numbers: range = range(1, 6), **asked: Any) -> list[str | None]:
    """The faults of some requests."""
    about: dict[str, Any] = {"conversation": "", "api": "openai_chat", "stream": False, **asked}
    found = (faults.at(number, **about) for number in numbers)
    return [None if fault is None else fault.kind for fault in found]


def test_a_fault_comes_at_its_numbers() -> None:
    assert kinds(parse_faults("rate_limit@2,4-5")) == [None, "rate_limit", None, "rate_limit", "rate_limit"]


def test_a_fault_without_a_schedule_comes_every_time() -> None:
    assert kinds(parse_faults("drop")) == ["drop"] * 5


def test_the_first_fault_that_fits_is_played() -> None:
    assert kinds(parse_faults("drop@2; html@2,3")) == [None, "drop", "html", None, None]


def test_a_fault_may_be_named_by_its_status() -> None:
    assert [fault.kind for fault in parse_faults("429; 500; 503; 529; 401").faults] == [
        "rate_limit",
        "server_error",
        "unavailable",
        "overloaded",
        "unauthorized",
    ]


@pytest.mark.parametrize(("asked", "expected"), [({"api": "anthropic_messages"}, None), ({}, "html")])
def test_a_fault_of_one_api_leaves_the_others_alone(asked: dict[str, str], expected: str | None) -> None:
    assert kinds(parse_faults("html:api=openai_chat"), range(1, 2), **asked) == [expected]


@pytest.mark.parametrize(("name", "expected"), [("a", "html"), ("b", None)])
def test_a_fault_of_one_conversation_leaves_the_others_alone(name: str, expected: str | None) -> None:
    assert kinds(parse_faults("html:conversation=a"), range(1, 2), conversation=name) == [expected]


@pytest.mark.parametrize("kind", sorted(STREAM_ONLY))
def test_a_fault_of_streams_passes_other_replies_by(kind: FaultKind) -> None:
    faults = Faults(faults=(Fault(kind=kind),))
    assert (kinds(faults, range(1, 2)), kinds(faults, range(1, 2), stream=True)) == ([None], [kind])


def test_a_rate_is_the_same_on_every_run() -> None:
    assert kinds(parse_faults("drop%0.5", seed=7), range(1, 9)) == kinds(parse_faults("drop%0.5", seed=7), range(1, 9))


def test_a_rate_is_met_over_many_requests() -> None:
    hits = sum(kind is not None for kind in kinds(parse_faults("drop%0.3", seed=1), range(1, 2001)))
    assert 540 < hits < 660


def test_another_seed_draws_otherwise() -> None:
    draws = [kinds(parse_faults("drop%0.5", seed=seed), range(1, 33)) for seed in (1, 2)]
    assert draws[0] != draws[1]


def test_conversations_are_drawn_apart() -> None:
    draws = [kinds(parse_faults("drop%0.5"), range(1, 33), conversation=name) for name in ("a", "b")]
    assert draws[0] != draws[1]


@pytest.mark.parametrize(("written", "expected"), [("1", "1"), ("0.5", "0.5"), ("2.0", "2.0")])
def test_a_retry_after_stays_as_it_was_written(written: str, expected: str) -> None:
    (fault,) = parse_faults(f"rate_limit:retry_after={written}").faults
    assert str(fault.retry_after) == expected


def test_a_file_says_the_same_as_a_line(tmp_path: Path) -> None:
    path = tmp_path / "faults.yaml"
    path.write_text("faults:\n- {fault: cut, at: [1, 3], after: 4}\n- {fault: html, rate: 0.2}\n", encoding="utf-8")
    assert load_faults(path) == load_faults(str(path)) == parse_faults("cut@1,3:after=4; html%0.2")


def test_an_empty_line_has_no_faults() -> None:
    assert parse_faults(" ").faults == ()


@pytest.mark.parametrize("kind", get_args(FaultKind))
def test_every_kind_of_fault_can_be_written(kind: FaultKind) -> None:
    assert [fault.kind for fault in parse_faults(kind).faults] == [kind]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rate_limits", "did you mean 'rate_limit'?"),
        ("cut@", "'cut@' in 'cut@' is not KIND"),
        ("cut@2-", "'2-' in the fault 'cut@2-' is no request's number"),
        ("cut@0", "this entry is '0'"),
        ("cut@5-2", "the range '5-2' in the fault 'cut@5-2' runs backwards"),
        ("cut%2", "'rate' is '2'"),
        ("cut:afterwards=2", "unknown key 'afterwards'"),
        ("refuse%0.5", "a refused connection is never heard of"),
        ("rate_limit:retry_after=soon", "'retry_after'"),
    ],
)
def test_what_is_no_schedule_is_refused(line: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_faults(line)
    assert message in str(caught.value)


@given(st.lists(st.text() | st.integers(), max_size=4))
def test_a_chance_is_a_share(names: list[str | int]) -> None:
    assert 0 <= chance(*names) < 1


def test_a_chance_is_the_same_everywhere() -> None:
    assert (round(chance(1, "a"), 6), round(chance("1", "a"), 6)) == (0.564821, 0.076239)
