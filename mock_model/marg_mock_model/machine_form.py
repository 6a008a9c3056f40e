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
from marg_runtime.models.model import FinishReason

Arguments = dict[str, FreeValue]
OneCall = Annotated[dict[str, Arguments], Field(min_length=1, max_length=1)]


class WhenForm(Form):
    """The guards of a transition: all must hold; `{}` means anything.

    They look at what the model has not answered yet. `user`, `user_matches`: a
    message of the user's, exact but for white space, or searched. `last`: what came last. `facts`, `fact_matches`:
    what the runtime told. `result_of`, `result_matches`, `result_is_error`: one and the same tool result. `call`: the
    number of this model call, from 1, since the user last spoke.
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


class TransitionForm(Form):
    """What the model answers: a reply, calls, or both; `silent: true` where it says and calls nothing."""

    when: WhenForm
    reply: str = ""
    calls: tuple[OneCall, ...] = ()
    silent: bool = False
    finish: FinishReason | Absent = None
    to: str


class StateForm(Form):
    """A state: the first of its transitions whose guards all hold is taken."""

    says: str = ""
    transitions: Annotated[tuple[TransitionForm, ...], Field(min_length=1)]


class MachineForm(Form):
    """A mock machine: what the model answers to what it is shown."""

    machine: str
    start: str
    states: Annotated[dict[str, StateForm], Field(min_length=1)]


def machine_schema() -> dict[str, Any]:
    """The JSON Schema of a machine's file, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **MachineForm.model_json_schema()}
