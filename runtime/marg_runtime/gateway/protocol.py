"""What a target and whoever speaks to it send each other, as JSON: the forms of `docs/targets.md`.

Five exchanges: describe, open, act, restart, close. Everything that a target reports of a turn beyond its texts and its
block is optional; a field that is left out says "not reported", and one that is null says that there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from marg_runtime.acts import PageMove
from marg_runtime.block import Block
from marg_runtime.draft import Provenance
from marg_runtime.events.model import Caller
from marg_runtime.events.write import Trigger
from marg_runtime.gateway.refusal import RefusalKind
from marg_runtime.parts import LEDGER_PARTS, Part

PROTOCOL: Final = 1
"""The version of the protocol that this release speaks."""

Ability = Literal["clock", "together", "restart", "machine", "script", "rehearse"]
"""What a target may be able to do for a scenario that asks for it."""


class Form(BaseModel):
    """A form of the protocol: it cannot be changed, and a field that it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def as_json(self) -> dict[str, Any]:
        """The fields that were given, as JSON: what was left out stays out."""
        return self.model_dump(mode="json", exclude_unset=True)


class Description(Form):
    """What a target is, what it reports of every turn, and what else it is able to do.

    domains: the names of those that it can open a conversation of; None for any.
    """

    protocol: Literal[1]
    name: str = Field(min_length=1)
    domains: tuple[str, ...] | None = None
    reports: tuple[Part, ...] = ()
    able: tuple[Ability, ...] = ()


class ScenarioName(Form):
    """The scenario that is replayed: its file's name without folders, and its title, `name[row]` where it has rows."""

    file: str
    title: str


class Opening(Form):
    """A conversation is to begin. id: what it shall be called; where it is left out, the target gives a name.

    at: the time, in milliseconds since 1970 UTC. in_order: the channel delivers in order; a conversation that is opened
    again and does not say goes on as it was. rehearse: writes are let through to a double.
    """

    domain: str
    id: str | None = Field(default=None, min_length=1, max_length=200)
    at: int | None = None
    in_order: bool = False
    rehearse: bool = False
    scenario: ScenarioName | None = None


class DraftValue(Form):
    """A settled value. Without a `provenance` nobody can say where it came from."""

    value: Any = None
    label: str | None = None
    provenance: Provenance | None = None


class DraftForm(Form):
    """The record that is being built: its values by slot."""

    id: str = ""
    values: Mapping[str, DraftValue] = Field(default_factory=dict)


class Opened(Form):
    """The conversation is open. draft: as it begins, where drafts are reported."""

    id: str = Field(min_length=1)
    draft: DraftForm | None = None


class _ActForm(Form):
    """at: the time, in milliseconds since 1970 UTC, for a target with the ability `clock`. seen: the revision of the
    last answer that the client displayed."""

    at: int | None = None
    seen: int | None = None


class SayForm(_ActForm):
    """A typed message."""

    kind: Literal["say"]
    text: str


class TapForm(_ActForm):
    """A tap on an option, by the ids of the block that was shown."""

    kind: Literal["tap"]
    question: str
    revision: int
    option: str


class SubmitForm(_ActForm):
    """Fields by slot, or options by their ids, that are sent together."""

    kind: Literal["submit"]
    question: str
    revision: int
    values: Mapping[str, str] = Field(default_factory=dict)
    options: tuple[str, ...] = ()


class SearchForm(_ActForm):
    """A search in a picker, or a move to another of its pages."""

    kind: Literal["search"]
    question: str
    revision: int
    query: str | None = None
    page: PageMove = "first"


class ReloadForm(_ActForm):
    """The client lost its page and asks for what is open."""

    kind: Literal["reload"]


ActForm: TypeAlias = Annotated[SayForm | TapForm | SubmitForm | SearchForm | ReloadForm, Field(discriminator="kind")]


class Script(Form):
    """What stands in others' place in a turn, for a target with the ability `script`: the model's replies in order, and
    faults of tools by name, each with the fields of `marg_scenarios.override`."""

    replies: tuple[Mapping[str, Any], ...] = ()
    faults: Mapping[str, Mapping[str, Any]] = Field(default_factory=dict)


class Sent(Form):
    """One act, or, for a target with the ability `together`, several that are sent at once and served in this order."""

    acts: tuple[ActForm, ...] = Field(min_length=1)
    script: Script | None = None


class TextForm(Form):
    """A text that was shown, and whose it is: the model's words, or a line of the program's own."""

    by: Literal["model", "runtime"] = "model"
    text: str


