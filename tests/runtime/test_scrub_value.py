"""A JSON value without secrets: by the names beside them, at any depth; with none, it is the same object."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marg_runtime.canonical import Json
from marg_runtime.scrub import REMOVED, scrub_json, scrub_pieces, scrub_together


@pytest.mark.parametrize(
    ("value", "clean"),
    [
        ({"headers": {"Authorization": ["Basic x", "y"]}}, {"headers": {"Authorization": [REMOVED, REMOVED]}}),
        ([["x-api-key", "open"], ["accept", "text"]], [["x-api-key", REMOVED], ["accept", "text"]]),
        ([{"name": "cookie", "value": "a=b"}], [{"name": "cookie", "value": REMOVED}]),
        ({"password": 1234, "token": 5, "max_tokens": 9}, {"password": REMOVED, "token": 5, "max_tokens": 9}),
        ({"api_key": {"type": "string"}, "secret": None}, {"api_key": {"type": "string"}, "secret": None}),
        ({"see sk-a1b2c3d4e5f6g7": 1}, {"see [removed]": 1}),
        ({"name": {"type": "string"}}, {"name": {"type": "string"}}),
    ],
)
def test_what_stands_beside_the_name_of_a_secret_is_removed(value: Any, clean: Any) -> None:
    assert scrub_json(value) == clean


def test_what_one_part_gives_away_is_removed_from_the_others() -> None:
    value: Json = {"said": "password: open5sesame", "draft": {"note": "it is open5sesame"}}
    assert scrub_together(value) == {"said": "password: [removed]", "draft": {"note": "it is [removed]"}}
    assert scrub_json(value) == {"said": "password: [removed]", "draft": {"note": "it is open5sesame"}}


def test_a_secret_in_pieces_is_removed_of_them_all() -> None:
    assert scrub_pieces(["it is s", "k-a1b2c3", "d4e5f6g7 ", "here"]) == ("it is [removed] here", "", "", "")
    assert scrub_pieces(["it is ", "here"]) == ("it is ", "here")


NAMES = st.sampled_from(("a", "name", "value", "password", "x-api-key", "token", "authorization"))
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("Bearer a1b2c3d4e5f6g7h8") | NAMES
VALUES = st.recursive(LEAVES, lambda part: st.lists(part, max_size=3) | st.dictionaries(NAMES, part, max_size=3))


@settings(max_examples=60, deadline=None)
@given(VALUES)
def test_any_value_stays_json_and_is_scrubbed_no_further(value: Any) -> None:
    once = scrub_json(value)
    assert "a1b2c3d4e5f6g7h8" not in json.dumps(once)
    assert scrub_json(once) is once


@settings(max_examples=25, deadline=None)
@given(st.recursive(st.integers() | st.text("abc 5", max_size=8), lambda part: st.lists(part) | st.tuples(part, part)))
def test_a_value_without_secrets_is_the_same_object(value: Any) -> None:
    assert scrub_json(value) is value
