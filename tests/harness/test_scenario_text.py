"""A scenario's tree as text reads back as the same tree."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_harness.scenario_text import flow_text, scenario_text
from marg_mock_model import Plain
from marg_mock_model.document import parse_document
from marg_mock_model.plain import resolve
from marg_scenarios.expansion import expand

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | TEXTS
VALUES = st.recursive(SCALARS, lambda below: st.lists(below, max_size=3) | st.dictionaries(TEXTS, below, max_size=3))


@given(VALUES)
def test_what_is_written_on_a_line_reads_back_as_the_same_value(value: object) -> None:
    document = parse_document(f"value: {flow_text(value)}\n", path="x")
    assert resolve(document.root["value"]) == value


@pytest.mark.parametrize("text", ["yes", "no", "5", "0x1", "true", "null", "~", "a: b", "- a", "#a", "", " a", "a\nb"])
def test_a_text_stays_text_whatever_it_looks_like(text: str) -> None:
    document = parse_document(f"value: {flow_text(text)}\n", path="x")
    assert resolve(document.root["value"]) == text


def test_a_plain_number_stays_a_number_and_a_plain_text_is_quoted_where_it_must_be() -> None:
    assert flow_text({"n": Plain("5"), "m": "5", "t": Plain("a, b")}) == '{"n": 5, m: "5", t: "a, b"}'.replace(
        '"n"', "n"
    )


def test_a_file_has_its_comment_its_keys_and_its_turns_with_a_check_a_line() -> None:
    turns = [{"id": "a", "say": "yes, and no", "expect": {"block": "priority", "draft": {"n": Plain("1")}}}]
    assert scenario_text({"scenario": "a sum", "turns": turns}, head=["one", ""]) == (
        '# one\n#\nscenario: a sum\nturns:\n  - id: a\n    say: "yes, and no"\n'
        "    expect:\n      block: priority\n      draft: {n: 1}\n"
    )


def test_a_turn_of_acts_at_once_reads_back() -> None:
    turns = [{"concurrent": [{"id": "a", "say": "x"}, {"id": "b", "reload": True}]}]
    document = parse_document(scenario_text({"turns": turns}), path="x")
    assert document.root["turns"] == [{"concurrent": [{"id": "a", "say": "x"}, {"id": "b", "reload": "true"}]}]


def played(root: dict[str, Any]) -> Any:
    """The turns of a tree that was written and read again, with parameters put in."""
    (row,) = expand(parse_document(scenario_text(root), path="x"))
    return row.document.root["turns"]


BRACES = st.lists(st.sampled_from(["{", "}", "a", "brace", " "]), min_size=1, max_size=6).map("".join)


@given(BRACES, BRACES)
def test_a_text_of_braces_is_played_as_it_was_said(said: str, title: str) -> None:
    # A text that is `{name}` and nothing else would be taken for a parameter, or refused.
    turns = [{"id": "a", "say": said, "expect": {"draft": {"title": title}}}]
    assert played({"scenario": "x", "turns": turns}) == turns


def test_a_tree_with_parameters_of_its_own_is_written_as_it_is() -> None:
    root = {"scenario": "x", "parameters": {"a": "b"}, "turns": [{"id": "a", "say": "{a}"}]}
    assert played(root) == [{"id": "a", "say": "b"}]
