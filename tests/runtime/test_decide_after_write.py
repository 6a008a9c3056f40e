"""What was said before a record was written begins no second one (rules S2, S3, G9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from marg_runtime.domain import Domain
from marg_runtime.events.model import AttestationRefused
from marg_runtime.events.step import DraftOpened
from marg_runtime.steps import text_step

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

TITLE = text_step(key="title", label="Title", slot="title", lead="Title?", proposable=True)
PARTS = text_step(key="parts", label="Parts", slot="parts", lead="Parts?", proposable=True, many=True)

pytestmark = pytest.mark.usefixtures("writes_on")


@pytest.fixture
def written(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> Desk:
    """A desk whose first record is written: "Lamp broken", of a bulb."""
    desk = make_desk(domain=domain_with(steps=(TITLE, PARTS)))
    desk.hear("Hello.")
    desk.say("Lamp broken, a bulb")
    desk.say("Lamp broken")
    desk.say("bulb")
    desk.tap("Create")
    assert len(desk.writes) == 1
    return desk


def items(desk: Desk, *items: str) -> None:
    """Script that the model proposes items of the list, each quoted as it is."""
    desk.hear(desk.call("propose_items", slot="parts", items=[{"value": item, "quote": item} for item in items]))


def test_S2_words_from_before_the_write_open_no_second_draft(written: Desk) -> None:
    written.hear(written.propose("title", "Lamp broken"))
    written.hear("You are welcome.")
    written.say("thanks!")
    assert written.events(DraftOpened) == []
    assert len(written.events(AttestationRefused)) == 1


def test_G9_an_ok_after_the_thanks_writes_nothing(written: Desk) -> None:
    for reply in ("thanks!", "ok"):
        written.hear(written.propose("title", "Lamp broken"))
        written.hear("You are welcome.")
        written.say(reply)
    assert len(written.writes) == 1


def test_S3_items_from_before_the_write_open_no_second_draft(written: Desk) -> None:
    items(written, "bulb")
    written.hear("You are welcome.")
    written.say("thanks!")
    assert written.events(DraftOpened) == []


def test_S2_words_after_the_write_open_a_second_draft(written: Desk) -> None:
    written.hear(written.propose("title", "Chair broken"))
    written.hear("All right.")
    written.say("Chair broken too")
    assert written.values == {"title": "Chair broken"}


def test_S2_no_other_slot_of_the_second_draft_takes_older_words(written: Desk) -> None:
    written.hear(written.propose("title", "Chair broken"))
    items(written, "bulb")
    written.hear("All right.")
    written.say("Chair broken too")
    assert written.values == {"title": "Chair broken"}


def test_S3_an_item_proposed_beside_new_words_takes_no_older_ones(written: Desk) -> None:
    items(written, "leg")
    items(written, "bulb")
    written.hear("All right.")
    written.say("a leg now")
    assert written.values == {"parts": ["leg"]}
