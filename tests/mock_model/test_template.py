"""Templates: groups are filled in, and a doubled brace is a brace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_mock_model.template import check_template, fill, fill_value
from marg_runtime.canonical import Json

GROUPS = {"0": "my login", "thing": "login"}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("", ""),
        ("no group", "no group"),
        ("{thing}", "login"),
        ("the {thing} of {0}{thing}", "the login of my loginlogin"),
        ("{{thing}}", "{thing}"),
        ("{{{thing}}}", "{login}"),
    ],
)
def test_a_text_is_filled(text: str, filled: str) -> None:
    assert fill(text, GROUPS) == filled


def test_what_is_filled_in_is_not_a_template_again() -> None:
    assert fill("{a}", {"a": "{b} {{ }}", "b": "x"}) == "{b} {{ }}"


def test_a_value_is_filled_at_any_depth_but_not_in_its_keys() -> None:
    value: Json = {"{0}": ["{thing}", 5, None, True, {"deep": "{0}"}]}
    assert fill_value(value, GROUPS) == {"{0}": ["login", 5, None, True, {"deep": "my login"}]}


@pytest.mark.parametrize("text", ["{", "}", "a { b", "{thing", "{}", "{thing!r}", "{thing:>3}", "{{}"])
def test_a_brace_that_stands_alone_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"names no group; write '(\{\{|\}\})' for a brace"):
        check_template(text, known=("thing",))


def test_an_unknown_group_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(ValueError, match=r"the group '\{x\}' is not captured .* known here: \{0\}, \{thing\}"):
        check_template("{x}", known=("0", "thing"))


@given(st.text())
def test_any_text_with_its_braces_doubled_is_itself(text: str) -> None:
    doubled = text.replace("{", "{{").replace("}", "}}")
    check_template(doubled, known=())
    assert fill(doubled, {}) == text
