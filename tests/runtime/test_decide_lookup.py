"""A write whose outcome is unknown: nothing is written while it is, and a lookup by key says what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.errors import ToolError, UsageError
from marg_runtime.events.model import EffectAbandoned, ModelCalled, ToolCalled
from marg_runtime.events.turn import ReplyRead
from marg_runtime.events.write import (
    ReceiptShown,
    WriteAbsent,
    WriteClaimed,
    WriteDone,
    WriteRefused,
    WriteUnknown,
)
from marg_runtime.fit import check_fit
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry
from marg_runtime.reconcile import Lookup, Reconcile, read_found
from marg_runtime.store import MemoryStore
from marg_runtime.tools.tool import ToolName, ToolOutcome, ToolSpec

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CREATE = ToolName(server="desk", name="create")
SEARCH = ToolName(server="desk", name="search")
LEVELS = ToolName(server="desk", name="levels")
FIND = ToolName(server="desk", name="find")


def spec(tool: ToolName, *properties: str) -> ToolSpec:
    schema: dict[str, Json] = {"type": "object", "properties": {name: {} for name in properties}}
    return ToolSpec(server=tool.server, identity="desk 1", name=tool.name, description="", input_schema=schema)


SPECS = (
    spec(LEVELS, "kind"),
    spec(SEARCH, "query", "title"),
    spec(FIND, "idempotency_key"),
    spec(CREATE, "title", "place", "urgency", "note", "confirmed", "idempotency_key"),
)


class Backend:
    """A backend that keeps what was written by key, and whose answers can be lost before or after it has written."""

    def __init__(self) -> None:
        self.records: dict[str, Mapping[str, Json]] = {}
        self.lost: list[str] = []
        self.blind = False
        self.late: list[tuple[str, Mapping[str, Json]]] = []

    def create(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        key = str(arguments["idempotency_key"])
        values = {name: value for name, value in arguments.items() if name != "idempotency_key"}
        lost = self.lost.pop(0) if self.lost else ""
        if lost == "before":
            raise ToolError("desk: create: no answer")
        if lost == "late":
            self.late.append((key, values))
            raise ToolError("desk: create: no answer")
        if lost == "never left":
            raise ToolError("desk: connection refused", sent=False)
        if self.records.setdefault(key, values) != values:
            return ToolOutcome(text="The key belongs to another record.", is_error=True)
        if lost == "after":
            raise ToolError("desk: create: no answer")
        return ToolOutcome(text="created", data=self.receipt(key))

    def arrive(self) -> None:
        """What was on its way arrives."""
        for key, values in self.late:
            self.records.setdefault(key, values)

    def find(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        if self.blind:
            raise ToolError("desk: find: no answer")
        key = str(arguments["idempotency_key"])
        found = key in self.records
        return ToolOutcome(text="", data={"found": found, "receipt": self.receipt(key) if found else None})

    def receipt(self, key: str) -> Json:
        return {"id": f"T-{list(self.records).index(key) + 1}"}


@pytest.fixture
def backend() -> Backend:
    return Backend()


@pytest.fixture
def found(
    make_desk: MakeDesk, writes_on: None, backend: Backend, domain_with: Callable[..., Domain]
) -> Callable[..., Desk]:
    """Makes desks whose backend can look a write up by its key."""

    def make(**options: Any) -> Desk:
        domain = domain_with(
            read_tools=frozenset({LEVELS, SEARCH, FIND}), reconcile=options.pop("reconcile", Reconcile(tool=FIND))
        )
        script = {CREATE: backend.create, FIND: backend.find, **options.pop("script", {})}
        return make_desk(domain=domain, specs=SPECS, script=script, **options)

    return make


def unknown(desk: Desk, backend: Backend, *, lost: str) -> Desk:
    """A desk whose write got no answer: lost before the backend had it, after, or on its way still."""
    backend.lost.append(lost)
    desk.to_summary()
    desk.tap("Create")
    assert desk.state.write is not None
    assert desk.state.write.status == "unknown"
    return desk


def lookups(desk: Desk) -> int:
    return sum(call.tool == FIND for call in desk.scripted.calls)


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


# What stays unknown


def test_G9_a_lookup_that_breaks_leaves_it_unknown_and_says_so(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="after")
    backend.blind = True
    desk.reload()
    assert (desk.texts("runtime"), desk.last.block) == ([desk.domain.lines.write_unknown], None)


def test_G9_it_is_looked_up_again_at_every_act_until_it_is_known(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="after")
    backend.blind = True
    desk.reload()
    desk.reload()
    backend.blind = False
    desk.reload()
    desk.reload()
    assert (lookups(desk), desk.block.label) == (3, "T-1")


@pytest.mark.parametrize(
    "answer",
    [
        ToolOutcome(text="", data=None),
        ToolOutcome(text="true", data={"found": "true"}),
        ToolOutcome(text="", data={"found": 1}),
        ToolOutcome(text="", data={"found": None}),
        ToolOutcome(text="", data=["found"]),
        ToolOutcome(text="", data={"found": True, "receipt": {"id": "T-9"}}, is_error=True),
        ToolOutcome(text="", data={"found": False}, is_error=True),
    ],
)
def test_G9_an_answer_that_does_not_say_leaves_it_unknown(
    found: Callable[..., Desk], backend: Backend, answer: ToolOutcome
) -> None:
    desk = unknown(found(script={FIND: answer}), backend, lost="after")
    desk.reload()
    assert (len(desk.events(WriteDone)), len(desk.events(WriteAbsent)), desk.last.block) == (0, 0, None)


def test_G9_while_it_is_unknown_nothing_starts_whatever_changes(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="before")
    backend.blind = True
    desk.hear(desk.propose("title", "lamp dark"), desk.call("reopen", step="place"), desk.call("create"))
    desk.hear("Sorry.")
    desk.say("yes, call it lamp dark")
    desk.hear("Sorry.")
    desk.say("yes")
    desk.tap("Create", block=desk.answers[-4].block)
    desk.reopen()
    desk.reload()
    assert (len(desk.writes), len(desk.events(WriteClaimed)), desk.values["title"]) == (1, 1, "Lamp broken")


def test_G9_without_a_lookup_it_stays_unknown_and_is_shown(make_desk: MakeDesk, writes_on: None) -> None:
    def lost(arguments: Mapping[str, Json]) -> ToolOutcome:
        raise ToolError("desk: create: no answer")

    desk = make_desk(script={CREATE: lost})
    desk.to_summary()
    desk.tap("Create")
    desk.reload()
    assert (desk.texts("runtime"), len(desk.writes)) == ([desk.domain.lines.write_unknown], 1)


def test_G9_a_lookup_that_is_not_the_one_the_session_opened_with_is_not_asked(
    found: Callable[..., Desk], backend: Backend, make_desk: MakeDesk
) -> None:
    desk = unknown(found(), backend, lost="after")
    changed = replace(SPECS[2], input_schema={"type": "object", "properties": {"idempotency_key": {}, "more": {}}})
    desk.scripted._specs = (*SPECS[:2], changed, SPECS[3])
    desk.hear("I cannot tell.")
    desk.say("and now?")
    assert (lookups(desk), desk.texts("runtime")) == (0, [desk.domain.lines.write_unknown])


def test_G7_nor_is_it_asked_at_a_reload(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="after")
    desk.scripted._specs = (*SPECS[:2], replace(SPECS[2], identity="another desk 9"), SPECS[3])
    desk.reload()
    assert (lookups(desk), desk.texts("runtime")) == (0, [desk.domain.lines.write_unknown])


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


# What a domain must have


def test_G9_a_lookup_that_is_no_read_tool_is_refused(domain_with: Callable[..., Domain]) -> None:
    with pytest.raises(UsageError, match="'desk/find' is no read tool; add it to read_tools"):
        domain_with(reconcile=Reconcile(tool=FIND))


@pytest.fixture
def looking(domain_with: Callable[..., Domain]) -> Domain:
    return domain_with(read_tools=frozenset({LEVELS, SEARCH, FIND}), reconcile=Reconcile(tool=FIND))


def test_G9_a_lookup_that_no_server_lists_is_refused(looking: Domain) -> None:
    with pytest.raises(UsageError, match="no server lists the lookup 'desk/find'"):
        check_fit(looking, [one for one in SPECS if one.tool != FIND])


def test_G9_a_lookup_without_an_idempotency_key_on_the_write_is_refused(looking: Domain) -> None:
    keyless = spec(CREATE, "title", "place", "urgency", "note", "confirmed")
    with pytest.raises(UsageError, match="takes no 'idempotency_key'"):
        check_fit(looking, [*SPECS[:3], keyless])


def test_G9_the_model_is_not_offered_the_lookup(found: Callable[..., Desk]) -> None:
    desk = found()
    desk.to_title()
    assert "find" not in [tool.name for tool in desk.model.received[0].tools]


def test_G9_the_model_cannot_call_the_lookup(found: Callable[..., Desk]) -> None:
    desk = found()
    desk.to_title()
    desk.hear(desk.call("find", idempotency_key="s1:draft-1:x"))
    desk.hear("No.")
    desk.say("look it up, will you?")
    assert lookups(desk) == 0


def test_G9_a_domain_says_how_its_lookup_is_asked_and_read(found: Callable[..., Desk], backend: Backend) -> None:
    asked: list[Mapping[str, Json]] = []

    def find(arguments: Mapping[str, Json]) -> ToolOutcome:
        asked.append(arguments)
        return ToolOutcome(text="", data={"rows": [{"id": "T-7"}]})

    def first_row(data: Json) -> Lookup:
        rows = cast("Mapping[str, Sequence[Json]]", data)["rows"]
        return Lookup(status="done", receipt=rows[0]) if rows else Lookup(status="absent")

    reconcile = Reconcile(tool=FIND, arguments=lambda key: {"filter": f"key={key}"}, read=first_row)
    desk = unknown(found(reconcile=reconcile, script={FIND: find}), backend, lost="after")
    desk.reload()
    assert (asked, desk.block.label) == ([{"filter": f"key={desk.events(WriteUnknown)[0].key}"}], "T-7")


def test_G9_the_usual_answer_of_a_lookup_is_read() -> None:
    assert [read_found({"found": True, "receipt": {"id": 1}}), read_found({"found": False})] == [
        Lookup(status="done", receipt={"id": 1}),
        Lookup(status="absent"),
    ]


# A lookup that raises


def unreadable(data: Json) -> Lookup:
    raise KeyError(0)


def no_arguments(key: str) -> Mapping[str, Json]:
    raise ValueError(key)


@pytest.mark.parametrize(
    "reconcile",
    [
        Reconcile(tool=FIND, read=unreadable),
        Reconcile(tool=FIND, arguments=no_arguments),
        Reconcile(tool=FIND, arguments=lambda key: {"key": object()}),  # type: ignore[dict-item]
        Reconcile(tool=FIND, read=lambda data: Lookup(status="lost")),  # type: ignore[arg-type]
        Reconcile(tool=FIND, read=lambda data: None),  # type: ignore[arg-type, return-value]
    ],
    ids=["read raises", "arguments raise", "arguments are no JSON", "an unknown status", "nothing"],
)
def test_G9_a_lookup_that_raises_or_says_nothing_leaves_it_unknown_and_the_session_goes_on(
    found: Callable[..., Desk], backend: Backend, reconcile: Reconcile
) -> None:
    desk = unknown(found(reconcile=reconcile), backend, lost="after")
    desk.reload()
    desk.hear("I cannot tell.")
    desk.say("hello?")
    assert (desk.texts("runtime"), len(desk.writes)) == ([desk.domain.lines.write_unknown], 1)


def test_G9_a_receipt_that_no_ledger_can_hold_is_done_all_the_same(
    found: Callable[..., Desk], backend: Backend
) -> None:
    read = Reconcile(tool=FIND, read=lambda data: Lookup(status="done", receipt=object()))  # type: ignore[arg-type]
    desk = unknown(found(reconcile=read), backend, lost="after")
    desk.reload()
    assert [done.receipt for done in desk.events(WriteDone)] == [None]


def test_G9_a_receipt_shows_no_values_where_another_draft_was_tried_under_its_key(
    make_desk: MakeDesk, writes_on: None, domain_with: Callable[..., Domain], backend: Backend
) -> None:
    """The straggler has arrived, and the backend gives its record again for the key: it is not what was changed."""
    domain = domain_with(read_tools=frozenset({LEVELS, SEARCH, FIND}), reconcile=Reconcile(tool=FIND))

    def again(arguments: Mapping[str, Json]) -> ToolOutcome:
        if not backend.late:
            return backend.create(arguments)
        backend.arrive()
        return ToolOutcome(text="created", data=backend.receipt(str(arguments["idempotency_key"])))

    desk = make_desk(domain=domain, specs=SPECS, script={CREATE: again, FIND: backend.find})
    unknown(desk, backend, lost="late")
    desk.reload()
    desk.hear(desk.propose("title", "Chair broken"))
    desk.hear("All right.")
    desk.say("no, Chair broken")
    desk.tap("Create")
    assert (desk.block.kind, desk.block.rows, len(backend.records)) == ("receipt", (), 1)
