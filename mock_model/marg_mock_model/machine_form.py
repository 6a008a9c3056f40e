"""The file form of a machine: what may be written.

```yaml
machine: desk
start: listening
states:
  listening:
    says: the user tells what is wrong
    transitions:
      - when: {user_matches: "(?i)my (?P<thing>login) fails"}
        reply: "Thanks, noted: {thing}."
        calls:
          - propose: {slot: title, value: "{0}", quote: "{0}"}
        to: listening
```
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from marg_mock_model.form import Absent, Form
from marg_mock_model.free_value import FreeValue
from marg_mock_model.situation import InputKind
from marg_mock_model.slip import SlipKind
from marg_runtime.model import FinishReason

Arguments = dict[str, FreeValue]
OneCall = Annotated[dict[str, Arguments], Field(min_length=1, max_length=1)]


class WhenForm(Form):
    """The guards of a transition: all must hold; `{}` means anything.

    They look at what the model has not answered yet. `user`, `user_matches`: a
    message of the user's, exact but for white space, or searched. `last`: what came last. `facts`, `fact_matches`:
    what the runtime told. `result_of`, `result_matches`, `result_is_error`: one and the same tool result. `call`: the
    number of this model call, from 1, since the user last spoke.

    Five look at the whole conversation. `turn`: the number of the user's messages. `last_user_matches`: the newest of
    them, answered or not. `told`, `told_matches`, `not_told_matches`: what the runtime told so far, which is how the
    model knows the draft.
    """

    user: str | Absent = None
    user_matches: str | Absent = None
    last: InputKind | Absent = None
    facts: Annotated[tuple[str, ...], Field(min_length=1)] | Absent = None
    fact_matches: str | Absent = None
    result_of: str | Absent = None
    result_matches: str | Absent = None
    result_is_error: bool | Absent = None
    call: Annotated[int, Field(ge=1)] | Absent = None
    turn: Annotated[int, Field(ge=0)] | Absent = None
    last_user_matches: str | Absent = None
    told: Annotated[tuple[str, ...], Field(min_length=1)] | Absent = None
    told_matches: str | Absent = None
    not_told_matches: str | Absent = None


class UsageForm(Form):
    """Tokens that a reply is said to have cost; without it they are counted."""

    input: Annotated[int, Field(ge=0)]
    output: Annotated[int, Field(ge=0)]


class TransitionForm(Form):
    """What the model answers: a reply, calls, or both; `silent: true` where it says and calls nothing.

    `data` is a reply in JSON, for clients that ask for structured output.
    """

    when: WhenForm
    reply: str = ""
    data: FreeValue | Absent = None
    calls: tuple[OneCall, ...] = ()
    silent: bool = False
    usage: UsageForm | Absent = None
    finish: FinishReason | Absent = None
    to: str


class StateForm(Form):
    """A state: the first of its transitions whose guards all hold is taken.

    `ends: true` instead of transitions: the conversation is over, and whatever comes is undeclared.
    """

    says: str = ""
    ends: bool = False
    transitions: Annotated[tuple[TransitionForm, ...], Field(min_length=1)] | Absent = None


class SlipForm(Form):
    """What the model does wrong, at a rate: the share of the replies that the slip fits, all by default.

    It fits in the named `states`, by default in all, where `when` holds, and where there is anything to do wrong.
    `text` is what is said: the question, the claim, the refusal. `calls` are made on top; `tool` is the wrong tool, or
    the one whose calls are changed; `arguments` are the wrong ones.
    """

    slip: SlipKind
    rate: Annotated[float, Field(ge=0, le=1)] = 1.0
    states: Annotated[tuple[str, ...], Field(min_length=1)] | Absent = None
    when: WhenForm = WhenForm()
    text: str = ""
    tool: str | Absent = None
    arguments: Arguments | Absent = None
    calls: tuple[OneCall, ...] = ()
    finish: FinishReason | Absent = None


class MachineForm(Form):
    """A mock machine: what the model answers to what it is shown, and what it does wrong."""

    machine: str
    start: str
    states: Annotated[dict[str, StateForm], Field(min_length=1)]
    slips: tuple[SlipForm, ...] = ()


def machine_schema() -> dict[str, Any]:
    """The JSON Schema of a machine's file, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **MachineForm.model_json_schema()}
