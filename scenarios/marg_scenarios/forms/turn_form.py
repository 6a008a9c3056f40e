"""A turn: one user act, and what must follow."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from marg_mock_model import Absent, Form
from marg_scenarios.forms.expect_form import ExpectForm
from marg_scenarios.forms.fields import Yes

ACTS = ("say", "tap", "submit", "reload")


class TapForm(Form):
    """A tap on an option of a block that was shown."""

    option: str = Field(description="The option's label.")
    of: str | Absent = Field(
        default=None, description="The turn whose block is tapped; by default the last block shown."
    )


class SubmitForm(Form):
    """Fields sent together."""

    values: Annotated[dict[str, str], Field(min_length=1)]
    of: str | Absent = Field(
        default=None, description="The turn whose block is submitted; by default the last block shown."
    )


class TurnForm(Form):
    """A turn has exactly one of say, tap, submit and reload."""

    model_config = ConfigDict(
        json_schema_extra=lambda schema: schema.update(oneOf=[{"required": [name]} for name in ACTS])
    )

    id: str | Absent = Field(
        default=None,
        pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$",
        description="The turn's name, none of the words of `seen`; by default made from its act.",
    )
    say: Annotated[str, Field(min_length=1)] | Absent = Field(default=None, description="What the user types.")
    tap: str | TapForm | Absent = Field(default=None, description="An option's label, or a mapping.")
    submit: SubmitForm | Absent = None
    reload: Yes | Absent = Field(default=None, description="The client asks for what is open.")
    seen: str = Field(
        default="latest",
        description="What the client had displayed: `latest`, `previous`, `absent`, or a turn's id.",
    )
    expect: ExpectForm = Field(default_factory=ExpectForm)
