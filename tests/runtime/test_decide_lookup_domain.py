"""What a domain must have so that a write is looked up, and who may ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

import pytest
from tests.runtime.lookups import CREATE, FIND, LEVELS, LOOKUP_SPECS, SEARCH, Backend, lookups, spec, unknown

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.errors import UsageError
from marg_runtime.events.write import (
    WriteUnknown,
)
from marg_runtime.fit import check_fit
from marg_runtime.reconcile import Lookup, Reconcile, read_found
from marg_runtime.tools.tool import ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk


def test_G9_a_lookup_that_is_no_read_tool_is_refused(domain_with: Callable[..., Domain]) -> None:
    with pytest.raises(UsageError, match="'desk/find' is no read tool; add it to read_tools"):
        domain_with(reconcile=Reconcile(tool=FIND))


@pytest.fixture
def looking(domain_with: Callable[..., Domain]) -> Domain:
    return domain_with(read_tools=frozenset({LEVELS, SEARCH, FIND}), reconcile=Reconcile(tool=FIND))


def test_G9_a_lookup_that_no_server_lists_is_refused(looking: Domain) -> None:
    with pytest.raises(UsageError, match="no server lists the lookup 'desk/find'"):
        check_fit(looking, [one for one in LOOKUP_SPECS if one.tool != FIND])


def test_G9_a_lookup_without_an_idempotency_key_on_the_write_is_refused(looking: Domain) -> None:
    keyless = spec(CREATE, "title", "place", "urgency", "note", "confirmed")
    with pytest.raises(UsageError, match="takes no 'idempotency_key'"):
        check_fit(looking, [*LOOKUP_SPECS[:3], keyless])


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
