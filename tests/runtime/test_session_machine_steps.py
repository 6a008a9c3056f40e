"""The acts of the session machine over a domain with a form, a picker, multi chips and a review: the same oracle, which
knows only what a client displayed and what reached the backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule, run_state_machine_as_test
from tests.runtime import test_session_machine as machine

from marg_runtime.acts import Say, Search, Submit, Tap
from marg_runtime.block import Block
from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.steps import (
    Field,
    Option,
    OptionPage,
    SearchContext,
    form_step,
    multi_chips_step,
    picker_step,
    review_step,
    text_step,
)
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import MakeDesk

SEARCH = ToolName(server="desk", name="search")
ROOMS = ["Ada", "Bell", "Curie", "Darwin"]
GEAR = [Option(label="Beamer", value="beamer"), Option(label="Board", value="board")]
GOOD = {"people": "4", "date": "2026-03-02"}
TEXTS = st.sampled_from(
    [
        *machine.YES,
        *machine.NO,
        "Bell",
        "beamer and board",
        "change something",
        "never mind",
        "Gear",
        "4",
        "skip",
        "oui",
    ]
)


async def rooms(context: SearchContext) -> OptionPage:
    found = await context.call("search", {"query": context.query})
    names = [name for name in ROOMS if context.query.casefold() in name.casefold()]
    start = (context.page - 1) * 2
    assert found.text
    page = [Option(label=name, value=name.casefold()) for name in names[start : start + 2]]
    return OptionPage(options=page, more=len(names) > start + 2)


def house(domain_with: Callable[..., Domain]) -> Domain:
    """A form, a picker that depends on it, optional multi chips that depend on that, and a note."""
    return domain_with(
        review=review_step(),
        steps=(
            form_step(
                key="meeting",
                label="Meeting",
                lead="When?",
                fields=[
                    Field(slot="people", label="People", type="integer", minimum=1, maximum=9),
                    Field(slot="date", label="Date", type="date", required=False),
                ],
            ),
            picker_step(key="room", label="Room", slot="room", lead="Which?", search=rooms, depends_on=["meeting"]),
            multi_chips_step(
                key="gear",
                label="Gear",
                slot="gear",
                lead="What?",
                options=GEAR,
                required=False,
                max_choices=1,
                depends_on=["room"],
            ),
            text_step(key="title", label="Title", slot="title", lead="Called?", required=False, proposable=True),
        ),
    )


def sent(row_slot: str, shown: str) -> Json:
    """What a person who reads a row of the summary expects to be sent for it."""
    if row_slot == "people":
        return int(shown)
    if row_slot == "gear":
        return [part.casefold() for part in shown.split(", ")]
    return shown.casefold() if row_slot == "room" else shown


class HouseActs(machine.Acts):
    """A person, a model and a backend around one session of the house."""

    def __init__(self, make_desk: MakeDesk, domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
        self.domain = domain
        self.searches = "fine"
        self.picked_for: Json = None

        def made(**options: Any) -> Any:
            script = {**options.pop("script"), SEARCH: self.search_tool}
            return make_desk(domain=domain, script=script, **options)

        super().__init__(made, monkeypatch)

    def search_tool(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        return ToolOutcome(text="rooms", is_error=self.searches == "refuses")

    def shown(self, block: Block) -> dict[str, Json]:
        return {row.slot: sent(row.slot, row.value) for row in block.rows}

    @initialize(summary=st.sampled_from([True, True, False]))
    def begin(self, summary: bool) -> None:
        self.desk.hear("Hello.")
        self.judge(self.desk.say("hello").block, before=0, allowed=None)
        for _ in range(4 if summary else 0):
            self.answer_as_asked(first=True)

    def answer_as_asked(self, *, first: bool) -> None:
        """Answer what is displayed as it wants to be answered."""
        block = self.displayed
        if block is None or block.kind in ("receipt", "summary"):
            return
        at, seen, named = self.desk.now(), self.desk.seen, (block.question, block.revision)
        act: Say | Tap | Submit
        if block.kind == "form":
            act = Submit(question=named[0], revision=named[1], values=GOOD, at=at, seen=seen)
        elif block.kind == "multi_chips":
            options = ("o1",) if first else ("o2", "o1")
            act = Submit(question=named[0], revision=named[1], values={}, options=options, at=at, seen=seen)
        elif block.options:
            option = block.options[0 if first else -1].id
            act = Tap(question=named[0], revision=named[1], option=option, at=at, seen=seen)
        else:
            self.model("quiet", "Lamp broken")
            act = Say(text="Lamp broken", at=at, seen=seen)
        self.act(act, allowed=None)

    @precondition(lambda self: self.displayed is not None and self.displayed.kind not in ("receipt", "summary"))
    @rule(first=st.booleans())
    def answer_on(self, first: bool) -> None:
        """Answer the open question, so that summaries are reached."""
        self.answer_as_asked(first=first)

    @rule(text=TEXTS)
    def say_to_a_step(self, text: str) -> None:
        """Type what some step of the house might read."""
        self.model("quiet", text)
        seen, at = self.desk.seen, self.desk.now()
        allowed = self.go_ahead(seen=seen, bound=text in machine.YES)
        self.act(Say(text=text, at=at, seen=seen), allowed=allowed)

    @precondition(lambda self: bool(self.blocks))
    @rule(back=st.integers(1, 3), options=st.lists(st.sampled_from(["o1", "o2", "o3", "o9"]), max_size=3))
    def submit_options(self, back: int, options: list[str]) -> None:
        """Send options together, to the block displayed or to an older one."""
        block = self.blocks[-min(back, len(self.blocks))]
        at, seen = self.desk.now(), self.desk.seen
        submit = Submit(
            question=block.question, revision=block.revision, values={}, options=tuple(options), at=at, seen=seen
        )
        self.act(submit, allowed=None)

    @precondition(lambda self: bool(self.blocks))
    @rule(
        back=st.integers(1, 3),
        people=st.sampled_from(["4", "5", "0", "many", ""]),
        other=st.sampled_from(["", "2026-03-02", "soon"]),
    )
    def submit_form(self, back: int, people: str, other: str) -> None:
        """Send a form, good or not, to the block displayed or to an older one."""
        block = self.blocks[-min(back, len(self.blocks))]
        at, seen, values = self.desk.now(), self.desk.seen, {"people": people, "date": other}
        self.act(
            Submit(question=block.question, revision=block.revision, values=values, at=at, seen=seen), allowed=None
        )

    @precondition(lambda self: self.displayed is not None and self.displayed.kind == "summary")
    @rule(people=st.sampled_from(["4", "5"]))
    def change_the_meeting(self, people: str) -> None:
        """Ask for the form again from the summary, and fill it in."""
        for option in ("o3", "o1"):
            block = self.displayed
            assert block is not None
            at, seen = self.desk.now(), self.desk.seen
            tap = Tap(question=block.question, revision=block.revision, option=option, at=at, seen=seen)
            self.act(tap, allowed=None)
        self.submit_form(back=1, people=people, other="")

    @precondition(lambda self: bool(self.blocks))
    @rule(
        back=st.integers(1, 3),
        query=st.sampled_from([None, "", "ar", "zzz"]),
        page=st.sampled_from(["first", "next", "previous"]),
        tool=st.sampled_from(["fine", "fine", "refuses"]),
    )
    def look(self, back: int, query: str | None, page: Any, tool: str) -> None:
        """Search in the block displayed or in an older one, with a tool that answers or not."""
        block = self.blocks[-min(back, len(self.blocks))]
        self.searches = tool
        at, seen = self.desk.now(), self.desk.seen
        before = len(self.desk.writes)
        search = Search(question=block.question, revision=block.revision, query=query, page=page, at=at, seen=seen)
        self.judge(self.desk.act(search).block, before=before, allowed=None)
        self.searches = "fine"

    @invariant()
    def no_value_is_in_the_draft_that_nobody_gave(self) -> None:
        values = dict(self.desk.values)
        assert set(values) <= set(self.domain.slots)
        assert values.get("people", 4) in (4, 5)
        assert values.get("date", "2026-03-02") == "2026-03-02"
        assert values.get("room", "ada") in [name.casefold() for name in ROOMS]
        assert values.get("gear", ["beamer"]) in (["beamer"], ["board"])

    @invariant()
    def a_room_was_picked_for_the_people_that_come(self) -> None:
        values = self.desk.values
        if "room" not in values:
            self.picked_for = None
        elif self.picked_for is None:
            self.picked_for = values.get("people")
        elif "people" in values:
            assert values["people"] == self.picked_for

    @invariant()
    def a_form_is_in_the_draft_whole_or_not_at_all(self) -> None:
        assert "people" in self.desk.values or "date" not in self.desk.values

    @invariant()
    def a_summary_has_every_value_that_is_required(self) -> None:
        if self.displayed is not None and self.displayed.kind == "summary":
            assert {"people", "room"} <= {row.slot for row in self.displayed.rows}


def test_S1_to_S5_and_G1_to_G9_hold_over_forms_pickers_multi_chips_and_reviews(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = house(domain_with)

    class Here(HouseActs):
        def __init__(self) -> None:
            super().__init__(make_desk, domain, monkeypatch)

    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        Here, settings=settings(max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=checks)
    )
