"""The write: claimed once, dispatched once, and its outcome shown, whatever it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.canonical import Json
from marg_runtime.decide.writes import UNKNOWN_FACT
from marg_runtime.domain import Domain
from marg_runtime.events.model import ModelCalled, ToolCalled
from marg_runtime.events.write import (
    GateDecided,
    ReceiptShown,
    WriteClaimed,
    WriteDone,
    WriteRefused,
    WriteUnknown,
)
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CREATE = ToolName(server="desk", name="create")
VALUES = {"title": "Lamp broken", "place": "office", "urgency": "high"}
FLAGS = ["True", "TRUE", "1", " true", "true ", "yes", "", "false"]
Broken = Callable[[Mapping[str, Json]], ToolOutcome]


def go(desk: Desk, how: str) -> None:
    if how == "tap":
        desk.tap("Create")
    else:
        desk.say(how)


# The flag


def test_G8_without_the_flag_a_go_ahead_is_attempted_and_nothing_is_written(desk: Desk) -> None:
    desk.to_summary()
    desk.say("yes")
    decision = desk.events(GateDecided)[0]
    assert (decision.attempted, decision.allowed, desk.writes) == (True, False, [])


def test_G8_without_the_flag_the_user_is_told_and_the_summary_drawn_anew(desk: Desk) -> None:
    old = desk.to_summary().block
    desk.say("yes")
    assert old is not None
    assert (desk.texts("runtime"), desk.block.kind, desk.block.question == old.question) == (
        [desk.domain.lines.writes_off],
        "summary",
        False,
    )


def test_G8_without_the_flag_the_draft_stays(desk: Desk) -> None:
    desk.to_summary()
    desk.say("yes")
    assert desk.values == VALUES


@pytest.mark.parametrize("flag", FLAGS)
def test_G8_a_flag_that_is_not_the_literal_true_writes_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, flag: str
) -> None:
    monkeypatch.setenv("MARG_ALLOW_WRITES", flag)
    desk.to_summary()
    desk.tap("Create")
    assert (desk.writes, desk.events(WriteClaimed)) == ([], [])


def test_G8_the_flag_counts_as_it_is_at_the_go_ahead(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARG_ALLOW_WRITES", "true")
    desk.to_summary()
    monkeypatch.delenv("MARG_ALLOW_WRITES")
    desk.tap("Create")
    assert desk.writes == []


# Once


@pytest.mark.parametrize("how", ["tap", "yes", "yes please", "go ahead", "yes, create this ticket"])
def test_G1_a_go_ahead_dispatches_exactly_one_write_of_the_draft(desk: Desk, writes_on: None, how: str) -> None:
    desk.to_summary()
    go(desk, how)
    assert [call.arguments for call in desk.writes] == [{**VALUES, "confirmed": True}]


def test_G1_no_model_is_called_for_a_write(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    before = len(desk.events(ModelCalled))
    desk.say("yes")
    assert len(desk.events(ModelCalled)) == before


def test_G1_a_write_is_no_call_of_the_models(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    assert [event.tool.name for event in desk.events(ToolCalled)] == ["levels"]


def test_G5_the_write_is_claimed_in_the_ledger_before_it_is_dispatched(make_desk: MakeDesk, writes_on: None) -> None:
    claimed: list[int] = []

    def create(arguments: Mapping[str, Json]) -> ToolOutcome:
        claimed.append(sum(pending.kind == "write" for pending in desk.state.pending))
        return ToolOutcome(text="created", data={"id": "T-1"})

    desk = make_desk(script={CREATE: create})
    desk.to_summary()
    desk.say("yes")
    assert claimed == [1]


def test_G5_the_claim_holds_the_fingerprint_of_the_summary(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    summary = desk.state.summary
    desk.say("yes")
    assert summary is not None
    assert [claim.fingerprint for claim in desk.events(WriteClaimed)] == [summary.fingerprint]


def test_G9_the_receipt_is_shown(desk: Desk, writes_on: None) -> None:
    shown = desk.to_summary().block
    desk.say("yes")
    assert shown is not None
    assert (desk.texts("runtime"), desk.block.kind, desk.block.label, desk.block.rows) == (
        ["Created: T-1."],
        "receipt",
        "T-1",
        shown.rows,
    )


@pytest.mark.parametrize("first", ["tap", "yes"])
def test_G9_a_second_create_tap_shows_the_same_receipt_and_writes_nothing(
    desk: Desk, writes_on: None, first: str
) -> None:
    desk.to_summary()
    summary = desk.block
    go(desk, first)
    receipt = desk.block
    desk.tap("Create", block=summary)
    assert (len(desk.writes), desk.block.kind, desk.block.label, desk.block.rows) == (
        1,
        "receipt",
        receipt.label,
        receipt.rows,
    )


@pytest.mark.parametrize("first", ["tap", "yes"])
def test_G9_a_second_yes_to_the_same_summary_shows_the_same_receipt_and_writes_nothing(
    desk: Desk, writes_on: None, first: str
) -> None:
    seen = desk.to_summary().revision
    go(desk, first)
    receipt = desk.block
    desk.say("yes", seen=seen)
    assert (len(desk.writes), desk.block.kind, desk.block.rows) == (1, "receipt", receipt.rows)


def test_G9_a_second_yes_to_the_same_summary_calls_no_model(desk: Desk, writes_on: None) -> None:
    seen = desk.to_summary().revision
    desk.say("yes")
    desk.say("yes", seen=seen)
    assert len(desk.model.received) == 1


def test_G9_the_second_receipt_says_that_it_was_there_already(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    summary = desk.block
    desk.tap("Create")
    desk.tap("Create", block=summary)
    assert desk.texts("runtime") == ["This was already created: T-1."]


def test_R6_a_yes_of_a_client_that_had_displayed_the_receipt_is_content(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    desk.hear("Anything else?")
    desk.say("yes")
    assert (desk.texts("model"), len(desk.writes)) == (["Anything else?"], 1)


def test_G9_content_to_a_summary_that_was_written_goes_to_the_model(desk: Desk, writes_on: None) -> None:
    seen = desk.to_summary().revision
    desk.say("yes")
    desk.hear("It is done.")
    desk.say("Yes but change the title to login fails", seen=seen)
    assert (desk.texts("model"), len(desk.writes)) == (["It is done."], 1)


def test_G9_no_second_claim_follows_whatever_is_sent(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    summary = desk.block
    desk.tap("Create")
    for _ in range(3):
        desk.tap("Create", block=summary)
        desk.reload()
    assert len(desk.events(WriteClaimed)) == 1


# The idempotency key


def with_argument(desk: Desk, *arguments: str) -> list[object]:
    properties: dict[str, Json] = {name: {} for name in (*VALUES, "note", *arguments)}
    create = replace(desk.SPECS[2], input_schema={"type": "object", "properties": properties})
    return [*desk.SPECS[:2], create]


def test_G9_the_key_goes_with_the_write_where_the_tool_takes_it(make_desk: MakeDesk, writes_on: None) -> None:
    desk = make_desk(specs=with_argument(make_desk(), "confirmed", "idempotency_key"))  # type: ignore[arg-type]
    desk.to_summary()
    desk.say("yes")
    claim = desk.events(WriteClaimed)[0]
    assert desk.writes[0].arguments["idempotency_key"] == claim.key == f"s1:draft-1:{claim.fingerprint}"


def test_G9_the_key_does_not_go_with_a_write_that_does_not_take_it(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    assert "idempotency_key" not in desk.writes[0].arguments


def test_G6_confirmed_does_not_go_to_a_tool_that_does_not_take_it(make_desk: MakeDesk, writes_on: None) -> None:
    desk = make_desk(specs=with_argument(make_desk()))  # type: ignore[arg-type]
    desk.to_summary()
    desk.say("yes")
    assert desk.writes[0].arguments == VALUES


def test_G6_a_tool_that_does_not_take_confirmed_is_still_gated_by_the_flag(make_desk: MakeDesk) -> None:
    desk = make_desk(specs=with_argument(make_desk()))  # type: ignore[arg-type]
    desk.to_summary()
    desk.say("yes")
    assert desk.writes == []


# The backend refuses


def test_G9_a_refusal_of_the_backend_is_shown(make_desk: MakeDesk, writes_on: None) -> None:
    desk = make_desk(script={CREATE: ToolOutcome(text="The title is taken", is_error=True)})
    desk.to_summary()
    desk.say("yes")
    assert desk.texts("runtime") == ["Nothing was created: The title is taken"]


def test_G9_after_a_refusal_the_draft_stays_and_a_new_summary_is_drawn(make_desk: MakeDesk, writes_on: None) -> None:
    desk = make_desk(script={CREATE: ToolOutcome(text="no", is_error=True)})
    old = desk.to_summary().block
    desk.say("yes")
    assert old is not None
    assert (desk.values, desk.block.kind, desk.block.question == old.question) == (VALUES, "summary", False)


def test_G9_after_a_refusal_nothing_is_tried_again_by_itself(make_desk: MakeDesk, writes_on: None) -> None:
    desk = make_desk(script={CREATE: ToolOutcome(text="no", is_error=True)})
    desk.to_summary()
    desk.say("yes")
    desk.reload()
    assert len(desk.writes) == 1


def test_G9_after_a_refusal_a_new_go_ahead_tries_again(make_desk: MakeDesk, writes_on: None) -> None:
    outcomes = iter([ToolOutcome(text="no", is_error=True), ToolOutcome(text="created", data={"id": "T-2"})])
    desk = make_desk(script={CREATE: lambda _: next(outcomes)})
    desk.to_summary()
    desk.say("yes")
    desk.say("yes")
    assert (len(desk.writes), desk.block.label) == (2, "T-2")


def test_G3_after_a_refusal_the_old_create_tap_is_stale(make_desk: MakeDesk, writes_on: None) -> None:
    desk = make_desk(script={CREATE: ToolOutcome(text="no", is_error=True)})
    desk.to_summary()
    old = desk.block
    desk.tap("Create")
    desk.tap("Create", block=old)
    assert (len(desk.writes), desk.texts("runtime")) == (1, ["That card is no longer open."])


def test_G10_a_refusal_that_reads_like_a_receipt_is_a_refusal(make_desk: MakeDesk, writes_on: None) -> None:
    desk = make_desk(script={CREATE: ToolOutcome(text="created T-1", data={"id": "T-1"}, is_error=True)})
    desk.to_summary()
    desk.say("yes")
    assert (desk.events(WriteDone), len(desk.events(WriteRefused))) == ([], 1)


# Nobody knows


@pytest.fixture
def unknown(make_desk: MakeDesk, writes_on: None, broken_server: Broken) -> Desk:
    """A desk whose server died at the write."""
    desk = make_desk(script={CREATE: broken_server})
    desk.to_summary()
    desk.tap("Create")
    return desk


def test_G9_a_write_whose_server_died_is_unknown_and_told(unknown: Desk) -> None:
    assert ([event.reason for event in unknown.events(WriteUnknown)], unknown.texts("runtime")) == (
        ["the server is gone"],
        [unknown.domain.lines.write_unknown],
    )


def test_G9_while_a_write_is_unknown_a_create_tap_writes_nothing(unknown: Desk) -> None:
    unknown.tap("Create", block=unknown.answers[-2].block)
    assert len(unknown.writes) == 1


def test_G9_while_a_write_is_unknown_a_stale_tap_is_told_so(unknown: Desk) -> None:
    unknown.tap("Create", block=unknown.answers[-2].block)
    assert unknown.domain.lines.write_unknown in unknown.texts("runtime")


def test_G9_while_a_write_is_unknown_a_yes_writes_nothing(unknown: Desk) -> None:
    unknown.hear("I do not know.")
    unknown.say("yes")
    assert len(unknown.writes) == 1


def test_G9_while_a_write_is_unknown_a_reload_says_so(unknown: Desk) -> None:
    unknown.reload()
    assert (unknown.texts("runtime"), unknown.last.block) == ([unknown.domain.lines.write_unknown], None)


def test_G9_while_a_write_is_unknown_no_change_of_the_models_starts_another(unknown: Desk) -> None:
    before = unknown.values
    unknown.hear(unknown.propose("title", "login fails"), unknown.call("reopen", step="place"), unknown.call("create"))
    unknown.hear("Sorry.")
    unknown.say("Yes but change the title to login fails")
    assert (unknown.values, len(unknown.writes), unknown.state.summary) == (before, 1, None)


def test_G9_a_write_that_is_unknown_stays_so_in_another_process(unknown: Desk) -> None:
    unknown.reopen()
    unknown.reload()
    unknown.hear("I do not know.")
    unknown.say("yes")
    assert (len(unknown.writes), unknown.texts("runtime")) == (1, [unknown.domain.lines.write_unknown])


# A tool that is not the one that was summarised


def test_G5_a_tool_that_changes_between_summary_and_go_ahead_is_not_called(
    make_desk: MakeDesk, writes_on: None
) -> None:
    desk = make_desk()
    desk.to_summary()
    changed = replace(desk.SPECS[2], identity="desk 2")
    desk.scripted._specs = (*desk.SPECS[:2], changed)
    desk.say("yes")
    assert (desk.writes, [d.attempted for d in desk.events(GateDecided)]) == ([], [False])


def test_G5_a_tool_that_vanishes_between_summary_and_go_ahead_is_not_called(
    make_desk: MakeDesk, writes_on: None
) -> None:
    desk = make_desk()
    desk.to_summary()
    desk.scripted._specs = desk.SPECS[:2]
    desk.tap("Create")
    assert (desk.writes, [d.attempted for d in desk.events(GateDecided)]) == ([], [False])


def test_G9_every_receipt_follows_a_write_that_was_done(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    desk.reload()
    assert {event.key for event in desk.events(ReceiptShown)} == {event.key for event in desk.events(WriteDone)}


# A receipt that the domain cannot read


def raising(data: Json) -> str:
    raise KeyError("number")


@pytest.mark.parametrize("receipt", [raising, lambda data: None, lambda data: " "])
def test_G9_a_write_that_was_done_is_in_the_ledger_whatever_its_formatter_does(
    make_desk: MakeDesk, writes_on: None, domain_with: Callable[..., Domain], receipt: Callable[[Json], str]
) -> None:
    desk = make_desk(domain=domain_with(receipt=receipt))
    desk.to_summary()
    desk.tap("Create")
    assert [(done.text, done.receipt) for done in desk.events(WriteDone)] == [("T-1", {"id": "T-1"})]
    assert desk.block.label == "T-1"


# What the model is told, and may tell, while nobody knows


def test_G9_the_model_is_told_once_that_the_outcome_is_not_known(
    make_desk: MakeDesk, writes_on: None, broken_server: Broken
) -> None:
    desk = make_desk(script={CREATE: broken_server})
    desk.to_summary()
    desk.tap("Create")
    for _ in range(2):
        desk.hear("Let us see.")
        desk.say("and now?")
    told = [message for message in desk.model.received[-1].messages if UNKNOWN_FACT in repr(message)]
    assert len(told) == 1


@pytest.mark.parametrize("claim", ["Nothing was created.", "Your ticket was created."])
def test_S3_neither_claim_is_shown_while_the_outcome_is_not_known(
    make_desk: MakeDesk, writes_on: None, broken_server: Broken, claim: str
) -> None:
    desk = make_desk(script={CREATE: broken_server})
    desk.to_summary()
    desk.tap("Create")
    desk.hear(f"No worries. {claim}")
    desk.say("was it created?")
    assert desk.texts("model") == ["No worries."]
