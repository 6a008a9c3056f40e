"""A turn: one user act, or what else happens between two, and what must follow."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ConfigDict, Field, model_validator

from marg_mock_model.form import Absent, Form
from marg_mock_model.free_value import FreeValue
from marg_runtime.acts import PageMove
from marg_scenarios.forms.expect_form import ExpectForm
from marg_scenarios.forms.fields import Count, Milliseconds, Yes
from marg_scenarios.forms.override_form import ModelForm, ToolForm

USER_ACTS = ("say", "tap", "submit", "search", "forge", "reload")
ACTS = (*USER_ACTS, "wait", "restart", "concurrent")
ID_PATTERN = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"
OF = "The turn whose block is meant; by default the last block shown."
TurnId: TypeAlias = Annotated[str, Field(pattern=ID_PATTERN)]


class TapForm(Form):
    """A tap on an option of a block that was shown."""

    option: str = Field(description="The option's label.")
    of: str | Absent = Field(default=None, description=OF)


class SubmitForm(Form):
    """Fields or options sent together."""

    model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": ["values"]}, {"required": ["choose"]}]})

    values: Annotated[dict[str, str], Field(min_length=1)] | Absent = Field(
        default=None, description="Texts by slot; for a choice of a form, the option's label."
    )
    choose: list[str] | Absent = Field(default=None, description="Labels of options that are chosen together.")
    of: str | Absent = Field(default=None, description=OF)

    @model_validator(mode="after")
    def _sends_something(self) -> SubmitForm:
        if self.values is None and self.choose is None:
            raise ValueError("a submit has 'values' or 'choose'")
        return self


class SearchForm(Form):
    """A search in a picker, or a move to another of its pages."""

    query: str | Absent = Field(default=None, description="The words; by default those of the search before.")
    page: PageMove = Field(default="first", description="Which page of what they find.")
    of: str | Absent = Field(default=None, description=OF)


class ForgeForm(Form):
    """A tap or a submit that a client made up: what is left out is that of the block."""

    question: str | Absent = Field(default=None, description="The question's id.")
    revision: Count | Absent = Field(default=None, description="The question's revision.")
    option: str | Absent = Field(default=None, description="The option's id; `o1` is the first.")
    values: dict[str, str] | Absent = Field(default=None, description="Fields by slot: then it is a submit.")
    of: str | Absent = Field(default=None, description=OF)


def _one_of(acts: tuple[str, ...]) -> Any:
    return lambda schema: schema.update(oneOf=[{"required": [name]} for name in acts])


class ActForm(Form):
    """One act of a user's and what must follow: exactly one of say, tap, submit, search, forge, reload."""

    model_config = ConfigDict(json_schema_extra=_one_of(USER_ACTS))

    id: TurnId | Absent = Field(
        default=None, description="The turn's name, none of the words of `seen`; by default made from its act."
    )
    say: Annotated[str, Field(min_length=1)] | Absent = Field(default=None, description="What the user types.")
    tap: str | TapForm | Absent = Field(default=None, description="An option's label, or a mapping.")
    submit: SubmitForm | Absent = None
    search: str | SearchForm | Absent = Field(default=None, description="Words to look for in a picker, or a mapping.")
    forge: ForgeForm | Absent = Field(default=None, description="What a client sends that no block offers.")
    reload: Yes | Absent = Field(default=None, description="The client asks for what is open.")
    seen: str = Field(
        default="latest",
        description="What the client had displayed: `latest`, `previous`, `absent`, a turn's id, or a revision.",
    )
    expect: ExpectForm = Field(default_factory=ExpectForm)


class TurnForm(ActForm):
    """One act of a user's, time that passes, a restart, or two acts at once; and what must follow."""

    model_config = ConfigDict(json_schema_extra=_one_of(ACTS))

    wait: Milliseconds | Absent = Field(default=None, description="So many milliseconds pass.")
    restart: Yes | Absent = Field(
        default=None, description="The runtime is started anew: the session goes on from its ledger."
    )
    concurrent: Annotated[list[ActForm], Field(min_length=2)] | Absent = Field(
        default=None, description="Acts that are sent at once, and served in this order; each has checks of its own."
    )
    model: ModelForm | Absent = Field(
        default=None, description="The model's next replies in this turn, in the place of the machine's."
    )
    tools: Annotated[dict[str, ToolForm], Field(min_length=1)] | Absent = Field(
        default=None, description="What is wrong with a tool in this turn, by its name."
    )


class UseForm(Form):
    """A fixture's turns in this place."""

    use: str = Field(description="The fixture's name.")
    id: TurnId | Absent = Field(
        default=None, description="Put before the ids that the fixture declares: `id-` and the turn's own."
    )
    given: dict[str, FreeValue] | Absent = Field(
        default=None, alias="with", description="Values for the fixture's parameters."
    )


OnRed = Literal["continue", "stop"]
