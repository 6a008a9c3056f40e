"""A picker: options that a search finds, page by page; what they mean lies on the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from marg_runtime.acts import PageMove
from marg_runtime.block import Page
from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.errors import ToolError
from marg_runtime.events.model import ToolCalled
from marg_runtime.events.step import OptionsFailed
from marg_runtime.events.turn import AnswerRefused, PickerSearched, ReplyOutcome
from marg_runtime.steps import Option, OptionPage, SearchContext, chips_step, picker_step, review_step
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

SEARCH = ToolName(server="desk", name="search")
ROOMS = ["Ada", "Bell", "Curie", "Darwin", "Euler", "Fermat", "Gauss"]
PER_PAGE = 3


async def rooms(context: SearchContext) -> OptionPage:
    found = await context.call("search", {"query": context.query, "page": context.page})
    assert isinstance(found.data, Mapping)
    names = found.data["rooms"]
    assert isinstance(names, list)
    options = [Option(label=str(name), value=str(name).lower()) for name in names]
    return OptionPage(options=options, more=found.data["more"] is True)


class Rooms:
    """The tool behind the picker: seven rooms, three a page, or whatever befalls it."""

    def __init__(self) -> None:
        self.befalls: str | None = None

    def __call__(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        if self.befalls == "dies":
            raise ToolError("gone")
        if self.befalls == "refuses":
            return ToolOutcome(text="closed", is_error=True)
        page, query = arguments["page"], str(arguments["query"]).casefold()
        assert isinstance(page, int)
        names = [name for name in ROOMS if query in name.casefold()]
        start = (page - 1) * PER_PAGE
        shown = names[start : start + PER_PAGE]
        return ToolOutcome(text="rooms", data={"rooms": shown, "more": len(names) > start + PER_PAGE})


@pytest.fixture
def tool() -> Rooms:
    """The tool behind the picker."""
    return Rooms()


@pytest.fixture
def make(make_desk: MakeDesk, domain_with: Callable[..., Domain], tool: Rooms) -> Callable[..., Desk]:
    """Makes desks whose first step is a picker."""

    def made(**changes: Any) -> Desk:
        given: dict[str, Any] = {"key": "room", "label": "Room", "slot": "room", "lead": "Which room?"}
        size = chips_step(
            key="size",
            label="Size",
            slot="size",
            lead="How large?",
            options=[Option(label="Small", value="small")],
            depends_on=["room"],
        )
        steps = (picker_step(**{**given, "search": rooms, **changes}), size)
        desk = make_desk(domain=domain_with(steps=steps, review=review_step()), script={SEARCH: tool})
        desk.hear("Hello.")
        desk.say("hello")
        return desk

    return made


@pytest.fixture
def desk(make: Callable[..., Desk]) -> Desk:
    """A desk at the first page of its picker."""
    return make()


def labels(desk: Desk) -> list[str]:
    return [option.label for option in desk.block.options]


def searches(desk: Desk) -> list[tuple[Json, Json]]:
    return [
        (event.arguments["query"], event.arguments["page"]) for event in desk.events(ToolCalled) if event.tool == SEARCH
    ]


def test_the_first_page_is_found_with_no_words(desk: Desk) -> None:
    assert (labels(desk), searches(desk)) == (["Ada", "Bell", "Curie"], [("", 1)])


def test_the_block_says_where_it_stands(desk: Desk) -> None:
    assert (desk.block.kind, desk.block.page) == ("picker", Page(query="", number=1, previous=False, next=True))


def test_S1_a_tap_settles_with_one_fact_and_no_model_call(desk: Desk) -> None:
    before = len(desk.model.received)
    desk.tap("Bell")
    assert (desk.values, desk.state.facts, desk.block.step) == ({"room": "bell"}, ("Room set to Bell.",), "size")
    assert len(desk.model.received) == before


def test_a_search_draws_what_it_found(desk: Desk) -> None:
    desk.search("ER")
    assert (labels(desk), desk.block.page) == (
        ["Euler", "Fermat"],
        Page(query="ER", number=1, previous=False, next=False),
    )


def test_a_search_calls_no_model(desk: Desk) -> None:
    before = len(desk.model.received)
    desk.search("er")
    assert len(desk.model.received) == before


def test_pages_are_walked_through_and_back(desk: Desk) -> None:
    pages = [desk.search(page=move).block for move in ("next", "next", "previous")]
    assert [(block.page.number, block.page.previous, block.page.next) for block in pages if block and block.page] == [
        (2, True, True),
        (3, True, False),
        (2, True, True),
    ]


def test_another_page_is_one_of_the_same_words(desk: Desk) -> None:
    desk.search("a")
    desk.search(page="next")
    assert searches(desk)[-1] == ("a", 2)


def test_other_words_begin_at_their_first_page(desk: Desk) -> None:
    desk.search(page="next")
    desk.search("e", "next")
    assert searches(desk)[-1] == ("e", 1)


@pytest.mark.parametrize("move", ["previous", "next"])
def test_a_page_that_is_not_there_is_told(desk: Desk, move: PageMove) -> None:
    desk.search("bell")
    block = desk.block
    desk.search(page=move)
    assert (desk.block, desk.last.texts[0].text, len(searches(desk))) == (block, desk.domain.lines.no_such_page, 2)


def test_words_are_stripped_and_cut(desk: Desk) -> None:
    desk.search("  " + "x" * 300)
    assert searches(desk)[-1] == ("x" * 200, 1)


def test_G3_a_tap_on_the_page_before_is_stale(desk: Desk) -> None:
    old = desk.block
    desk.search(page="next")
    desk.tap("Ada", block=old)
    assert (desk.values, desk.last.texts[0].text, labels(desk)) == (
        {},
        desk.domain.lines.stale,
        ["Darwin", "Euler", "Fermat"],
    )


def test_G3_a_double_click_on_the_next_page_moves_once(desk: Desk) -> None:
    old = desk.block
    desk.search(page="next")
    desk.search(page="next", block=old)
    assert (desk.last.texts[0].text, desk.block.page and desk.block.page.number) == (desk.domain.lines.stale, 2)


def test_nothing_found_is_told_and_can_be_searched_again(desk: Desk) -> None:
    desk.search("zzz")
    assert (labels(desk), desk.last.texts[0].text) == ([], "Nothing was found for “zzz”.")
    desk.search("")
    assert labels(desk) == ["Ada", "Bell", "Curie"]


@pytest.mark.parametrize("befalls", ["dies", "refuses"])
def test_a_search_that_fails_is_told_and_the_page_stays(desk: Desk, tool: Rooms, befalls: str) -> None:
    block = desk.block
    tool.befalls = befalls
    desk.search("er")
    assert (desk.block, desk.values, len(desk.events(OptionsFailed))) == (block, {}, 1)
    assert desk.last.texts[0].text == desk.domain.lines.options_failed.replace("{label}", "Room")


def test_a_page_that_stayed_can_be_picked_from(desk: Desk, tool: Rooms) -> None:
    tool.befalls = "dies"
    desk.search("er")
    desk.tap("Bell")
    assert desk.values == {"room": "bell"}


@pytest.mark.parametrize("befalls", ["dies", "refuses"])
def test_a_picker_whose_first_search_fails_can_be_searched_again(
    make: Callable[..., Desk], tool: Rooms, befalls: str
) -> None:
    tool.befalls = befalls
    desk = make()
    assert (labels(desk), desk.last.texts[-1].text) == (
        [],
        desk.domain.lines.options_failed.replace("{label}", "Room"),
    )
    tool.befalls = None
    desk.search("bell")
    assert labels(desk) == ["Bell"]


@pytest.mark.parametrize("text", ["Bell", "bell please", "the second one"])
def test_R1_a_message_that_names_an_option_on_the_page_picks_it(desk: Desk, text: str) -> None:
    desk.say(text)
    assert (desk.values, desk.state.draft.values["room"].provenance) == ({"room": "bell"}, "typed")


@pytest.mark.parametrize("text", ["Gauss", "Bell or Ada", "Bell tomorrow", "yes", "something large"])
def test_R1_any_other_message_is_content_and_searches_nothing(desk: Desk, text: str) -> None:
    block = desk.block
    desk.hear("I see.")
    desk.say(text)
    assert (desk.values, desk.block, len(searches(desk))) == ({}, block, 1)
    assert desk.events(ReplyOutcome)[-1].outcome == "digress"


def test_a_reload_draws_the_same_page_without_a_search(desk: Desk) -> None:
    desk.search(page="next")
    block = desk.block
    assert (desk.reload().block, len(searches(desk))) == (block, 2)


def test_an_optional_picker_can_be_skipped(make: Callable[..., Desk]) -> None:
    for how in ("tap", "say"):
        desk = make(required=False)
        desk.tap("Skip") if how == "tap" else desk.say("no")
        assert (desk.values, desk.block.step) == ({}, "size")


def test_only_a_tap_picks_where_the_step_says_so(make: Callable[..., Desk]) -> None:
    desk = make(policy="click_only")
    desk.hear("Tap it.")
    desk.say("Bell")
    assert desk.values == {}


def test_a_search_in_another_block_is_refused(desk: Desk) -> None:
    desk.tap("Bell")
    desk.search("er")
    assert (desk.events(AnswerRefused)[-1].reason, desk.block.step) == ("wrong_kind", "size")


def test_a_submit_is_no_answer_to_a_picker(desk: Desk) -> None:
    desk.choose("Bell")
    desk.submit(room="bell")
    assert (desk.values, [event.reason for event in desk.events(AnswerRefused)]) == ({}, ["wrong_kind"] * 2)


def test_the_ledger_has_the_search(desk: Desk) -> None:
    desk.search("er")
    [event] = desk.events(PickerSearched)
    assert (event.query, event.page) == ("er", "first")


def test_a_picker_that_is_asked_again_begins_at_its_first_page(desk: Desk) -> None:
    desk.search(page="next")
    desk.tap("Euler")
    desk.tap("Small")
    desk.tap("Change something")
    desk.tap("Room")
    assert labels(desk) == ["Ada", "Bell", "Curie"]


def test_S1_another_pick_owes_what_depends_on_it(desk: Desk) -> None:
    desk.tap("Bell")
    desk.tap("Small")
    desk.tap("Change something")
    desk.tap("Room")
    desk.tap("Ada")
    assert (desk.block.step, desk.values) == ("size", {"room": "ada"})


def test_too_many_messages_are_told_what_can_be_tapped(make: Callable[..., Desk]) -> None:
    desk = make(reask_budget=1)
    desk.hear("I see.")
    desk.say("oui")
    assert desk.last.texts[-1].text == "You can answer with a tap, or search: Ada, Bell, Curie."
