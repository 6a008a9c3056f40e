"""Killed anywhere: the right block is drawn, a write under way is unknown and never done twice, no act is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.acts import Act, Say
from marg_runtime.canonical import Json
from marg_runtime.conversation import AssistantMessage, ModelRequest, ResultMessage
from marg_runtime.errors import LedgerError
from marg_runtime.events.model import EffectAbandoned, ModelCalled, ToolCalled
from marg_runtime.events.step import OptionsRequested
from marg_runtime.events.turn import ActQueued, AnswerDelivered, SessionOpened, TurnAbandoned, UserSaid
from marg_runtime.events.write import WriteClaimed, WriteDone, WriteUnknown
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry
from marg_runtime.state import State
from marg_runtime.store import MemoryStore
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CREATE = ToolName(server="desk", name="create")
SEARCH = ToolName(server="desk", name="search")


class DyingStore(MemoryStore):
    """A store that keeps how the ledger grew, and whose process dies at an append: before it, or just after it."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []
        self.dies_at: int | None = None
        self.after = False

    async def append(self, session: str, entries: Sequence[Entry]) -> None:
        dying = self.dies_at == len(self.sizes)
        if dying and not self.after:
            raise KeyboardInterrupt
        await super().append(session, entries)
        self.sizes.append(len(await self.read(session)))
        if dying:
            raise KeyboardInterrupt


def conversation(desk: Desk) -> None:
    """All the way to a write: settles, options from a tool, content with reads and a change, a decline, a yes."""
    desk.to_summary()
    desk.hear("Sure. ", desk.propose("title", "login fails"), desk.call("search", query="x"), desk.call("create"))
    desk.hear("Changed.")
    desk.say("Yes but change the title to login fails")
    desk.say("no")
    desk.hear("Fine.")
    desk.say("ok show it to me again, will you?")
    desk.say("yes")


@pytest.fixture
def whole(make_desk: MakeDesk, writes_on: None) -> tuple[Entry, ...]:
    """The ledger of the conversation, and the sizes that it had between appends."""
    desk = make_desk()
    conversation(desk)
    return desk.ledger()


def cut(make_desk: MakeDesk, entries: Sequence[Entry], *, hellos: int = 0) -> Desk:
    """A desk that opens on these entries, in a process of its own."""
    store = MemoryStore()
    asyncio.run(store.append("s1", entries))
    return make_desk(store=store, hellos=hellos)


def boundaries(make_desk: MakeDesk) -> list[int]:
    """The sizes that the ledger of the conversation has between two appends."""
    store = DyingStore()
    conversation(make_desk(store=store))
    return store.sizes


def well_formed(request: ModelRequest) -> bool:
    """Whether each call in a request's history has exactly one result, behind it."""
    open_calls: list[str] = []
    for message in request.messages:
        if isinstance(message, AssistantMessage):
            open_calls.extend(call.id for call in message.calls)
        elif isinstance(message, ResultMessage):
            if message.call not in open_calls:
                return False
            open_calls.remove(message.call)
    return not open_calls


def expected_block(state: State) -> str | None:
    """The step that a reload must draw, by the rules: what is open, else the first that is owed, else the summary.

    Written for this desk alone: its steps in order, urgency behind place, none re-opened by the model.
    """
    if state.write is not None:
        return "receipt" if state.write.status == "done" else None
    if state.question is not None:
        return state.question.step
    if not state.said and not state.ended:
        return None
    return next((step for step in ("title", "place", "urgency", "note") if step not in state.ended), "confirm")


# At every entry


def test_C3_a_reload_after_a_kill_at_any_entry_draws_the_right_block(
    make_desk: MakeDesk, whole: tuple[Entry, ...]
) -> None:
    for size in range(1, len(whole) + 1):
        state = fold(whole[:size])
        if not state.queue:  # else the act that waits is served first
            block = cut(make_desk, whole[:size]).reload().block
            assert (size, block.step if block else None) == (size, expected_block(state))


def test_G9_a_kill_at_any_entry_never_leads_to_a_second_write(
    make_desk: MakeDesk, whole: tuple[Entry, ...], writes_on: None
) -> None:
    for size in range(1, len(whole) + 1):
        before = fold(whole[:size])
        desk = cut(make_desk, whole[:size], hellos=2)
        desk.reload()
        if desk.last.block and desk.last.block.kind == "summary":
            desk.tap("Create")
        claims = sum(isinstance(entry.event, WriteClaimed) for entry in desk.ledger())
        assert claims <= 1
        assert len(desk.writes) == (0 if before.write else claims)


def test_C3_a_kill_at_any_entry_leaves_a_session_that_goes_on(make_desk: MakeDesk, whole: tuple[Entry, ...]) -> None:
    for size in range(1, len(whole) + 1):
        desk = cut(make_desk, whole[:size], hellos=2)
        desk.reload()
        assert (desk.state.turn_open, desk.state.pending, desk.state.queue) == (False, (), ())
        assert desk.state == fold(desk.ledger())


