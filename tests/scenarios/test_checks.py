"""Every kind of check passes on what it expects and fails on anything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from pydantic import ValidationError

from marg_reports.forms import DeclaredForm, declared_form
from marg_runtime.acts import Say
from marg_runtime.answer import Answer, Said
from marg_runtime.block import Block, BlockField, BlockOption, Page, Row, Selection
from marg_runtime.canonical import Json, canonical_json
from marg_runtime.conversation import AssistantMessage, FactsMessage, ModelRequest, UserMessage
from marg_runtime.draft import Draft, Value
from marg_runtime.events import Event
from marg_runtime.events.model import ArgumentOverridden, ClaimCut, QuestionCut, ToolCalled
from marg_runtime.events.step import QuestionDrawn, StepSkipped, SummaryDeclined, ValueSettled
from marg_runtime.events.turn import ReplyOutcome, ReplyRead
from marg_runtime.events.write import (
    GateDecided,
    LayerDecision,
    ReceiptShown,
    WriteClaimed,
    WriteDone,
    WriteRefused,
    WriteUnknown,
)
from marg_runtime.ledger import Entry
from marg_runtime.probe import Clause, Contract
from marg_runtime.tools import ToolName, ToolSpec
from marg_scenarios import Check, Observation
from marg_scenarios.checks import checks_of
from marg_scenarios.forms import ExpectForm

RULE = "never write unasked"
BLOCK = Block(
    kind="chips",
    step="priority",
    question="priority-1",
    revision=7,
    label="Priority",
    lead="How urgent?",
    options=(BlockOption(id="o1", label="Low"), BlockOption(id="o2", label="High")),
    rows=(Row(slot="title", label="Title", value="Login"), Row(slot="details", label="Details", value="Fails")),
)
OTHER = Block(kind="text", step="title", question="title-1", revision=3, label="Title", lead="Which title?")


FORM = Block(
    kind="form",
    step="stay",
    question="stay-1",
    revision=5,
    label="Stay",
    lead="How long?",
    fields=(
        BlockField(slot="nights", label="Nights", type="integer", required=True, value="0", error="Too few."),
        BlockField(
            slot="kind",
            label="Kind",
            type="choice",
            required=True,
            value="o2",
            options=(BlockOption(id="o1", label="Single"), BlockOption(id="o2", label="Suite")),
        ),
    ),
)
FAULTY = (replace(FORM.fields[0]), replace(FORM.fields[1], error="No."))


def came_to(outcome: Any) -> ReplyOutcome:
    return ReplyOutcome(outcome=outcome, question="q")


def seen(*events: Event, block: Block | None = None, before: Block | None = None, **others: Any) -> Observation:
    """A turn with these events; whatever else is not given is empty."""
    texts = others.pop("texts", ())
    parts: dict[str, Any] = {
        "act": Say(text="hi", at=0),
        "shown_before": before,
        "answer": Answer(turn=1, revision=9, texts=texts, block=block),
        "entries": tuple(Entry(revision=n, turn=1, at=0, event=event) for n, event in enumerate(events, start=1)),
        "draft": Draft(id="draft-1"),
        "draft_before": Draft(id="draft-1"),
        "question": None,
        "requests": (),
        "told_before": 0,
        "rule": RULE,
        "writes": 0,
    }
    return Observation(**{**parts, **others})


def said(*texts: str, by: str = "model") -> Observation:
    return seen(texts=tuple(Said(by=by, text=text) for text in texts))  # type: ignore[arg-type]


def read(kind: str) -> Observation:
    event = ReplyRead(kind=kind, reader="r", language="en", question=None, tokens=(), why=(), choice=None)  # type: ignore[arg-type]
    return seen(event)


def holding(**values: Value) -> Observation:
    return seen(draft=Draft(id="draft-1", values=values))


def value(of: Json, provenance: Any = "tap") -> Value:
    return Value(value=of, label=str(of), provenance=provenance)


def settled(fact: str) -> ValueSettled:
    return ValueSettled(step="title", slot="title", value=value("x"), fact=fact)


def called(name: str, **arguments: Json) -> ToolCalled:
    return ToolCalled(call="c", tool=ToolName(server="desk", name=name), arguments=arguments, by="model")


def gate(*refused: str, trigger: Any = "go_ahead", why: str = "r", **arguments: Json) -> GateDecided:
    layers = tuple(
        LayerDecision(layer=layer, allowed=layer not in refused, reason=why) for layer in ("skill", "schema", "guard")
    )
    return GateDecided(
        trigger=trigger,
        tool=ToolName(server="desk", name="create"),
        question=None,
        layers=layers,
        allowed=not refused,
        attempted="guard" not in refused,
        arguments=arguments,
    )


CLAIMED = WriteClaimed(
    key="k", draft="draft-1", tool=ToolName(server="desk", name="create"), arguments={}, fingerprint="f"
)


def request(*messages: Any, system: str = f"Be kind. {RULE}.") -> ModelRequest:
    return ModelRequest(system=system, messages=messages, tools=())


def received(*requests: ModelRequest, told_before: int = 0) -> Observation:
    return seen(requests=requests, told_before=told_before)


def override(argument: str) -> ArgumentOverridden:
    return ArgumentOverridden(call="c", argument=argument, given=1, used=2)


def tool_that_requires(*names: str) -> ToolSpec:
    schema: dict[str, Json] = {"type": "object", "properties": {"title": {"type": "string"}}, "required": names}
    return ToolSpec(server="desk", identity="d", name="create", description="", input_schema=schema)


CONTRACT = Contract(
    tool=ToolName(server="desk", name="create"),
    server="d",
    record={"title": "Login"},
    closed=(),
    clauses=(
        Clause(field="title", case="stripped", schema="refuses", backend="refused"),
        Clause(field="title", case="blank", schema="accepts", backend="refused"),
    ),
)


def offering(*names: str) -> ModelRequest:
    tools = tuple(ToolSpec(server="desk", identity="d", name=name, description="", input_schema={}) for name in names)
    return ModelRequest(system=RULE, messages=(), tools=tools)


def drawn(step: str) -> QuestionDrawn:
    return QuestionDrawn(question=f"{step}-1", step=step, kind="text", label="L", lead="?", options=())


RECEIPT = ReceiptShown(key="k", text="t", rows=())
DONE = WriteDone(key="k", receipt=None, text="t", rows=(), fact="f")
LOST = WriteUnknown(key="k", reason="r")
FILLED = Draft(id="draft-1", values={"title": Value(value="x", label="x", provenance="tap")})


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


def test_every_kind_of_check_is_among_the_cases() -> None:
    assert {key for case in CASES for key in case.expect} == set(ExpectForm.model_fields) - {"canonical"}


@every_case
def test_a_check_passes_on_what_it_expects(case: Case) -> None:
    assert case.check.evaluate(case.right).passed


@every_case
def test_a_check_fails_on_anything_else(case: Case) -> None:
    assert [case.check.evaluate(observation).passed for observation in case.wrong] == [False] * len(case.wrong)


@every_case
def test_a_verdict_holds_json_alone(case: Case) -> None:
    for verdict in map(case.check.evaluate, (case.right, *case.wrong)):
        assert canonical_json([verdict.expected, verdict.got])


@every_case
def test_what_a_failed_check_expected_is_not_what_it_got(case: Case) -> None:
    for verdict in map(case.check.evaluate, case.wrong):
        assert canonical_json(verdict.expected) != canonical_json(verdict.got)


@every_case
def test_a_check_is_named_by_its_kind_and_knows_its_line(case: Case) -> None:
    name = "custom.own" if case.check.kind == "custom" else case.check.kind
    assert ([case.check.kind], case.check.id, case.check.line) == (list(case.expect), name, 12)


def test_only_the_models_own_words_are_the_models_to_answer_for() -> None:
    assert {case.check.kind for case in CASES if case.check.owner == "model"} == {"text"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"lead": "How urgent is it?"},
        {"kind": "text"},
        {"options": ["High", "Low"]},
        {"options": ["Low"]},
        {"rows": {"title": "Other"}},
        {"rows": {"category": "Bug"}},
    ],
)
def test_a_block_is_compared_by_every_part_that_is_named(wrong: Mapping[str, Any]) -> None:
    right = {"lead": "How urgent?", "kind": "chips", "options": ["Low", "High"], "rows": {"title": "Login"}}
    good = Case(expect={"block": {"step": "priority", **right}}, right=seen(block=BLOCK), wrong=())
    bad = Case(expect={"block": {"step": "priority", **right, **wrong}}, right=seen(block=BLOCK), wrong=())
    assert (good.check.evaluate(good.right).passed, bad.check.evaluate(bad.right).passed) == (True, False)


def test_a_cut_that_was_not_expected_is_shown_with_its_sentence() -> None:
    case = Case(expect={"cut": []}, right=seen(QuestionCut(step="title", sentence="Which title?")), wrong=())
    assert case.check.evaluate(case.right).got == [{"title": "Which title?"}]


def test_the_arguments_of_every_attempt_must_fit() -> None:
    case = Case(
        expect={"write": {"attempted": 2, "arguments": {"title": "x"}}},
        right=seen(gate(title="x"), gate(title="x")),
        wrong=(seen(gate(title="x"), gate(title="y")),),
    )
    assert [case.check.evaluate(found).passed for found in (case.right, *case.wrong)] == [True, False]


def test_checks_stand_in_the_order_of_the_form() -> None:
    form = ExpectForm.model_validate({"events": {"has": ["UserSaid"]}, "model_calls": 1, "reading": "content"})
    assert [check.kind for check in checks_of(form, line=lambda key: 1)] == ["reading", "model_calls", "events"]


def nothing_else(expect: Mapping[str, Any], *events: Event) -> bool:
    checks = checks_of(ExpectForm.model_validate({**expect, "nothing_else": True}), line=lambda key: 1)
    return checks[-1].evaluate(seen(*events)).passed


def test_nothing_else_leaves_out_what_the_other_checks_look_at() -> None:
    assert nothing_else({"facts": ["x"]}, settled("x"))
    assert nothing_else({"events": {"has": ["ToolCalled"]}}, called("find"))
    assert not nothing_else({"facts": ["x"]}, settled("x"), called("find"))


def test_a_custom_check_of_truth_is_its_own_verdict() -> None:
    (check,) = checks_of(
        ExpectForm.model_validate({"custom": {"own": 3}}), line=lambda key: 1, custom={"own": lambda *_: False}
    )
    assert not check.evaluate(seen()).passed


def test_a_judgement_needs_no_turn_and_a_form_is_applied_to_both_sides() -> None:
    (check,) = checks_of(ExpectForm.model_validate({"draft": {"title": "a b"}}), line=lambda key: 1)
    seen_then = check.look(holding(title=value("A  B")))
    assert not check.judge(seen_then).passed
    assert check.judge(seen_then, form=lambda part: canonical_json(part).casefold().replace(" ", "")).passed


def test_a_check_keeps_the_forms_that_are_declared_for_it_and_its_verdict_stays() -> None:
    form = ExpectForm.model_validate({"draft": {"title": "a"}, "canonical": {"draft": ["case"]}})
    (check,) = checks_of(form, line=lambda key: 1)
    assert (check.canonical, check.evaluate(holding(title=value("A"))).passed) == ((DeclaredForm(name="case"),), False)


def test_a_check_declares_texts_that_mean_the_same_and_the_keys_that_it_means() -> None:
    declared = [{"wording": [["urgent", "pressing"]]}, {"over_specified": ["title"]}]
    form = ExpectForm.model_validate({"draft": {"title": "urgent", "details": "x"}, "canonical": {"draft": declared}})
    (check,) = checks_of(form, line=lambda key: 1)
    seen_then = check.look(holding(title=value("pressing"), details=value("y")))
    assert not check.judge(seen_then).passed
    assert check.judge(seen_then, form=declared_form(check.canonical)).passed


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ("wording", "whitespace"),
        ("over_specified", "whitespace"),
        ({"wording": [["only one"]]}, "at least 2"),
        ({"over_specified": []}, "at least 1"),
        ({"spelling": []}, "wording"),
    ],
)
def test_a_form_without_what_it_needs_is_refused(declared: object, problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        ExpectForm.model_validate({"draft": {"title": "a"}, "canonical": {"draft": [declared]}})


def test_a_form_that_is_declared_twice_is_refused() -> None:
    with pytest.raises(ValidationError, match="'case' is declared twice"):
        ExpectForm.model_validate({"draft": {"title": "a"}, "canonical": {"draft": ["case", "case"]}})
