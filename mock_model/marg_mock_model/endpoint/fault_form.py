"""The file form of a schedule of faults: what may be written.

```yaml
faults:
  - {fault: rate_limit, at: [1, 2], retry_after: 0.5}
  - {fault: cut, rate: 0.1, after: 3, api: openai_chat, stream: true}
```
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from marg_mock_model.document import Document
from marg_mock_model.endpoint.fault import BY_STATUS, DEFAULT_AFTER, Fault, FaultKind, Faults
from marg_mock_model.endpoint.wire import ApiName
from marg_mock_model.form import Absent, Form


def _number(value: Any) -> Any:
    """A number as it was written: `1` and `1.0` are two ways to say when to come again."""
    if isinstance(value, str):
        return float(value) if "." in value else int(value)
    return value


def _by_status(value: Any) -> Any:
    return BY_STATUS.get(value, value) if isinstance(value, str) else value


class FaultForm(Form):
    """One fault: what, and at which requests (`at`, counted from 1), or at what share of them (`rate`)."""

    fault: Annotated[FaultKind, BeforeValidator(_by_status)]
    at: tuple[Annotated[int, Field(ge=1)], ...] = ()
    rate: Annotated[float, Field(ge=0, le=1)] | Absent = None
    api: ApiName | Absent = None
    stream: bool | Absent = None
    conversation: str | Absent = None
    after: Annotated[int, Field(ge=0)] = DEFAULT_AFTER
    retry_after: Annotated[int | float, BeforeValidator(_number), Field(ge=0)] | Absent = None
    seconds: Annotated[float, Field(ge=0)] | Absent = None

    @model_validator(mode="after")
    def _one_schedule(self) -> FaultForm:
        if self.at and self.rate is not None:
            raise ValueError("'at' and 'rate' stand beside one another; keep one of them")
        if self.fault == "refuse" and self.rate is not None:
            raise ValueError("a refused connection is never heard of, so that it has no rate; say 'at'")
        return self


class FaultsForm(Form):
    """A schedule of faults; where several fit a request, the first is played."""

    faults: tuple[FaultForm, ...]


def faults_of(document: Document, *, seed: int) -> Faults:
    """The schedule that a document is; raises LocatedError."""
    form = document.validate(FaultsForm)
    return Faults(faults=tuple(_fault(entry) for entry in form.faults), seed=seed)


def _fault(form: FaultForm) -> Fault:
    fields = form.model_dump()
    return Fault(kind=fields.pop("fault"), **fields)
