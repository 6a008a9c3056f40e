"""A machine from its file, and the checks that it passes before it plays."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import get_args

from marg_mock_model.complaint import nearest
from marg_mock_model.document import Document, parse_document, read_document
from marg_mock_model.guard import PATTERN_GUARDS, Guard, GuardName
from marg_mock_model.machine import Call, Machine, State, Transition, When
from marg_mock_model.machine_form import Arguments, MachineForm, StateForm, TransitionForm, WhenForm
from marg_mock_model.template import check_template
from marg_mock_model.tree import NodePath


def load_machine(path: Path | str) -> Machine:
    """Read a machine's file; raises UsageError, with file and line where there is one."""
    return build_machine(read_document(path))


def parse_machine(text: str, *, path: str) -> Machine:
    """Read a machine from a text; `path` is what errors and records name. Raises LocatedError."""
    return build_machine(parse_document(text, path=path))


def build_machine(document: Document) -> Machine:
    """The machine of a document; raises LocatedError where the document does not fit or does not hold together."""
    form = document.validate(MachineForm)
    states = {name: _state(document, name, state) for name, state in form.states.items()}
    machine = Machine(name=form.machine, start=form.start, states=states, path=document.path, line=document.line())
    _check_state(document, machine, form.start, "start")
    for transition in machine.transitions():
        _check_state(document, machine, transition.to, *_place(transition.state, transition.number), "to")
    return machine


def _check_state(document: Document, machine: Machine, name: str, *path: str | int) -> None:
    if name not in machine.states:
        hint = nearest(name, tuple(machine.states))
        raise document.error(f"{path[-1]!r} is {name!r}, which is not a declared state; {hint}", *path)


def _place(state: str, number: int) -> NodePath:
    return ("states", state, "transitions", number - 1)


def _state(document: Document, name: str, form: StateForm) -> State:
    transitions = tuple(_transition(document, name, n, t) for n, t in enumerate(form.transitions, start=1))
    line = document.line("states", name)
    return State(name=name, says=form.says, transitions=transitions, path=document.path, line=line)


def _transition(document: Document, state: str, number: int, form: TransitionForm) -> Transition:
    place = _place(state, number)
    _check_answer(document, form, place)
    when = _when(document, form.when, (*place, "when"))
    groups = when.group_names()
    _check_text(document, form.reply, groups, (*place, "reply"))
    return Transition(
        state=state,
        number=number,
        when=when,
        reply=form.reply,
        calls=tuple(_call(document, c, groups, (*place, "calls", n)) for n, c in enumerate(form.calls)),
        finish=form.finish or ("tool_calls" if form.calls else "stop"),
        to=form.to,
        path=document.path,
        line=document.line(*place),
    )


def _check_answer(document: Document, form: TransitionForm, place: NodePath) -> None:
    if form.silent and (form.reply or form.calls):
        raise document.error("'silent' is true beside a reply or calls; keep one of them.", *place, "silent")
    if not (form.silent or form.reply or form.calls):
        raise document.error("the transition answers nothing; add a reply, calls, or 'silent: true'.", *place)


def _when(document: Document, form: WhenForm, place: NodePath) -> When:
    guards = []
    for name in get_args(GuardName):
        value = getattr(form, name)
        if value is None:
            continue
        if name in PATTERN_GUARDS:
            _check_pattern(document, value, (*place, name))
        guards.append(Guard(name=name, value=value, path=document.path, line=document.line(*place, name)))
    when = When(guards=tuple(guards), path=document.path, line=document.line(*place))
    _check_groups(document, when, place)
    return when


def _check_pattern(document: Document, pattern: str, place: NodePath) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what Python will read otherwise in a later release is refused now
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        message = f"{place[-1]!r} is {pattern!r}, which is not a regular expression: {error}; correct it."
        raise document.error(message, *place) from None


def _check_groups(document: Document, when: When, place: NodePath) -> None:
    named = [name for name in when.group_names() if not name.isdigit()]
    for name in named:
        if named.count(name) > 1:
            raise document.error(f"the group {name!r} stands in two patterns; give each its own name.", *place)


def _call(document: Document, form: dict[str, Arguments], groups: tuple[str, ...], place: NodePath) -> Call:
    ((tool, arguments),) = form.items()
    _check_value(document, arguments, groups, (*place, tool))
    return Call(tool=tool, arguments=arguments, path=document.path, line=document.line(*place, tool))


def _check_value(document: Document, value: object, groups: tuple[str, ...], place: NodePath) -> None:
    """Check every text in a value as a template."""
    if isinstance(value, str):
        _check_text(document, value, groups, place)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _check_value(document, item, groups, (*place, number))
    elif isinstance(value, dict):
        # An unquoted {0} is YAML's mapping of "0" to nothing.
        if len(value) == 1 and set(value) <= set(groups) and set(value.values()) == {None}:
            raise document.error(f"{place[-1]!r} is a mapping; quote the template: '{{{next(iter(value))}}}'.", *place)
        for key, item in value.items():
            _check_value(document, item, groups, (*place, key))


def _check_text(document: Document, text: str, groups: tuple[str, ...], place: NodePath) -> None:
    try:
        check_template(text, known=groups)
    except ValueError as error:
        raise document.error(f"{error}.", *place) from None