class CallForm(Form):
    """A tool call that reached its tool: `name`, or `server/name`; `by` says who called."""

    tool: str
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    by: Caller = "model"


class GateForm(Form):
    """One decision on a write: who asked for it, and what the guard said; `skill` and `schema` where there are such
    layers. arguments: what the write carries."""

    trigger: Trigger
    guard: Literal["allowed", "refused"]
    skill: Literal["allowed", "refused"] | None = None
    schema_: Literal["allowed", "refused"] | None = Field(default=None, alias="schema")
    because: str = ""
    arguments: Mapping[str, Any] = Field(default_factory=dict)

    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True)


class CallIdForm(Form):
    """A call in an assistant's message."""

    id: str
    name: str
    arguments: Mapping[str, Any] = Field(default_factory=dict)


class MessageForm(Form):
    """A message of a model request. calls: of the assistant's; call, name, is_error: of a result."""

    role: Literal["user", "facts", "assistant", "result"]
    text: str = ""
    facts: tuple[str, ...] = ()
    calls: tuple[CallIdForm, ...] = ()
    call: str = ""
    name: str = ""
    is_error: bool = False


class ToolForm(Form):
    """A tool as it is listed."""

    server: str = ""
    identity: str = ""
    name: str
    description: str = ""
    input_schema: Mapping[str, Any] = Field(default_factory=dict)


class RequestForm(Form):
    """A request as the model received it."""

    system: str = ""
    messages: tuple[MessageForm, ...] = ()
    tools: tuple[ToolForm, ...] = ()


class Report(Form):
    """What can be seen of one turn.

    revision: what a client sends back as `seen` once it has displayed this. answered: False where the process died
    before it could answer. question: the step whose question is open afterwards. facts: those that were queued for the
    model in this turn. writes, rehearsed: the backend's own count and its double's since the conversation was opened.
    ledger: the turn's entries as `marg_runtime.ledger.encode` writes them; reading, facts, calls and gate are then
    taken from there. tools: as listed. machine, slips, wire: what a mock model did. unused: what of the script was not
    met, in words.
    """

    revision: int = 0
    turn: int = 0
    answered: bool = True
    texts: tuple[TextForm, ...] = ()
    block: Block | None = None
    question: str | None = None
    draft: DraftForm | None = None
    reading: Literal["plain_yes", "plain_no", "choice", "content"] | None = None
    facts: tuple[str, ...] | None = None
    calls: tuple[CallForm, ...] | None = None
    gate: tuple[GateForm, ...] | None = None
    writes: int | None = Field(default=None, ge=0)
    rehearsed: int | None = Field(default=None, ge=0)
    requests: tuple[RequestForm, ...] | None = None
    ledger: tuple[Mapping[str, Any], ...] | None = None
    tools: tuple[ToolForm, ...] = ()
    machine: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()
    wire: tuple[Mapping[str, Any], ...] = ()
    unused: tuple[str, ...] = ()

    def reported(self) -> frozenset[Part]:
        """The parts that it holds: those that were given, and for lists and counts not as null."""
        maybe_none: tuple[Part, ...] = ("block", "question", "reading")
        others: tuple[Part, ...] = ("draft", "facts", "calls", "gate", "writes", "rehearsed", "requests", "ledger")
        given = {part for part in maybe_none if part in self.model_fields_set}
        told = LEDGER_PARTS if self.ledger is not None else frozenset()
        values = () if self.draft is None else tuple(self.draft.values.values())
        traced = self.draft is not None and all(value.provenance is not None for value in values)
        if traced:
            given.add("provenance")
        return frozenset({*given, *told, *(part for part in others if getattr(self, part) is not None)})


class Reports(Form):
    """A report for each act, in the order in which they were sent."""

    reports: tuple[Report, ...]


class Closed(Form):
    """The conversation is over. writes: the backend's own count, of the whole of it, where there is one."""

    writes: int | None = Field(default=None, ge=0)


class Refusal(Form):
    """Why a target did not do what it was asked.

    kind: `bad_request` (the form is wrong), `unknown` (no such conversation or domain), `not_able` (it cannot do this),
    `undeclared` (its mock machine has no answer, which stands at `path` and `line`), `crash` (something broke).
    """

    kind: RefusalKind
    message: str
    path: str = ""
    line: int = 0


class RefusalForm(Form):
    """The body of an HTTP answer that is no 200."""

    error: Refusal
