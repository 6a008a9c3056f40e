"""What a turn may put in the place of the model's answers and of the tools'."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ConfigDict, Field, model_validator

from marg_mock_model.form import Absent, Form
from marg_mock_model.free_value import FreeValue
from marg_mock_model.slip import SlipKind
from marg_runtime.model import FinishReason
from marg_scenarios.forms.fields import LookingForm, Yes
from marg_scenarios.override import Fault

When = Literal["before", "after"]
OneCall = Annotated[dict[str, dict[str, FreeValue]], Field(min_length=1, max_length=1)]
TOOL_FAULTS: tuple[Fault, ...] = ("answers", "refuses", "breaks", "hangs", "crashes", "changes", "gone")


class ReplyForm(LookingForm):
    """One reply in the place of the machine's: words, calls, both, or nothing; and how it ends."""

    text: str = Field(default="", description="What the model says.")
    calls: list[OneCall] = Field(default_factory=list, description="The tools that it calls, in order.")
    silent: Yes | Absent = Field(default=None, description="It says and calls nothing, with a proper end.")
    broken: Literal["error", "cut"] | Absent = Field(
        default=None,
        description="The stream breaks after that: with an error, or cut off with no end.",
    )
    crashes: Yes | Absent = Field(default=None, description="The runtime's process dies while it listens.")
    finish: FinishReason | Absent = Field(default=None, description="Why it ends; by default as usual.")
    to: str | Absent = Field(default=None, description="The machine's state after it; by default it stays.")
    slip: SlipKind | Absent = Field(
        default=None, description="The machine's own reply, which slips so; the machine declares such a slip."
    )

    @model_validator(mode="after")
    def _slips_alone(self) -> ReplyForm:
        beside = sorted(self.model_fields_set - {"slip"})
        if self.slip is not None and beside:
            raise ValueError(f"a reply that slips is the machine's own: leave out {', '.join(beside)}")
        return self


class AnswersForm(Form):
    """An answer in the place of the tool's own."""

    text: str
    data: FreeValue = None


class ChangesForm(LookingForm):
    """How the tool is listed in this turn, where that is not as before."""

    description: str | Absent = None
    identity: str | Absent = Field(default=None, description="The server's name and version.")
    arguments: Annotated[dict[str, FreeValue], Field(min_length=1)] | Absent = Field(
        default=None, description="Arguments that its schema has besides or instead, each with its JSON Schema."
    )


def _one_fault(schema: dict[str, Any]) -> None:
    schema["oneOf"] = [{"required": [name]} for name in TOOL_FAULTS]


class ToolForm(Form):
    """What is wrong with a tool in this turn: exactly one thing."""

    model_config = ConfigDict(json_schema_extra=_one_fault)

    answers: AnswersForm | Absent = Field(default=None, description="It answers this, whatever it is asked.")
    refuses: str | Absent = Field(default=None, description="It refuses with this text.")
    breaks: When | Absent = Field(
        default=None, description="The server breaks before the tool has run, or after: then its answer is lost."
    )
    hangs: When | Absent = Field(
        default=None, description="No answer comes in time, and the tool has not, or has, run."
    )
    crashes: When | Absent = Field(
        default=None, description="The runtime's process dies before the tool has run, or after."
    )
    changes: ChangesForm | Absent = Field(default=None, description="It is listed otherwise than before.")
    gone: Yes | Absent = Field(default=None, description="It is not listed, and nobody answers to its name.")

    @model_validator(mode="after")
    def _exactly_one(self) -> ToolForm:
        given = [name for name in TOOL_FAULTS if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"exactly one of {', '.join(TOOL_FAULTS)} is expected, not {' and '.join(given) or 'none'}"
            )
        return self


ModelForm: TypeAlias = ReplyForm | Annotated[list[ReplyForm], Field(min_length=1)]
