"""Faults of the wire to a tool server: what goes wrong, and at which requests. Written as the model's are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import BeforeValidator, Field

from marg_mock_model import parse_document
from marg_mock_model.chance import chance
from marg_mock_model.endpoint.fault_line import faults_text
from marg_mock_model.form import Absent, Form
from marg_runtime.errors import UsageError

ToolWireKind: TypeAlias = Literal[
    "died",
    "hang",
    "closed",
    "is_error",
    "rpc_error",
    "babble",
    "bad_json",
    "cut_json",
    "html",
    "drop",
    "unauthorized",
    "quota",
    "forbidden",
    "not_found",
    "rate_limit",
    "server_error",
    "bad_gateway",
    "unavailable",
]
Transport: TypeAlias = Literal["stdio", "http"]
Asked: TypeAlias = Literal["call", "list"]

STATUS: Mapping[ToolWireKind, int] = {
    "unauthorized": 401,
    "quota": 402,
    "forbidden": 403,
    "not_found": 404,
    "rate_limit": 429,
    "server_error": 500,
    "bad_gateway": 502,
    "unavailable": 503,
}
"""The faults that are nothing but a status of HTTP."""

ONLY: Mapping[ToolWireKind, Transport] = {
    "died": "stdio",
    "babble": "stdio",
    **dict.fromkeys(STATUS, "http"),
    "bad_json": "http",
    "cut_json": "http",
    "html": "http",
    "drop": "http",
}
"""The faults that one transport alone can have."""

_BY_STATUS = {str(status): kind for kind, status in STATUS.items()}


def _by_status(value: object) -> object:
    return _BY_STATUS.get(value, value) if isinstance(value, str) else value


class ToolFaultForm(Form):
    """One fault: what, at which requests (`at`, from 1) or what share of them, of which tool, asked for what."""

    fault: Annotated[ToolWireKind, BeforeValidator(_by_status)]
    at: tuple[Annotated[int, Field(ge=1)], ...] = ()
    rate: Annotated[float, Field(ge=0, le=1)] | Absent = None
    on: Asked = "call"
    tool: str | Absent = None
    seconds: Annotated[float, Field(ge=0)] | Absent = None
    retry_after: Annotated[int, Field(ge=0)] | Absent = None


class ToolFaultsForm(Form):
    """A schedule; where several fit a request, the first is played."""

    faults: tuple[ToolFaultForm, ...]


@dataclass(frozen=True, kw_only=True)
class ToolWireFault:
    """One fault and its schedule; with neither `at` nor `rate` every request meets it.

    on: calls of tools, or requests for their list; each is counted by itself, from 1, in its conversation. tool: only
    calls of it are counted and met. seconds: how long a server hangs before it answers after all, None for ever.
    """

    kind: ToolWireKind
    at: tuple[int, ...] = ()
    rate: float | None = None
    on: Asked = "call"
    tool: str | None = None
    seconds: float | None = None
    retry_after: int | None = None


@dataclass(frozen=True, kw_only=True)
class ToolWireFaults:
    """A schedule of faults, and the seed of those that are a share."""

    faults: tuple[ToolWireFault, ...] = ()
    seed: int = 0

    @cached_property
    def transport(self) -> Transport:
        """The transport that the faults need: stdio where either would do."""
        return "http" if any(ONLY.get(fault.kind) == "http" for fault in self.faults) else "stdio"

    def at(self, index: int, number: int) -> ToolWireFault | None:
        """The fault of this place in the schedule, where it is met by its request of this number."""
        fault = self.faults[index]
        if fault.at and number not in fault.at:
            return None
        if fault.rate is not None and chance(self.seed, index, number) >= fault.rate:
            return None
        return fault


def parse_tool_faults(line: str, *, seed: int = 0) -> ToolWireFaults:
    """The schedule of one line, `KIND@1,2-4:tool=NAME; KIND%0.2:on=list`; raises UsageError."""
    text = faults_text(line, kinds=get_args(ToolWireKind), names=_BY_STATUS)
    form = parse_document(text, path="tool faults").validate(ToolFaultsForm)
    faults = tuple(_fault(entry) for entry in form.faults)
    needed = {ONLY[fault.kind]: fault.kind for fault in faults if fault.kind in ONLY}
    if len(needed) > 1:
        raise UsageError(
            f"the tool faults {line!r} need two transports: {needed['stdio']!r} is a child's, {needed['http']!r} is of "
            "HTTP; replay twice"
        )
    return ToolWireFaults(faults=faults, seed=seed)


def _fault(form: ToolFaultForm) -> ToolWireFault:
    if form.at and form.rate is not None:
        raise UsageError(f"the tool fault {form.fault!r} has both `at` and a rate; keep one of them")
    fields = form.model_dump()
    return ToolWireFault(kind=fields.pop("fault"), **fields)
