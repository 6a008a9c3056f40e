"""The difference of an expected and a got value, line by line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_reports import differences
from marg_runtime.canonical import Json, canonical_json

SCALARS: st.SearchStrategy[Json] = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.text("ab", max_size=2))
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text("ab", max_size=2), inner))
)


@pytest.mark.parametrize(
    ("expected", "got", "lines"),
    [
        (1, 2, ("expected 1, got 2",)),
        ("5", 5, ('expected "5", got 5',)),
        (None, False, ("expected null, got false",)),
        ({"a": 1}, {"a": 2}, ("a: expected 1, got 2",)),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, ("a.b[1]: expected 2, got 3",)),
        ({"a": 1}, {}, ("a: expected 1, got (nothing)",)),
        ({}, {"a": None}, ("a: expected (nothing), got null",)),
        ([1], [1, 2], ("[1]: expected (nothing), got 2",)),
        ([1, 2], [1], ("[1]: expected 2, got (nothing)",)),
        ({"b": 1, "a": 1}, {"a": 2, "b": 2}, ("a: expected 1, got 2", "b: expected 1, got 2")),
        ([], {}, ("expected [], got {}",)),
        ("ab", ["a", "b"], ('expected "ab", got ["a","b"]',)),
    ],
)
def test_each_difference_is_a_line_with_the_path_to_it(expected: Json, got: Json, lines: tuple[str, ...]) -> None:
    assert differences(expected, got) == lines


def test_a_tuple_and_a_list_of_the_same_are_the_same_json() -> None:
    assert differences((1, (2,)), [1, [2]]) == ()


def test_text_is_shown_as_json_so_that_no_line_breaks() -> None:
    assert differences("a\nb", "\x1b[31m") == ('expected "a\\nb", got "\\u001b[31m"',)


@given(VALUES, VALUES)
def test_there_is_a_difference_exactly_where_the_json_differs(expected: Json, got: Json) -> None:
    assert bool(differences(expected, got)) == (canonical_json(expected) != canonical_json(got))
