"""What a field takes: its declaration, the texts that are values, and what is wrong with those that are none."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_runtime.block import FieldType
from marg_runtime.canonical import Json, canonical_json, is_json
from marg_runtime.errors import UsageError
from marg_runtime.lines import Lines
from marg_runtime.steps import Field, Option
from marg_runtime.steps.field_value import Fault, FaultWord, FieldValue, parse_field, typed_text

OPTIONS = (Option(label="Tea", value="tea"), Option(label="Coffee", value={"kind": "coffee"}))
ROW = (Option(label="Tea", value="tea"), Option(label="Two", value=2), Option(label="None", value=None))


def made(type: FieldType, **more: Any) -> Field:
    if type == "choice":
        more.setdefault("options", ROW)
    return Field(**{"slot": "x", "label": "X", "type": type, **more})


def parsed(type: FieldType, text: str, **more: Any) -> FieldValue | Fault | None:
    one = made(type, **more)
    return parse_field(one, text, options=() if callable(one.options) else tuple(one.options))


@pytest.mark.parametrize(
    ("type", "text", "value"),
    [
        ("text", "  a room with a view ", "a room with a view"),
        ("integer", "12", 12),
        ("integer", "-3", -3),
        ("integer", "+007", 7),
        ("number", "2.50", 2.5),
        ("number", "2", 2),
        ("boolean", "true", True),
        ("boolean", "FALSE", False),
        ("date", "2026-02-28", "2026-02-28"),
        ("email", "ann@example.org", "ann@example.org"),
        ("choice", "o1", "tea"),
        ("choice", "o2", 2),
        ("choice", "o3", None),
    ],
)
def test_a_text_is_the_value_that_it_stands_for(type: FieldType, text: str, value: Json) -> None:
    found = parsed(type, text)
    assert isinstance(found, FieldValue)
    assert canonical_json(found.value) == canonical_json(value)


@pytest.mark.parametrize(
    ("type", "text", "word"),
    [
        ("integer", "2.0", "no_integer"),
        ("integer", "two", "no_integer"),
        ("integer", "1 000", "no_integer"),
        ("integer", "٣", "no_integer"),
        ("integer", "9" * 31, "no_integer"),
        ("number", "1e3", "no_number"),
        ("number", "NaN", "no_number"),
        ("number", "inf", "no_number"),
        ("number", "2,5", "no_number"),
        ("boolean", "yes", "no_boolean"),
        ("boolean", "1", "no_boolean"),
        ("date", "2026-02-30", "no_date"),
        ("date", "20260228", "no_date"),
        ("date", "2026-W01-5", "no_date"),
        ("date", "28.02.2026", "no_date"),
        ("email", "ann", "no_email"),
        ("email", "ann@localhost", "no_email"),
        ("email", "a b@example.org", "no_email"),
        ("email", "ann@example..org", "no_email"),
        ("choice", "Tea", "no_option"),
        ("choice", "tea", "no_option"),
        ("choice", "o9", "no_option"),
    ],
)
def test_a_text_that_is_no_value_is_told_by_what_was_expected(type: FieldType, text: str, word: FaultWord) -> None:
    assert parsed(type, text) == Fault(word=word)


@pytest.mark.parametrize(
    ("more", "text", "fault"),
    [
        ({"type": "integer", "minimum": 1}, "0", Fault(word="below", limit="1")),
        ({"type": "integer", "maximum": 8}, "9", Fault(word="above", limit="8")),
        ({"type": "number", "minimum": 0.5}, "0.4", Fault(word="below", limit="0.5")),
        ({"type": "date", "minimum": "2026-01-02"}, "2026-01-01", Fault(word="below", limit="2026-01-02")),
        ({"type": "date", "maximum": "2026-01-02"}, "2026-01-03", Fault(word="above", limit="2026-01-02")),
        ({"type": "text", "max_length": 3}, "four", Fault(word="too_long", limit="3")),
        ({"type": "text", "pattern": "[A-Z]{2}"}, "ABC", Fault(word="no_match")),
        ({"type": "text", "pattern": "a*"}, "a" * 2001, Fault(word="too_long", limit="2000")),
        ({"type": "email"}, f"{'a' * 250}@b.de", Fault(word="too_long", limit="254")),
    ],
)
def test_a_limit_is_kept_and_told(more: dict[str, Any], text: str, fault: Fault) -> None:
    assert parse_field(Field(slot="x", label="X", **more), text) == fault


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 1}, "1"),
        ({"type": "number", "maximum": 0.5}, "0.5"),
        ({"type": "date", "minimum": "2026-01-02", "maximum": "2026-01-02"}, "2026-01-02"),
        ({"type": "text", "max_length": 3}, "abc"),
    ],
)
def test_a_limit_itself_is_within(more: dict[str, Any], text: str) -> None:
    assert isinstance(parse_field(Field(slot="x", label="X", **more), text), FieldValue)


@pytest.mark.parametrize("type", get_args(FieldType))
@pytest.mark.parametrize("text", ["", " \t\n"])
def test_an_empty_text_is_missing_where_it_is_required_and_no_value_where_not(type: FieldType, text: str) -> None:
    assert parsed(type, text) == Fault(word="missing")
    assert parsed(type, text, required=False) is None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"slot": " "}, "needs a slot and a label"),
        ({"label": ""}, "needs a slot and a label"),
        ({"type": "text", "minimum": 1}, "only date, integer, number have a minimum"),
        ({"type": "integer", "minimum": 1.5}, "a limit is a value of the type, not 1.5"),
        ({"type": "integer", "minimum": True}, "a limit is a value of the type, not True"),
        ({"type": "date", "minimum": "tomorrow"}, "a limit is a value of the type, not 'tomorrow'"),
        ({"type": "integer", "minimum": 3, "maximum": 2}, "the minimum 3 is above the maximum 2"),
        ({"type": "date", "minimum": "2026-01-02", "maximum": "2026-01-01"}, "is above the maximum"),
        ({"type": "integer", "max_length": 3}, "have a max_length or a pattern"),
        ({"type": "text", "max_length": 0}, "max_length is at least 1, got 0"),
        ({"type": "text", "pattern": "("}, r"the pattern '\(' is no regular expression"),
        ({"type": "choice"}, "a choice has options"),
        ({"type": "text", "options": OPTIONS}, "a choice has options, and nothing else has"),
        ({"type": "choice", "options": [OPTIONS[0], OPTIONS[0]]}, "two options have the label 'Tea'"),
    ],
)
def test_a_field_that_does_not_hold_together_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Field(**{"slot": "x", "label": "X", **fields})


@pytest.mark.parametrize("word", get_args(FaultWord))
def test_each_fault_has_a_line(word: FaultWord) -> None:
    assert "{" not in Lines().fault(word, limit="7")


TYPES = st.sampled_from(get_args(FieldType))
TEXTS = st.one_of(
    st.text(max_size=40),
    st.from_regex(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?", fullmatch=True),
    st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", fullmatch=True),
    st.emails(),
    st.sampled_from(["true", "False", "o1", "o2", "o3", "o4"]),
)


@given(type=TYPES, text=TEXTS, required=st.booleans())
def test_whatever_is_typed_is_a_value_a_fault_or_nothing(type: FieldType, text: str, required: bool) -> None:
    found = parsed(type, text, required=required)
    assert found is None or isinstance(found, FieldValue | Fault)
    assert (found is None) == (not required and not text.strip())


@given(type=TYPES, text=TEXTS)
def test_a_value_can_be_sent_and_kept(type: FieldType, text: str) -> None:
    found = parsed(type, text)
    assert not isinstance(found, FieldValue) or is_json(found.value)


@given(type=TYPES, text=TEXTS)
def test_the_text_of_a_value_gives_the_same_value_again(type: FieldType, text: str) -> None:
    one, found = made(type), parsed(type, text)
    if isinstance(found, FieldValue):
        options = ROW if type == "choice" else ()
        again = typed_text(one, value=found.value, label=found.text, options=options)
        assert parse_field(one, again, options=options) == FieldValue(value=found.value, text=again)


def test_a_choice_that_is_no_longer_offered_has_no_text() -> None:
    assert typed_text(made("choice"), value="wine", label="Wine", options=ROW) == ""
