"""The forms: each lets one thing go and nothing else; the mutants survive all of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_reports import RecordError
from marg_reports.forms import FORM_NAMES, FormName, canonical, form_of, identity, mutants
from marg_runtime.canonical import Json, canonical_json

SAME: Mapping[FormName, tuple[Json, Json]] = {
    "whitespace": ("Priority  set\nto high ", "Priority set to high"),
    "case": ({"title": "Login Fails"}, {"title": "login fails"}),
    "order": ({"a": ["x", "y"], "b": '{"k": 1, "j": 2}'}, {"a": ["y", "x"], "b": '{"j":2,"k":1}'}),
    "id": ("ticket 6f1c0a2e-3b1d-4a7e-9c55-0d2f7f0b9a11", "ticket 00000000-3b1d-4a7e-9c55-0d2f7f0b9a11"),
    "clock": ({"at": "2026-11-30T18:00:00Z", "ms": 1767225600000}, {"at": "2025-01-01", "ms": 1667225600000}),
    "unicode": ("it’s “done”…", 'it\'s "done"...'),
}


@pytest.mark.parametrize("name", SAME)
def test_a_form_makes_what_it_does_not_care_about_the_same(name: FormName) -> None:
    one, other = SAME[name]
    assert canonical(one) != canonical(other)
    assert canonical(one, form_of([name])) == canonical(other, form_of([name]))


@pytest.mark.parametrize(("name", "other"), list(permutations(SAME, 2)))
def test_no_form_lets_go_what_another_one_is_for(name: FormName, other: FormName) -> None:
    one, two = SAME[other]
    assert canonical(one, form_of([name])) != canonical(two, form_of([name]))


def test_agreed_wordings_are_the_same() -> None:
    form = form_of(["wording"], wordings=[["How urgent is this?", "How pressing is this?"]])
    assert form("How pressing is this?") == "How urgent is this?"


def test_only_the_keys_that_are_meant_are_looked_at() -> None:
    form = form_of(["over_specified"], keys=frozenset({"priority"}))
    assert form({"priority": "high", "trace": "abc"}) == {"priority": "high"}


def test_two_ids_that_were_equal_stay_equal_and_two_that_differed_differ() -> None:
    one, two = "a" * 32, "b" * 32
    form = form_of(["id"])
    assert form([one, two, one]) == ["<id 1>", "<id 2>", "<id 1>"]


def test_a_name_that_is_no_form_is_refused_with_those_there_are() -> None:
    with pytest.raises(RecordError, match="'spelling'; there are whitespace"):
        form_of(["spelling"])  # type: ignore[list-item]


values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text("ab Z\n’1", max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
names = st.lists(st.sampled_from([name for name in FORM_NAMES if name not in ("wording", "over_specified")]))


@given(value=values, chosen=names)
def test_a_form_of_a_formed_value_is_that_value(value: Json, chosen: list[FormName]) -> None:
    form = form_of(chosen)
    assert canonical_json(form(form(value))) == canonical_json(form(value))


@given(value=values, chosen=names)
def test_the_order_of_declaration_does_not_matter(value: Json, chosen: list[FormName]) -> None:
    assert canonical(value, form_of(chosen)) == canonical(value, form_of(chosen[::-1]))


@given(value=values)
def test_with_no_form_declared_only_equal_values_are_the_same(value: Json) -> None:
    assert canonical(value, form_of([])) == canonical(value, identity)


@given(value=values)
def test_no_mutant_is_the_observation_itself(value: Json) -> None:
    assert canonical_json(value) not in [canonical_json(mutant.value) for mutant in mutants(value)]


def test_a_small_observation_has_mutants_enough() -> None:
    assert len(mutants("high")) >= 5


def test_the_mutants_of_a_mapping_drop_and_change_each_of_its_keys() -> None:
    said = [mutant.what for mutant in mutants({"priority": "high", "votes": 3})]
    assert {"it.priority is dropped", "it.votes is one more", "it is gone"} <= set(said)


def test_an_observation_that_means_the_same_is_no_mutant() -> None:
    assert "" not in [mutant.value for mutant in mutants("high", passing=[""])]
