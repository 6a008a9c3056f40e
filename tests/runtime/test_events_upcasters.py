"""Lifting an event from the version in which it was written to the present one."""

from __future__ import annotations

import json

import pytest

from marg_runtime.errors import LedgerError, UnknownEvent
from marg_runtime.events.turn import LineSaid
from marg_runtime.events.upcasters import UPCASTERS, adding, unchanged, upcast
from marg_runtime.ledger import Entry, decode, encode


@pytest.fixture
def third(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release in which a line has come to its third version."""
    steps = {("LineSaid", 1): adding(tone="plain"), ("LineSaid", 2): lambda body: {"text": body["text"].upper()}}
    monkeypatch.setattr("marg_runtime.events.upcasters.UPCASTERS", {**UPCASTERS, **steps})
    monkeypatch.setattr(LineSaid, "version", 3)


def line(version: object, event: object) -> str:
    record = json.loads(encode(Entry(revision=3, turn=1, at=9, event=LineSaid(text=""))))
    return json.dumps({**record, "version": version, "event": event})


def test_C6_an_event_is_lifted_one_version_after_another(third: None) -> None:
    assert decode(line(1, {"text": "hi"})).event == LineSaid(text="HI")


def test_C6_an_event_is_lifted_from_where_it_was_written(third: None) -> None:
    assert decode(line(2, {"text": "hi", "tone": "warm"})).event == LineSaid(text="HI")


def test_C6_an_event_of_the_present_version_is_left_as_it_is(third: None) -> None:
    assert decode(line(3, {"text": "hi"})).event == LineSaid(text="hi")


@pytest.mark.parametrize("version", [0, -1, 4, True, 1.0, "1", None])
def test_C6_a_version_that_no_release_wrote_is_not_opened(third: None, version: object) -> None:
    with pytest.raises(UnknownEvent):
        decode(line(version, {"text": "hi"}))


@pytest.mark.parametrize("event", [None, [], "hi", 5])
def test_C6_a_damaged_event_of_an_earlier_version_is_a_ledger_error(third: None, event: object) -> None:
    with pytest.raises(LedgerError, match="damaged"):
        decode(line(1, event))


def test_C6_an_earlier_event_without_a_part_is_a_ledger_error(third: None) -> None:
    with pytest.raises(LedgerError, match="damaged"):
        decode(line(2, {}))


def test_C6_what_was_written_stands_before_what_is_added() -> None:
    assert adding(a=1, b=2)({"b": 3}) == {"a": 1, "b": 3}


def test_C6_no_way_leads_from_a_later_version() -> None:
    assert (upcast({}, kind="X", written=2, now=1), upcast({}, kind="X", written=1, now=2)) == (None, None)


def test_C6_a_session_that_an_earlier_release_opened_is_on_no_channel_in_order() -> None:
    lifted = upcast({"session": "s"}, kind="SessionOpened", written=1, now=2)
    assert lifted is not None
    assert lifted["in_order"] is False


def test_C6_an_unchanged_body_is_the_same_one() -> None:
    body = {"a": 1}
    assert unchanged(body) is body
