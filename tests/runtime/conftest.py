"""A small desk for the tests of the core: a domain, its tools, a model that plays a list, and a client that taps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Protocol, TypeVar

import pytest
from tests.runtime.lookups import FIND, LOOKUP_SPECS, Backend
from tests.runtime.model_double import ModelDouble, Piece
from tests.runtime.store_runs import Run

from marg_runtime.acts import Act, PageMove, Reload, Say, Search, Submit, Tap
from marg_runtime.answer import Answer
from marg_runtime.block import Block
from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelCall
from marg_runtime.domain import Domain, SlotStep
from marg_runtime.errors import ToolError
from marg_runtime.events.event import Event
from marg_runtime.explore import Exploration, explore
from marg_runtime.ledger import Entry
from marg_runtime.model import Finish, FinishReason
from marg_runtime.reconcile import Reconcile
from marg_runtime.runner import OnText, Runner
from marg_runtime.session import Session
from marg_runtime.state import State
from marg_runtime.steps import Option, OptionsContext, Policy, chips_step, confirm_step, text_step
from marg_runtime.store import MemoryStore, Store
from marg_runtime.surroundings import Surroundings
from marg_runtime.tools.scripted import Scripted, ScriptedCall, ScriptedTools
from marg_runtime.tools.tool import ToolName, ToolOutcome, Tools, ToolSpec

CREATE = ToolName(server="desk", name="create")
SEARCH = ToolName(server="desk", name="search")
LEVELS = ToolName(server="desk", name="levels")
RULE = "Never call create before the user has confirmed the summary."
SKILL = f"You help at a desk. {RULE} Be brief."

_E = TypeVar("_E")
_T = TypeVar("_T")


def spec(tool: ToolName, *properties: str) -> ToolSpec:
    """A tool that takes these arguments."""
    schema: dict[str, Json] = {"type": "object", "properties": {name: {} for name in properties}}
    return ToolSpec(server=tool.server, identity="desk 1", name=tool.name, description="", input_schema=schema)


SPECS = (
    spec(LEVELS, "kind"),
    spec(SEARCH, "query", "title"),
    spec(CREATE, "title", "place", "urgency", "note", "confirmed"),
)


def fitted(specs: Sequence[ToolSpec], domain: Domain) -> tuple[ToolSpec, ...]:
    """The tools, with a write that takes what the domain's steps fill."""
    return tuple(spec(CREATE, *domain.slots, "confirmed") if one.tool == CREATE else one for one in specs)


async def _levels(context: OptionsContext) -> Sequence[Option]:
    outcome = await context.call("levels", {"kind": "urgency"})
    assert isinstance(outcome.data, Sequence)
    return [Option(label=str(label).capitalize(), value=label) for label in outcome.data]


def desk_steps() -> tuple[SlotStep, ...]:
    """Title (text, the model may propose it), place (chips), urgency (chips from a tool), note (optional text)."""
    return (
        text_step(
            key="title",
            label="Title",
            slot="title",
            lead="What should it be called?",
            say='Title set to "{v}".',
            asks_like=r"\b(title|called)\b",
            proposable=True,
            max_length=80,
        ),
        chips_step(
            key="place",
            label="Place",
            slot="place",
            lead="Where is it?",
            say="Place set to {v}.",
            asks_like=r"\bwhere\b",
            options=[Option(label="Office", value="office"), Option(label="Home", value="home")],
        ),
        chips_step(
            key="urgency",
            label="Urgency",
            slot="urgency",
            lead="How urgent is this?",
            say="Urgency set to {v}.",
            asks_like=r"\burgent\b",
            options=_levels,
            depends_on=["place"],
        ),
        text_step(key="note", label="Note", slot="note", lead="Anything to add?", required=False, asks_like=r"\badd\b"),
    )


def desk_domain(*, policy: Policy = "whole_message", **changes: Any) -> Domain:
    """The domain of the tests, with some fields changed."""
    domain = Domain(
        name="desk",
        skill=SKILL,
        rule=RULE,
        steps=desk_steps(),
        confirm=confirm_step(
            label="Your ticket", lead="Shall I create this ticket?", asks_like=r"\b(create|confirm)\b", policy=policy
        ),
        write_tool=CREATE,
        read_tools=frozenset({LEVELS, SEARCH}),
    )
    return replace(domain, **changes)


def created(arguments: Mapping[str, Json]) -> ToolOutcome:
    """The backend's receipt."""
    return ToolOutcome(text="created", data={"id": "T-1"})


def desk_script() -> dict[ToolName, Scripted]:
    """What the tools answer."""
    return {
        LEVELS: ToolOutcome(text="low, high", data=["low", "high"]),
        SEARCH: ToolOutcome(text="none found", data=[]),
        CREATE: created,
    }


