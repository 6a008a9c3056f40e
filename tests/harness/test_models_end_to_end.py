"""Whole conversations of support_intake over the official SDKs and real sockets, against the machine's own endpoint."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

import pytest

from marg_mock_model import MockModel, load_machine
from marg_mock_model.endpoint import Endpoint, serve
from marg_runtime.acts import Reload, Say, Tap
from marg_runtime.answer import Answer
from marg_runtime.block import Block
from marg_runtime.conversation import ModelRequest
from marg_runtime.events.event import Event
from marg_runtime.events.model import ModelFailed, ModelReplied, QuestionCut
from marg_runtime.events.write import WriteClaimed, WriteDone
from marg_runtime.models import AnthropicModel, Delta, Model, OpenAIModel, Retries, Timeout
from marg_runtime.session import Session
from marg_runtime.store import MemoryStore
from marg_runtime.tools.mcp import McpTools
from marg_runtime.wire import WireKind, WireLog
from marg_scenarios import find_kit
from marg_scenarios.kit import Backend

ApiName: TypeAlias = Literal["chat", "responses", "messages"]
APIS: tuple[ApiName, ...] = ("chat", "responses", "messages")
KIT = find_kit("support_intake")
ASKS = KIT.scenarios / "asks_the_question.machine.yaml"
REPORT = "My login fails. I get error 500 after the update."
HOW_LONG = "How long does it take?"
TAKES = "High priority tickets get answered in a day, the others within a week."
FLAG = "MARG_ALLOW_WRITES"
PATIENT = Timeout(connect=30, read=30, total=60)
ONCE = Retries(most=0)

pytestmark = [pytest.mark.anyio]
every_api = pytest.mark.parametrize("api", APIS)


@pytest.fixture(autouse=True)
def writes_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FLAG, raising=False)


@dataclass(kw_only=True)
class Person:
    """A session's client: it taps what it sees, and keeps what it was shown while it was streamed."""

    session: Session
    backend: Backend
    streamed: list[str] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    @property
    def block(self) -> Block:
        """The block of the last answer."""
        block = self.answers[-1].block
        assert block is not None, f"the last answer has no block: {self.answers[-1]!r}"
        return block

    @property
    def texts(self) -> list[str]:
        """The texts of the last answer."""
        return [said.text for said in self.answers[-1].texts]

    async def say(self, text: str) -> None:
        """Type a message."""
        self.answers.append(
            await self.session.act(Say(text=text, at=len(self.answers), seen=self._seen()), on_text=self._hear)
        )

    async def tap(self, label: str) -> None:
        """Tap an option of the block."""
        (option,) = [option for option in self.block.options if option.label == label]
        tap = Tap(
            question=self.block.question,
            revision=self.block.revision,
            option=option.id,
            at=len(self.answers),
            seen=self._seen(),
        )
        self.answers.append(await self.session.act(tap, on_text=self._hear))

    async def reload(self) -> Block:
        """Ask for what is open."""
        self.answers.append(await self.session.act(Reload(at=len(self.answers), seen=self._seen())))
        return self.block

    async def events(self) -> list[Event]:
        """All events of the ledger."""
        return [entry.event for entry in await self.session.entries()]

    def _seen(self) -> int | None:
        return self.answers[-1].revision if self.answers else None

    async def _hear(self, text: str) -> None:
        self.streamed.append(text)


@asynccontextmanager
async def person_with(model: Model) -> AsyncIterator[Person]:
    """A fresh session of support_intake whose model is this one."""
    backend = KIT.backend()
    try:
        async with McpTools(backend.sources) as tools:
            session = await Session.open("s-1", domain=KIT.domain, model=model, tools=tools, store=MemoryStore())
            yield Person(session=session, backend=backend)
    finally:
        backend.close()


def model_at(
    endpoint: Endpoint, api: ApiName, *, wire: WireLog, retries: Retries = ONCE, timeout: Timeout = PATIENT
) -> OpenAIModel | AnthropicModel:
    """The model of an API at the endpoint."""
    if api == "messages":
        return AnthropicModel(
            "mock", base_url=endpoint.anthropic_url, api_key="any", retries=retries, timeout=timeout, wire=wire
        )
    return OpenAIModel(
        "mock", api=api, base_url=endpoint.openai_url, api_key="any", retries=retries, timeout=timeout, wire=wire
    )


