"""A state as text and back: exactly the same state, from any point of any conversation (rule C6)."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marg_runtime.conversation import ModelCall
from marg_runtime.draft import Draft, Value
from marg_runtime.errors import LedgerError
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry, decode, encode
from marg_runtime.state import State
from marg_runtime.store.frozen import classes, code_digest, freeze, thaw

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

SCALARS = {str, int, float, bool, type(None)}
TEXTS = ["hello", "Lamp broken", "yes", "no", "yes but call it login fails", "Office", "skip", "what?", "High"]
SLIPS = ["quiet", "propose", "reopen", "search", "create"]


def every_snapshot_gives_the_full_fold(entries: Sequence[Entry]) -> None:
    """From each revision: the state frozen there, thawed, and folded on, is the fold of the whole ledger."""
    whole, state = fold(entries), State()
    for number, entry in enumerate(entries, start=1):
        state = fold([entry], state=state)
        thawed = thaw(freeze(state))
        assert thawed == state
        if number % 5 == 0 or number == len(entries):
            assert fold(entries[number:], state=thawed) == whole


def test_C6_a_snapshot_anywhere_in_a_conversation_and_what_follows_give_the_full_fold(
    desk: Desk, writes_on: None
) -> None:
    desk.to_summary()
    desk.hear("Sure. ", desk.propose("title", "login fails"), desk.call("search", query="x"), desk.call("create"))
    desk.hear("Changed.")
    desk.say("Yes but change the title to login fails")
    desk.say("no")
    desk.hear("Fine.")
    desk.say("ok show it to me again, will you?")
    desk.say("yes")
    every_snapshot_gives_the_full_fold(desk.ledger())


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(SLIPS), st.booleans()), max_size=14))
def test_C6_a_snapshot_anywhere_in_any_conversation_and_what_follows_give_the_full_fold(
    make_desk: MakeDesk, acts: list[tuple[str, str, bool]]
) -> None:
    desk = make_desk()
    for text, slip, tap in acts:
        desk.model.script.clear()
        replies: dict[str, list[str | ModelCall]] = {
            "quiet": ["Fine."],
            "propose": [desk.propose("title", text)],
            "reopen": ["Sure.", desk.call("reopen", step="place")],
            "search": [desk.call("search", query=text, deep={"list": [1, 2.5, None, True]})],
            "create": [desk.call("create", confirmed=True)],
        }
        desk.hear(*replies[slip])
        desk.hear("Fine.")
        desk.hear("Fine.")
        block = desk.last.block if desk.answers else None
        if tap and block is not None and block.options:
            desk.tap_option(block.options[0].id, block=block)
        else:
            desk.say(text)
    # As it is read from a database, where what was a tuple in a call's arguments is a list.
    every_snapshot_gives_the_full_fold([decode(encode(entry)) for entry in desk.ledger()])


def test_C6_the_same_state_gives_the_same_text(desk: Desk) -> None:
    desk.to_summary()
    assert freeze(fold(desk.ledger())) == freeze(desk.state)


@pytest.mark.parametrize(
    "value", [[1, [2]], (1, (2,)), {"a": {"b": None}}, 1.5, True, "text", None, {"tuple": ["map"]}]
)
def test_C6_any_value_of_a_draft_is_kept_with_its_type(value: Any) -> None:
    draft = Draft(id="draft-1", values={"slot": Value(value=value, label="v", provenance="tap")})
    thawed = thaw(freeze(replace(State(), draft=draft))).draft.values["slot"].value
    assert (thawed, type(thawed)) == (value, type(value))


def test_C6_a_value_that_no_state_is_made_of_is_refused() -> None:
    strange: Any = {1, 2}
    with pytest.raises(LedgerError, match=r"a state holds \{1, 2\}, which no snapshot can"):
        freeze(replace(State(), reopened=strange))


@pytest.mark.parametrize("body", ["", "[", "5", '["tuple"]', '["State"]', '["Nobody", 1]', '["map", 5]', "[]"])
def test_C6_a_damaged_snapshot_is_an_error(body: str) -> None:
    with pytest.raises(LedgerError, match="a snapshot"):
        thaw(body)


def test_C6_a_text_of_another_class_is_no_state() -> None:
    packed = json.dumps(["ToolName", "desk", "create"])
    with pytest.raises(LedgerError, match="a snapshot holds no state"):
        thaw(packed)


def test_C6_the_digest_of_the_code_is_the_same_every_time() -> None:
    first = code_digest()
    code_digest.cache_clear()
    assert first == code_digest()


@pytest.mark.parametrize(
    "module",
    [
        *("marg_runtime.fold", "marg_runtime.state", "marg_runtime.draft", "marg_runtime.ledger"),
        *("marg_runtime.events.upcasters", "marg_runtime.canonical", "marg_runtime.evolve"),
        *("marg_runtime.events.write", "marg_runtime.steps.confirm"),
    ],
)
def test_C6_any_change_of_the_code_that_folds_changes_the_digest(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    before, source = code_digest(), inspect.getsource
    changes = {module: "# changed"}
    monkeypatch.setattr("inspect.getsource", lambda found: source(found) + changes.get(found.__name__, ""))
    code_digest.cache_clear()
    changed = code_digest()
    monkeypatch.undo()
    code_digest.cache_clear()
    assert changed != before == code_digest()


def leaves(hint: Any) -> set[Any]:
    """The types at the ends of an annotation."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {type(argument) for argument in arguments}
    if origin in (Union, UnionType, tuple, frozenset, list, dict, Mapping, Sequence):
        return {leaf for argument in arguments if argument is not Ellipsis for leaf in leaves(argument)}
    return {hint}


@pytest.mark.parametrize("kind", list(classes().values()), ids=list(classes()))
def test_C6_all_that_a_state_is_made_of_can_be_frozen(kind: type) -> None:
    """A field of another type would stop a session at its first snapshot; this stops it here. `Json` is `Any`."""
    assert is_dataclass(kind)
    hints = get_type_hints(kind)
    found = {leaf for field in fields(kind) for leaf in leaves(hints[field.name])}
    assert found - SCALARS - {Any} <= set(classes().values())


def test_C6_the_classes_of_a_state_have_names_of_their_own() -> None:
    assert len(classes()) == len({kind for kind in classes().values()}) > 20
    assert not {"tuple", "set", "map", "list"} & set(classes())
