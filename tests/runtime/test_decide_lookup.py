"""A write whose outcome is unknown: a lookup by key says what became of it, whatever was typed, lost or crashed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import pytest
from tests.runtime.lookups import CREATE, Backend, lookups, unknown

from marg_runtime.canonical import Json
from marg_runtime.events.model import EffectAbandoned, ModelCalled, ToolCalled
from marg_runtime.events.turn import ReplyRead
from marg_runtime.events.write import (
    ReceiptShown,
    WriteClaimed,
    WriteRefused,
)
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry
from marg_runtime.store import MemoryStore
from marg_runtime.tools.tool import ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk

# What was done


def test_G9_an_unknown_write_that_was_done_is_found_by_its_key_at_a_reload(
    found: Callable[..., Desk], backend: Backend
) -> None:
    desk = unknown(found(), backend, lost="after")
    desk.reload()
    assert (desk.block.kind, desk.block.label, desk.texts("runtime")) == ("receipt", "T-1", ["Created: T-1."])


def test_G9_a_write_found_done_shows_the_values_that_were_written(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="after")
    desk.reload()
    assert [(row.slot, row.value) for row in desk.block.rows] == [
        ("title", "Lamp broken"),
        ("place", "Office"),
        ("urgency", "High"),
    ]


def test_G9_a_write_found_done_is_never_written_again(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="after")
    summary = desk.answers[-2].block
    desk.reload()
    desk.tap("Create", block=summary)
    desk.hear("It is there.")
    desk.say("yes", seen=desk.answers[-3].revision)
    assert (len(desk.writes), len(desk.events(WriteClaimed)), len(backend.records)) == (1, 1, 1)


@pytest.mark.parametrize("text", ["yes", "yes please", "ok, go ahead"])
def test_G9_a_second_yes_on_an_unknown_write_gets_the_receipt_that_was_found_once_and_no_model_call(
    found: Callable[..., Desk], backend: Backend, text: str
) -> None:
    desk = unknown(found(), backend, lost="after")
    before = len(desk.events(ModelCalled))
    desk.say(text)
    assert (desk.block.label, len(desk.events(ReceiptShown)), len(desk.events(ModelCalled)) - before) == ("T-1", 1, 0)


def test_G9_what_is_typed_beside_it_goes_to_the_model_which_is_told_of_the_write(
    found: Callable[..., Desk], backend: Backend
) -> None:
    desk = unknown(found(), backend, lost="after")
    desk.hear("It has been created.")
    desk.say("did that work?")
    told = [message for message in desk.model.received[-1].messages if "Created: T-1." in repr(message)]
    assert (len(told), desk.block.kind, desk.texts("model")) == (1, "receipt", ["It has been created."])


def test_G9_the_reply_to_a_lookup_is_read_once(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="after")
    before = len(desk.events(ReplyRead))
    desk.say("yes")
    assert len(desk.events(ReplyRead)) - before == 1


def test_G9_a_stale_tap_on_an_unknown_write_gets_what_was_found(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="after")
    desk.tap("Create", block=desk.answers[-2].block)
    assert (desk.block.label, len(desk.writes)) == ("T-1", 1)


# What was not done


def test_G9_an_unknown_write_that_is_not_there_draws_the_summary_again_with_a_line(
    found: Callable[..., Desk], backend: Backend
) -> None:
    desk = unknown(found(), backend, lost="before")
    desk.reload()
    assert (desk.block.kind, desk.texts("runtime")) == ("summary", [desk.domain.lines.absent])


def test_G9_the_next_go_ahead_writes_under_the_same_key(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="before")
    desk.reload()
    desk.say("yes")
    keys = [event.key for event in desk.events(WriteClaimed)]
    assert (len(set(keys)), len(keys), desk.block.kind) == (1, 2, "receipt")


def test_G9_after_a_change_the_write_still_goes_under_the_key_of_its_draft(
    found: Callable[..., Desk], backend: Backend
) -> None:
    desk = unknown(found(), backend, lost="before")
    desk.hear("Sure.", desk.propose("title", "lamp dark"))
    desk.hear("Changed.")
    desk.say("call it lamp dark")
    desk.say("yes")
    keys = {event.key for event in desk.events(WriteClaimed)}
    assert (len(keys), [record["title"] for record in backend.records.values()]) == (1, ["lamp dark"])


def test_G9_a_write_that_arrives_late_never_becomes_a_second_one(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="late")
    desk.reload()
    backend.arrive()
    desk.say("yes")
    assert (len(backend.records), desk.block.label) == (1, "T-1")


def test_G9_a_late_write_that_differs_from_the_changed_draft_is_found_and_shown_not_written_twice(
    found: Callable[..., Desk], backend: Backend
) -> None:
    desk = unknown(found(), backend, lost="late")
    desk.hear("Sure.", desk.propose("title", "lamp dark"))
    desk.hear("Changed.")
    desk.say("call it lamp dark")
    backend.arrive()
    desk.say("yes")
    refused = desk.texts("runtime")
    desk.reload()
    assert (refused, len(backend.records), desk.block.label, desk.block.rows) == (
        ["This time it was refused: The key belongs to another record.", desk.domain.lines.write_unknown],
        1,
        "T-1",
        (),
    )


def test_G9_a_yes_typed_while_it_was_unknown_is_no_go_ahead_for_the_summary_that_comes_back(
    found: Callable[..., Desk], backend: Backend
) -> None:
    desk = unknown(found(), backend, lost="before")
    desk.say("yes")
    assert (desk.block.kind, len(desk.writes), len(desk.events(WriteClaimed))) == ("summary", 1, 1)


def test_G9_content_typed_while_it_was_unknown_is_answered_above_the_summary_that_comes_back(
    found: Callable[..., Desk], backend: Backend
) -> None:
    desk = unknown(found(), backend, lost="before")
    desk.hear("It was not created.")
    desk.say("did that work?")
    assert (desk.texts("model"), desk.block.kind) == (["It was not created."], "summary")


def test_G9_the_model_is_told_once_that_the_write_was_not_done(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="before")
    desk.reload()
    desk.hear("Look at it once more.")
    desk.say("what now?")
    told = [message for message in desk.model.received[-1].messages if "was not done" in repr(message)]
    assert len(told) == 1


def test_G9_lost_twice_it_is_looked_up_twice_and_written_once(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="before")
    backend.lost.append("after")
    desk.reload()
    desk.say("yes")
    desk.reload()
    assert (lookups(desk), len(backend.records), desk.block.label) == (2, 1, "T-1")


def test_G9_a_refusal_of_the_second_try_leaves_the_key_with_the_draft(
    found: Callable[..., Desk], backend: Backend
) -> None:
    closed = iter([True])

    def create(arguments: Mapping[str, Json]) -> ToolOutcome:
        if backend.lost or not next(closed, False):
            return backend.create(arguments)
        return ToolOutcome(text="The desk is closed.", is_error=True)

    desk = unknown(found(script={CREATE: create}), backend, lost="before")
    desk.reload()
    desk.say("yes")
    desk.reload()
    desk.say("yes")
    assert (len({event.key for event in desk.events(WriteClaimed)}), len(backend.records)) == (1, 1)


# A call that never left


def test_G9_a_call_that_certainly_never_left_is_not_done_and_the_summary_is_drawn_again(
    found: Callable[..., Desk], backend: Backend
) -> None:
    backend.lost.append("never left")
    desk = found()
    desk.to_summary()
    desk.tap("Create")
    assert (desk.events(WriteRefused)[0].by, desk.block.kind, desk.texts("runtime")) == (
        "transport",
        "summary",
        ["Nothing was created: desk: connection refused."],
    )


def test_G9_after_a_call_that_never_left_a_new_go_ahead_writes(found: Callable[..., Desk], backend: Backend) -> None:
    backend.lost.append("never left")
    desk = found()
    desk.to_summary()
    desk.tap("Create")
    desk.tap("Create")
    assert (len(backend.records), desk.block.kind, lookups(desk)) == (1, "receipt", 0)


# After a crash


@pytest.fixture
def written(found: Callable[..., Desk]) -> tuple[Entry, ...]:
    """The ledger of a conversation that ended with a write."""
    desk = found()
    desk.to_summary()
    desk.tap("Create")
    return desk.ledger()


def restored(found: Callable[..., Desk], entries: Sequence[Entry], *, hellos: int = 0) -> Desk:
    store = MemoryStore()
    asyncio.run(store.append("s1", entries))
    return found(store=store, hellos=hellos)


def test_G9_a_ledger_restored_from_before_the_outcome_is_reconciled_by_key(
    found: Callable[..., Desk], backend: Backend, written: tuple[Entry, ...]
) -> None:
    claimed = next(number for number, entry in enumerate(written) if isinstance(entry.event, WriteClaimed))
    desk = restored(found, written[: claimed + 1])
    desk.reload()
    assert (desk.block.label, len(desk.writes), len(backend.records)) == ("T-1", 0, 1)


def test_G9_a_ledger_restored_from_anywhere_leads_to_one_record(
    found: Callable[..., Desk], backend: Backend, written: tuple[Entry, ...]
) -> None:
    for size in range(1, len(written) + 1):
        if fold(written[:size]).queue:
            continue
        desk = restored(found, written[:size], hellos=2)
        desk.reload()
        if desk.last.block is not None and desk.last.block.kind == "summary":
            desk.tap("Create")
            assert (size, desk.block.label) == (size, "T-1")
        assert len(backend.records) == 1


def test_G9_a_worker_that_dies_over_the_lookup_leaves_it_unknown_and_the_next_act_looks_again(
    found: Callable[..., Desk], backend: Backend
) -> None:
    desk = unknown(found(), backend, lost="after")
    desk.reload()
    entries = desk.ledger()
    asked = max(n for n, entry in enumerate(entries) if isinstance(entry.event, ToolCalled))
    again = restored(found, entries[: asked + 1])
    again.reload()
    assert ([event.kind for event in again.events(EffectAbandoned)], again.block.label, again.texts("runtime")) == (
        ["tool"],
        "T-1",
        [again.domain.lines.interrupted, "Created: T-1."],
    )
