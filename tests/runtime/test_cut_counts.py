"""The counts of what was cut are those of the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marg_runtime.cut_counts import CutCounts, count_cuts

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk


def test_S4_cuts_are_counted_by_step_and_claims_by_what_they_claim(desk: Desk) -> None:
    desk.to_summary()
    desk.hear("How urgent is this? Where is it? Your ticket has been created. Created!")
    desk.say("what do you think, then?")
    desk.hear("Where is it, again?")
    desk.say("and what else?")
    assert count_cuts(desk.ledger()) == CutCounts(
        replies=3, questions={"place": 2, "urgency": 1}, claims={"created": 2}
    )


def test_S4_without_a_reply_nothing_is_counted() -> None:
    assert count_cuts(()) == CutCounts(replies=0, questions={}, claims={})
