"""What a turn may expect: one key a check."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from marg_mock_model import Absent, Form, FreeValue

Layer = Literal["allowed", "refused"]
Texts: TypeAlias = list[str]


class BlockForm(Form):
    """The block on the screen."""

    step: str = Field(description="The step that asks, `confirm` for the summary, `receipt` for the receipt.")
    kind: Literal["chips", "text", "summary", "receipt"] | Absent = None
    lead: str | Absent = Field(default=None, description="The question, as drawn.")
    options: Texts | Absent = Field(default=None, description="All labels, in order.")
    rows: dict[str, str] | Absent = Field(
        default=None, description="Values of the summary by slot, as a person reads them."
    )


class GateForm(Form):
    """One decision of the gate; what is not named is not looked at."""

    trigger: Literal["go_ahead", "model_call"] | Absent = None
    skill: Layer | Absent = None
    schema_layer: Layer | Absent = Field(default=None, alias="schema")
    guard: Layer | Absent = None


class WriteForm(Form):
    """Writes of the turn."""

    attempted: int = Field(default=0, ge=0, description="How often the guard allowed a write.")
    performed: int = Field(default=0, ge=0, description="How many writes the backend itself counts.")
    arguments: dict[str, FreeValue] = Field(default_factory=dict, description="What each attempt at least carried.")


class ReceivedForm(Form):
    """What the model was sent."""

    facts: Texts | Absent = Field(default=None, description="The facts that were new, all of them, in order.")
    user: str | Absent = Field(default=None, description="The newest words of the user.")
    rule: bool | Absent = Field(default=None, description="Whether every request of the turn carried the skill's rule.")


class TextForm(Form):
    """What texts say."""

    contains: Texts = Field(default_factory=list)
    lacks: Texts = Field(default_factory=list)
    matches: str | Absent = Field(default=None, description="A regular expression that one of the texts matches.")


class EventsForm(Form):
    """Events of the turn by name."""

    has: Texts = Field(default_factory=list)
    lacks: Texts = Field(default_factory=list)


ToolCallForm: TypeAlias = str | Annotated[dict[str, dict[str, FreeValue]], Field(min_length=1, max_length=1)]


class ExpectForm(Form):
    """The checks of a turn, one a key."""

    reading: Literal["plain_yes", "plain_no", "choice", "content"] | Absent = None
    block: str | BlockForm | Absent = Field(default=None, description="A step's key, `none`, or a mapping.")
    redraws: bool | Absent = Field(default=None, description="The very block that was open before is shown again.")
    draft: dict[str, FreeValue] | Absent = Field(default=None, description="Values by slot; null: not settled.")
    provenance: dict[str, Literal["tap", "typed", "form", "carried", "model"]] | Absent = None
    facts: Texts | Absent = Field(default=None, description="The facts that the turn queued, all of them, in order.")
    tools_called: list[ToolCallForm] | Absent = Field(
        default=None, description="Calls that reached their tool: a name, or a name with some of the arguments."
    )
    tools_not_called: Texts | Absent = None
    overridden: Texts | Absent = Field(default=None, description="The model's arguments that did not stand, by name.")
    cut: Texts | Absent = Field(default=None, description="The steps whose questions were cut, in order.")
    gate: Literal["none"] | GateForm | list[GateForm] | Absent = None
    write: WriteForm | Absent = None
    model_calls: int | Absent = Field(default=None, ge=0)
    received: ReceivedForm | Absent = None
    text: TextForm | Absent = Field(default=None, description="The model's words as they were shown. Owner: model.")
    line: TextForm | Absent = Field(default=None, description="The runtime's own lines.")
    events: EventsForm | Absent = None
