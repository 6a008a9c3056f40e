"""The ledger's lines: every event goes out and comes back, and what is not known or damaged is not opened."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marg_runtime.acts import Act, Reload
from marg_runtime.errors import LedgerError, UnknownEvent
from marg_runtime.events import EVENTS, Event
from marg_runtime.events.turn import ActQueued, LineSaid, Reloaded, UserSaid
from marg_runtime.events.write import WriteDone
from marg_runtime.ledger import Entry, decode, encode

# What a line of UTF-8 can hold: no lone surrogates.
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
INTEGERS = st.integers(-(2**53), 2**53)
LEAVES = st.none() | st.booleans() | INTEGERS | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    LEAVES | TEXT, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6
)
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    Any: JSON,
    str: TEXT,
    int: INTEGERS,
    bool: st.booleans(),
    NoneType: st.none(),
}


def of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type as the events use them; a place that holds any JSON is given any JSON."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is tuple:
        return st.lists(of(inner[0]), max_size=2).map(tuple)
    if origin is Mapping:
        return st.dictionaries(TEXT, of(inner[1]), max_size=2)
    if origin in (Union, UnionType):
        return st.one_of([of(one) for one in inner])
    assert is_dataclass(hint), f"no strategy for {hint!r}"
    hints = {name: kind for name, kind in get_type_hints(hint).items() if name in {f.name for f in fields(hint)}}
    build = cast("Callable[..., Any]", hint)
    return st.builds(build, **{name: of(kind) for name, kind in hints.items()})


OF_EVENT = {name: of(kind) for name, kind in EVENTS.items()}
HI = LineSaid(text="hi")


def line(of_event: Event = HI, /, **changes: object) -> str:
    record = json.loads(encode(Entry(revision=3, turn=1, at=9, event=of_event)))
    return json.dumps({**record, **changes})


@pytest.mark.parametrize("name", EVENTS)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_C1_an_entry_comes_back_from_its_line(name: str, data: st.DataObject) -> None:
    entry = Entry(revision=7, turn=2, at=1_700_000_000_000, event=data.draw(OF_EVENT[name]))
    assert decode(encode(entry)) == entry


@settings(max_examples=60, deadline=None)
@given(of(Act))
def test_C2_a_queued_act_comes_back_as_the_kind_it_was(act: Act) -> None:
    back = decode(encode(Entry(revision=1, turn=0, at=act.at, event=ActQueued(act=act)))).event
    assert isinstance(back, ActQueued)
    assert type(back.act) is type(act)


def test_the_line_of_an_entry_is_one_line() -> None:
    assert "\n" not in encode(Entry(revision=1, turn=0, at=0, event=LineSaid(text="a\nb\u2028c")))


def test_C1_the_same_entry_gives_the_same_line() -> None:
    one = WriteDone(key="k", receipt={"b": 1, "a": 2}, text="T", rows=(), fact="f")
    other = WriteDone(key="k", receipt={"a": 2, "b": 1}, text="T", rows=(), fact="f")
    assert encode(Entry(revision=1, turn=1, at=0, event=one)) == encode(Entry(revision=1, turn=1, at=0, event=other))


def test_the_line_keeps_unicode_readable() -> None:
    assert "größer 家" in encode(Entry(revision=1, turn=0, at=0, event=LineSaid(text="größer 家")))


def test_C6_every_kind_of_event_has_a_version() -> None:
    assert {name: kind.version for name, kind in EVENTS.items() if kind.version < 1} == {}


def test_C6_the_version_stands_on_the_line() -> None:
    assert json.loads(line())["version"] == LineSaid.version


def test_C6_an_unknown_event_is_not_opened() -> None:
    with pytest.raises(UnknownEvent, match=r"revision 3 holds 'Foreseen' version 1.*open the session with the release"):
        decode(line(kind="Foreseen"))


@pytest.mark.parametrize("version", [0, 2, None, "1x"])
def test_C6_an_unknown_version_is_not_opened(version: object) -> None:
    with pytest.raises(UnknownEvent, match=f"'LineSaid' version {version!r}"):
        decode(line(version=version))


@pytest.mark.parametrize("kind", [None, 5, ["LineSaid"], "linesaid", "__class__"])
def test_C6_a_kind_that_is_no_event_is_not_opened(kind: object) -> None:
    with pytest.raises(UnknownEvent):
        decode(line(kind=kind))


@pytest.mark.parametrize("text", ["", "{", "not json", '{"revision": 1,', "\x00"])
def test_a_line_that_is_no_json_is_a_ledger_error(text: str) -> None:
    with pytest.raises(LedgerError, match="no JSON"):
        decode(text)


@pytest.mark.parametrize("text", ["[]", "3", "null", '"LineSaid"'])
def test_a_line_that_is_no_object_is_a_ledger_error(text: str) -> None:
    with pytest.raises(LedgerError, match="no object"):
        decode(text)


@pytest.mark.parametrize("event", [{}, None, [], "x", {"text": None}, {"text": ["x"]}])
def test_a_damaged_event_is_a_ledger_error_that_names_the_revision(event: object) -> None:
    with pytest.raises(LedgerError, match="revision 3 is damaged"):
        decode(line(event=event))


@pytest.mark.parametrize("key", ["revision", "turn", "at", "event"])
def test_a_line_without_a_part_is_a_ledger_error(key: str) -> None:
    record = json.loads(line())
    del record[key]
    with pytest.raises(LedgerError, match="damaged"):
        decode(json.dumps(record))


@pytest.mark.parametrize("key", ["revision", "turn", "at"])
@pytest.mark.parametrize("value", [None, "3", 1.5, [1]])
def test_a_place_that_is_no_whole_number_is_a_ledger_error(key: str, value: object) -> None:
    with pytest.raises(LedgerError):
        decode(line(**{key: value}))


def test_an_event_with_a_part_that_it_does_not_have_is_a_ledger_error() -> None:
    with pytest.raises(LedgerError, match="damaged"):
        decode(line(event={"text": "hi", "tone": "warm"}))


@pytest.mark.parametrize("act", ["4", 4.5, None, True])
def test_a_part_of_another_type_is_not_made_to_fit(act: object) -> None:
    with pytest.raises(LedgerError, match="damaged"):
        decode(line(Reloaded(act=4, seen=None), event={"act": act, "seen": None}))


def test_a_damaged_act_in_an_event_is_a_ledger_error() -> None:
    with pytest.raises(LedgerError, match="damaged"):
        decode(line(ActQueued(act=Reload(at=0)), event={"act": {"text": "hi"}}))


def test_a_cut_line_is_a_ledger_error_wherever_it_is_cut() -> None:
    whole = encode(Entry(revision=1, turn=1, at=0, event=UserSaid(act=1, text="hi", seen=None)))
    for end in range(len(whole)):
        with pytest.raises(LedgerError):
            decode(whole[:end])
