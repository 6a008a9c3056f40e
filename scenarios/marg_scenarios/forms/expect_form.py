"""What a turn may expect: one key a check."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from marg_mock_model.form import Absent, Form
from marg_mock_model.free_value import FreeValue
from marg_runtime.block import BlockKind
from marg_runtime.draft import Provenance
from marg_runtime.events.turn import Outcome
from marg_scenarios.checks.arguments import check_matchers
from marg_scenarios.forms.canonical_form import CanonicalForms
from marg_scenarios.forms.fields import Count, LookingForm, Truth, Yes, check_pattern

Layer = Literal["allowed", "refused"]
Texts: TypeAlias = list[str]
SomeTexts: TypeAlias = Annotated[list[str], Field(min_length=1)]
# Every text contains the empty one, and the empty pattern matches every text: a check of that could not fail.
SomeParts: TypeAlias = Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
Pattern: TypeAlias = Annotated[str, Field(min_length=1), AfterValidator(check_pattern)]


def _checked(arguments: dict[str, Any]) -> dict[str, Any]:
    check_matchers(arguments)
    return arguments


# A value may also be `{matches: PATTERN}`, `{any: true}`, `{absent: true}` or `{equals: VALUE}`.
Arguments: TypeAlias = Annotated[dict[str, FreeValue], AfterValidator(_checked)]


class LabelsForm(LookingForm):
    """Labels of options, where not all of them in order are meant."""

    has: SomeTexts = Field(default_factory=list)
    lacks: SomeTexts = Field(default_factory=list)
    any_order: SomeTexts | Absent = Field(default=None, description="All labels, in any order.")


class PageForm(LookingForm):
    """Where a picker stands; what is not named is not looked at."""

    query: str | Absent = Field(default=None, description="The words that it looked for.")
    number: Count | Absent = Field(default=None, description="The page, from 1.")
    previous: Truth | Absent = Field(default=None, description="Whether there is a page before it.")
    next: Truth | Absent = Field(default=None, description="Whether there is a page behind it.")


class BlockForm(Form):
    """The block on the screen."""

    model_config = ConfigDict(json_schema_extra={"dependentRequired": {"only_rows": ["rows"]}})

    step: str = Field(description="The step that asks, `confirm` for the summary, `receipt` for the receipt.")
    kind: BlockKind | Absent = None
    lead: str | Absent = Field(default=None, description="The question, as drawn.")
    options: Texts | LabelsForm | Absent = Field(default=None, description="All labels, in order, or a mapping.")
    rows: dict[str, str] | Absent = Field(
        default=None, description="Values of the summary by slot, as a person reads them."
    )
    only_rows: Yes | Absent = Field(default=None, description="It has no other rows.")
    fields: Annotated[dict[str, str], Field(min_length=1)] | Absent = Field(
        default=None, description="What stands in a form's fields by slot, those named; a choice by its label."
    )
    errors: dict[str, str] | Absent = Field(default=None, description="All errors of a form's fields, by slot.")
    chosen: Texts | Absent = Field(default=None, description="The options that are shown as chosen, all of them.")
    page: PageForm | Absent = Field(default=None, description="Where a picker stands.")

    @model_validator(mode="after")
    def _looks_at_rows(self) -> BlockForm:
        if self.only_rows and self.rows is None:
            raise ValueError("'only_rows' says that there are no rows but those of 'rows', which is missing; add it")
        if self.rows == {} and not self.only_rows:
            raise ValueError("'rows' names none; name at least one, or add 'only_rows: true' where there are none")
        return self


class GateForm(LookingForm):
    """One decision of the gate; what is not named is not looked at."""

    trigger: Literal["go_ahead", "model_call"] | Absent = None
    skill: Layer | Absent = None
    schema_layer: Layer | Absent = Field(default=None, alias="schema")
    guard: Layer | Absent = None
    because: Pattern | Absent = Field(default=None, description="What a layer that refused gave as its reason.")


class WriteForm(Form):
    """Writes of the turn."""

    model_config = ConfigDict(json_schema_extra={"dependentRequired": {"arguments": ["attempted"]}})

    attempted: Count = Field(default=0, description="How often the guard allowed a write.")
    performed: Count = Field(default=0, description="How many writes the backend itself counts.")
    rehearsed: Count = Field(default=0, description="How many writes the double took in the backend's place.")
    ended: Literal["done", "refused", "unknown"] | Absent = Field(default=None, description="How the last one ended.")
    arguments: Arguments = Field(default_factory=dict, description="What each attempt at least carried.")

    @model_validator(mode="after")
    def _expects_an_attempt(self) -> WriteForm:
        if self.arguments and not self.attempted:
            raise ValueError(
                "'arguments' is what each attempt carried, and none is expected; say how many: 'attempted'"
            )
        return self


class NamesForm(LookingForm):
    """Names that are there or are not."""

    has: SomeTexts = Field(default_factory=list)
    lacks: SomeTexts = Field(default_factory=list)


class ReceivedForm(LookingForm):
    """What the model was sent."""

    facts: Texts | Absent = Field(default=None, description="The facts that were new, all of them, in order.")
    user: str | Absent = Field(default=None, description="The newest words of the user.")
    rule: Truth | Absent = Field(
        default=None, description="Whether every request of the turn carried the skill's rule."
    )
    tools: NamesForm | Absent = Field(default=None, description="The tools that it was offered, by name.")
    contains: SomeParts | Absent = Field(default=None, description="Parts of what was said in the last request.")
    lacks: SomeParts | Absent = None


class TextForm(LookingForm):
    """What texts say."""

    contains: SomeParts = Field(default_factory=list)
    lacks: SomeParts = Field(default_factory=list)
    matches: Pattern | Absent = Field(default=None, description="A regular expression that one of the texts matches.")


class EventsForm(LookingForm):
    """Events of the turn by name."""

    has: SomeTexts = Field(default_factory=list)
    lacks: SomeTexts = Field(default_factory=list)
    sequence: SomeTexts | Absent = Field(default=None, description="In this order; others may stand between them.")
    exactly: SomeTexts | Absent = Field(default=None, description="All events of the turn, in order.")


class CallForm(Form):
    """A call and all that can be expected of it."""

    tool: str
    arguments: Arguments = Field(default_factory=dict)
    exact: Yes | Absent = Field(default=None, description="It has no other arguments.")
    ignore: SomeTexts = Field(default_factory=list, description="Arguments that are not looked at.")
    by: Literal["model", "step", "runtime"] | Absent = Field(default=None, description="Who called it.")

    @model_validator(mode="after")
    def _ignores_to_an_end(self) -> CallForm:
        if self.ignore and not self.exact:
            raise ValueError("'ignore' is of use with 'exact: true' only; other arguments are not looked at anyway")
        return self


ToolCallForm: TypeAlias = str | CallForm | Annotated[dict[str, Arguments], Field(min_length=1, max_length=1)]
SomeCalls: TypeAlias = Annotated[list[ToolCallForm], Field(min_length=1)]


class ExpectForm(Form):
    """The checks of a turn, one a key."""

    reading: Literal["plain_yes", "plain_no", "choice", "content"] | Absent = None
    outcome: Outcome | Absent = Field(default=None, description="What the message came to while a question was open.")
    block: str | BlockForm | Absent = Field(default=None, description="A step's key, `none`, or a mapping.")
    redraws: Truth | Absent = Field(default=None, description="The very block that was open before is shown again.")
    drawn: Texts | Absent = Field(default=None, description="The steps of all blocks that were drawn, in order.")
    question: str | Absent = Field(default=None, description="The step of the question that is open then, or `none`.")
    draft: Annotated[dict[str, FreeValue], Field(min_length=1)] | Absent = Field(
        default=None, description="Values by slot; null: not settled."
    )
    draft_is: dict[str, FreeValue] | Absent = Field(default=None, description="All values by slot: it has no others.")
    draft_unchanged: Truth | Absent = Field(default=None, description="Whether the draft is as it was before.")
    provenance: Annotated[dict[str, Provenance], Field(min_length=1)] | Absent = None
    facts: Texts | Absent = Field(default=None, description="The facts that the turn queued, all of them, in order.")
    tools_called: SomeCalls | Absent = Field(
        default=None, description="Calls that reached their tool: a name, a name with some of the arguments, a mapping."
    )
    tools_only: list[ToolCallForm] | Absent = Field(
        default=None, description="The same, and no other call reached any tool."
    )
    tools_in_order: SomeCalls | Absent = Field(
        default=None, description="The same, in this order; others may stand between them."
    )
    tools_not_called: SomeTexts | Absent = None
    overridden: Texts | Absent = Field(default=None, description="The model's arguments that did not stand, by name.")
    cut: Texts | Absent = Field(
        default=None, description="The steps whose questions were cut, and cut claims, in order."
    )
    gate: Literal["none"] | GateForm | list[GateForm] | Absent = None
    write: WriteForm | Absent = None
    model_calls: Count | Absent = None
    received: ReceivedForm | Absent = None
    text: Literal["none"] | TextForm | Absent = Field(
        default=None, description="The model's words as they were shown, or `none`. Owner: model."
    )
    line: Literal["none"] | TextForm | Absent = Field(default=None, description="The runtime's own lines, or `none`.")
    events: EventsForm | Absent = None
    custom: Annotated[dict[str, FreeValue], Field(min_length=1)] | Absent = Field(
        default=None, description="Checks of the kit's own by name, each with what it is given."
    )
    nothing_else: Yes | Absent = Field(
        default=None, description="Nothing happened but what the other checks of this turn look at."
    )
    contract: Yes | Absent = Field(
        default=None, description="The write tool's schema and what is sent to it fit the kit's contract."
    )
    canonical: Annotated[dict[str, CanonicalForms], Field(min_length=1)] | Absent = Field(
        default=None,
        description="No check: for a check, the forms in which what it sees may differ and mean the same.",
    )
