"""The reference runtime as a target for scenarios: a fresh backend and machine for every conversation, and scripted
replies and faults where a turn sends them. For a gateway in test mode."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from marg_harness.reference_conversation import ReferenceConversation
from marg_harness.reported import report_of
from marg_harness.stop import error_text
from marg_harness.target import ReferenceTarget
from marg_mock_model import UndeclaredSituation, load_machine
from marg_runtime.errors import TargetRefused
from marg_runtime.gateway.act_forms import act_of
from marg_runtime.gateway.draft_form import draft_form
from marg_runtime.gateway.protocol import (
    PROTOCOL,
    Ability,
    Closed,
    Description,
    Opened,
    Opening,
    Report,
    Reports,
    ScenarioName,
    Script,
    Sent,
)
from marg_runtime.parts import EVERY_PART
from marg_runtime.runner import OnText
from marg_scenarios import Kit, ReloadTurn, Scenario, Turn, find_scenarios, load_scenarios
from marg_scenarios.override import ScriptedReply, ToolFault

ABLE: tuple[Ability, ...] = ("clock", "together", "restart", "machine", "script", "rehearse")
_REPLIES: TypeAdapter[tuple[ScriptedReply, ...]] = TypeAdapter(tuple[ScriptedReply, ...])
_FAULTS: TypeAdapter[dict[str, ToolFault]] = TypeAdapter(dict[str, ToolFault])
_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What the conversation's own task is asked to do, and where the answer goes; None ends it."""

    work: Callable[[ReferenceConversation], Awaitable[Any]] | None
    answer: asyncio.Future[Any]


class _Live:
    """A conversation in a task of its own: its tools are opened and closed in the one that uses them."""

    def __init__(self, scenario: Scenario, target: ReferenceTarget) -> None:
        self.rehearsed = 0
        self._asked: asyncio.Queue[_Asked] = asyncio.Queue()
        self._task = asyncio.create_task(self._live(scenario, target))

    async def do(self, work: Callable[[ReferenceConversation], Awaitable[_T]]) -> _T:
        """Do something in the conversation's task; raises what it raises."""
        done: _T = await self._ask(work)
        return done

    async def end(self) -> None:
        """Close the conversation and wait until all of it is closed."""
        await self._ask(None)
        await self._task

    async def _ask(self, work: Callable[[ReferenceConversation], Awaitable[Any]] | None) -> Any:
        asked = _Asked(work=work, answer=asyncio.get_running_loop().create_future())
        self._asked.put_nowait(asked)
        await asyncio.wait((asked.answer, self._task), return_when=asyncio.FIRST_COMPLETED)
        if not asked.answer.done():
            # The task is over: it could not be opened, or broke; that is what there is to say.
            self._task.result()
            raise TargetRefused("the conversation is over", kind="unknown")
        return asked.answer.result()

    async def _live(self, scenario: Scenario, target: ReferenceTarget) -> None:
        async with target.converse(scenario) as conversation:
            while True:
                asked = await self._asked.get()
                if asked.work is None:
                    asked.answer.set_result(None)
                    return
                try:
                    asked.answer.set_result(await asked.work(conversation))
                except Exception as error:
                    asked.answer.set_exception(error)


