"""A machine from its file, and the checks that it passes before it plays."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from marg_mock_model.document import Document, parse_document, read_text
from marg_mock_model.fitting import fitting_machine
from marg_mock_model.hint import nearest
from marg_mock_model.machine import Machine, State, Transition, UsageFigures
from marg_mock_model.script_reader import check_text, check_value, read_calls
from marg_mock_model.slip_reader import read_slip
from marg_mock_model.tree import NodePath
from marg_mock_model.when_reader import read_when

if TYPE_CHECKING:
    from marg_mock_model.machine_form import MachineForm, StateForm, TransitionForm

KEPT = 16
"""Machines that are kept; a run plays few others in between."""

FORM = "marg_mock_model.machine_form"
"""The module of the form; imported with pydantic for a file that does not fit beyond doubt."""


def load_machine(path: Path | str) -> Machine:
    """Read a machine's file; raises UsageError, with file and line where there is one."""
    return parse_machine(read_text(path), path=str(path))


def parse_machine(text: str, *, path: str) -> Machine:
    """Read a machine from a text; `path` is what errors and records name. Raises LocatedError.

    The same text at the same path is read once and gives the same machine, which nothing changes: all scenarios of a
    domain play one.
    """
    return _parsed(text, path)


@lru_cache(maxsize=KEPT)
def _parsed(text: str, path: str) -> Machine:
    return build_machine(parse_document(text, path=path))


def build_machine(document: Document) -> Machine:
    """The machine of a document; raises LocatedError where the document does not fit or does not hold together."""
    form: MachineForm = fitting_machine(document.root) or document.validate(import_module(FORM).MachineForm)
    machine = Machine(
        name=form.machine,
        start=form.start,
        states={name: _state(document, name, state) for name, state in form.states.items()},
        slips=tuple(read_slip(document, slip, number=number) for number, slip in enumerate(form.slips, start=1)),
        path=document.path,
        line=document.line(),
    )
    _check_state(document, machine, form.start, "start")
    for transition in machine.transitions():
        _check_state(document, machine, transition.to, *_place(transition.state, transition.number), "to")
    for slip in machine.slips:
        for number, name in enumerate(slip.states):
            _check_state(document, machine, name, "slips", slip.number - 1, "states", number)
    return machine


def _check_state(document: Document, machine: Machine, name: str, *path: str | int) -> None:
    if name not in machine.states:
        hint = nearest(name, tuple(machine.states))
        what = repr(path[-1]) if isinstance(path[-1], str) else "this entry"
        raise document.error(f"{what} is {name!r}, which is not a declared state; {hint}", *path)


def _place(state: str, number: int) -> NodePath:
    return ("states", state, "transitions", number - 1)


def _state(document: Document, name: str, form: StateForm) -> State:
    place = ("states", name)
    if form.ends and form.transitions:
        raise document.error("'ends' is true beside transitions; keep one of them.", *place, "ends")
    if not (form.ends or form.transitions):
        raise document.error(
            f"the key 'transitions' is missing in {name!r}; add it, or 'ends: true' where nothing may follow.", *place
        )
    transitions = tuple(_transition(document, name, n, t) for n, t in enumerate(form.transitions or (), start=1))
    line = document.line(*place)
    return State(name=name, says=form.says, transitions=transitions, path=document.path, line=line)


def _transition(document: Document, state: str, number: int, form: TransitionForm) -> Transition:
    place = _place(state, number)
    _check_answer(document, form, place)
    when = read_when(document, form.when, (*place, "when"))
    groups = when.group_names()
    check_text(document, form.reply, groups, (*place, "reply"))
    check_value(document, form.data, groups, (*place, "data"))
    return Transition(
        state=state,
        number=number,
        when=when,
        reply=form.reply,
        data=form.data,
        usage=None if form.usage is None else UsageFigures(input=form.usage.input, output=form.usage.output),
        calls=read_calls(document, form.calls, groups, (*place, "calls")),
        finish=form.finish or ("tool_calls" if form.calls else "stop"),
        to=form.to,
        path=document.path,
        line=document.line(*place),
    )


def _check_answer(document: Document, form: TransitionForm, place: NodePath) -> None:
    answers = bool(form.reply) + (form.data is not None) + bool(form.calls)
    if form.silent and answers:
        raise document.error("'silent' is true beside a reply or calls; keep one of them.", *place, "silent")
    if form.reply and form.data is not None:
        raise document.error("'reply' and 'data' stand beside one another; keep one of them.", *place, "data")
    if not (form.silent or answers):
        raise document.error("the transition answers nothing; add a reply, calls, or 'silent: true'.", *place)
