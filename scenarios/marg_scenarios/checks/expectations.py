"""From what a turn expects to its checks, in the order of the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from marg_runtime.probe.contract import Contract
from marg_scenarios.checks.block import NO_BLOCK, BlockCheck, DrawnCheck, Labels, QuestionCheck, RedrawsCheck
from marg_scenarios.checks.check import Check
from marg_scenarios.checks.contract import ContractCheck
from marg_scenarios.checks.custom import CustomCheck, CustomLook
from marg_scenarios.checks.draft import DraftCheck, DraftIsCheck, DraftUnchangedCheck, ProvenanceCheck
from marg_scenarios.checks.events import EventsCheck, NothingElseCheck
from marg_scenarios.checks.facts import FactsCheck
from marg_scenarios.checks.gate import GateCheck, WriteCheck
from marg_scenarios.checks.model import CutCheck, ModelCallsCheck, ReceivedCheck
from marg_scenarios.checks.reading import OutcomeCheck, ReadingCheck
from marg_scenarios.checks.text import LineCheck, TextCheck
from marg_scenarios.checks.tools import (
    ExpectedCall,
    OverriddenCheck,
    ToolsCalledCheck,
    ToolsInOrderCheck,
    ToolsNotCalledCheck,
    ToolsOnlyCheck,
)
from marg_scenarios.forms.canonical_form import declared_forms
from marg_scenarios.forms.expect_form import (
    BlockForm,
    CallForm,
    EventsForm,
    ExpectForm,
    GateForm,
    LabelsForm,
    NamesForm,
    ReceivedForm,
    TextForm,
    ToolCallForm,
    WriteForm,
)


def checks_of(
    form: ExpectForm,
    *,
    line: Callable[[str], int],
    file: str | None = None,
    custom: Mapping[str, CustomLook] | None = None,
    contract: Contract | None = None,
) -> tuple[Check, ...]:
    """The checks of a turn; `line` gives the line of a key in the scenario's file, or in `file`.

    custom: the kit's own checks, of which the form names some. contract: the kit's, where the form asks for it.
    """
    given = {name: getattr(form, name) for name in ExpectForm.model_fields if getattr(form, name) is not None}
    canonical = given.pop("canonical", {})
    own: list[Check] = [
        CustomCheck(line=line("custom"), name=name, arguments=arguments, function=(custom or {})[name])
        for name, arguments in given.pop("custom", {}).items()
    ]
    if contract is not None and given.pop("contract", None):
        own.append(ContractCheck(line=line("contract"), contract=contract))
    checks = [*(_BUILDERS[name](value, line(name)) for name, value in given.items()), *own]
    if form.nothing_else:
        named = (*form.events.has, *(form.events.sequence or ()), *(form.events.exactly or ())) if form.events else ()
        calls = tuple(one.expected for one in checks if isinstance(one, ToolsCalledCheck))
        nothing = NothingElseCheck(
            line=line("nothing_else"),
            others=tuple(given),
            named=named,
            slots=frozenset(form.draft or ()),
            calls=calls,
        )
        checks = [nothing if check.kind == "nothing_else" else check for check in checks]
    return tuple(replace(check, file=file, canonical=declared_forms(canonical.get(check.kind, ()))) for check in checks)


def _block(value: str | BlockForm, line: int) -> Check:
    if isinstance(value, str):
        return BlockCheck(line=line, step=None if value == NO_BLOCK else value)
    return BlockCheck(
        line=line,
        step=value.step,
        block_kind=value.kind,
        lead=value.lead,
        options=_labels(value.options),
        rows=value.rows,
        only_rows=bool(value.only_rows),
        fields=value.fields,
        errors=value.errors,
        chosen=None if value.chosen is None else tuple(value.chosen),
        page=None if value.page is None else value.page.model_dump(exclude_none=True),
    )


def _labels(value: list[str] | LabelsForm | None) -> tuple[str, ...] | Labels | None:
    if not isinstance(value, LabelsForm):
        return None if value is None else tuple(value)
    every = None if value.any_order is None else tuple(value.any_order)
    return Labels(has=tuple(value.has), lacks=tuple(value.lacks), any_order=every)


def _calls(kind: type[ToolsCalledCheck]) -> Callable[[list[ToolCallForm], int], Check]:
    return lambda value, line: kind(line=line, expected=tuple(_call(entry) for entry in value))


def _call(entry: ToolCallForm) -> ExpectedCall:
    if isinstance(entry, str):
        return ExpectedCall(tool=entry)
    if isinstance(entry, CallForm):
        return ExpectedCall(
            tool=entry.tool,
            arguments=entry.arguments,
            exact=bool(entry.exact),
            ignore=tuple(entry.ignore),
            by=entry.by,
        )
    ((tool, arguments),) = entry.items()
    return ExpectedCall(tool=tool, arguments=arguments)


def _gate(value: str | GateForm | list[GateForm], line: int) -> Check:
    forms = [] if isinstance(value, str) else [value] if isinstance(value, GateForm) else value
    expected = [
        {name: str(part) for name, part in form.model_dump(by_alias=True).items() if part is not None} for form in forms
    ]
    return GateCheck(line=line, expected=tuple(expected))


def _write(value: WriteForm, line: int) -> Check:
    return WriteCheck(
        line=line,
        attempted=value.attempted,
        performed=value.performed,
        rehearsed=value.rehearsed,
        ended=value.ended,
        arguments=value.arguments,
    )


def _received(value: ReceivedForm, line: int) -> Check:
    tools = value.tools or NamesForm.model_construct()
    return ReceivedCheck(
        line=line,
        facts=None if value.facts is None else tuple(value.facts),
        user=value.user,
        rule=value.rule,
        tools=tuple(tools.has),
        no_tools=tuple(tools.lacks),
        contains=tuple(value.contains or ()),
        lacks=tuple(value.lacks or ()),
    )


def _text(kind: type[TextCheck]) -> Callable[[str | TextForm, int], Check]:
    def build(value: str | TextForm, line: int) -> Check:
        if isinstance(value, str):
            return kind(line=line, none=True)
        return kind(line=line, contains=tuple(value.contains), lacks=tuple(value.lacks), matches=value.matches)

    return build


def _events(value: EventsForm, line: int) -> Check:
    return EventsCheck(
        line=line,
        has=tuple(value.has),
        lacks=tuple(value.lacks),
        sequence=tuple(value.sequence or ()),
        exactly=None if value.exactly is None else tuple(value.exactly),
    )


_BUILDERS: dict[str, Callable[[Any, int], Check]] = {
    "reading": lambda value, line: ReadingCheck(line=line, expected=value),
    "outcome": lambda value, line: OutcomeCheck(line=line, expected=value),
    "block": _block,
    "redraws": lambda value, line: RedrawsCheck(line=line, expected=value),
    "drawn": lambda value, line: DrawnCheck(line=line, expected=tuple(value)),
    "question": lambda value, line: QuestionCheck(line=line, step=None if value == NO_BLOCK else value),
    "draft": lambda value, line: DraftCheck(line=line, expected=value),
    "draft_is": lambda value, line: DraftIsCheck(line=line, expected=value),
    "draft_unchanged": lambda value, line: DraftUnchangedCheck(line=line, expected=value),
    "provenance": lambda value, line: ProvenanceCheck(line=line, expected=value),
    "facts": lambda value, line: FactsCheck(line=line, expected=tuple(value)),
    "tools_called": _calls(ToolsCalledCheck),
    "tools_only": _calls(ToolsOnlyCheck),
    "tools_in_order": _calls(ToolsInOrderCheck),
    "tools_not_called": lambda value, line: ToolsNotCalledCheck(line=line, expected=tuple(value)),
    "overridden": lambda value, line: OverriddenCheck(line=line, expected=tuple(value)),
    "cut": lambda value, line: CutCheck(line=line, expected=tuple(value)),
    "gate": _gate,
    "write": _write,
    "model_calls": lambda value, line: ModelCallsCheck(line=line, expected=value),
    "received": _received,
    "text": _text(TextCheck),
    "line": _text(LineCheck),
    "events": _events,
    "nothing_else": lambda value, line: NothingElseCheck(line=line, others=(), named=()),
}
