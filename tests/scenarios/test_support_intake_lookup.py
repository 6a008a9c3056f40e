"""The example domain against its own desk, where the answer to the create call is lost: it is found by its key."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from typing import Literal

import pytest

from marg_runtime.acts import Act, Reload, Say, Tap
from marg_runtime.answer import Answer
from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelRequest
from marg_runtime.errors import ToolError
from marg_runtime.model import Delta, Finish, TextDelta
from marg_runtime.session import Session
from marg_runtime.store import MemoryStore
from marg_runtime.tools.mcp import McpTools
from marg_runtime.tools.tool import ToolName, ToolOutcome, ToolSpec
from marg_scenarios.support_intake.domain import SERVER, SUPPORT_INTAKE
from marg_scenarios.support_intake.server import build_server
from marg_scenarios.support_intake.tickets import Desk

Lost = Literal["before", "after"]


class Losing:
    """Tools that lose the answer to a create call: before the desk has it, or after it has written."""

    def __init__(self, tools: McpTools, lost: list[Lost]) -> None:
        self.tools = tools
        self.lost = lost

    async def list(self) -> tuple[ToolSpec, ...]:
        return await self.tools.list()

    async def call(self, tool: ToolName, arguments: Mapping[str, Json]) -> ToolOutcome:
        lost = self.lost.pop(0) if tool.name == "create_ticket" and self.lost else None
        if lost == "before":
            raise ToolError("desk: create_ticket: no answer")
        outcome = await self.tools.call(tool, arguments)
        if lost == "after":
            raise ToolError("desk: create_ticket: no answer")
        return outcome


class Polite:
    """A model that says hello."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        yield TextDelta(text="Hello.")
        yield Finish(reason="stop")


async def conversation(desk: Desk, lost: list[Lost], *, after: list[str]) -> list[Answer]:
    """To a go-ahead whose answer is lost, and what follows it: reloads, and taps on Create."""
    async with McpTools({SERVER: build_server(desk)}) as tools:
        session = await Session.open(
            "s1", domain=SUPPORT_INTAKE, model=Polite(), tools=Losing(tools, lost), store=MemoryStore()
        )
        answers: list[Answer] = []
        for at, text in enumerate(
            ("hello", "login fails", "blank page", "high", "bug", "private", "no", "yes", *after)
        ):
            seen = answers[-1].revision if answers else None
            block = answers[-1].block if answers else None
            act: Act = Say(text=text, at=at, seen=seen)
            if text == "reload":
                act = Reload(at=at, seen=seen)
            elif text == "create":
                assert block is not None
                option = next(one.id for one in block.options if one.label == "Create")
                act = Tap(question=block.question, revision=block.revision, option=option, at=at, seen=seen)
            answers.append(await session.act(act))
    return answers


def labels(answers: list[Answer]) -> list[str | None]:
    return [answer.block.label if answer.block else None for answer in answers]


@pytest.fixture
def writes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARG_ALLOW_WRITES", "true")


def test_G9_a_ticket_whose_receipt_was_lost_is_found_at_the_reload(writes_on: None) -> None:
    with closing(Desk()) as desk:
        answers = asyncio.run(conversation(desk, ["after"], after=["reload"]))
        assert (labels(answers[-2:]), desk.counts().writes) == ([None, "ticket T-1007"], 1)


def test_G9_a_call_that_was_lost_is_made_again_under_its_key_after_a_new_go_ahead(writes_on: None) -> None:
    with closing(Desk()) as desk:
        answers = asyncio.run(conversation(desk, ["before"], after=["reload", "create"]))
        assert (labels(answers[-3:]), desk.counts().writes) == ([None, "Your ticket", "ticket T-1007"], 1)


def test_G9_a_ticket_written_behind_a_second_lost_answer_is_found_and_is_the_only_one(writes_on: None) -> None:
    with closing(Desk()) as desk:
        answers = asyncio.run(conversation(desk, ["before", "after"], after=["reload", "create", "reload"]))
        assert (labels(answers[-1:]), desk.counts().create_calls, desk.counts().writes) == (["ticket T-1007"], 1, 1)
