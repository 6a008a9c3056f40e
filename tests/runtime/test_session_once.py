"""One click, N executions (homeassistant-ai/ha-mcp 2387): however often and however a go-ahead comes, it writes once.

And a confirmation that looped after its yes (nowireless4u/hpe-networking-mcp 99), and one that ran the whole turn again
(google/adk-python 6198).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pytest

from marg_runtime.acts import Act, Reload, Say, Tap
from marg_runtime.answer import Answer
from marg_runtime.canonical import Json
from marg_runtime.errors import ToolError
from marg_runtime.events.model import ModelCalled
from marg_runtime.events.write import WriteClaimed
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CREATE = ToolName(server="desk", name="create")
CLICKS = 5


def taps(desk: Desk) -> list[Act]:
    """The same tap on Create, several times."""
    block = desk.block
    option = next(option.id for option in block.options if option.label == "Create")
    tap = Tap(question=block.question, revision=block.revision, option=option, at=desk.now(), seen=desk.seen)
    return [tap] * CLICKS


def yeses(desk: Desk) -> list[Act]:
    """The same typed yes, several times, by a client that displayed the summary."""
    return [Say(text="yes", at=desk.now(), seen=desk.seen)] * CLICKS


def at_once(desk: Desk, acts: Sequence[Act]) -> list[Answer]:
    async def send() -> list[Answer]:
        return list(await asyncio.gather(*(desk.session.act(act) for act in acts)))

    return desk.run(send())


def one_by_one(desk: Desk, acts: Sequence[Act]) -> list[Answer]:
    return [desk.act(act) for act in acts]


@pytest.mark.parametrize("send", [at_once, one_by_one])
@pytest.mark.parametrize("clicks", [taps, yeses])
def test_G9_n_go_aheads_write_once_and_each_is_shown_the_same_receipt(
    desk: Desk, writes_on: None, send: object, clicks: object
) -> None:
    assert callable(send)
    assert callable(clicks)
    desk.to_summary()
    answers: list[Answer] = send(desk, clicks(desk))
    receipts = {(one.block.kind, one.block.label, one.block.rows) for one in answers if one.block}
    assert (len(desk.writes), len(desk.events(WriteClaimed)), len(answers), len(receipts)) == (1, 1, CLICKS, 1)


def test_G9_taps_and_yeses_mixed_at_once_write_once(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    acts = [act for pair in zip(taps(desk), yeses(desk), strict=True) for act in pair]
    answers = at_once(desk, acts)
    assert (len(desk.writes), {one.block.label for one in answers if one.block}) == (1, {"T-1"})


def test_G9_no_model_is_called_for_any_of_them(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    before = len(desk.events(ModelCalled))
    at_once(desk, [*taps(desk), *yeses(desk)])
    assert len(desk.events(ModelCalled)) == before


def test_G9_after_a_refusal_the_taps_behind_it_write_nothing_more(make_desk: MakeDesk, writes_on: None) -> None:
    desk = make_desk(script={CREATE: ToolOutcome(text="The desk is closed.", is_error=True)})
    desk.to_summary()
    at_once(desk, taps(desk))
    assert len(desk.writes) == 1


def test_G9_after_a_write_became_unknown_the_taps_behind_it_write_nothing_more(
    make_desk: MakeDesk, writes_on: None
) -> None:
    def lost(arguments: Mapping[str, Json]) -> ToolOutcome:
        raise ToolError("desk: create: no answer")

    desk = make_desk(script={CREATE: lost})
    desk.to_summary()
    answers = at_once(desk, taps(desk))
    assert (len(desk.writes), [one.block for one in answers]) == (1, [None] * CLICKS)


def test_G9_with_writes_off_the_taps_behind_the_first_are_stale(desk: Desk) -> None:
    desk.to_summary()
    answers = at_once(desk, taps(desk))
    stale = [desk.domain.lines.stale in [said.text for said in one.texts] for one in answers]
    assert (desk.writes, stale) == ([], [False, True, True, True, True])


def test_G9_a_tap_on_an_older_summary_after_the_write_shows_the_receipt(desk: Desk, writes_on: None) -> None:
    first = desk.to_summary().block
    desk.hear("Sure.", desk.propose("title", "login fails"))
    desk.hear("Changed.")
    desk.say("Yes but change the title to login fails")
    desk.tap("Create")
    desk.tap("Create", block=first)
    assert (len(desk.writes), desk.block.kind, desk.texts("runtime")) == (1, "receipt", [desk.domain.lines.stale])


def test_G9_a_tap_on_a_card_of_another_step_after_the_write_shows_the_receipt(desk: Desk, writes_on: None) -> None:
    place = desk.to_place().block
    desk.tap("Office")
    desk.tap("High")
    desk.tap("Skip")
    desk.tap("Create")
    desk.tap("Home", block=place)
    assert (len(desk.writes), desk.values["place"], desk.block.kind) == (1, "office", "receipt")


@pytest.mark.parametrize("again", ["tap", "yes", "reload"])
def test_G9_in_another_process_the_same_receipt_is_shown(desk: Desk, writes_on: None, again: str) -> None:
    desk.to_summary()
    tap, yes = taps(desk)[0], yeses(desk)[0]
    desk.act(tap)
    receipt = desk.block
    desk.reopen()
    desk.act({"tap": tap, "yes": yes, "reload": Reload(at=desk.now())}[again])
    assert (desk.block.label, desk.block.rows, len(desk.writes)) == (receipt.label, receipt.rows, 1)
