"""A domain of your own and a session, in one file: its steps, its MCP server, a scripted model, and a conversation.

MARG_ALLOW_WRITES=true python examples/library_loan.py        # needs: pip install 'marg[mcp]'; no key, no network
"""

import asyncio
from typing import Any

from mcp.server import MCPServer

from marg_mock_model import MockModel, parse_machine
from marg_runtime.acts import Say, Tap
from marg_runtime.answer import Answer
from marg_runtime.domain import Domain
from marg_runtime.session import Session
from marg_runtime.steps import Option, chips_step, confirm_step, text_step
from marg_runtime.store import MemoryStore
from marg_runtime.tools import ToolName
from marg_runtime.tools.mcp import McpTools

RULE = "Never call lend before the user has confirmed the summary."
MACHINE = "{machine: m, start: a, states: {a: {transitions: [{when: {last: user}, reply: Gladly., to: a}]}}}"
WEEKS = [Option(label="Two weeks", value=2), Option(label="Four weeks", value=4)]
LOAN = Domain(
    name="loan",
    skill=f"You help a person borrow a book. {RULE}",
    rule=RULE,
    steps=(
        text_step(key="book", label="Book", slot="book", lead="Which book?"),
        chips_step(key="weeks", label="For", slot="weeks", lead="For how long?", options=WEEKS),
    ),
    confirm=confirm_step(label="Your loan", lead="Shall I lend you this book?", create_label="Lend"),
    write_tool=ToolName(server="library", name="lend"),
)
library: MCPServer[Any] = MCPServer("library", version="1.0", log_level="WARNING")


@library.tool(structured_output=True)
def lend(book: str, weeks: int, confirmed: bool = False, idempotency_key: str = "") -> dict[str, str]:
    """Lend a book."""
    return {"id": f"L-1: {book}, {weeks} weeks"}


async def converse() -> Answer:
    """A whole conversation; gives its last answer."""
    async with McpTools({"library": library}) as tools:
        model = MockModel(parse_machine(MACHINE, path="library_loan"))
        session = await Session.open("reader-1", domain=LOAN, model=model, tools=tools, store=MemoryStore())
        answer = await session.act(Say(text="I would like to borrow something.", at=0))
        answer = await session.act(Say(text="The Dispossessed", at=1_000, seen=answer.revision))
        block, seen = answer.block, answer.revision
        assert block is not None
        tap = Tap(question=block.question, revision=block.revision, option=block.options[1].id, at=2_000, seen=seen)
        answer = await session.act(tap)
        return await session.act(Say(text="yes please, lend it to me", at=3_000, seen=answer.revision))


if __name__ == "__main__":
    print(" ".join(text.text for text in asyncio.run(converse()).texts))
