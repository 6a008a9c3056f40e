"""A summary with a time to live: too late a go-ahead writes nothing, and the summary is drawn anew with a line.

The failures behind it: a quote that had expired while the details were collected (tourmind-com/Tourmind-Booking-Skills
14), and an expiry that was kept but never read when the call was dispatched (mcp-hangar/mcp-hangar 674).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from marg_runtime.acts import Act, Reload, Say, Tap
from marg_runtime.domain import Domain
from marg_runtime.errors import UsageError
from marg_runtime.events.turn import ActQueued
from marg_runtime.events.write import GateDecided, WriteClaimed
from marg_runtime.gate import EXPIRED
from marg_runtime.ledger import Entry
from marg_runtime.steps import confirm_step
from marg_runtime.store import MemoryStore

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

LIVES = 60_000


@pytest.fixture
def quote(make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None) -> Desk:
    """A desk whose summary can be confirmed for a minute; the desk's clock moves a second an act."""
    confirm = confirm_step(label="Your ticket", lead="Shall I create this ticket?", time_to_live=LIVES)
    desk = make_desk(domain=domain_with(confirm=confirm))
    desk.to_summary()
    return desk


def go(desk: Desk, how: str, *, after: int) -> None:
    """A go-ahead so many milliseconds after the summary was drawn."""
    desk.clock += after - 1000
    if how == "tap":
        desk.tap("Create")
    else:
        desk.say(how)


def guard(desk: Desk) -> str:
    return next(layer.reason for layer in desk.events(GateDecided)[-1].layers if layer.layer == "guard")


@pytest.mark.parametrize("how", ["tap", "yes"])
def test_G5_within_its_time_a_summary_is_confirmed(quote: Desk, how: str) -> None:
    go(quote, how, after=LIVES)
    assert (len(quote.writes), quote.block.kind) == (1, "receipt")


@pytest.mark.parametrize("how", ["tap", "yes"])
def test_G5_a_go_ahead_after_the_time_to_live_writes_nothing(quote: Desk, how: str) -> None:
    go(quote, how, after=LIVES + 1)
    assert (quote.writes, quote.events(WriteClaimed), guard(quote)) == ([], [], EXPIRED)


def test_G5_an_expired_summary_is_drawn_anew_with_a_line(quote: Desk) -> None:
    old = quote.block
    go(quote, "tap", after=LIVES + 1)
    assert (quote.texts("runtime"), quote.block.kind, quote.block.question != old.question) == (
        [quote.domain.lines.expired],
        "summary",
        True,
    )


def test_G5_the_summary_that_is_drawn_anew_has_a_time_of_its_own(quote: Desk) -> None:
    go(quote, "tap", after=LIVES + 1)
    go(quote, "tap", after=LIVES)
    assert len(quote.writes) == 1


def test_G5_a_redraw_gives_a_summary_no_more_time(quote: Desk) -> None:
    quote.clock += LIVES - 1500  # drawn again in time, confirmed too late
    quote.reload()
    quote.tap("Create")
    assert (quote.writes, guard(quote)) == ([], EXPIRED)


def test_G5_content_in_between_gives_a_summary_no_more_time(quote: Desk) -> None:
    quote.clock += LIVES - 1500  # drawn again in time, confirmed too late
    quote.hear("Take your time.")
    quote.say("let me think")
    quote.say("yes")
    assert quote.writes == []


def test_G5_a_change_draws_a_summary_with_a_time_of_its_own(quote: Desk) -> None:
    quote.clock += LIVES
    quote.hear("Sure.", quote.propose("title", "login fails"))
    quote.hear("Changed.")
    quote.say("change the title to login fails")
    quote.say("yes")
    assert len(quote.writes) == 1


def test_G5_a_summary_without_a_time_to_live_does_not_expire(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    go(desk, "tap", after=10**12)
    assert len(desk.writes) == 1


def test_G5_a_go_ahead_that_waited_for_its_turn_past_the_expiry_is_refused_at_the_dispatch(
    quote: Desk, make_desk: MakeDesk
) -> None:
    block, entries, store = quote.block, list(quote.ledger()), MemoryStore()
    option = next(option.id for option in block.options if option.label == "Create")
    last = entries[-1]
    tap = Tap(question=block.question, revision=block.revision, option=option, at=last.at + 1000, seen=last.revision)
    acts: tuple[Act, ...] = (tap, Reload(at=last.at + LIVES + 1))
    # The worker that was handed the tap died over it, and the next act comes after the expiry.
    waiting = [
        Entry(revision=last.revision + number, turn=last.turn, at=act.at, event=ActQueued(act=act))
        for number, act in enumerate(acts, start=1)
    ]
    asyncio.run(store.append("s1", [*entries, *waiting]))
    desk = make_desk(domain=quote.domain, store=store)
    assert (desk.writes, guard(desk)) == ([], EXPIRED)


def test_G5_the_time_comes_with_the_act_alone(quote: Desk) -> None:
    said = Say(text="yes", at=quote.clock + LIVES + 1, seen=quote.seen)
    quote.act(said)
    assert (quote.writes, guard(quote)) == ([], EXPIRED)


def test_G5_with_the_writes_switched_off_an_expired_go_ahead_is_no_attempt(
    quote: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MARG_ALLOW_WRITES")
    go(quote, "tap", after=LIVES + 1)
    assert (quote.events(GateDecided)[-1].attempted, quote.texts("runtime")) == (False, [quote.domain.lines.expired])


@pytest.mark.parametrize("time_to_live", [0, -1])
def test_a_time_to_live_below_a_millisecond_is_refused(time_to_live: int) -> None:
    with pytest.raises(UsageError, match="at least 1 millisecond"):
        confirm_step(label="Your ticket", lead="Shall I?", time_to_live=time_to_live)
