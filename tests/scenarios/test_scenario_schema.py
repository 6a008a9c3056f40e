"""The JSON Schema of scenario files: it takes what the loader takes and refuses what the loader refuses."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from marg_mock_model import parse_document, read_document
from marg_mock_model.machine_form import machine_schema
from marg_mock_model.plain import resolve
from marg_runtime.errors import LocatedError
from marg_scenarios import find_kit, find_scenarios, scenario_schema
from marg_scenarios.forms import ScenarioForm
from marg_scenarios.forms.turn_form import ACTS

FOLDER = find_kit("support_intake").scenarios
SCENARIOS = find_scenarios(FOLDER)
MACHINES = (*sorted(FOLDER.glob("*.machine.yaml")), find_kit("support_intake").machine)
SCHEMA = Draft202012Validator(scenario_schema())


def as_json(path: Path) -> Any:
    """A file as an editor sees it: unquoted numbers, truth values and nulls as such."""
    return resolve(read_document(path).root)


def loads(tree: Any) -> bool:
    """Whether the loader takes a tree, written with every text in quotes, but for what only the domain knows."""
    try:
        form = parse_document(json.dumps(tree), path="x").validate(ScenarioForm)
    except LocatedError:
        return False
    return all(sum(bool(getattr(turn, act)) for act in ACTS) == 1 for turn in form.turns)


def places(tree: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every node of a tree."""
    yield path
    for key, below in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield from places(below, (*path, key))


WORDS = st.text("abc xyz", min_size=1, max_size=6)
FREE = st.one_of(WORDS, st.integers(-9, 9), st.booleans(), st.none(), st.lists(WORDS, max_size=2))
LAYER = st.sampled_from(["allowed", "refused"])
GATE = st.fixed_dictionaries(
    {"guard": LAYER}, optional={"trigger": st.sampled_from(["go_ahead", "model_call"]), "schema": LAYER}
)
BLOCK = st.fixed_dictionaries({"step": WORDS}, optional={"options": st.lists(WORDS, max_size=2), "lead": WORDS})
EXPECT = st.fixed_dictionaries(
    {},
    optional={
        "reading": st.sampled_from(["plain_yes", "plain_no", "choice", "content"]),
        "block": st.one_of(WORDS, BLOCK),
        "draft": st.dictionaries(WORDS, FREE, min_size=1, max_size=2),
        "tools_called": st.lists(
            st.one_of(WORDS, st.dictionaries(WORDS, st.dictionaries(WORDS, FREE), min_size=1, max_size=1)), min_size=1
        ),
        "gate": st.one_of(st.just("none"), GATE, st.lists(GATE, min_size=1, max_size=2)),
        "model_calls": st.integers(0, 8),
        "text": st.fixed_dictionaries({"contains": st.lists(WORDS, min_size=1, max_size=2)}),
    },
)
ACT = st.one_of(
    st.fixed_dictionaries({"say": WORDS}),
    st.fixed_dictionaries({"tap": st.one_of(WORDS, st.fixed_dictionaries({"option": WORDS}, optional={"of": WORDS}))}),
    st.fixed_dictionaries({"submit": st.fixed_dictionaries({"values": st.dictionaries(WORDS, WORDS, min_size=1)})}),
    st.fixed_dictionaries({"reload": st.just(True)}),
)
TURN = st.builds(lambda act, expect: {**act, "expect": expect}, ACT, EXPECT)
TREE = st.fixed_dictionaries(
    {"scenario": WORDS, "domain": WORDS, "turns": st.lists(TURN, min_size=1, max_size=2)},
    optional={"about": WORDS, "machine": WORDS, "tags": st.lists(WORDS, max_size=2), "in_order": st.booleans()},
)
# A plain number or truth value stands for text in a file, where a schema sees no text; so these are quoted or nested.
QUOTED = st.sampled_from(["word", [], ["word"], {}, {"word": "word"}, {"step": "word"}])


@st.composite
def spoilt(draw: st.DrawFn) -> Any:
    """A tree with one node replaced, or one key misspelt or left out."""
    tree: Any = copy.deepcopy(draw(TREE))
    path = draw(st.sampled_from([place for place in places(tree) if place]))
    parent: Any = tree
    for step in path[:-1]:
        parent = parent[step]
    how = draw(st.sampled_from(["replace", "misspell", "drop"])) if isinstance(parent, dict) else "replace"
    if how == "replace":
        parent[path[-1]] = draw(QUOTED)
    else:
        value = parent.pop(path[-1])
        if how == "misspell":
            parent[f"{path[-1]}x"] = value
    return tree


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(scenario_schema())


@pytest.mark.wheel
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.name)
def test_the_schema_takes_every_shipped_scenario(path: Path) -> None:
    assert [error.message for error in SCHEMA.iter_errors(as_json(path))] == []


@pytest.mark.wheel
@pytest.mark.parametrize("path", MACHINES, ids=lambda path: path.name)
def test_the_machine_schema_takes_every_shipped_machine(path: Path) -> None:
    errors = Draft202012Validator(machine_schema()).iter_errors(as_json(path))
    assert [error.message for error in errors] == []


@pytest.mark.parametrize(
    "tree",
    [
        {"scenario": "s", "domian": "d", "turns": [{"say": "hi"}]},
        {"scenario": "s", "domain": "d", "turns": [{"sya": "hi"}]},
        {"scenario": "s", "domain": "d", "turns": [{"say": "hi", "expect": {"readin": "content"}}]},
        {"scenario": "s", "domain": "d", "turns": [{"say": "hi", "expect": {"gate": {"gaurd": "allowed"}}}]},
        {"scenario": "s", "domain": "d", "turns": [{"say": "hi", "expect": {"block": {"step": "x", "optoins": []}}}]},
    ],
)
def test_the_schema_refuses_a_misspelt_key(tree: Any) -> None:
    assert not SCHEMA.is_valid(tree)


@settings(deadline=None, max_examples=60)
@given(TREE)
def test_schema_and_loader_both_take_a_good_scenario(tree: Any) -> None:
    assert (SCHEMA.is_valid(tree), loads(tree)) == (True, True)


@settings(deadline=None, max_examples=60)
@given(spoilt())
def test_schema_and_loader_agree_on_a_spoilt_scenario(tree: Any) -> None:
    assert SCHEMA.is_valid(tree) == loads(tree)
