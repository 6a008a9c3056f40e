"""Settled values go into every later call, whatever the model said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from marg_runtime.canonical import Json
from marg_runtime.decide.carry import Override, carry
from marg_runtime.draft import Draft, Value
from marg_runtime.tools.tool import ToolSpec

SPEC = ToolSpec(
    server="desk",
    identity="desk 1",
    name="search",
    description="",
    input_schema={"properties": {"query": {}, "title": {}, "count": {}}},
)


def draft(**values: Json) -> Draft:
    settled = {slot: Value(value=value, label=str(value), provenance="tap") for slot, value in values.items()}
    return Draft(id="draft-1", values=settled)


def test_S2_the_models_own_version_does_not_stand() -> None:
    carried = carry({"title": "Other"}, draft=draft(title="Lamp"), spec=SPEC)
    assert carried.arguments == {"title": "Lamp"}


def test_S2_what_did_not_stand_is_told() -> None:
    carried = carry({"title": "Other"}, draft=draft(title="Lamp"), spec=SPEC)
    assert carried.overrides == (Override(argument="title", given="Other", used="Lamp"),)


def test_S2_a_settled_value_that_the_model_left_out_is_added_where_the_tool_takes_it() -> None:
    assert carry({"query": "x"}, draft=draft(title="Lamp"), spec=SPEC).arguments == {"query": "x", "title": "Lamp"}


def test_S2_adding_what_was_left_out_overrides_nothing() -> None:
    assert carry({}, draft=draft(title="Lamp"), spec=SPEC).overrides == ()


def test_S2_a_settled_value_that_the_tool_does_not_take_is_not_added() -> None:
    assert carry({}, draft=draft(place="office"), spec=SPEC).arguments == {}


def test_S2_the_models_version_does_not_stand_even_where_the_schema_does_not_list_it() -> None:
    assert carry({"place": "home"}, draft=draft(place="office"), spec=SPEC).arguments == {"place": "office"}


def test_S2_what_no_step_settled_stands_as_the_model_wrote_it() -> None:
    assert carry({"query": "x", "title": "mine"}, draft=draft(), spec=SPEC).arguments == {"query": "x", "title": "mine"}


def test_S2_the_same_value_overrides_nothing() -> None:
    assert carry({"title": "Lamp"}, draft=draft(title="Lamp"), spec=SPEC).overrides == ()


@pytest.mark.parametrize(("given", "settled"), [("5", 5), (5.0, 5), (True, 1), (None, "x"), ("x", None), ([], {})])
def test_S2_a_value_of_another_kind_does_not_stand(given: Json, settled: Json) -> None:
    carried = carry({"count": given}, draft=draft(count=settled), spec=SPEC)
    assert carried.overrides == (Override(argument="count", given=given, used=settled),)


def test_S2_key_order_within_a_value_is_no_difference() -> None:
    given: dict[str, Json] = {"count": {"a": 1, "b": 2}}
    assert carry(given, draft=draft(count={"b": 2, "a": 1}), spec=SPEC).overrides == ()


def test_S2_a_tool_without_a_list_of_arguments_takes_only_what_the_model_gave() -> None:
    bare = replace(SPEC, input_schema={})
    assert carry({"title": "x"}, draft=draft(title="Lamp", count=1), spec=bare).arguments == {"title": "Lamp"}


def test_S2_the_models_arguments_are_left_as_they_were() -> None:
    given: dict[str, Json] = {"title": "Other"}
    carry(given, draft=draft(title="Lamp"), spec=SPEC)
    assert given == {"title": "Other"}


# At any depth


def test_S2_the_models_version_does_not_stand_within_an_object() -> None:
    carried = carry({"filter": {"title": "Other", "age": 3}}, draft=draft(title="Lamp"), spec=SPEC)
    assert carried.arguments["filter"] == {"title": "Lamp", "age": 3}


def test_S2_the_models_version_does_not_stand_within_a_list() -> None:
    carried = carry({"rows": [{"title": "Other"}, {"title": "Lamp"}, "title"]}, draft=draft(title="Lamp"), spec=SPEC)
    assert carried.arguments["rows"] == [{"title": "Lamp"}, {"title": "Lamp"}, "title"]


def test_S2_what_did_not_stand_is_told_by_its_path() -> None:
    given: dict[str, Json] = {"a": [{"b": {"title": "Other"}}], "title": "Third"}
    carried = carry(given, draft=draft(title="Lamp"), spec=SPEC)
    assert carried.overrides == (
        Override(argument="a[0].b.title", given="Other", used="Lamp"),
        Override(argument="title", given="Third", used="Lamp"),
    )


def test_S2_a_settled_list_is_carried_whole() -> None:
    carried = carry({"tags": ["a", "z"]}, draft=draft(tags=["a", "b"]), spec=SPEC)
    assert (carried.arguments["tags"], len(carried.overrides)) == (["a", "b"], 1)


@pytest.mark.parametrize("name", ["confirmed", "idempotency_key"])
@pytest.mark.parametrize("settled", [True, False])
def test_G6_an_argument_of_the_runtimes_is_taken_out_of_a_read_at_any_depth(name: str, settled: bool) -> None:
    values: dict[str, Json] = {"title": "Lamp"} if settled else {}
    given: dict[str, Json] = {name: True, "query": {name: "x", "deep": [{name: 1}]}}
    carried = carry(given, draft=draft(**values), spec=SPEC)
    assert (carried.arguments["query"], name in carried.arguments, [one.dropped for one in carried.overrides]) == (
        {"deep": [{}]},
        False,
        [True, True, True],
    )