@dataclass(kw_only=True)
class Through:
    """A model that hands on another one, which can be changed between two turns."""

    model: Model

    def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        return self.model.stream(request)


@dataclass(kw_only=True)
class Served:
    """A person whose model is at an endpoint, and the log of the wire between."""

    person: Person
    endpoint: Endpoint
    log: WireLog
    through: Through


@asynccontextmanager
async def served(api: ApiName, *, machine: Path = KIT.machine, retries: Retries = ONCE) -> AsyncIterator[Served]:
    """A fresh endpoint, a model at it, and a person in front."""
    log = WireLog()
    async with (
        serve(machine) as endpoint,
        model_at(endpoint, api, wire=log, retries=retries) as model,
    ):
        through = Through(model=model)
        async with person_with(through) as person:
            yield Served(person=person, endpoint=endpoint, log=log, through=through)


async def converse(person: Person) -> None:
    """A report, a question, a correction, all questions answered, the ticket created, and a word behind it."""
    await person.say(REPORT)
    await person.tap(person.block.options[0].label)
    await person.say(HOW_LONG)
    await person.say("change the title to Login fails after the update")
    while person.block.kind != "summary":
        await person.tap(person.block.options[0].label)
    await person.tap("Create")
    await person.say("is anybody else seeing this")


# The conversation


@every_api
async def test_a_conversation_over_the_wire_leaves_the_ledger_that_it_leaves_in_process(
    api: ApiName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FLAG, "true")
    async with person_with(MockModel(load_machine(KIT.machine))) as person:
        await converse(person)
        in_process, written = await person.events(), person.backend.writes()
    async with served(api) as there:
        await converse(there.person)
        over_the_wire = await there.person.events()
        assert there.person.backend.writes() == written == 1
    assert over_the_wire == in_process
    assert [type(event) for event in over_the_wire].count(WriteDone) == 1


@every_api
async def test_every_exchange_of_a_conversation_is_answered_and_named_by_its_request(api: ApiName) -> None:
    async with served(api) as there:
        await there.person.say(REPORT)
        digests = [getattr(event, "request_digest", None) for event in await there.person.events()]
    answered = [event for event in there.log.events if event.phase == "answered"]
    assert [event.request for event in answered] == [digest for digest in digests if digest]
    assert len(there.log.events) == 2 * len(answered)


# The cutter


@every_api
async def test_S4_a_question_is_cut_out_of_a_stream_and_nobody_sees_half_of_it(api: ApiName) -> None:
    async with served(api, machine=ASKS) as there:
        await there.person.say(REPORT)
        events = await there.person.events()
    streamed = "".join(there.person.streamed)
    raw = [event.raw for event in events if isinstance(event, ModelReplied)]
    assert "How urgent is this?" in raw[0]
    assert [event.sentence for event in events if isinstance(event, QuestionCut)] == [
        "How urgent is this?",
        "What is it about?",
        "Shall I create the ticket now?",
    ]
    assert streamed == "Sorry to hear that. High priority tickets get answered in a day.Noted so far."
    # It was a stream: the words before the question were shown before those behind it were there.
    assert there.person.streamed[0] == "Sorry to hear that."


# The faults


# A silence is waited for as short as may be, and in its own turn alone: a slow machine makes a test slow, never red.
LIMITS = {"stall": Timeout(connect=30, read=0.2, total=60)}
FAULTS: dict[str, WireKind] = {
    "rate_limit": "rate_limit",
    "server_error": "overload",
    "unavailable": "overload",
    "overloaded": "overload",
    "unauthorized": "auth",
    "html": "proxy_body",
    "cut_json": "protocol",
    "cut": "reset",
    "truncated": "truncated",
    "error_event": "overload",
    "stall": "timeout",
    "drop": "reset",
    "refuse": "connect",
}


def shown_at_all(answer: Answer) -> str:
    return " ".join(said.text for said in answer.texts)


