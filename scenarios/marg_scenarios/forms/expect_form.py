"""What a turn may expect: one key a check."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from marg_mock_model import Absent, Form, FreeValue
from marg_runtime.draft import Provenance
from marg_scenarios.forms.fields import Count, LookingForm, Truth, check_pattern

Layer = Literal["allowed", "refused"]
Texts: TypeAlias = list[str]
SomeTexts: TypeAlias = Annotated[list[str], Field(min_length=1)]
Pattern: TypeAlias = Annotated[str, AfterValidator(check_pattern)]


class BlockForm(Form):
    """The block on the screen."""

    step: str = Field(description="The step that asks, `confirm` for the summary, `receipt` for the receipt.")
    kind: Literal["chips", "text", "summary", "receipt"] | Absent = None
    lead: str | Absent = Field(default=None, description="The question, as drawn.")
    options: Texts | Absent = Field(default=None, description="All labels, in order.")
    rows: dict[str, str] | Absent = Field(
        default=None, description="Values of the summary by slot, as a person reads them."
    )


class GateForm(LookingForm):
    """One decision of the gate; what is not named is not looked at."""

    trigger: Literal["go_ahead", "model_call"] | Absent = None
    skill: Layer | Absent = None
    schema_layer: Layer | Absent = Field(default=None, alias="schema")
    guard: Layer | Absent = None


class WriteForm(Form):
    """Writes of the turn."""

    attempted: Count = Field(default=0, description="How often the guard allowed a write.")
    performed: Count = Field(default=0, description="How many writes the backend itself counts.")
    arguments: dict[str, FreeValue] = Field(default_factory=dict, description="What each attempt at least carried.")


class ReceivedForm(LookingForm):
    """What the model was sent."""

    facts: Texts | Absent = Field(default=None, description="The facts that were new, all of them, in order.")
    user: str | Absent = Field(default=None, description="The newest words of the user.")
    rule: Truth | Absent = Field(
        default=None, description="Whether every request of the turn carried the skill's rule."
    )


class TextForm(LookingForm):
    """What texts say."""

    contains: SomeTexts = Field(default_factory=list)
    lacks: SomeTexts = Field(default_factory=list)
    matches: Pattern | Absent = Field(default=None, description="A regular expression that one of the texts matches.")


class EventsForm(LookingForm):
    """Events of the turn by name."""

    has: SomeTexts = Field(default_factory=list)
    lacks: SomeTexts = Field(default_factory=list)


ToolCallForm: TypeAlias = str | Annotated[dict[str, dict[str, FreeValue]], Field(min_length=1, max_length=1)]


class ExpectForm(Form):
    """The checks of a turn, one a key."""

    reading: Literal["plain_yes", "plain_no", "choice", "content"] | Absent = None
    block: str | BlockForm | Absent = Field(default=None, description="A step's key, `none`, or a mapping.")
    redraws: Truth | Absent = Field(default=None, description="The very block that was open before is shown again.")
    draft: Annotated[dict[str, FreeValue], Field(min_length=1)] | Absent = Field(
        default=None, description="Values by slot; null: not settled."
    )
    provenance: Annotated[dict[str, Provenance], Field(min_length=1)] | Absent = None
    facts: Texts | Absent = Field(default=None, description="The facts that the turn queued, all of them, in order.")
    tools_called: Annotated[list[ToolCallForm], Field(min_length=1)] | Absent = Field(
        default=None, description="Calls that reached their tool: a name, or a name with some of the arguments."
    )
    tools_not_called: SomeTexts | Absent = None
    overridden: Texts | Absent = Field(default=None, description="The model's arguments that did not stand, by name.")
    cut: Texts | Absent = Field(default=None, description="The steps whose questions were cut, in order.")
    gate: Literal["none"] | GateForm | list[GateForm] | Absent = None
    write: WriteForm | Absent = None
    model_calls: Count | Absent = None
    received: ReceivedForm | Absent = None
    text: TextForm | Absent = Field(default=None, description="The model's words as they were shown. Owner: model.")
    line: TextForm | Absent = Field(default=None, description="The runtime's own lines.")
    events: EventsForm | Absent = None
