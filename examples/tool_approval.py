"""The reader alone inside another framework: pydantic-ai holds a tool call back, and a person's typed reply decides.

    python examples/tool_approval.py        # needs: pip install 'marg[examples]'; no key, no network

pydantic-ai's usual loop reads the reply with `input("approve? ") == "y"`, or lets the model read it. Here the reply is
read whole: "yes" runs the call, "yes but make it 50" does not, and goes to the model as what the person said.
"""

from __future__ import annotations

import asyncio

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ModelMessage, ModelResponse, ToolDenied
from pydantic_ai.messages import TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from marg_runtime import Question, read


def approvals(held: DeferredToolRequests, question: Question, reply: str) -> DeferredToolResults:
    """The hook: one held call is approved by a plain yes and by nothing else; with several no reply says which."""
    plain = len(held.approvals) == 1 and read(reply, question).kind == "plain_yes"
    told = ToolDenied(f"Not run, and still open. The person answered: {reply}")
    return DeferredToolResults(approvals={call.tool_call_id: plain or told for call in held.approvals})


# From here on: an agent to try it with, whose model is a function.

refunds: list[int] = []


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """A model that asks for a refund of 100, and then says what came of it."""
    last = messages[-1].parts[-1]
    if isinstance(last, ToolReturnPart):
        return ModelResponse(parts=[TextPart(f"Told: {last.content}")])
    return ModelResponse(parts=[ToolCallPart("refund", {"amount": 100})])


agent = Agent(FunctionModel(scripted), output_type=[str, DeferredToolRequests])


@agent.tool_plain(requires_approval=True)
def refund(amount: int) -> str:
    """Pay money back."""
    refunds.append(amount)
    return f"{amount} paid back"


async def conversation(reply: str) -> str:
    """A person asks for a refund, sees the card, and types a reply to it."""
    held = await agent.run("I want my money back.")
    assert isinstance(held.output, DeferredToolRequests)
    card = Question(text="Shall I refund this amount?", kind="confirm", values=("100",))
    answer = await agent.run(
        message_history=held.all_messages(), deferred_tool_results=approvals(held.output, card, reply)
    )
    assert isinstance(answer.output, str)
    return answer.output


if __name__ == "__main__":
    for reply in ("yes, please refund it", "yes but make it 50", "Approve", "no"):
        print(f"{reply!r}: {asyncio.run(conversation(reply))}")