@every_api
@pytest.mark.parametrize(("fault", "kind"), FAULTS.items(), ids=list(FAULTS))
async def test_a_session_survives_a_fault_of_the_wire_with_all_that_it_had(
    fault: str, api: ApiName, kind: WireKind
) -> None:
    async with served(api) as there:
        person, usual = there.person, there.through.model
        await person.say(REPORT)
        await person.tap(person.block.options[0].label)
        before, draft = person.block, person.session.state.draft

        there.endpoint.set_faults(fault)
        async with model_at(there.endpoint, api, wire=there.log, timeout=LIMITS.get(fault, PATIENT)) as model:
            there.through.model = model
            await person.say(HOW_LONG)
        there.through.model = usual

        # It is said, the question is drawn again, nothing of the draft is lost, and nothing was written.
        assert KIT.domain.lines.model_failed in person.texts
        assert [event.kind for event in there.log.broken()] == [kind]
        assert [isinstance(event, ModelFailed) for event in await person.events()].count(True) == 1
        assert (person.block.question, person.block.options) == (before.question, before.options)
        assert person.session.state.draft == draft
        assert TAKES not in shown_at_all(person.answers[-1])

        # The next turn works, and so do the taps to the summary.
        there.endpoint.set_faults("")
        await person.say(HOW_LONG)
        assert person.texts == [TAKES]
        while person.block.kind != "summary":
            await person.tap(person.block.options[0].label)
        summary = person.block
        assert await person.reload() == summary
        assert person.backend.writes() == 0
        assert not any(isinstance(event, WriteClaimed) for event in await person.events())


PASSING = ("rate_limit", "server_error", "unavailable", "overloaded", "drop")


@every_api
@pytest.mark.parametrize("fault", PASSING)
async def test_a_fault_that_passes_is_recovered_recorded_and_seen_by_nobody(fault: str, api: ApiName) -> None:
    async with served(api, retries=Retries(most=2, first=0.001)) as there:
        there.endpoint.set_faults(f"{fault}@1:retry_after=0.01" if fault == "rate_limit" else f"{fault}@1")
        await there.person.say(REPORT)
        assert [type(event) for event in await there.person.events()].count(ModelFailed) == 0
        assert there.person.block.lead == "How urgent is this?"
    assert there.log.broken() == []
    assert [event.phase for event in there.log.events][:4] == ["sent", "noise", "sent", "answered"]


@every_api
@pytest.mark.parametrize("fault", ["cut", "truncated", "error_event"])
async def test_what_was_shown_before_a_break_stays_and_the_half_sentence_does_not(fault: str, api: ApiName) -> None:
    async with served(api, machine=ASKS, retries=Retries(most=2, first=0.001)) as there:
        # Enough events for the first sentence and some words of the question behind it.
        there.endpoint.set_faults(f"{fault}:after=12")
        await there.person.say(REPORT)
        (failed,) = [event for event in await there.person.events() if isinstance(event, ModelFailed)]
    assert "".join(there.person.streamed) == failed.shown == "Sorry to hear that."
    assert failed.raw.startswith("Sorry to hear that. How")
    assert len(there.endpoint.journal) == 1


@pytest.mark.parametrize("fault", ["duplicate_delta", "reordered_delta"])
async def test_a_piece_that_comes_twice_or_too_early_is_seen_where_the_api_numbers_its_pieces(fault: str) -> None:
    async with served("responses") as there:
        there.endpoint.set_faults(fault)
        await there.person.say(REPORT)
        assert [event.kind for event in there.log.broken()] == ["protocol"]
        assert there.person.session.state.draft.values == {}


@pytest.mark.parametrize("api", ["responses", "messages"])
async def test_a_reply_that_is_empty_and_whole_is_no_fault_of_the_wire(api: ApiName) -> None:
    async with served(api) as there:
        await there.person.say(REPORT)
        before = there.person.block
        there.endpoint.set_faults("empty")
        await there.person.say(HOW_LONG)
        assert (there.person.texts, there.person.block.question) == ([], before.question)
    assert there.log.broken() == []


async def test_a_chat_completion_without_a_choice_has_no_end() -> None:
    async with served("chat") as there:
        there.endpoint.set_faults("empty")
        await there.person.say(REPORT)
    assert [event.kind for event in there.log.broken()] == ["truncated"]
