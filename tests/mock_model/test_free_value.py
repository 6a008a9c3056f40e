"""Free values: unquoted scalars become JSON values, quoted ones stay text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_mock_model import parse_document
from marg_mock_model.form import Form
from marg_mock_model.free_value import FreeValue
from marg_runtime.errors import LocatedError


class Holder(Form):
    value: FreeValue


def value(written: str) -> Any:
    return parse_document(f"value: {written}\n", path="f.yaml").validate(Holder).value


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("5", 5),
        ("-1.5", -1.5),
        ("0", 0),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("007", "007"),
        ("+5", "+5"),
        ("1_000", "1_000"),
        ("٣", "٣"),
        (".nan", ".nan"),
        ("2026-11-30", "2026-11-30"),
        ("'5'", "5"),
        ('"true"', "true"),
        ("''", ""),
        ("|\n  5", "5\n"),
        ("[1, yes, '1', [null]]", [1, "yes", "1", [None]]),
        ("{true: true, 1: '1'}", {"true": True, "1": "1"}),
    ],
)
def test_a_written_value_is_what_is_meant(written: str, meant: object) -> None:
    found = value(written)
    assert (type(found), found) == (type(meant), meant)


def test_text_that_is_resolved_is_ordinary_text() -> None:
    assert type(value("hello")) is str


@pytest.mark.parametrize("written", ["1e999", "-1e999", "9" * 5000])
def test_a_number_that_cannot_be_carried_is_refused(written: str) -> None:
    with pytest.raises(LocatedError, match=r"f.yaml:1: 'value' is '.*': a number .*; quote it to keep it as text\."):
        value(written)


# JSON escapes what is above the basic plane as two surrogates, which YAML does not take.
Words = st.text(alphabet=st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=8)
Values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | Words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(Words, inner, max_size=4),
    max_leaves=12,
)


@given(Values)
def test_json_is_read_as_json(meant: object) -> None:
    assert value(json.dumps(meant)) == meant
