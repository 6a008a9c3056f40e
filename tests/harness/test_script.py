"""The scripted client: it sends what a client could send, and answers only what it was shown."""

from __future__ import annotations

import pytest

from marg_harness.errors import NotShown
from marg_harness.script import Client
from marg_runtime.acts import Reload, Say, Search, Submit, Tap
from marg_runtime.answer import Answer
from marg_runtime.block import Block, BlockField, BlockOption
from marg_scenarios import ReloadTurn, SayTurn, SubmitTurn, TapTurn, Turn
from marg_scenarios.turn import ScriptedAct, SearchTurn

OPTIONS = (BlockOption(id="o1", label="Low"), BlockOption(id="o2", label="High"))


@pytest.fixture
def client() -> Client:
    """A client that was shown a block by each of two turns, `first` and `second`."""
    found = Client()
    found.took(turn(ReloadTurn(), name="first"), answer(4, block("a-1", 3)))
    found.took(turn(ReloadTurn(), name="second"), answer(9, block("b-2", 8)))
    return found


def turn(act: ScriptedAct, *, name: str = "now", seen: str = "latest") -> Turn:
    return Turn(id=name, act=act, seen=seen, checks=(), line=7)


def answer(revision: int, shown: Block | None) -> Answer:
    return Answer(turn=1, revision=revision, texts=(), block=shown)


def block(question: str, revision: int) -> Block:
    return Block(kind="chips", step="s", question=question, revision=revision, label="L", lead="?", options=OPTIONS)


def test_a_message_has_seen_the_latest_answer(client: Client) -> None:
    assert client.act(turn(SayTurn(text="hi")), now=5) == Say(text="hi", at=5, seen=9)


@pytest.mark.parametrize(("seen", "revision"), [("latest", 9), ("previous", 4), ("absent", None), ("first", 4)])
def test_what_the_client_had_displayed_can_be_chosen(client: Client, seen: str, revision: int | None) -> None:
    assert client.act(turn(ReloadTurn(), seen=seen), now=5) == Reload(at=5, seen=revision)


@pytest.mark.parametrize("seen", ["latest", "previous", "absent"])
def test_before_the_first_answer_nothing_was_displayed(seen: str) -> None:
    assert Client().act(turn(SayTurn(text="hi"), seen=seen), now=5).seen is None


def test_a_tap_answers_the_last_block_shown(client: Client) -> None:
    expected = Tap(question="b-2", revision=8, option="o2", at=5, seen=9)
    assert client.act(turn(TapTurn(option="High")), now=5) == expected


def test_a_tap_can_answer_the_block_of_an_earlier_turn(client: Client) -> None:
    expected = Tap(question="a-1", revision=3, option="o1", at=5, seen=9)
    assert client.act(turn(TapTurn(option="Low", of="first")), now=5) == expected


def test_a_block_stays_the_last_one_through_an_answer_without_any(client: Client) -> None:
    client.took(turn(ReloadTurn(), name="third"), answer(12, None))
    expected = Tap(question="b-2", revision=8, option="o2", at=5, seen=12)
    assert client.act(turn(TapTurn(option="High")), now=5) == expected


def test_a_submit_names_the_block_and_carries_the_values(client: Client) -> None:
    expected = Submit(question="a-1", revision=3, values={"title": "T"}, at=5, seen=9)
    assert client.act(turn(SubmitTurn(values={"title": "T"}, of="first")), now=5) == expected


def refusal(client: Client, act: ScriptedAct) -> tuple[str, str]:
    """What an act wants, and what was shown."""
    with pytest.raises(NotShown) as caught:
        client.act(turn(act), now=5)
    return caught.value.wanted, caught.value.shown


def test_an_option_that_is_not_shown_is_refused_with_those_that_are(client: Client) -> None:
    assert refusal(client, TapTurn(option="Urgent")) == ("the option 'Urgent'", "'Low', 'High' in the block of 's'")


def test_a_tap_before_anything_was_shown_is_refused() -> None:
    assert refusal(Client(), TapTurn(option="High")) == ("the option 'High'", "nothing")


def test_a_submit_to_a_turn_that_showed_nothing_is_refused(client: Client) -> None:
    client.took(turn(ReloadTurn(), name="third"), answer(12, None))
    expected = ("a block to submit", "no block in the turn 'third'")
    assert refusal(client, SubmitTurn(values={"title": "T"}, of="third")) == expected


FORM = Block(
    kind="form",
    step="f",
    question="f-3",
    revision=12,
    label="F",
    lead="?",
    fields=(
        BlockField(slot="level", label="Level", type="choice", required=True, options=OPTIONS),
        BlockField(slot="note", label="Note", type="text", required=False),
    ),
)


def test_a_choice_of_a_form_is_sent_by_the_id_that_the_client_has_for_its_label(client: Client) -> None:
    client.took(turn(ReloadTurn(), name="third"), answer(13, FORM))
    sent = client.act(turn(SubmitTurn(values={"level": "High", "note": "High"})), now=5)
    assert sent == Submit(question="f-3", revision=12, values={"level": "o2", "note": "High"}, at=5, seen=13)


def test_what_is_no_label_of_a_choice_is_sent_as_it_is(client: Client) -> None:
    client.took(turn(ReloadTurn(), name="third"), answer(13, FORM))
    sent = client.act(turn(SubmitTurn(values={"level": "o9"})), now=5)
    assert isinstance(sent, Submit)
    assert sent.values == {"level": "o9"}


def test_options_are_chosen_together_by_their_labels(client: Client) -> None:
    sent = client.act(turn(SubmitTurn(choose=("High", "Low"))), now=5)
    assert sent == Submit(question="b-2", revision=8, values={}, options=("o2", "o1"), at=5, seen=9)


def test_an_option_that_was_not_shown_cannot_be_chosen(client: Client) -> None:
    with pytest.raises(NotShown):
        client.act(turn(SubmitTurn(choose=("Urgent",))), now=5)


def test_a_search_is_made_in_the_last_block_shown(client: Client) -> None:
    sent = client.act(turn(SearchTurn(query="ada", page="next")), now=5)
    assert sent == Search(question="b-2", revision=8, query="ada", page="next", at=5, seen=9)


def test_a_search_can_be_made_in_the_block_of_an_earlier_turn(client: Client) -> None:
    sent = client.act(turn(SearchTurn(page="next", of="first")), now=5)
    assert sent == Search(question="a-1", revision=3, query=None, page="next", at=5, seen=9)
