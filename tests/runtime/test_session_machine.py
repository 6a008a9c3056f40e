"""Any acts in any order, a model that slips, a backend that fails: judged by an oracle that knows only what a client
displayed and what reached the backend.

The oracle is written from rules G1 to G9 and shares no code with the gate: a write needs a summary of exactly the
values that are dispatched, displayed in an earlier turn and still the last thing displayed, and a plain yes or a Create
tap bound to it; what was written or may have been is never written again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from marg_runtime.acts import Say, Submit, Tap
from marg_runtime.block import Block
from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelCall
from marg_runtime.errors import ModelError, ToolError
from marg_runtime.events.write import WriteClaimed
from marg_runtime.fold import fold
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

YES = ["yes", "Yes, please", "go ahead", "yes, create this ticket"]
NO = ["no", "no thanks", "not now"]
CONTENT = [
    "Yes but change the title to login fails",
    "Keep this private please",
    "No, create it later",
    "yes?",
    "yesterday",
    "what happens then?",
    "login fails",
    "Chair broken",
    "make it Lamp broken",
]
TEXTS = st.sampled_from([*YES, *YES, *NO, *CONTENT, "Office", "High", "skip"])
SLIPS = st.sampled_from(
    [
        *("quiet", "asks", "claims", "breaks", "create", "search", "nan"),
        *("said", "unsaid", "older", "place", "title", "note"),
    ]
)
SEEN = st.sampled_from(["last", "last", "last", "block", "none", "older", "future"])
Seen = Literal["last", "block", "none", "older", "future"]
CREATE = ToolName(server="desk", name="create")
VALUES = {"Office": "office", "Home": "home", "Low": "low", "High": "high"}


def shown_values(block: Block) -> dict[str, Json]:
    """What a person who reads this summary expects to be sent."""
    chosen = {"place", "urgency"}
    return {row.slot: VALUES[row.value] if row.slot in chosen else row.value for row in block.rows}


class Acts(RuleBasedStateMachine):
    """A person, a model and a backend around one session, and what the oracle knows."""

    def __init__(self, make_desk: MakeDesk, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.environment = monkeypatch
        self.outcome, self.drifted, self.flag = "done", False, "true"
        self.submitted: list[str] = []
        self.environment.setenv("MARG_ALLOW_WRITES", self.flag)
        self.desk: Desk = make_desk(script={CREATE: self.create})
        self.blocks: list[Block] = []
        self.displayed: Block | None = None
        self.closed: set[str] = set()

    def create(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        if self.outcome == "dies":
            raise ToolError("the server is gone")
        return ToolOutcome(text=self.outcome, data={"id": "T-1"}, is_error=self.outcome == "refused")

    @initialize(summary=st.sampled_from([True, True, True, False]))
    def begin(self, summary: bool) -> None:
        answer = self.desk.to_summary() if summary else self.desk.to_title()
        self.judge(answer.block, before=0, allowed=None)

    # The oracle

    def go_ahead(self, *, seen: int | None, bound: bool) -> dict[str, Json] | None:
        """The values that a go-ahead may write now, or None."""
        block = self.displayed
        if block is None or block.kind != "summary" or self.drifted or self.flag != "true" or not bound:
            return None
        last = self.desk.last.revision
        return self.shown(block) if seen is None or block.revision <= seen <= last else None

    def shown(self, block: Block) -> dict[str, Json]:
        """What a person who reads this summary expects to be sent."""
        return shown_values(block)

    def act(self, act: Say | Tap | Submit, *, allowed: dict[str, Json] | None) -> None:
        before = len(self.desk.writes)
        self.judge(self.desk.act(act).block, before=before, allowed=allowed)

    def judge(self, block: Block | None, *, before: int, allowed: dict[str, Json] | None) -> None:
        """Exactly the write that was allowed has reached the backend, and what it did is displayed."""
        new = [dict(call.arguments) for call in self.desk.writes[before:]]
        assert new == ([] if allowed is None else [{**allowed, "confirmed": True}])
        if new:
            claims = self.desk.events(WriteClaimed)
            assert claims[-1].draft not in self.closed, "a draft that was written, or may have been, was written again"
            if self.outcome != "refused":
                self.closed.add(claims[-1].draft)
            expected = {"done": "receipt", "refused": "summary", "dies": None}[self.outcome]
            assert (block.kind if block else None) == expected
        self.displayed = block
        if block is not None:
            self.blocks.append(block)

    # The person

    def seen_of(self, seen: Seen, block: Block | None) -> int | None:
        last = self.desk.last.revision
        asked = block.revision if block else 1
        return {"last": last, "block": asked, "none": None, "older": asked - 1, "future": last + 5}[seen]

    @rule(text=TEXTS, seen=SEEN, slip=SLIPS)
    def say(self, text: str, seen: Seen, slip: str) -> None:
        self.model(slip, text)
        displayed = self.seen_of(seen, self.displayed)
        bound = text in YES and displayed is not None
        self.act(Say(text=text, at=self.desk.now(), seen=displayed), allowed=self.go_ahead(seen=displayed, bound=bound))

    @precondition(lambda self: bool(self.blocks))
    @rule(data=st.data(), seen=SEEN, slip=SLIPS)
    def tap(self, data: st.DataObject, seen: Seen, slip: str) -> None:
        self.model(slip, "")
        block = data.draw(st.sampled_from([*self.blocks[-3:], self.blocks[-1], self.blocks[-1]]))
        option = data.draw(st.sampled_from(["o1", "o1", "o2", "o3", "o9", "create", "true"]))
        revision = block.revision + data.draw(st.sampled_from([0, 0, 0, 0, 1, -1]))
        displayed = self.seen_of(seen, block)
        current = self.displayed
        names = current is not None and (block.question, revision) == (current.question, current.revision)
        tap = Tap(question=block.question, revision=revision, option=option, at=self.desk.now(), seen=displayed)
        self.act(tap, allowed=self.go_ahead(seen=displayed, bound=names and option == "o1"))

    @precondition(lambda self: bool(self.blocks))
    @rule(field=st.sampled_from(["title", "note", "confirmed", "place"]), text=TEXTS, back=st.integers(1, 3))
    def submit(self, field: str, text: str, back: int) -> None:
        block = self.blocks[-min(back, len(self.blocks))]
        values = {field: text}
        at, seen = self.desk.now(), self.desk.seen
        self.submitted.append(text)
        submit = Submit(question=block.question, revision=block.revision, values=values, at=at, seen=seen)
        self.act(submit, allowed=None)

    @precondition(lambda self: self.displayed is not None and self.displayed.kind in ("chips", "text"))
    @rule(text=st.sampled_from(["Lamp broken", "Chair broken"]), last=st.booleans())
    def answer(self, text: str, last: bool) -> None:
        """Answer the open question as it wants to be answered, so that summaries are reached."""
        block = self.displayed
        assert block is not None
        seen, at = self.desk.seen, self.desk.now()
        if block.options:
            option = block.options[-1 if last else 0].id
            tap = Tap(question=block.question, revision=block.revision, option=option, at=at, seen=seen)
            self.act(tap, allowed=None)
        else:
            self.model("quiet", text)
            self.act(Say(text=text, at=at, seen=seen), allowed=None)

    @precondition(lambda self: self.displayed is not None and self.displayed.kind == "summary")
    @rule(how=st.sampled_from(["tap", "tap", *YES]), seen=st.sampled_from(["last", "block", "older", "future"]))
    def confirm(self, how: str, seen: Seen) -> None:
        """Confirm what is displayed, in every way that counts and one that does not."""
        block = self.displayed
        assert block is not None
        displayed, at = self.seen_of(seen, block), self.desk.now()
        allowed = self.go_ahead(seen=displayed, bound=True)
        self.model("unsaid", how)
        if how == "tap":
            tap = Tap(question=block.question, revision=block.revision, option="o1", at=at, seen=displayed)
            self.act(tap, allowed=allowed)
        else:
            self.act(Say(text=how, at=at, seen=displayed), allowed=allowed)

    @rule(text=st.sampled_from(["yes, and call it login fails", "and the Chair broken, please"]))
    def change(self, text: str) -> None:
        """Change the title, or begin the next ticket with it."""
        self.model("said", text)
        self.act(Say(text=text, at=self.desk.now(), seen=self.desk.seen), allowed=None)

    # The model

    def model(self, slip: str, text: str) -> None:
        """What the model says to this act, should it be asked."""
        desk = self.desk
        older = desk.state.said[0] if desk.state.said else text
        slips: dict[str, list[str | ModelCall]] = {
            "quiet": ["Fine."],
            "asks": ["Shall I create it? How urgent is this?"],
            "claims": ["I have created your ticket."],
            "create": [desk.call("create", title="mine", place="home", confirmed=True)],
            "said": [desk.propose("title", text)],
            "unsaid": [desk.propose("title", "Evil title", "Evil title"), desk.call("create", confirmed=True)],
            "older": [desk.propose("title", older)],
            "place": [desk.call("reopen", step="place")],
            "title": [desk.call("reopen", step="title"), desk.propose("title", "make it so", text)],
            "note": [desk.call("reopen", step="note"), desk.propose("note", text)],
            "search": [desk.call("search", query="x", title="mine"), desk.call("delete")],
            "nan": [desk.call("create", title=math.nan)],
        }
        desk.model.script.clear()
        if slip == "breaks":
            desk.break_off("Yes, created. I ", ModelError("gone"))
        else:
            desk.hear(*slips[slip])
        for _ in range(2):
            desk.hear("Fine.")

    # The world

    @rule(
        change=st.sampled_from(
            [
                *("reload", "done", "done", "refused", "refused", "dies", "flag", "flag", "no flag"),
                *("another process", "tool", "another process and tool"),
            ]
        )
    )
    def world(self, change: str) -> None:
        """The page is loaded again, the backend's mood, the flag, the process or the tool changes."""
        if change == "reload":
            before = len(self.desk.writes)
            self.judge(self.desk.reload().block, before=before, allowed=None)
        elif change in ("done", "refused", "dies"):
            self.outcome = change
        elif "flag" in change:
            self.flag = "true" if change == "flag" else "True"
            self.environment.setenv("MARG_ALLOW_WRITES", self.flag)
        if "tool" in change:
            self.change_tool()
        if "another process" in change:
            self.reopen()

    def reopen(self) -> None:
        """The session is opened anew; where the tool has changed since, what was displayed no longer counts."""
        if self.drifted and self.displayed and self.displayed.kind == "summary":
            self.displayed = None
        self.drifted = False
        self.desk.reopen()

    def change_tool(self) -> None:
        """The backend's tool is another one behind the open session: nothing is written until it is opened anew."""
        *others, create = self.desk.scripted._specs
        self.desk.scripted._specs = (*others, replace(create, identity=f"{create.identity}+"))
        self.drifted = True

    # What holds after every act

    @invariant()
    def no_turn_is_left_open(self) -> None:
        state = self.desk.state
        assert (state.turn_open, state.queue, state.pending, state.awaiting) == (False, (), (), ())

    @invariant()
    def what_is_open_is_what_was_displayed(self) -> None:
        question = self.desk.state.question
        if self.displayed is not None and self.displayed.kind != "receipt":
            assert question is not None
            assert (question.id, question.revision) == (self.displayed.question, self.displayed.revision)

    @invariant()
    def no_value_is_in_the_draft_that_nobody_gave(self) -> None:
        said = " ".join([*self.desk.state.said, "office home low high", *self.submitted]).lower()
        assert all(str(value).lower() in said for value in self.desk.values.values())

    def teardown(self) -> None:
        assert fold(self.desk.ledger()) == self.desk.state
        assert len(self.desk.events(WriteClaimed)) == len(self.desk.writes)


def test_G1_to_G9_no_order_of_acts_slips_and_failures_writes_what_was_not_confirmed(
    make_desk: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Here(Acts):
        def __init__(self) -> None:
            super().__init__(make_desk, monkeypatch)

    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        Here, settings=settings(max_examples=30, stateful_step_count=20, deadline=None, suppress_health_check=checks)
    )