class Desk:
    """A session of the desk, with the client's side of it: what was displayed last, and a clock of its own.

    hellos: replies of the model's that are there before the session is opened, which may serve acts that wait.
    """

    CREATE, SEARCH, LEVELS, RULE, SKILL, SPECS = CREATE, SEARCH, LEVELS, RULE, SKILL, SPECS

    def __init__(
        self,
        runner: asyncio.Runner,
        *,
        domain: Domain | None = None,
        specs: Sequence[ToolSpec] = SPECS,
        script: Mapping[ToolName, Scripted] | None = None,
        tools: Tools | None = None,
        store: Store | None = None,
        session: str = "s1",
        reader: str = "whole_message",
        in_order: bool | None = False,
        hellos: int = 0,
    ) -> None:
        self.domain = domain or desk_domain()
        specs = fitted(specs, self.domain) if specs is SPECS else specs
        self.model = ModelDouble()
        for _ in range(hellos):
            self.hear("Hello.")
        listed = {one.tool for one in specs}
        usual = {tool: answer for tool, answer in desk_script().items() if tool in listed}
        self.scripted = ScriptedTools(specs, {**usual, **(script or {})})
        self.tools: Tools = tools or self.scripted
        self.store: Store = store or MemoryStore()
        self.answers: list[Answer] = []
        self.clock = 0
        self._runner = runner
        self._id, self._reader, self._in_order = session, reader, in_order
        self.reopen()

    def run(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        """Run a coroutine on the loop of this desk."""
        return self._runner.run(coroutine)

    def reopen(self) -> None:
        """Open the session on its store, as a process that has just started does."""
        self.session = self.run(self.opened())

    async def opened(self) -> Session:
        """Another session object on the same store."""
        return await Session.open(
            self._id,
            domain=self.domain,
            model=self.model,
            tools=self.tools,
            store=self.store,
            reader=self._reader,
            in_order=self._in_order,
        )

    # The model's part

    def hear(self, *pieces: str | ModelCall, reason: FinishReason = "stop") -> None:
        """Script one whole reply of the model's."""
        self.model.script.append((*pieces, Finish(reason=reason)))

    def break_off(self, *pieces: Piece) -> None:
        """Script a reply that has no end of its own."""
        self.model.script.append(pieces)

    @staticmethod
    def call(name: str, id: str = "c1", /, **arguments: Json) -> ModelCall:
        """A call of the model's."""
        return ModelCall(id=id, name=name, arguments=arguments)

    def propose(self, slot: str, value: str, quote: str | None = None) -> ModelCall:
        """A `propose` of the model's; the quote is the value where none is given."""
        return self.call("propose", slot=slot, value=value, quote=value if quote is None else quote)

    # The person's part

    @property
    def last(self) -> Answer:
        """The last answer."""
        return self.answers[-1]

    @property
    def block(self) -> Block:
        """The block of the last answer."""
        assert self.last.block is not None, f"the last answer has no block: {self.last!r}"
        return self.last.block

    @property
    def seen(self) -> int | None:
        """The revision of the last answer."""
        return self.last.revision if self.answers else None

    def now(self) -> int:
        """The time of the next act."""
        self.clock += 1000
        return self.clock

    def say(self, text: str, *, seen: int | Literal["last"] | None = "last", on_text: OnText | None = None) -> Answer:
        """Type a message."""
        said = Say(text=text, at=self.now(), seen=self.seen if seen == "last" else seen)
        return self.act(said, on_text=on_text)

    def tap(self, label: str, *, block: Block | None = None, seen: int | Literal["last"] | None = "last") -> Answer:
        """Tap an option by its label, on the last block or on another."""
        block = block or self.block
        option = next(option.id for option in block.options if option.label == label)
        return self.tap_option(option, block=block, seen=seen)

    def tap_option(
        self, option: str, *, block: Block | None = None, seen: int | Literal["last"] | None = "last", later: int = 0
    ) -> Answer:
        """Tap an option by its id; `later` is added to the block's revision."""
        block = block or self.block
        displayed = self.seen if seen == "last" else seen
        revision = block.revision + later
        tap = Tap(question=block.question, revision=revision, option=option, at=self.now(), seen=displayed)
        return self.act(tap)

    def submit(self, block: Block | None = None, /, **values: str) -> Answer:
        """Submit fields."""
        block = block or self.block
        at = self.now()
        submit = Submit(question=block.question, revision=block.revision, values=values, at=at, seen=self.seen)
        return self.act(submit)

    def choose(self, *options: str, block: Block | None = None) -> Answer:
        """Submit options together, by their labels; what is no label is sent as an id."""
        block = block or self.block
        ids = {option.label: option.id for option in block.options}
        chosen = tuple(ids.get(option, option) for option in options)
        submit = Submit(
            question=block.question, revision=block.revision, values={}, options=chosen, at=self.now(), seen=self.seen
        )
        return self.act(submit)

    def search(self, query: str | None = None, page: PageMove = "first", *, block: Block | None = None) -> Answer:
        """Search in a picker, or move to another of its pages."""
        block = block or self.block
        search = Search(
            question=block.question, revision=block.revision, query=query, page=page, at=self.now(), seen=self.seen
        )
        return self.act(search)

    def reload(self) -> Answer:
        """Load the page again."""
        return self.act(Reload(at=self.now()))

    def act(self, act: Act, *, on_text: OnText | None = None) -> Answer:
        """Hand any act to the session and keep its answer."""
        self.answers.append(self.run(self.session.act(act, on_text=on_text)))
        return self.last

    def to_title(self) -> Answer:
        """Up to the first question."""
        self.hear("Hello.")
        return self.say("hello")

    def to_place(self, *, title: str = "Lamp broken") -> Answer:
        """Up to the chips of the place."""
        self.to_title()
        return self.say(title)

    def to_urgency(self) -> Answer:
        """Up to the chips that a tool gives."""
        self.to_place()
        return self.tap("Office")

    def to_note(self) -> Answer:
        """Up to the optional text."""
        self.to_urgency()
        return self.tap("High")

    def to_summary(self) -> Answer:
        """Up to the summary of Lamp broken, office, high, no note."""
        self.to_note()
        return self.tap("Skip")

    # What is known afterwards

    @property
    def state(self) -> State:
        """The state of the session."""
        return self.session.state

    @property
    def values(self) -> dict[str, Json]:
        """The draft's values by slot."""
        return self.state.draft.arguments()

    @property
    def writes(self) -> list[ScriptedCall]:
        """The writes that reached the backend."""
        return [call for call in self.scripted.calls if call.tool == CREATE]

    def texts(self, by: Literal["model", "runtime"]) -> list[str]:
        """The texts of the last answer."""
        return [said.text for said in self.last.texts if said.by == by]

    def ledger(self) -> tuple[Entry, ...]:
        """All entries."""
        return self.run(self.session.entries())

    def events(self, kind: type[_E]) -> list[_E]:
        """All events of a kind."""
        return [entry.event for entry in self.ledger() if isinstance(entry.event, kind)]

    def turn(self) -> list[Event]:
        """The events of the last turn."""
        return [entry.event for entry in self.ledger() if entry.turn == self.state.turn]

    def surroundings(self, **changes: Any) -> Surroundings:
        """What `decide` is told, with the write flag on and some fields changed."""
        around = Surroundings(
            domain=self.domain, reader=self._reader, tools=self.run(self.tools.list()), write_flag="true"
        )
        return replace(around, **changes)


class MakeDesk(Protocol):
    """Makes desks on one loop."""

    def __call__(
        self,
        *,
        domain: Domain | None = None,
        specs: Sequence[ToolSpec] = SPECS,
        script: Mapping[ToolName, Scripted] | None = None,
        tools: Tools | None = None,
        store: Store | None = None,
        session: str = "s1",
        reader: str = "whole_message",
        in_order: bool | None = False,
        hellos: int = 0,
    ) -> Desk: ...


@pytest.fixture
def make_desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeDesk]:
    """Makes desks; the write flag is unset until a test sets it."""
    monkeypatch.delenv("MARG_ALLOW_WRITES", raising=False)
    with asyncio.Runner() as runner:

        def make(**options: Any) -> Desk:
            return Desk(runner, **options)

        yield make


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    """A desk, opened and untouched."""
    return make_desk()


