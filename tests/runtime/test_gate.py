"""The gate, layer by layer: each alone refuses, all are recorded, and each condition of the guard counts alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from marg_runtime.canonical import Json
from marg_runtime.domain import CONFIRMED, Domain
from marg_runtime.draft import Value
from marg_runtime.errors import UsageError
from marg_runtime.events.write import GateDecided, LayerDecision
from marg_runtime.gate import (
    LAYERS,
    WRITE_FLAG,
    GoAhead,
    decide_gate,
    guard_layer,
    pinned_tool,
    schema_layer,
    skill_layer,
)
from marg_runtime.state import OpenQuestion, State, Write, WriteStatus
from marg_runtime.surroundings import Surroundings
from marg_runtime.tools.tool import ToolName

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CREATE = ToolName(server="desk", name="create")
FLAGS = ["True", "TRUE", "1", " true", "true ", "true\n", "yes", "on", "", "false", '"true"', None]


@pytest.fixture
def state(desk: Desk) -> State:
    """The turn after the one that delivered the summary."""
    desk.to_summary()
    return replace(desk.state, turn=desk.state.turn + 1)


@pytest.fixture
def around(desk: Desk) -> Surroundings:
    return desk.surroundings()


def opened(state: State) -> OpenQuestion:
    assert state.question is not None
    return state.question


def go(state: State, **changes: Any) -> GoAhead:
    """A go-ahead that was queued now by a client that displays the last answer."""
    now = GoAhead(by="tap", question=opened(state).id, seen=state.revision, queued=state.revision + 1)
    return replace(now, **changes)


def write_of(draft: str, status: WriteStatus = "done") -> Write:
    return Write(key="k", draft=draft, tool=CREATE, fingerprint="f", status=status, question="confirm-0", asked_at=1)


def guard(around: Surroundings, state: State, go_ahead: GoAhead | None, tool: ToolName = CREATE) -> LayerDecision:
    return guard_layer(surroundings=around, state=state, tool=tool, go_ahead=go_ahead)


def gate(around: Surroundings, state: State, go_ahead: GoAhead | None) -> GateDecided:
    return decide_gate(surroundings=around, state=state, tool=CREATE, go_ahead=go_ahead)


def by_layer(decision: GateDecided) -> dict[str, bool]:
    return {layer.layer: layer.allowed for layer in decision.layers}


# The guard


@pytest.mark.parametrize("by", ["tap", "typed"])
def test_G2_the_guard_allows_a_go_ahead_for_a_delivered_summary(around: Surroundings, state: State, by: str) -> None:
    assert guard(around, state, go(state, by=by)).allowed


def test_G2_the_guard_refuses_where_no_person_gave_a_go_ahead(around: Surroundings, state: State) -> None:
    assert guard(around, state, None) == LayerDecision(layer="guard", allowed=False, reason="no person gave a go-ahead")


def test_G7_the_guard_refuses_another_tool(around: Surroundings, state: State) -> None:
    other = ToolName(server="desk", name="search")
    assert "'desk/search' is not the write" in guard(around, state, go(state), other).reason


def test_G7_the_guard_refuses_the_same_name_on_another_server(around: Surroundings, state: State) -> None:
    assert not guard(around, state, go(state), ToolName(server="other", name="create")).allowed


def test_G2_the_guard_refuses_a_typed_yes_where_only_a_tap_confirms(
    state: State, around: Surroundings, domain_with: Callable[..., Domain]
) -> None:
    click_only = replace(around, domain=domain_with(policy="click_only"))
    assert guard(click_only, state, go(state, by="typed")).reason == "only a tap confirms here"


def test_G2_the_guard_allows_a_tap_where_only_a_tap_confirms(
    state: State, around: Surroundings, domain_with: Callable[..., Domain]
) -> None:
    assert guard(replace(around, domain=domain_with(policy="click_only")), state, go(state)).allowed


def test_G4_the_guard_refuses_where_no_question_is_open(around: Surroundings, state: State) -> None:
    assert "no summary is open" in guard(around, replace(state, question=None), go(state)).reason


def test_G4_the_guard_refuses_where_no_summary_stands(around: Surroundings, state: State) -> None:
    assert guard(around, replace(state, summary=None), go(state)).reason == "no summary is open"


def test_G4_the_guard_refuses_an_answer_to_another_steps_question(around: Surroundings, state: State) -> None:
    question = replace(opened(state), drawn=replace(opened(state).drawn, step="place"))
    assert guard(around, replace(state, question=question), go(state)).reason == "no summary is open"


def test_G4_the_guard_refuses_a_summary_of_another_question(around: Surroundings, state: State) -> None:
    assert state.summary is not None
    other = replace(state, summary=replace(state.summary, question="confirm-0"))
    assert not guard(around, other, go(state)).allowed


@pytest.mark.parametrize("question", ["s1:confirm-4", "", "confirm-5", "s2:confirm-5", "s1:confirm-50"])
def test_G3_the_guard_refuses_a_go_ahead_for_another_question(
    around: Surroundings, state: State, question: str
) -> None:
    assert guard(around, state, go(state, question=question)).reason == "the go-ahead answers another question"


@pytest.mark.parametrize("later", [0, 1], ids=["this turn", "a later turn"])
def test_G4_the_guard_refuses_a_summary_that_was_not_delivered_in_an_earlier_turn(
    around: Surroundings, state: State, later: int
) -> None:
    undelivered = replace(state, question=replace(opened(state), delivered_in=state.turn + later))
    assert "not delivered in an earlier turn" in guard(around, undelivered, go(state)).reason


def test_G4_the_guard_refuses_a_summary_that_was_never_delivered(around: Surroundings, state: State) -> None:
    undelivered = replace(state, question=replace(opened(state), delivered_in=None))
    assert "not delivered in an earlier turn" in guard(around, undelivered, go(state)).reason


@pytest.mark.parametrize("by", ["tap", "typed"])
def test_G3_the_guard_refuses_a_seen_older_than_the_summary(around: Surroundings, state: State, by: str) -> None:
    assert not guard(around, state, go(state, by=by, seen=opened(state).revision - 1)).allowed


def test_G3_the_guard_allows_a_seen_of_the_summary_itself(around: Surroundings, state: State) -> None:
    assert guard(around, state, go(state, seen=opened(state).revision)).allowed


@pytest.mark.parametrize("seen", [None, 0, -1])
def test_G3_the_guard_refuses_without_a_seen(around: Surroundings, state: State, seen: int | None) -> None:
    assert not guard(around, state, go(state, seen=seen)).allowed


def test_G3_the_guard_refuses_a_seen_of_the_future(around: Surroundings, state: State) -> None:
    assert not guard(around, state, go(state, seen=state.revision + 2)).allowed


@pytest.mark.parametrize("earlier", [0, 1, 10])
def test_G3_the_guard_refuses_a_go_ahead_that_came_before_the_summary_was_delivered(
    around: Surroundings, state: State, earlier: int
) -> None:
    delivered = opened(state).delivered_at
    assert delivered is not None
    decision = guard(around, state, go(state, queued=delivered - earlier))
    assert decision.reason == "the go-ahead had come before the summary was delivered"


def test_G4_the_guard_refuses_a_summary_whose_delivery_has_no_revision(around: Surroundings, state: State) -> None:
    undelivered = replace(state, question=replace(opened(state), delivered_at=None))
    assert "not delivered in an earlier turn" in guard(around, undelivered, go(state)).reason


def test_G6_a_confirmed_in_the_draft_is_not_the_guards(around: Surroundings, state: State) -> None:
    """No domain can have such a slot; the gate does not rely on that."""
    slipped = replace(state, draft=state.draft.settle(CONFIRMED, Value(value=True, label="Yes", provenance="model")))
    assert by_layer(gate(around, slipped, None))["schema"] is False


def test_G5_the_guard_refuses_a_draft_that_changed_behind_the_summary(around: Surroundings, state: State) -> None:
    value = Value(value="login fails", label="login fails", provenance="model")
    changed = replace(state, draft=state.draft.settle("title", value))
    assert guard(around, changed, go(state)).reason == "the draft is not the one that the summary stands for"


@pytest.mark.parametrize("value", ["High", "high ", 5, None])
def test_G5_the_guard_refuses_any_other_value(around: Surroundings, state: State, value: Json) -> None:
    other = Value(value=value, label="High", provenance="tap")
    assert not guard(around, replace(state, draft=state.draft.settle("urgency", other)), go(state)).allowed


def test_G5_the_guard_refuses_a_draft_that_lost_a_value(around: Surroundings, state: State) -> None:
    assert not guard(around, replace(state, draft=state.draft.drop("urgency")), go(state)).allowed


def test_G5_the_guard_refuses_another_draft_of_the_same_values(around: Surroundings, state: State) -> None:
    assert not guard(around, replace(state, draft=replace(state.draft, id="draft-2")), go(state)).allowed


def test_G5_the_guard_refuses_a_summary_of_another_draft(around: Surroundings, state: State) -> None:
    assert state.summary is not None
    other = replace(state, summary=replace(state.summary, draft="draft-0"))
    assert not guard(around, other, go(state)).allowed


def test_G5_the_guard_refuses_another_fingerprint(around: Surroundings, state: State) -> None:
    assert state.summary is not None
    other = replace(state, summary=replace(state.summary, fingerprint="0" * 64))
    assert not guard(around, other, go(state)).allowed


@pytest.mark.parametrize(
    "change", [{"identity": "desk 2"}, {"input_schema": {"properties": {}}}], ids=["identity", "schema"]
)
def test_G5_the_guard_refuses_a_tool_that_changed_since_the_session_opened(
    around: Surroundings, state: State, change: dict[str, Any]
) -> None:
    tools = tuple(replace(spec, **change) if spec.tool == CREATE else spec for spec in around.tools)
    decision = guard(replace(around, tools=tools), state, go(state))
    assert decision.reason == "the tool is not the one that the summary stands for"


def test_G7_the_guard_refuses_a_tool_that_is_not_listed_any_more(around: Surroundings, state: State) -> None:
    tools = tuple(spec for spec in around.tools if spec.tool != CREATE)
    assert "not among the tools" in guard(replace(around, tools=tools), state, go(state)).reason


def test_G7_the_guard_refuses_a_tool_that_came_after_the_session_opened(around: Surroundings, state: State) -> None:
    without = replace(state, tools=tuple(pinned for pinned in state.tools if pinned.tool != CREATE))
    assert "not among the tools" in guard(around, without, go(state)).reason


def test_G4_the_guard_refuses_a_summary_that_hides_a_value(around: Surroundings, state: State) -> None:
    drawn = opened(state).drawn
    rows = tuple(row for row in drawn.rows if row.slot != "urgency")
    hidden = replace(state, question=replace(opened(state), drawn=replace(drawn, rows=rows)))
    assert guard(around, hidden, go(state)).reason == "the summary did not show 'urgency'"


@pytest.mark.parametrize("status", ["claimed", "done", "unknown"])
def test_G9_the_guard_refuses_a_second_write_of_the_draft(
    around: Surroundings, state: State, status: WriteStatus
) -> None:
    write = write_of(state.draft.id, status)
    assert guard(around, replace(state, write=write), go(state)).reason == f"a write of this draft is {status}"


def test_G9_the_guard_allows_the_first_write_of_the_next_draft(around: Surroundings, state: State) -> None:
    write = write_of("draft-0")
    assert guard(around, replace(state, write=write), go(state)).allowed


def test_G6_the_guard_gives_every_reason_and_not_the_first_alone(around: Surroundings, state: State) -> None:
    write = write_of(state.draft.id)
    bare = replace(state, write=write, question=None, tools=())
    assert guard(around, bare, None).reason.count(";") == 3


# The schema


def test_G6_the_schema_allows_confirmed_with_the_flag() -> None:
    assert schema_layer(arguments={CONFIRMED: True}, write_flag="true").allowed


@pytest.mark.parametrize("confirmed", [False, None, 1, "true", "True", [True], {"v": True}])
def test_G6_the_schema_refuses_a_confirmed_that_is_not_true(confirmed: Json) -> None:
    assert not schema_layer(arguments={CONFIRMED: confirmed}, write_flag="true").allowed


def test_G6_the_schema_refuses_without_confirmed() -> None:
    assert schema_layer(arguments={"title": "x"}, write_flag="true").reason == "confirmed is not true"


@pytest.mark.parametrize("flag", FLAGS)
def test_G8_the_schema_refuses_a_flag_that_is_not_the_literal_true(flag: str | None) -> None:
    decision = schema_layer(arguments={CONFIRMED: True}, write_flag=flag)
    assert (decision.allowed, decision.reason) == (False, f"{WRITE_FLAG} is {flag!r}, not 'true'")


# The skill


def test_G6_the_skill_layer_allows_where_every_request_carried_the_rule(around: Surroundings, state: State) -> None:
    assert skill_layer(surroundings=around, state=state).reason == "1 of 1 model requests carried the rule"


def test_G6_the_skill_layer_refuses_where_one_request_went_without_the_rule(around: Surroundings, state: State) -> None:
    without = replace(state, requests=3, requests_with_rule=2)
    assert skill_layer(surroundings=around, state=without).reason == "1 of 3 model requests went without the rule"


def test_G6_the_skill_layer_refuses_a_skill_text_without_the_rule(around: Surroundings, state: State) -> None:
    domain = replace(around.domain)
    object.__setattr__(domain, "skill", "Be brief.")
    assert not skill_layer(surroundings=replace(around, domain=domain), state=state).allowed


# All three


def test_G6_all_three_layers_are_recorded_where_all_allow(around: Surroundings, state: State) -> None:
    assert by_layer(gate(around, state, go(state))) == dict.fromkeys(LAYERS, True)


def test_G6_all_three_layers_are_recorded_where_all_refuse(around: Surroundings, state: State) -> None:
    bad = replace(state, requests=5)
    assert by_layer(gate(replace(around, write_flag=None), bad, None)) == dict.fromkeys(LAYERS, False)


def test_G6_a_write_is_allowed_where_all_layers_allow(around: Surroundings, state: State) -> None:
    decision = gate(around, state, go(state))
    assert (decision.allowed, decision.attempted) == (True, True)


def test_G6_the_skill_layer_alone_stops_a_write(around: Surroundings, state: State) -> None:
    decision = gate(around, replace(state, requests=2), go(state))
    assert (by_layer(decision), decision.allowed) == ({"skill": False, "schema": True, "guard": True}, False)


@pytest.mark.parametrize("flag", FLAGS)
def test_G6_the_schema_layer_alone_stops_a_write(around: Surroundings, state: State, flag: str | None) -> None:
    decision = gate(replace(around, write_flag=flag), state, go(state))
    assert (by_layer(decision), decision.allowed) == ({"skill": True, "schema": False, "guard": True}, False)


def test_G6_an_attempt_that_the_schema_stops_counts_as_attempted(around: Surroundings, state: State) -> None:
    assert gate(replace(around, write_flag=None), state, go(state)).attempted


def test_G6_what_the_guard_refuses_is_not_attempted(around: Surroundings, state: State) -> None:
    assert not gate(around, state, None).attempted


def test_G6_the_schema_refuses_too_where_the_guard_did(around: Surroundings, state: State) -> None:
    assert by_layer(gate(around, state, None)) == {"skill": True, "schema": False, "guard": False}


def test_G6_only_the_guard_sets_confirmed(around: Surroundings, state: State) -> None:
    refused, allowed = gate(around, state, None), gate(around, state, go(state))
    assert (CONFIRMED in refused.arguments, allowed.arguments[CONFIRMED]) == (False, True)


def test_G1_the_arguments_are_those_of_the_draft(around: Surroundings, state: State) -> None:
    assert gate(around, state, go(state)).arguments == {**state.draft.arguments(), CONFIRMED: True}


def test_G1_a_call_of_the_models_is_told_from_a_go_ahead(around: Surroundings, state: State) -> None:
    assert [gate(around, state, None).trigger, gate(around, state, go(state)).trigger] == ["model_call", "go_ahead"]


def test_G3_the_decision_names_the_question_that_was_answered(around: Surroundings, state: State) -> None:
    assert gate(around, state, go(state)).question == opened(state).id


def test_G5_deciding_changes_no_state(around: Surroundings, state: State) -> None:
    before = replace(state)
    gate(around, state, go(state))
    assert state == before


def test_a_pinned_tool_is_found_by_its_exact_name(state: State) -> None:
    found = pinned_tool(state, CREATE)
    assert found is not None
    assert found.tool == CREATE


def test_a_tool_that_is_not_pinned_is_not_found(state: State) -> None:
    assert pinned_tool(state, ToolName(server="desk", name="Create")) is None


def test_G7_a_session_whose_write_tool_is_not_listed_is_not_opened(make_desk: MakeDesk) -> None:
    """The list is pinned: what is not there when the session opens can never be what it writes with."""
    full = make_desk().SPECS
    with pytest.raises(UsageError, match="no server lists the write tool 'desk/create'"):
        make_desk(specs=full[:2]).to_summary()
