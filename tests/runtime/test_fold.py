"""The fold: the state is the ledger's, entry by entry, and nothing else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marg_runtime.events.turn import ActQueued, SessionOpened
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry, decode, encode
from marg_runtime.state import State

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk


@pytest.fixture
def conversation(desk: Desk, writes_on: None) -> tuple[Entry, ...]:
    """The ledger of a conversation with settles, a skip, a change, cuts, reads, a refusal, a decline and a write."""
    desk.to_summary()
    desk.hear("What should it be called? ", desk.propose("title", "login fails"), desk.call("search", query="login"))
    desk.hear("Changed.", desk.call("create", confirmed=True))
    desk.hear("Done.")
    stale = desk.block
    desk.say("Yes but change the title to login fails")
    desk.tap("Create", block=stale)
    desk.say("no")
    desk.hear(desk.call("reopen", step="place"), desk.propose("place", "nowhere"))
    desk.hear("Where is it?")
    desk.say("it is at home")
    desk.tap("Home")
    desk.tap("Low")
    desk.submit(foo="x")
    desk.say("yes")
    return desk.ledger()


def test_C1_the_fold_of_a_ledger_is_the_state_of_its_session(desk: Desk, conversation: tuple[Entry, ...]) -> None:
    assert fold(conversation) == desk.state


def test_C1_folding_entry_by_entry_gives_the_fold_at_once(conversation: tuple[Entry, ...]) -> None:
    state = State()
    for number, entry in enumerate(conversation):
        state = fold([entry], state=state)
        assert state == fold(conversation[: number + 1])


def test_C1_the_fold_of_the_ledgers_lines_is_the_same(desk: Desk, conversation: tuple[Entry, ...]) -> None:
    assert fold(decode(encode(entry)) for entry in conversation) == desk.state


def test_C1_folding_leaves_the_state_it_began_with_as_it_was(conversation: tuple[Entry, ...]) -> None:
    half = fold(conversation[:20])
    fold(conversation[20:], state=half)
    assert half == fold(conversation[:20])


def test_C1_no_entries_are_an_empty_session() -> None:
    assert fold([]) == State()


def test_C2_revisions_count_from_one_without_gaps(conversation: tuple[Entry, ...]) -> None:
    assert [entry.revision for entry in conversation] == list(range(1, len(conversation) + 1))


def test_C2_turns_never_go_back(conversation: tuple[Entry, ...]) -> None:
    turns = [entry.turn for entry in conversation]
    assert turns == sorted(turns)


def test_C2_the_state_counts_the_turns_of_the_entries(desk: Desk, conversation: tuple[Entry, ...]) -> None:
    assert desk.state.turn == conversation[-1].turn


def test_C2_every_turn_is_closed_by_its_delivery(desk: Desk, conversation: tuple[Entry, ...]) -> None:
    acts = sum(isinstance(entry.event, ActQueued) for entry in conversation)
    assert (desk.state.turn, desk.state.turn_open) == (acts, False)


def test_C6_what_was_read_is_not_read_again_by_the_fold(
    conversation: tuple[Entry, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = fold(conversation)

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("the fold read a reply")

    monkeypatch.setattr("marg_runtime.decide.replies.read", forbidden)
    assert fold(conversation) == whole


def test_C6_opening_under_another_vocabulary_voids_the_summary(desk: Desk) -> None:
    desk.to_summary()
    opened = desk.events(SessionOpened)[0]
    entry = Entry(revision=desk.state.revision + 1, turn=desk.state.turn, at=0, event=opened)
    after = fold([entry], state=desk.state)
    assert (after.summary, after.question) == (None, None)


def test_C6_opening_again_leaves_another_open_question_open(desk: Desk) -> None:
    desk.to_place()
    opened = desk.events(SessionOpened)[0]
    entry = Entry(revision=desk.state.revision + 1, turn=desk.state.turn, at=0, event=opened)
    assert fold([entry], state=desk.state).question == desk.state.question