@pytest.fixture
def exploring(desk: Desk) -> Callable[..., Exploration]:
    """Explores the desk, or some steps of it."""
    runner = Runner(domain=desk.domain, model=desk.model, tools=desk.tools)

    def run(*, steps: tuple[str, ...] = ("title", "place", "urgency"), **options: Any) -> Exploration:
        domain: Domain = options.pop("domain", desk.domain)
        return explore(
            replace(domain, steps=tuple(step for step in domain.steps if step.key in steps)),
            specs=desk.SPECS,
            load=lambda effect: desk.run(runner.run(effect, on_text=None)),
            depth=options.pop("depth", 1),
            breadth=options.pop("breadth", "narrow"),
            **options,
        )

    return run


@pytest.fixture
def writes_on(monkeypatch: pytest.MonkeyPatch, make_desk: MakeDesk) -> None:
    """The write flag is the literal `true`."""
    monkeypatch.setenv("MARG_ALLOW_WRITES", "true")


@pytest.fixture
def domain_with() -> Callable[..., Domain]:
    """The desk's domain with some fields changed."""
    return desk_domain


@pytest.fixture
def broken_server() -> Callable[[Mapping[str, Json]], ToolOutcome]:
    """A tool whose server dies."""

    def broken(arguments: Mapping[str, Json]) -> ToolOutcome:
        raise ToolError("the server is gone")

    return broken


@pytest.fixture
def run() -> Iterator[Run]:
    """Runs what a test does with its store, on one loop."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture
def backend() -> Backend:
    """A backend that finds what was written by its key."""
    return Backend()


@pytest.fixture
def found(
    make_desk: MakeDesk, writes_on: None, backend: Backend, domain_with: Callable[..., Domain]
) -> Callable[..., Desk]:
    """Makes desks whose backend can look a write up by its key."""

    def make(**options: Any) -> Desk:
        domain = domain_with(
            read_tools=frozenset({LEVELS, SEARCH, FIND}), reconcile=options.pop("reconcile", Reconcile(tool=FIND))
        )
        script = {CREATE: backend.create, FIND: backend.find, **options.pop("script", {})}
        return make_desk(domain=domain, specs=LOOKUP_SPECS, script=script, **options)

    return make
