"""A case for every kind of check: what it expects, a turn that fits, and turns that do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.scenarios.seen_turns import (
    BLOCK,
    CLAIMED,
    CONTRACT,
    DONE,
    FAULTY,
    FILLED,
    FORM,
    LOST,
    OTHER,
    RECEIPT,
    called,
    came_to,
    drawn,
    gate,
    holding,
    offering,
    override,
    read,
    received,
    request,
    said,
    seen,
    settled,
    tool_that_requires,
    value,
)

from marg_runtime.block import Page, Row, Selection
from marg_runtime.canonical import canonical_json
from marg_runtime.conversation import AssistantMessage, FactsMessage, UserMessage
from marg_runtime.events.model import ClaimCut, QuestionCut
from marg_runtime.events.step import StepSkipped, SummaryDeclined
from marg_runtime.events.write import (
    WriteRefused,
)
from marg_scenarios import Check, Observation
from marg_scenarios.checks import checks_of
from marg_scenarios.forms import ExpectForm


@dataclass(frozen=True, kw_only=True)
class Case:
    """What a turn expects, a turn that fits, and turns that do not."""

    expect: Mapping[str, Any]
    right: Observation
    wrong: tuple[Observation, ...]

    @property
    def check(self) -> Check:
        """The one check."""
        own = {"own": lambda observation, given: observation.writes}
        form = ExpectForm.model_validate(self.expect)
        (check,) = checks_of(form, line=lambda key: 12, custom=own, contract=CONTRACT)
        return check


LOGIN = UserMessage(text="My login fails")
OLD_FACTS, NEW_FACTS = FactsMessage(facts=("one",)), FactsMessage(facts=("two", "three"))
TOLD = received(request(OLD_FACTS, AssistantMessage(text="ok"), NEW_FACTS, LOGIN), told_before=1)

CASES = (
    Case(expect={"reading": "content"}, right=read("content"), wrong=(read("plain_yes"), seen())),
    Case(expect={"block": "priority"}, right=seen(block=BLOCK), wrong=(seen(block=OTHER), seen())),
    Case(expect={"block": "none"}, right=seen(), wrong=(seen(block=BLOCK),)),
    Case(expect={"block": {"step": "priority", "kind": "chips"}}, right=seen(block=BLOCK), wrong=(seen(),)),
    Case(expect={"outcome": "digress"}, right=seen(came_to("digress")), wrong=(seen(), seen(came_to("answer")))),
    Case(
        expect={"block": {"step": "stay", "fields": {"kind": "Suite", "nights": "0"}}},
        right=seen(block=FORM),
        wrong=(seen(block=replace(FORM, fields=())), seen(block=OTHER)),
    ),
    Case(
        expect={"block": {"step": "stay", "errors": {"nights": "Too few."}}},
        right=seen(block=FORM),
        wrong=(seen(block=replace(FORM, fields=())), seen(block=replace(FORM, fields=FAULTY))),
    ),
    Case(
        expect={"block": {"step": "stay", "errors": {}}},
        right=seen(block=replace(FORM, fields=())),
        wrong=(seen(block=FORM),),
    ),
    Case(
        expect={"block": {"step": "priority", "chosen": ["High"]}},
        right=seen(block=replace(BLOCK, selection=Selection(least=1, most=2, chosen=("o2",)))),
        wrong=(
            seen(block=BLOCK),
            seen(block=replace(BLOCK, selection=Selection(least=1, most=2, chosen=("o1", "o2")))),
        ),
    ),
    Case(
        expect={"block": {"step": "priority", "page": {"query": "x", "number": 2, "next": True}}},
        right=seen(block=replace(BLOCK, page=Page(query="x", number=2, previous=True, next=True))),
        wrong=(
            seen(block=BLOCK),
            seen(block=replace(BLOCK, page=Page(query="x", number=1, previous=True, next=True))),
            seen(block=replace(BLOCK, page=Page(query="x", number=2, previous=True, next=False))),
        ),
    ),
    Case(
        expect={"block": {"step": "title", "kind": "text", "lead": "Which title?", "options": []}},
        right=seen(block=OTHER),
        wrong=(seen(block=BLOCK),),
    ),
    Case(expect={"redraws": True}, right=seen(block=BLOCK, before=BLOCK), wrong=(seen(block=OTHER, before=BLOCK),)),
    Case(expect={"redraws": True}, right=seen(block=BLOCK, before=BLOCK), wrong=(seen(before=BLOCK), seen())),
    Case(expect={"redraws": False}, right=seen(block=OTHER, before=BLOCK), wrong=(seen(block=BLOCK, before=BLOCK),)),
    Case(
        expect={"draft": {"count": 5}},
        right=holding(count=value(5), other=value("x")),
        wrong=(holding(count=value("5")), holding(count=value(5.5)), holding(other=value(5)), seen()),
    ),
    Case(expect={"draft": {"title": None}}, right=seen(), wrong=(holding(title=value("x")),)),
    Case(
        expect={"provenance": {"title": "typed"}},
        right=holding(title=value("x", "typed")),
        wrong=(holding(title=value("x", "model")), seen()),
    ),
    Case(
        expect={"facts": ["one", "two"]},
        right=seen(settled("one"), StepSkipped(step="note", fact="two")),
        wrong=(seen(settled("two"), settled("one")), seen(settled("one")), seen(*map(settled, "abc"))),
    ),
    Case(
        expect={"facts": ["no", "off"]},
        right=seen(SummaryDeclined(question="q", fact="no"), WriteRefused(by="gate", reason="r", fact="off")),
        wrong=(seen(SummaryDeclined(question="q", fact="no")),),
    ),
    Case(expect={"facts": []}, right=seen(), wrong=(seen(settled("one")),)),
    Case(
        expect={"tools_called": [{"find": {"query": "login"}}, "list"]},
        right=seen(called("list"), called("find", query="login", limit=5), called("more")),
        wrong=(seen(called("list"), called("find", query="other")), seen(called("find", query="login")), seen()),
    ),
    Case(
        expect={"tools_called": ["find", "find"]},
        right=seen(called("find"), called("find")),
        wrong=(seen(called("find")),),
    ),
    Case(
        expect={"tools_called": ["find", {"find": {"query": "login"}}]},
        right=seen(called("find", query="login"), called("find", query="other")),
        wrong=(seen(called("find", query="login")),),
    ),
    Case(expect={"tools_not_called": ["create"]}, right=seen(gate()), wrong=(seen(gate(), CLAIMED),)),
    Case(expect={"tools_called": ["desk/find"]}, right=seen(called("find")), wrong=(seen(called("desk")),)),
    Case(expect={"tools_not_called": ["find"]}, right=seen(called("list")), wrong=(seen(called("find")),)),
    Case(expect={"tools_not_called": ["desk/find"]}, right=seen(called("list")), wrong=(seen(called("find")),)),
    Case(
        expect={"overridden": ["priority"]},
        right=seen(override("priority")),
        wrong=(seen(), seen(override("title")), seen(override("priority"), override("priority"))),
    ),
    Case(
        expect={"cut": ["priority"]},
        right=seen(QuestionCut(step="priority", sentence="How urgent?")),
        wrong=(seen(), seen(QuestionCut(step="title", sentence="Which title?"))),
    ),
    Case(
        expect={"cut": []},
        right=seen(),
        wrong=(
            seen(QuestionCut(step="title", sentence="Which title?")),
            seen(ClaimCut(claim="created", sentence="It has been created.")),
        ),
    ),
    Case(
        expect={"cut": ["claim_not_created", "priority"]},
        right=seen(
            ClaimCut(claim="not_created", sentence="Nothing was created."),
            QuestionCut(step="priority", sentence="How urgent?"),
        ),
        wrong=(
            seen(QuestionCut(step="priority", sentence="How urgent?")),
            seen(ClaimCut(claim="created", sentence="It is."), QuestionCut(step="priority", sentence="How urgent?")),
        ),
    ),
    Case(expect={"gate": "none"}, right=seen(), wrong=(seen(gate()),)),
    Case(
        expect={"gate": {"trigger": "go_ahead", "skill": "allowed", "schema": "refused", "guard": "allowed"}},
        right=seen(gate("schema")),
        wrong=(
            seen(),
            seen(gate()),
            seen(gate("schema", "guard")),
            seen(gate("schema", "skill")),
            seen(gate("schema", trigger="model_call")),
            seen(gate("schema"), gate("schema")),
        ),
    ),
    Case(
        expect={"gate": [{"guard": "refused"}, {"guard": "allowed"}]},
        right=seen(gate("guard"), gate()),
        wrong=(seen(gate(), gate("guard")), seen(gate("guard"))),
    ),
    Case(
        expect={"write": {"attempted": 1, "performed": 0, "arguments": {"title": "x"}}},
        right=seen(gate("schema", title="x", priority="high")),
        wrong=(
            seen(gate("schema", title="y")),
            seen(gate("guard", title="x")),
            seen(gate("schema", title="x"), writes=1),
            seen(gate("schema", title="x"), gate("schema", title="x")),
            seen(),
        ),
    ),
    Case(expect={"write": {}}, right=seen(gate("guard")), wrong=(seen(gate()), seen(writes=1), seen(writes=-1))),
    Case(
        expect={"model_calls": 1},
        right=received(request(LOGIN)),
        wrong=(seen(), received(request(LOGIN), request(LOGIN))),
    ),
    Case(
        expect={"received": {"facts": ["two", "three"]}},
        right=TOLD,
        wrong=(seen(), received(request(NEW_FACTS), told_before=1), received(request(OLD_FACTS, NEW_FACTS))),
    ),
    Case(
        expect={"received": {"user": "My login fails"}},
        right=TOLD,
        wrong=(seen(), received(request(LOGIN, UserMessage(text="newer")))),
    ),
    Case(
        expect={"received": {"rule": True}},
        right=TOLD,
        wrong=(seen(), received(request(LOGIN, system="")), received(request(system=""), request())),
    ),
    Case(expect={"received": {"rule": False}}, right=received(request(system="")), wrong=(TOLD,)),
    Case(expect={"text": {"contains": ["a", "b"]}}, right=said("xax", "b"), wrong=(said("a"), said("a", by="runtime"))),
    Case(expect={"text": {"lacks": ["a"]}}, right=said("b"), wrong=(said("b", "cat"),)),
    Case(expect={"text": {"matches": "^b"}}, right=said("a", "bc"), wrong=(said("ab"), seen())),
    Case(expect={"line": {"contains": ["a"]}}, right=said("a", by="runtime"), wrong=(said("a"), seen())),
    Case(expect={"line": {"lacks": ["a"]}}, right=said("a"), wrong=(said("a", by="runtime"),)),
    Case(
        expect={"events": {"has": ["ValueSettled"], "lacks": ["QuestionCut"]}},
        right=seen(settled("x")),
        wrong=(seen(), seen(settled("x"), QuestionCut(step="title", sentence="?"))),
    ),
    Case(
        expect={"block": {"step": "priority", "options": {"has": ["High"], "lacks": ["Urgent"]}}},
        right=seen(block=BLOCK),
        wrong=(seen(block=OTHER), seen()),
    ),
    Case(
        expect={"block": {"step": "priority", "options": {"any_order": ["High", "Low"]}}},
        right=seen(block=BLOCK),
        wrong=(seen(block=replace(BLOCK, options=BLOCK.options[:1])),),
    ),
    Case(
        expect={"block": {"step": "priority", "rows": {"title": "Login", "details": "Fails"}, "only_rows": True}},
        right=seen(block=BLOCK),
        wrong=(seen(block=replace(BLOCK, rows=(*BLOCK.rows, Row(slot="more", label="More", value="x")))),),
    ),
    Case(
        expect={"drawn": ["title", "receipt"]},
        right=seen(drawn("title"), RECEIPT),
        wrong=(seen(), seen(RECEIPT, drawn("title")), seen(drawn("title"), drawn("title"), RECEIPT)),
    ),
    Case(expect={"drawn": []}, right=seen(), wrong=(seen(drawn("title")),)),
    Case(
        expect={"question": "title"},
        right=seen(question="title"),
        wrong=(seen(), seen(question="priority", block=OTHER)),
    ),
    Case(expect={"question": "none"}, right=seen(), wrong=(seen(question="title"),)),
    Case(
        expect={"draft_is": {"title": "x"}},
        right=holding(title=value("x")),
        wrong=(seen(), holding(title=value("y")), holding(title=value("x"), more=value(1))),
    ),
    Case(expect={"draft_is": {}}, right=seen(), wrong=(holding(title=value("x")),)),
    Case(
        expect={"draft_unchanged": True},
        right=seen(draft=FILLED, draft_before=FILLED),
        wrong=(
            seen(draft=FILLED),
            seen(draft=FILLED, draft_before=replace(FILLED, values={"title": value("x", "model")})),
            seen(draft=FILLED, draft_before=replace(FILLED, id="draft-2")),
        ),
    ),
    Case(expect={"draft_unchanged": False}, right=seen(draft=FILLED), wrong=(seen(draft=FILLED, draft_before=FILLED),)),
    Case(
        expect={"tools_only": ["find", {"find": {"query": "login"}}]},
        right=seen(called("find", query="login"), called("find")),
        wrong=(seen(called("find", query="login")), seen(*[called("find", query="login")] * 3)),
    ),
    Case(expect={"tools_only": []}, right=seen(), wrong=(seen(called("find")), seen(CLAIMED))),
    Case(
        expect={"tools_in_order": ["list", "find"]},
        right=seen(called("list"), called("more"), called("find")),
        wrong=(seen(called("find"), called("list")), seen(called("find"))),
    ),
    Case(
        # A check of a call could not ignore an argument (google/adk-python 2757).
        expect={"tools_called": [{"tool": "find", "arguments": {"query": "a"}, "exact": True, "ignore": ["limit"]}]},
        right=seen(called("find", query="a", limit=5)),
        wrong=(seen(called("find", query="a", page=1)), seen(called("find", limit=5))),
    ),
    Case(
        expect={"tools_called": [{"tool": "create", "by": "runtime"}]},
        right=seen(CLAIMED),
        wrong=(seen(called("create")),),
    ),
    Case(
        expect={
            "tools_called": [{"find": {"query": {"matches": "^log"}, "limit": {"any": True}, "page": {"absent": True}}}]
        },
        right=seen(called("find", query="login", limit=5)),
        wrong=(
            seen(called("find", query="my login", limit=5)),
            seen(called("find", query="login")),
            seen(called("find", query="login", limit=5, page=1)),
        ),
    ),
    Case(
        expect={"tools_called": [{"find": {"query": {"equals": {"any": True}}}}]},
        right=seen(called("find", query={"any": True})),
        wrong=(seen(called("find", query="x")),),
    ),
    Case(
        expect={"gate": {"guard": "refused", "because": "^r$"}},
        right=seen(gate("guard")),
        wrong=(seen(gate("guard", why="other")), seen(gate())),
    ),
    Case(
        expect={"write": {"attempted": 1, "rehearsed": 1, "ended": "done"}},
        right=seen(gate(), CLAIMED, DONE, rehearsed=1),
        wrong=(seen(gate(), CLAIMED, DONE), seen(gate(), CLAIMED, rehearsed=1), seen(gate(), LOST, rehearsed=1)),
    ),
    Case(expect={"write": {"ended": "unknown"}}, right=seen(LOST), wrong=(seen(DONE), seen())),
    Case(
        expect={"write": {"attempted": 1, "arguments": {"title": {"matches": "x$"}}}},
        right=seen(gate(title="ax")),
        wrong=(seen(gate(title="xa")),),
    ),
    Case(
        expect={"received": {"contains": ["login"], "lacks": ["three"]}},
        right=received(request(UserMessage(text="my login"))),
        wrong=(TOLD, seen(), received(request(UserMessage(text="login"), NEW_FACTS))),
    ),
    Case(
        expect={"received": {"tools": {"has": ["find"], "lacks": ["create"]}}},
        right=received(offering("find", "list")),
        wrong=(seen(), received(offering("list")), received(offering("find", "create"))),
    ),
    Case(expect={"text": "none"}, right=said("a", by="runtime"), wrong=(said("a"),)),
    Case(expect={"line": "none"}, right=said("a"), wrong=(said("a", by="runtime"),)),
    Case(
        expect={"events": {"sequence": ["ValueSettled", "QuestionCut"]}},
        right=seen(settled("x"), StepSkipped(step="n", fact="f"), QuestionCut(step="title", sentence="?")),
        wrong=(seen(QuestionCut(step="title", sentence="?"), settled("x")), seen(settled("x"))),
    ),
    Case(
        expect={"events": {"exactly": ["ValueSettled"]}},
        right=seen(settled("x")),
        wrong=(seen(settled("x"), settled("x")), seen()),
    ),
    Case(expect={"nothing_else": True}, right=seen(), wrong=(seen(settled("x")), seen(called("find")))),
    Case(
        expect={"contract": True},
        right=seen(gate(title="ax"), tools=(tool_that_requires("title"),)),
        wrong=(
            seen(tools=()),
            seen(tools=(tool_that_requires(),)),
            seen(gate(title=" "), tools=(tool_that_requires("title"),)),
            seen(gate(), tools=(tool_that_requires("title"),)),
        ),
    ),
    Case(expect={"custom": {"own": 3}}, right=seen(writes=3), wrong=(seen(writes=2),)),
)
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: canonical_json(case.expect))
