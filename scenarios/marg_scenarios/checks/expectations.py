"""From what a turn expects to its checks, in the order of the form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from marg_scenarios.checks.block import NO_BLOCK, BlockCheck, RedrawsCheck
from marg_scenarios.checks.check import Check
from marg_scenarios.checks.draft import DraftCheck, ProvenanceCheck
from marg_scenarios.checks.events import EventsCheck
from marg_scenarios.checks.facts import FactsCheck
from marg_scenarios.checks.gate import GateCheck, WriteCheck
from marg_scenarios.checks.model import CutCheck, ModelCallsCheck, ReceivedCheck
from marg_scenarios.checks.reading import ReadingCheck
from marg_scenarios.checks.text import LineCheck, TextCheck
from marg_scenarios.checks.tools import ExpectedCall, OverriddenCheck, ToolsCalledCheck, ToolsNotCalledCheck
from marg_scenarios.forms.expect_form import BlockForm, ExpectForm, GateForm, ReceivedForm, TextForm, WriteForm


def checks_of(form: ExpectForm, *, line: Callable[[str], int]) -> tuple[Check, ...]:
    """The checks of a turn; `line` gives the line of a key in the scenario's file."""
    found = []
    for name in ExpectForm.model_fields:
        value = getattr(form, name)
        if value is not None:
            found.append(_BUILDERS[name](value, line(name)))
    return tuple(found)


def _block(value: str | BlockForm, line: int) -> Check:
    if isinstance(value, str):
        return BlockCheck(line=line, step=None if value == NO_BLOCK else value)
    return BlockCheck(
        line=line,
        step=value.step,
        block_kind=value.kind,
        lead=value.lead,
        options=None if value.options is None else tuple(value.options),
        rows=value.rows,
    )


def _tools_called(value: list[str | dict[str, dict[str, Any]]], line: int) -> Check:
    calls = [
        ExpectedCall(tool=tool, arguments=arguments)
        for entry in value
        for tool, arguments in ({entry: {}} if isinstance(entry, str) else entry).items()
    ]
    return ToolsCalledCheck(line=line, expected=tuple(calls))


def _gate(value: str | GateForm | list[GateForm], line: int) -> Check:
    forms = [] if isinstance(value, str) else [value] if isinstance(value, GateForm) else value
    expected = [
        {name: str(part) for name, part in form.model_dump(by_alias=True).items() if part is not None} for form in forms
    ]
    return GateCheck(line=line, expected=tuple(expected))


def _write(value: WriteForm, line: int) -> Check:
    return WriteCheck(line=line, attempted=value.attempted, performed=value.performed, arguments=value.arguments)


def _received(value: ReceivedForm, line: int) -> Check:
    facts = None if value.facts is None else tuple(value.facts)
    return ReceivedCheck(line=line, facts=facts, user=value.user, rule=value.rule)


def _text(kind: type[TextCheck]) -> Callable[[TextForm, int], Check]:
    return lambda value, line: kind(
        line=line, contains=tuple(value.contains), lacks=tuple(value.lacks), matches=value.matches
    )


_BUILDERS: dict[str, Callable[[Any, int], Check]] = {
    "reading": lambda value, line: ReadingCheck(line=line, expected=value),
    "block": _block,
    "redraws": lambda value, line: RedrawsCheck(line=line, expected=value),
    "draft": lambda value, line: DraftCheck(line=line, expected=value),
    "provenance": lambda value, line: ProvenanceCheck(line=line, expected=value),
    "facts": lambda value, line: FactsCheck(line=line, expected=tuple(value)),
    "tools_called": _tools_called,
    "tools_not_called": lambda value, line: ToolsNotCalledCheck(line=line, expected=tuple(value)),
    "overridden": lambda value, line: OverriddenCheck(line=line, expected=tuple(value)),
    "cut": lambda value, line: CutCheck(line=line, expected=tuple(value)),
    "gate": _gate,
    "write": _write,
    "model_calls": lambda value, line: ModelCallsCheck(line=line, expected=value),
    "received": _received,
    "text": _text(TextCheck),
    "line": _text(LineCheck),
    "events": lambda value, line: EventsCheck(line=line, has=tuple(value.has), lacks=tuple(value.lacks)),
}
