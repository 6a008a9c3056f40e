"""Every tool's name has a legal name on the wire, different names have different ones, and each finds back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_runtime.models.tool_names import LONGEST_NAME, names_back, wire_name

LEGAL = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_NAME}}}")

plain = st.text(max_size=12) | st.sampled_from(["a/b", "a b", "a-b", "a_b", "x" * 64, "x" * 65, ""])
# A name that is the code of another one is the likeliest to take its place.
names = plain | plain.map(wire_name)


@given(names)
def test_every_wire_name_is_legal(name: str) -> None:
    assert LEGAL.fullmatch(wire_name(name))


@given(st.lists(names, unique=True))
def test_different_names_stay_different_and_find_back(given_names: list[str]) -> None:
    back = names_back(given_names)
    assert sorted(back.values()) == sorted(given_names)
    assert [back[wire_name(name)] for name in given_names] == given_names


@pytest.mark.parametrize("name", ["create_ticket", "desk__create", "A-1", "x" * 64])
def test_a_legal_name_goes_as_it_is(name: str) -> None:
    assert wire_name(name) == name


def test_a_name_that_looks_like_a_code_is_coded_itself() -> None:
    code = wire_name("desk/create")
    assert code.startswith("desk-create-x")
    assert wire_name(code) != code
