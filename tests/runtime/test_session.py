"""A session: opened on its ledger, serving acts one by one, listing the tools once a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from marg_runtime.acts import Say
from marg_runtime.canonical import Json
from marg_runtime.domain import Domain, Problem
from marg_runtime.errors import ToolError, UsageError
from marg_runtime.events.turn import ActDropped, ActQueued, AnswerDelivered, SessionOpened
from marg_runtime.fold import fold
from marg_runtime.session import Session
from marg_runtime.state import State
from marg_runtime.steps import Option, OptionsContext, chips_step
from marg_runtime.tools.tool import ToolName, ToolOutcome, ToolSpec

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


class Flaky:
    """Tools that cannot be listed while `down`."""

    def __init__(self, desk: Desk) -> None:
        self.inner, self.down, self.listed = desk.scripted, False, 0

    async def list(self) -> tuple[ToolSpec, ...]:
        self.listed += 1
        if self.down:
            raise ToolError("the desk is not there")
        return await self.inner.list()

    async def call(self, tool: ToolName, arguments: Mapping[str, Json]) -> ToolOutcome:
        return await self.inner.call(tool, arguments)


# Opening


def test_C6_a_new_session_records_domain_language_and_digests(desk: Desk) -> None:
    opened = desk.events(SessionOpened)[0]
    assert (opened.session, opened.domain, opened.language, opened.reader, opened.skill_digest) == (
        "s1",
        "desk",
        "en",
        "whole_message",
        desk.domain.skill_digest,
    )


def test_G7_a_new_session_pins_the_tools(desk: Desk) -> None:
    assert [pinned.tool for pinned in desk.state.tools] == [spec.tool for spec in desk.SPECS]


def test_the_time_of_opening_is_the_one_that_was_given(desk: Desk) -> None:
    async def play() -> Session:
        return await Session.open(
            "later", domain=desk.domain, model=desk.model, tools=desk.tools, store=desk.store, at=77
        )

    session = desk.run(play())
    assert [entry.at for entry in desk.run(session.entries())] == [77]


def reopened(desk: Desk, in_order: bool | None) -> list[bool]:
    """How the channel of a session that was opened in order stands in its ledger once it is opened so."""
    desk._in_order = True
    desk._id = "in-order"
    desk.reopen()
    desk._in_order = in_order
    desk.reopen()
    return [event.in_order for event in desk.events(SessionOpened)]


def test_G3_a_session_that_is_opened_again_is_on_the_channel_that_it_was_on(desk: Desk) -> None:
    assert reopened(desk, None) == [True]


def test_G3_a_typed_answer_on_such_a_channel_counts_after_the_session_was_opened_again(desk: Desk) -> None:
    reopened(desk, None)
    desk.to_title()
    desk.say("Lamp broken", seen=None)
    assert desk.values == {"title": "Lamp broken"}


def test_C6_another_declaration_of_the_channel_stands_in_the_ledger(desk: Desk) -> None:
    assert reopened(desk, False) == [True, False]


def test_G3_a_new_session_whose_channel_is_not_declared_is_not_in_order(desk: Desk) -> None:
    desk._id, desk._in_order = "undeclared", None
    desk.reopen()
    assert [event.in_order for event in desk.events(SessionOpened)] == [False]


def test_C1_opening_again_with_no_time_does_not_make_a_session_look_old(desk: Desk) -> None:
    desk.clock = 1_800_000_000_000
    desk.to_place()
    desk.domain = replace(desk.domain, skill=f"{desk.SKILL} Be kind.")
    desk.reopen()
    assert len(desk.events(SessionOpened)) == 2
    assert desk.run(desk.store.delete_older_than(1_790_000_000_000)) == ()


def test_C1_the_time_of_a_session_is_not_put_back_by_the_clock_of_a_host_that_is_behind(desk: Desk) -> None:
    desk.clock = 1_800_000_000_000
    desk.to_place()
    before, desk.clock = desk.state.at, 5
    desk.tap("Office")
    assert desk.state.at == before


def test_C1_opening_again_on_the_same_ledger_appends_nothing(desk: Desk) -> None:
    desk.to_summary()
    before = desk.ledger()
    desk.reopen()
    assert desk.ledger() == before


def test_C1_opening_again_gives_the_same_state(desk: Desk) -> None:
    desk.to_summary()
    before = desk.state
    desk.reopen()
    assert desk.state == before


def test_C3_a_summary_shown_by_another_process_is_confirmed_here(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.reopen()
    desk.tap("Create")
    assert len(desk.writes) == 1


@pytest.mark.parametrize("change", ["tool", "reader", "skill"])
def test_C6_opening_under_anything_else_voids_the_summary(desk: Desk, writes_on: None, change: str) -> None:
    desk.to_summary()
    if change == "tool":
        desk.scripted._specs = (*desk.SPECS[:2], replace(desk.SPECS[2], identity="desk 2"))
    elif change == "reader":
        desk._reader = "literal"
    else:
        desk.domain = replace(desk.domain, skill=f"{desk.SKILL} Be kind.")
    desk.reopen()
    desk.tap("Create")
    assert (desk.writes, desk.texts("runtime"), desk.block.kind) == ([], [desk.domain.lines.stale], "summary")


def test_C6_after_opening_under_another_tool_the_new_summary_can_be_confirmed(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.scripted._specs = (*desk.SPECS[:2], replace(desk.SPECS[2], identity="desk 2"))
    desk.reopen()
    desk.reload()
    desk.tap("Create")
    assert len(desk.writes) == 1


@pytest.mark.parametrize("change", [{"name": "other"}, {"language": "es"}])
def test_C6_a_session_of_another_domain_or_language_is_not_opened(desk: Desk, change: dict[str, Any]) -> None:
    desk.to_place()
    desk.domain = replace(desk.domain, **change)
    with pytest.raises(UsageError, match=r"session 's1' belongs to the domain 'desk' in 'en'.*open it with that one"):
        desk.reopen()


def test_tools_that_cannot_be_listed_are_an_error_of_opening_a_new_session(desk: Desk, make_desk: MakeDesk) -> None:
    flaky = Flaky(desk)
    flaky.down = True
    with pytest.raises(ToolError, match="the desk is not there"):
        make_desk(tools=flaky, session="new")


# Serving


def test_C2_an_act_is_queued_before_it_is_served(desk: Desk) -> None:
    desk.to_title()
    kinds = [type(entry.event).__name__ for entry in desk.ledger()]
    assert kinds[:3] == ["SessionOpened", "ActQueued", "UserSaid"]


def test_C2_every_act_gets_one_delivery(desk: Desk) -> None:
    desk.to_summary()
    assert len(desk.events(AnswerDelivered)) == len(desk.events(ActQueued)) == len(desk.answers)


def test_C2_the_ledger_folds_to_the_sessions_state(desk: Desk) -> None:
    desk.to_summary()
    assert fold(desk.ledger()) == desk.state


def test_entries_after_a_revision_are_given(desk: Desk) -> None:
    desk.to_place()
    later = desk.run(desk.session.entries(after=5))
    assert later == desk.ledger()[5:]


def test_G6_the_tools_are_listed_once_a_turn(make_desk: MakeDesk) -> None:
    flaky = Flaky(make_desk())
    desk = make_desk(tools=flaky)
    before = flaky.listed
    desk.hear(desk.call("search", query="x"), desk.call("create"))
    desk.hear("Fine.")
    desk.say("hello")
    assert flaky.listed - before == 1


def test_C2_an_act_whose_decision_breaks_is_dropped_with_the_error(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    def broken(values: Mapping[str, Json]) -> tuple[Problem, ...]:
        raise RuntimeError("a bug in a domain")

    desk = make_desk(domain=domain_with(validate=broken))
    desk.to_note()
    with pytest.raises(RuntimeError):
        desk.tap("Skip")
    queued = [entry.revision for entry in desk.ledger() if isinstance(entry.event, ActQueued)]
    dropped = desk.events(ActDropped)
    assert [(event.act, event.error) for event in dropped] == [(queued[-1], "RuntimeError('a bug in a domain')")]


def test_C3_an_error_of_the_model_doubles_ends_the_turn_and_the_next_act_takes_over(desk: Desk) -> None:
    desk.to_place()
    before = desk.block
    with pytest.raises(AssertionError, match="no reply is scripted"):
        desk.say("what is this?")
    answer = desk.reload()
    assert ([said.text for said in answer.texts], answer.block) == ([desk.domain.lines.interrupted], before)


def test_C3_an_error_in_a_steps_options_ends_the_turn_and_the_next_act_asks_again(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    failures = iter([RuntimeError("a bug in a step")])

    async def options(context: OptionsContext) -> Sequence[Option]:
        for failure in failures:
            raise failure
        return [Option(label="A", value="a")]

    step = chips_step(key="k", label="K", slot="place", lead="K?", options=options)
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.hear("Hello.")
    with pytest.raises(RuntimeError, match="a bug in a step"):
        desk.say("hello")
    assert [option.label for option in (desk.reload().block or desk.block).options] == ["A"]


def test_S4_the_listener_hears_what_the_answer_says(desk: Desk) -> None:
    heard: list[str] = []

    async def on_text(text: str) -> None:
        heard.append(text)

    desk.hear("Noted. How urgent is this? Bye.")
    desk.say("hello", on_text=on_text)
    assert "".join(heard) == "Noted. Bye." == desk.texts("model")[0]


def test_two_sessions_of_one_store_do_not_meet(make_desk: MakeDesk) -> None:
    one = make_desk(session="s1")
    other = make_desk(session="s2", store=one.store)
    one.to_place()
    assert (other.state.draft.values, len(other.ledger())) == ({}, 1)


def test_C1_the_state_of_a_session_not_yet_opened_is_empty(desk: Desk) -> None:
    session = Session(
        session="s9",
        domain=desk.domain,
        model=desk.model,
        tools=desk.tools,
        store=desk.store,
        reader="whole_message",
        in_order=False,
    )
    assert session.state == State()


def test_C2_a_message_is_kept_as_it_was_typed(desk: Desk) -> None:
    desk.hear("Hello.")
    said = Say(text="  héllo\t\u200b ", at=5)
    desk.act(said)
    assert desk.events(ActQueued)[0].act == said