class ScenarioAgent:
    """Conversations of a kit as its scenarios are played; one without a scenario has the kit's own machine.

    target: how the model is played. Reports everything, and is able to do all that a scenario may ask for.
    """

    def __init__(self, kit: Kit, *, target: ReferenceTarget | None = None) -> None:
        self._kit = kit
        self._target = target or ReferenceTarget()
        self._live: dict[str, _Live] = {}
        self._opened = 0
        found = find_scenarios(kit.scenarios) if kit.scenarios.is_dir() else ()
        self._scenarios = {(one.path.name, one.title): one for path in found for one in load_scenarios(path)}

    async def describe(self) -> Description:
        """Everything there is."""
        name = self._kit.domain.name
        return Description(
            protocol=PROTOCOL,
            name=f"marg: {name}, as its scenarios are played",
            domains=(name,),
            reports=tuple(sorted(EVERY_PART)),
            able=ABLE,
        )

    async def open(self, opening: Opening) -> Opened:
        """A fresh backend, session and model."""
        if opening.domain != self._kit.domain.name:
            raise TargetRefused(f"no domain {opening.domain!r}; this is {self._kit.domain.name!r}", kind="unknown")
        self._opened += 1
        name = opening.id or f"conversation-{self._opened}"
        if name in self._live:
            raise TargetRefused(f"the conversation {name!r} is open; close it, or give another id", kind="bad_request")
        live = self._live[name] = _Live(self._scenario(opening), self._target)
        try:
            draft = await live.do(_draft)
        except BaseException:
            del self._live[name]
            raise
        return Opened(id=name, draft=draft)

    async def act(self, conversation: str, sent: Sent, *, on_text: OnText | None = None) -> Reports:
        """Do the acts at the times that they name."""
        del on_text
        live = self._named(conversation)
        directed = _directed(sent.script)

        async def work(talk: ReferenceConversation) -> Reports:
            talk.direct(directed)
            before = talk.writes()
            acts = [act_of(form, at=talk.now if form.at is None else form.at) for form in sent.acts]
            seen = (await talk.act(acts[0]),) if len(acts) == 1 else await talk.act_together(acts)
            reports = []
            for number, one in enumerate(seen, start=1):
                before += one.writes
                live.rehearsed += one.rehearsed
                unused = talk.unused() if number == len(seen) else ()
                reports.append(report_of(one, writes=before, rehearsed=live.rehearsed, unused=unused))
            return Reports(reports=tuple(reports))

        return await _said(live.do(work))

    async def restart(self, conversation: str) -> Report:
        """Open the session anew from its ledger."""

        async def work(talk: ReferenceConversation) -> Report:
            await talk.restart()
            return Report(writes=talk.writes())

        return await _said(self._named(conversation).do(work))

    async def close(self, conversation: str) -> Closed:
        """Close the backend."""
        live = self._named(conversation)
        writes = await live.do(_writes)
        del self._live[conversation]
        await live.end()
        return Closed(writes=writes)

    async def close_all(self) -> None:
        """End what is still open."""
        for name in list(self._live):
            await self.close(name)

    def _named(self, conversation: str) -> _Live:
        if conversation not in self._live:
            raise TargetRefused(f"no conversation {conversation!r}; open one first", kind="unknown")
        return self._live[conversation]

    def _scenario(self, opening: Opening) -> Scenario:
        if opening.scenario is None:
            return self._plain(opening)
        return self._known(opening.scenario)

    def _known(self, name: ScenarioName) -> Scenario:
        found = self._scenarios.get((name.file, name.title))
        if found is None:
            raise TargetRefused(f"no scenario {name.title!r} of {name.file!r} here", kind="not_able")
        return found

    def _plain(self, opening: Opening) -> Scenario:
        return Scenario(
            name=opening.id or "a conversation",
            about="",
            kit=self._kit,
            machine=load_machine(self._kit.machine),
            tags=(),
            in_order=opening.in_order,
            turns=(),
            path=self._kit.scenarios,
            line=1,
            rehearse=opening.rehearse,
        )


async def _draft(talk: ReferenceConversation) -> Any:
    return draft_form(talk.session.state.draft)


async def _writes(talk: ReferenceConversation) -> int:
    return talk.writes()


def _directed(script: Script | None) -> Turn:
    """A turn that holds the script and nothing else."""
    given = script or Script()
    try:
        replies, faults = _REPLIES.validate_python(given.replies), _FAULTS.validate_python(dict(given.faults))
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"])
        raise TargetRefused(f"script.{place}: {problem['msg']}", kind="bad_request") from None
    return Turn(id="", act=ReloadTurn(), replies=replies, faults=faults, line=0)


async def _said(doing: Awaitable[_T]) -> _T:
    """What is done; what breaks is said as a refusal, with its place."""
    try:
        return await doing
    except TargetRefused:
        raise
    except UndeclaredSituation as error:
        said = str(error).removeprefix(f"{error.path}:{error.line}: ")
        raise TargetRefused(said, kind="undeclared", path=error.path, line=error.line) from error
    except Exception as error:
        raise TargetRefused(error_text(error), kind="crash") from error
