"""A write that a lookup cannot find stays unknown: nothing is written while it is, and it is asked for again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.runtime.lookups import CREATE, FIND, LEVELS, LOOKUP_SPECS, SEARCH, Backend, lookups, unknown

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.errors import ToolError
from marg_runtime.events.write import (
    WriteAbsent,
    WriteClaimed,
    WriteDone,
)
from marg_runtime.reconcile import Lookup, Reconcile
from marg_runtime.tools.tool import ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

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
    changed = replace(
        LOOKUP_SPECS[2], input_schema={"type": "object", "properties": {"idempotency_key": {}, "more": {}}}
    )
    desk.scripted._specs = (*LOOKUP_SPECS[:2], changed, LOOKUP_SPECS[3])
    desk.hear("I cannot tell.")
    desk.say("and now?")
    assert (lookups(desk), desk.texts("runtime")) == (0, [desk.domain.lines.write_unknown])


def test_G7_nor_is_it_asked_at_a_reload(found: Callable[..., Desk], backend: Backend) -> None:
    desk = unknown(found(), backend, lost="after")
    desk.scripted._specs = (*LOOKUP_SPECS[:2], replace(LOOKUP_SPECS[2], identity="another desk 9"), LOOKUP_SPECS[3])
    desk.reload()
    assert (lookups(desk), desk.texts("runtime")) == (0, [desk.domain.lines.write_unknown])


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

    desk = make_desk(domain=domain, specs=LOOKUP_SPECS, script={CREATE: again, FIND: backend.find})
    unknown(desk, backend, lost="late")
    desk.reload()
    desk.hear(desk.propose("title", "Chair broken"))
    desk.hear("All right.")
    desk.say("no, Chair broken")
    desk.tap("Create")
    assert (desk.block.kind, desk.block.rows, len(backend.records)) == ("receipt", (), 1)
