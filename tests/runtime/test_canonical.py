"""Canonical JSON: equal values have one text, different ones have two."""

from __future__ import annotations

import json
import math
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_runtime.canonical import DEEPEST, Json, canonical_json, digest, is_json, plain

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


def test_G5_key_order_is_ignored_at_every_depth() -> None:
    assert canonical_json({"b": {"y": 1, "x": 2}, "a": 3}) == canonical_json({"a": 3, "b": {"x": 2, "y": 1}})


def test_the_text_has_no_spaces_and_keeps_unicode() -> None:
    assert canonical_json({"ü": [1, "ж"]}) == '{"ü":[1,"ж"]}'


@pytest.mark.parametrize(
    ("one", "other"),
    [(5, "5"), (True, 1), (False, 0), (None, "null"), (5, 5.0), ([], {}), ("", None), ("é", "e\u0301")],
)
def test_G5_values_of_two_kinds_differ(one: Json, other: Json) -> None:
    assert canonical_json({"v": one}) != canonical_json({"v": other})


def test_G5_absent_and_null_differ() -> None:
    assert digest({"a": 1}) != digest({"a": 1, "b": None})


def test_the_order_of_a_list_counts() -> None:
    assert digest([1, 2]) != digest([2, 1])


def test_a_tuple_is_a_list() -> None:
    assert canonical_json((1, (2,))) == canonical_json([1, [2]])


def test_any_mapping_is_an_object() -> None:
    assert canonical_json(MappingProxyType({"a": MappingProxyType({})})) == '{"a":{}}'


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_lacks_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"v": [number]})


@pytest.mark.parametrize("key", [5, None, True])
def test_a_key_that_is_no_text_is_refused(key: object) -> None:
    with pytest.raises(TypeError, match=f"not {key!r}"):
        canonical_json({key: 1})  # type: ignore[dict-item]


def test_what_json_has_no_form_for_is_refused() -> None:
    with pytest.raises(TypeError):
        canonical_json({"v": {1, 2}})  # type: ignore[dict-item]


def test_a_digest_is_sixty_four_hexadecimal_digits() -> None:
    # The sha256 of the two bytes "{}".
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def nested(depth: int) -> Json:
    """Objects and lists in turn, so many within one another."""
    value: Json = "x"
    for number in range(depth):
        value = {"a": value} if number % 2 else [value]
    return value


@pytest.mark.parametrize(
    ("depth", "kept"), [(DEEPEST, True), (DEEPEST + 1, False), (5 * DEEPEST, False), (10**5, False)]
)
def test_a_value_is_kept_down_to_a_depth(depth: int, kept: bool) -> None:
    assert is_json(nested(depth)) is kept


def test_plain_gives_what_a_ledger_gives_back() -> None:
    assert plain(MappingProxyType({"a": (1, ({},))})) == {"a": [1, [{}]]}


@given(VALUES)
def test_the_canonical_text_reads_back_as_the_value(value: Json) -> None:
    assert json.loads(canonical_json(value)) == value


@given(VALUES)
def test_the_canonical_text_of_what_was_read_back_is_the_same(value: Json) -> None:
    assert canonical_json(json.loads(canonical_json(value))) == canonical_json(value)