# Between two appends, which is where a process can die on a store that appends all or none


def test_C2_no_acknowledged_act_is_lost(make_desk: MakeDesk, whole: tuple[Entry, ...]) -> None:
    for size in boundaries(make_desk):
        queued = sum(isinstance(entry.event, ActQueued) for entry in whole[:size])
        desk = cut(make_desk, whole[:size], hellos=2)
        desk.reload()
        assert desk.state.turn == queued + 1


def test_C4_after_a_kill_between_appends_every_call_in_the_history_has_one_result(
    make_desk: MakeDesk, whole: tuple[Entry, ...]
) -> None:
    for size in boundaries(make_desk):
        desk = cut(make_desk, whole[:size], hellos=2)
        desk.say("what now, please?", seen=None)
        assert all(well_formed(request) for request in desk.model.received)


@pytest.mark.parametrize("after", [False, True], ids=["before an append", "after an append"])
def test_C3_a_process_that_dies_at_an_append_is_taken_over_by_the_next(
    make_desk: MakeDesk, writes_on: None, after: bool
) -> None:
    for number in range(2, len(boundaries(make_desk))):
        store = DyingStore()
        store.dies_at, store.after = number, after
        desk = make_desk(store=store)
        with pytest.raises(KeyboardInterrupt):
            conversation(desk)
        store.dies_at = None
        desk.model.script.clear()
        desk.hear("Hello.")
        desk.reopen()
        desk.reload()
        outcomes = len(desk.events(WriteDone)) + len(desk.events(WriteUnknown))
        assert len(desk.writes) <= len(desk.events(WriteClaimed)) == outcomes <= 1
        assert (desk.state.turn_open, desk.state.queue) == (False, ())


# By kind of what was under way


def killed_in(make_desk: MakeDesk, whole: tuple[Entry, ...], kind: type, *, skip: int = 0) -> Desk:
    """A desk whose process died right after the append that ends with the effect of this event."""
    at = [n for n, entry in enumerate(whole) if isinstance(entry.event, kind)][skip]
    size = next(size for size in boundaries(make_desk) if size > at)
    desk = cut(make_desk, whole[:size])
    desk.reload()
    return desk


def test_C3_a_pending_model_call_is_abandoned_and_told_and_the_question_drawn(
    make_desk: MakeDesk, whole: tuple[Entry, ...]
) -> None:
    desk = killed_in(make_desk, whole, ModelCalled, skip=1)
    assert ([event.kind for event in desk.events(EffectAbandoned)], desk.texts("runtime"), desk.block.kind) == (
        ["model"],
        [desk.domain.lines.interrupted],
        "summary",
    )


def test_C3_the_first_model_call_of_a_session_is_abandoned_and_the_first_question_drawn(
    make_desk: MakeDesk, whole: tuple[Entry, ...]
) -> None:
    desk = killed_in(make_desk, whole, ModelCalled)
    assert (desk.texts("runtime"), desk.block.step) == ([desk.domain.lines.interrupted], "title")


def test_C3_options_under_way_are_abandoned_and_looked_for_again(make_desk: MakeDesk, whole: tuple[Entry, ...]) -> None:
    desk = killed_in(make_desk, whole, OptionsRequested)
    assert ([event.kind for event in desk.events(EffectAbandoned)], desk.block.step, len(desk.scripted.calls)) == (
        ["options"],
        "urgency",
        1,
    )


def test_C3_a_read_under_way_is_abandoned_with_a_result_that_says_so(
    make_desk: MakeDesk, whole: tuple[Entry, ...]
) -> None:
    search = next(
        n for n, entry in enumerate(whole) if isinstance(entry.event, ToolCalled) and entry.event.tool == SEARCH
    )
    size = next(size for size in boundaries(make_desk) if size > search)
    desk = cut(make_desk, whole[:size])
    desk.hear("Fine.")
    desk.say("what now?")
    results = [message for message in desk.model.received[-1].messages if isinstance(message, ResultMessage)]
    assert [result.text for result in results if result.is_error and "interrupted" in result.text] == [
        "not finished: the call was interrupted; nothing is known of its outcome"
    ]


def test_C3_a_write_under_way_is_unknown_and_told(make_desk: MakeDesk, whole: tuple[Entry, ...]) -> None:
    desk = killed_in(make_desk, whole, WriteClaimed)
    assert (len(desk.events(WriteUnknown)), desk.domain.lines.write_unknown in desk.texts("runtime")) == (1, True)


def test_G9_after_a_write_that_became_unknown_nothing_is_dispatched_whatever_follows(
    make_desk: MakeDesk, whole: tuple[Entry, ...], writes_on: None
) -> None:
    desk = killed_in(make_desk, whole, WriteClaimed)
    desk.hear(desk.propose("title", "login fails again"), desk.call("create", confirmed=True))
    desk.hear("Sorry.")
    desk.say("yes, call it login fails again")
    desk.hear("Sorry.")
    desk.say("yes")
    desk.reopen()
    desk.reload()
    assert (desk.writes, len(desk.events(WriteClaimed))) == ([], 1)


