"""What is nested too deep for a ledger is refused where it comes in, on every store: no WriteDone is lost to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from marg_runtime.canonical import DEEPEST, Json
from marg_runtime.domain import Domain
from marg_runtime.events.model import ToolReturned
from marg_runtime.events.write import WriteDone
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry, decode, encode
from marg_runtime.steps import Option, chips_step
from marg_runtime.store import MemoryStore, Store, open_store
from marg_runtime.store.frozen import freeze, thaw
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CREATE = ToolName(server="desk", name="create")
SEARCH = ToolName(server="desk", name="search")
DEPTHS = [DEEPEST - 1, DEEPEST, 260, 450, 5000]


def nested(depth: int) -> Json:
    value: Json = 1
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, make_desk: MakeDesk, database_folder: Path) -> Iterator[Store]:
    bench = make_desk(session="bench")
    url = "memory:" if request.param == "memory" else f"sqlite:///{database_folder}/sessions.db"
    store = bench.run(open_store(url))
    yield store
    bench.run(store.close())


@pytest.mark.parametrize("depth", DEPTHS)
def test_G9_a_write_that_was_done_is_done_however_deep_its_receipt(
    make_desk: MakeDesk, store: Store, writes_on: None, depth: int
) -> None:
    deep = ToolOutcome(text="created", data={"id": "T-1", "deep": nested(depth)})
    desk = make_desk(store=store, script={CREATE: deep})
    desk.to_summary()
    desk.tap("Create")
    assert (len(desk.events(WriteDone)), desk.block.kind) == (1, "receipt")


@pytest.mark.parametrize("depth", DEPTHS)
def test_C4_the_arguments_of_a_models_call_are_refused_alike_on_every_store(
    make_desk: MakeDesk, store: Store, depth: int
) -> None:
    desk = make_desk(store=store)
    desk.to_place()
    desk.hear(desk.call("search", query=nested(depth)))
    desk.hear("Nothing.")
    desk.say("look it up")
    called = [call for call in desk.scripted.calls if call.tool == SEARCH]
    assert (desk.texts("model"), len(called)) == (["Nothing."], int(depth < DEEPEST))


@pytest.mark.parametrize("depth", DEPTHS)
def test_what_a_read_gives_is_kept_alike_on_every_store(make_desk: MakeDesk, store: Store, depth: int) -> None:
    desk = make_desk(store=store, script={SEARCH: ToolOutcome(text="found", data=nested(depth))})
    desk.to_place()
    desk.hear(desk.call("search", query="x"))
    desk.hear("That is all.")
    desk.say("look it up")
    kept = nested(depth) if depth <= DEEPEST else None
    assert [event.data for event in desk.events(ToolReturned) if event.tool == SEARCH] == [kept]


def test_C1_a_store_in_memory_refuses_what_a_database_could_not_hold(make_desk: MakeDesk) -> None:
    deep = WriteDone(key="k", receipt=nested(300), text="", rows=(), fact="")
    entry = Entry(revision=1, turn=0, at=0, event=deep)
    with pytest.raises(ValueError, match="depth"):
        make_desk().run(MemoryStore().append("s1", [entry]))


def test_C1_the_state_of_a_session_is_the_one_that_its_ledger_gives_where_a_value_is_a_tuple(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    step = chips_step(
        key="place", label="Place", slot="place", lead="Where?", options=[Option(label="A", value=("a", (1,)))]
    )
    desk: Desk = make_desk(domain=domain_with(steps=(step,)))
    desk.hear("Hello.")
    desk.say("hello")
    desk.tap("A")
    written = fold(decode(line) for line in map(encode, desk.ledger()))
    assert (desk.state, thaw(freeze(desk.state)), json.dumps(desk.values)) == (
        written,
        written,
        '{"place": ["a", [1]]}',
    )
