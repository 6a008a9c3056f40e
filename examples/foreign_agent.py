"""An agent of another framework as a target: the same scenarios against it, and against the runtime.

    python examples/foreign_agent.py        # needs: pip install 'marg[examples]'; no key, no network
    marg replay examples/foreign_agent_scenarios --target examples.foreign_agent:TicketAgent

pydantic-ai holds the call of `create_ticket` back until a person has approved it. Around that stands what is often
written: a reply's first word decides, what was approved once is approved for good, the model's arguments are sent.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_ai import (
    Agent,
    DeferredToolRequests,
    DeferredToolResults,
    ModelMessage,
    ModelResponse,
    RunContext,
    ToolDenied,
)
from pydantic_ai.messages import TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from marg_harness.agent_target import AgentTarget
from marg_harness.python_agent import opener_of
from marg_harness.replay import load_all, replay
from marg_reports import RunRecord

SCENARIOS = Path(__file__).parent / "foreign_agent_scenarios"
QUESTIONS = ("How urgent is this?", "What is it about?", "Who may see it?", "Anything attached?")
YES_WORDS = frozenset({"yes", "yeah", "ok", "sure"})


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """A model that asks for the values one by one, and then calls the tool with a priority of its own."""
    last = messages[-1].parts[-1]
    if isinstance(last, ToolReturnPart):
        return ModelResponse(parts=[TextPart(f"Told: {last.content}")])
    said = [str(part.content) for one in messages for part in one.parts if isinstance(part, UserPromptPart)]
    if len(said) <= len(QUESTIONS):
        return ModelResponse(parts=[TextPart(QUESTIONS[len(said) - 1])])
    report, _, category, visibility, *_ = said
    values = {"title": "Login fails", "details": report, "priority": "medium"}
    values |= {"category": category.lower(), "visibility": visibility.lower()}
    return ModelResponse(parts=[ToolCallPart("create_ticket", values)])


@dataclass
class Talk:
    """One conversation: the history, the call that waits for an approval, and what became of the calls."""

    rehearse: bool
    history: list[ModelMessage] = field(default_factory=list)
    held: DeferredToolRequests | None = None
    approved: bool = False
    written: list[Mapping[str, Any]] = field(default_factory=list)
    rehearsed: list[Mapping[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    gate: list[dict[str, Any]] = field(default_factory=list)
    reading: str | None = None


agent = Agent(FunctionModel(scripted), output_type=[str, DeferredToolRequests], deps_type=Talk)


@agent.tool(requires_approval=True)
def create_ticket(
    context: RunContext[Talk], title: str, details: str, priority: str, category: str, visibility: str
) -> str:
    """Create a ticket; where writes are off it only says so, and in a rehearsal a double takes it."""
    talk = context.deps
    values = {"title": title, "details": details, "priority": priority, "category": category, "visibility": visibility}
    talk.calls.append({"tool": "create_ticket", "arguments": values, "by": "model"})
    if talk.rehearse:
        talk.rehearsed.append(values)
        return f"ticket {len(talk.rehearsed)}"
    if os.environ.get("MARG_ALLOW_WRITES") != "true":
        return "writes are off"
    talk.written.append(values)
    return f"ticket {len(talk.written)}"


class TicketAgent:
    """The target: five exchanges in the JSON of docs/targets.md."""

    def __init__(self) -> None:
        self.talks: dict[str, Talk] = {}

    def describe(self) -> dict[str, Any]:
        reports = ["calls", "gate", "reading", "rehearsed", "writes"]
        return {"protocol": 1, "name": "tickets by pydantic-ai", "reports": reports, "able": ["rehearse"]}

    def open(self, opening: Mapping[str, Any]) -> dict[str, Any]:
        name = opening.get("id") or f"talk-{len(self.talks) + 1}"
        self.talks[name] = Talk(rehearse=opening.get("rehearse", False))
        return {"id": name}

    async def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
        if conversation not in self.talks:
            return {"error": {"kind": "unknown", "message": f"no conversation {conversation!r}"}}
        talk, (act,) = self.talks[conversation], sent["acts"]
        talk.calls, talk.gate, talk.reading = [], [], None
        text = await answered(talk, act["text"]) if act["kind"] == "say" else "I can only read what you type."
        counts = {"writes": len(talk.written), "rehearsed": len(talk.rehearsed)}
        seen = {"texts": [{"by": "model", "text": text}], "reading": talk.reading}
        return {"reports": [{**seen, **counts, "calls": talk.calls, "gate": talk.gate}]}

    def close(self, conversation: str) -> dict[str, Any]:
        return {"writes": len(self.talks.pop(conversation).written)}


async def answered(talk: Talk, words: str) -> str:
    """The agent's answer: a call that is held is approved by the first word of the reply."""
    held, talk.held = talk.held, None
    if held is None:
        talk.reading = "content"
        run = await agent.run(words, message_history=talk.history or None, deps=talk)
        trigger = "model_call"
    else:
        yes = words.split()[0].strip(",.!").lower() in YES_WORDS
        talk.approved, talk.reading = yes, "plain_yes" if yes else "content"
        run = await resumed(talk, held, "go_ahead", approved=yes, words=words)
        trigger = "go_ahead"
    talk.history = run.all_messages()
    if isinstance(run.output, DeferredToolRequests) and talk.approved:
        run = await resumed(talk, run.output, trigger, approved=True, words=words)
        talk.history = run.all_messages()
    if isinstance(run.output, DeferredToolRequests):
        talk.held = run.output
        return "Shall I create this ticket?"
    return str(run.output)


async def resumed(talk: Talk, held: DeferredToolRequests, trigger: str, *, approved: bool, words: str) -> Any:
    """Go on with the calls that were held, all approved or all denied."""
    for call in held.approvals:
        guard = "allowed" if approved else "refused"
        talk.gate.append({"trigger": trigger, "guard": guard, "arguments": call.args_as_dict()})
    verdict = approved or ToolDenied(f"Not run. The person answered: {words}")
    results = DeferredToolResults(approvals={call.tool_call_id: verdict for call in held.approvals})
    return await agent.run(message_history=talk.history, deferred_tool_results=results, deps=talk)


def verdicts(run: RunRecord) -> dict[str, str]:
    """Every check by its scenario and turn, and what came of it."""
    return {
        f"{scenario.name} / {turn.id} / {check.id}": (
            "passed" if check.passed else "failed" if check.red else "not measured"
        )
        for scenario in run.scenarios
        for turn in scenario.turns
        for check in turn.checks
    }


def compared() -> dict[str, tuple[str, str]]:
    """Every check: without the runtime, and with it."""
    scenarios = load_all([SCENARIOS])
    without = verdicts(replay(scenarios, target=AgentTarget(opener_of(TicketAgent))))
    with_it = verdicts(replay(scenarios))
    return {name: (without[name], with_it[name]) for name in without}


if __name__ == "__main__":
    for name, (without, with_it) in compared().items():
        print(f"{name}: without the runtime {without}, with it {with_it}")