def test_C3_a_write_that_was_done_shows_its_receipt_after_a_kill(make_desk: MakeDesk, whole: tuple[Entry, ...]) -> None:
    desk = killed_in(make_desk, whole, WriteDone)
    assert (desk.block.kind, desk.block.label) == ("receipt", "T-1")


def test_G4_a_summary_whose_turn_was_not_delivered_is_not_confirmed_by_the_next_yes(
    make_desk: MakeDesk, whole: tuple[Entry, ...], writes_on: None
) -> None:
    drawn = next(n for n, entry in enumerate(whole) if type(entry.event).__name__ == "SummaryShown")
    size = next(size for size in boundaries(make_desk) if size > drawn)
    desk = cut(make_desk, whole[:size])
    assert not isinstance(whole[size - 1].event, AnswerDelivered)
    desk.hear("What do you mean?")
    desk.say("yes", seen=desk.state.revision)
    assert (desk.writes, desk.block.kind) == ([], "summary")


def test_G4_after_its_delivery_in_a_later_turn_it_is_confirmed(
    make_desk: MakeDesk, whole: tuple[Entry, ...], writes_on: None
) -> None:
    drawn = next(n for n, entry in enumerate(whole) if type(entry.event).__name__ == "SummaryShown")
    size = next(size for size in boundaries(make_desk) if size > drawn)
    desk = cut(make_desk, whole[:size])
    desk.reload()
    desk.say("yes")
    assert len(desk.writes) == 1


# Cancelled at every await


class Yielding(MemoryStore):
    """A store that gives way before and behind everything that it does."""

    async def read(self, session: str, *, after: int = 0) -> tuple[Entry, ...]:
        await asyncio.sleep(0)
        found = await super().read(session, after=after)
        await asyncio.sleep(0)
        return found

    async def append(self, session: str, entries: Sequence[Entry]) -> None:
        await asyncio.sleep(0)
        await super().append(session, entries)
        await asyncio.sleep(0)


def slow_create(arguments: Mapping[str, Json]) -> ToolOutcome:
    return ToolOutcome(text="created", data={"id": "T-1"})


async def cancelled_after(act: Callable[[], asyncio.Task[object]], steps: int) -> bool:
    """Cancel a task after it gave way so many times; False where it had ended by then."""
    task = act()
    for _ in range(steps):
        if task.done():
            break
        await asyncio.sleep(0)
    if task.done():
        task.result()
        return False
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return True


MOST_STEPS = 400


@pytest.mark.parametrize("text", ["yes", "Yes but change the title to login fails"])
def test_C3_an_act_cancelled_at_any_await_leaves_a_session_that_goes_on(
    make_desk: MakeDesk, writes_on: None, text: str
) -> None:
    steps = 0
    for steps in range(MOST_STEPS):
        desk = make_desk(store=Yielding(), script={CREATE: slow_create})
        desk.to_summary()
        desk.hear("Sure.", desk.propose("title", "login fails"), desk.call("search", query="x"))
        desk.hear("Changed.")
        said: Act = Say(text=text, at=9, seen=desk.seen)
        cancelled = desk.run(cancelled_after(lambda d=desk, a=said: asyncio.ensure_future(d.session.act(a)), steps))  # type: ignore[misc]
        desk.hear("Hello.")
        desk.reload()
        said_once = [event.text for event in desk.events(UserSaid)].count(text)
        queued = sum(isinstance(event.act, Say) and event.act.text == text for event in desk.events(ActQueued))
        assert (desk.state.turn_open, desk.state.queue, said_once) == (False, (), queued)
        assert len(desk.events(WriteClaimed)) == len(desk.writes) + len(desk.events(WriteUnknown)) * (not desk.writes)
        assert desk.state == fold(desk.ledger())
        if not cancelled:
            break
    assert 10 < steps < MOST_STEPS - 1


def test_C2_decisions_under_a_lost_lease_are_an_error(make_desk: MakeDesk) -> None:
    """A store that lets two workers in: the second to append finds a decision that is not its own."""

    class Shared(MemoryStore):
        async def append(self, session: str, entries: Sequence[Entry]) -> None:
            if isinstance(entries[0].event, UserSaid):
                await super().append(session, [replace(entries[0], event=TurnAbandoned())])
            await super().append(session, entries)

    desk = make_desk(store=Shared())
    with pytest.raises(LedgerError, match="another worker decided under this one's lease"):
        desk.say("hello")


def test_C3_a_session_that_was_opened_and_never_used_goes_on(make_desk: MakeDesk, whole: tuple[Entry, ...]) -> None:
    desk = cut(make_desk, whole[:1])
    assert isinstance(whole[0].event, SessionOpened)
    assert desk.reload().block is None
