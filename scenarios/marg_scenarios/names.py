"""Whether the names that a turn's expectations use are names of the domain."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from marg_mock_model import Document, Machine, NodePath, nearest
from marg_runtime.answer import RECEIPT_STEP
from marg_runtime.decide.built_in import PROPOSE, REOPEN
from marg_runtime.domain import Domain
from marg_runtime.errors import LocatedError
from marg_runtime.events import EVENTS
from marg_runtime.steps.confirm import CONFIRM_KEY
from marg_scenarios.checks.block import NO_BLOCK
from marg_scenarios.forms.expect_form import BlockForm, ExpectForm
from marg_scenarios.forms.turn_form import TurnForm

NEAR_MISS = 0.8  # of difflib: a letter or two of a tool's name


def check_names(document: Document, turn: TurnForm, where: NodePath, *, domain: Domain) -> None:
    """Raise LocatedError for the first step, slot or event that the domain or the runtime does not have."""
    expect, place = turn.expect, (*where, "expect")
    steps = (*(step.key for step in domain.steps), CONFIRM_KEY)
    slots = tuple(step.slot for step in domain.steps)
    _known(document, "step", _block_steps(expect), (*steps, RECEIPT_STEP, NO_BLOCK), (*place, "block"))
    _known(document, "step", expect.cut or (), steps, (*place, "cut"))
    _known(document, "slot", expect.draft or (), slots, (*place, "draft"))
    _known(document, "slot", expect.provenance or (), slots, (*place, "provenance"))
    if turn.submit is not None:
        _known(document, "slot", turn.submit.values, slots, (*where, "submit", "values"))
    if isinstance(expect.block, BlockForm) and expect.block.rows is not None:
        _known(document, "slot", expect.block.rows, slots, (*place, "block", "rows"))
    _no_near_miss(document, expect.tools_not_called or (), domain, (*place, "tools_not_called"))
    if expect.events is not None:
        _known(document, "event", (*expect.events.has, *expect.events.lacks), tuple(EVENTS), (*place, "events"))


def check_machine(machine: Machine, *, domain: Domain) -> None:
    """Raise LocatedError for a tool, slot or step of a machine that is a misspelt one of the domain's.

    A name that is like none of them is let through: what a machine calls may be a slip on purpose.
    """
    tools = _tools(domain)
    slots, steps = [step.slot for step in domain.steps], [step.key for step in domain.steps]
    for transition in machine.transitions():
        for guard in transition.when.guards:
            if guard.name == "result_of":
                _near_miss(str(guard.value), tools, path=guard.path, line=guard.line)
        for call in transition.calls:
            _near_miss(call.tool.rpartition("/")[2], tools, path=call.path, line=call.line)
            known = {PROPOSE: ("slot", slots), REOPEN: ("step", steps)}.get(call.tool)
            if known is not None:
                _near_miss(str(call.arguments.get(known[0], "")), known[1], path=call.path, line=call.line)


def _near_miss(name: str, known: Iterable[str], *, path: str, line: int) -> None:
    near = _nearly(name, known)
    if near is not None:
        raise LocatedError(f"{name!r} is not known to the domain; did you mean {near!r}?", path=path, line=line)


def _no_near_miss(document: Document, names: Iterable[str], domain: Domain, place: NodePath) -> None:
    """A tool that must not be called may be one that nobody has; one that is only misspelt would pass for ever."""
    for number, name in enumerate(names):
        near = _nearly(name.rpartition("/")[2], _tools(domain))
        if near is not None:
            raise document.error(f"{place[-1]!r} names {name!r}; did you mean {near!r}?", *place, number)


def _tools(domain: Domain) -> list[str]:
    return sorted({*(tool.name for tool in domain.read_tools), domain.write_tool.name, PROPOSE, REOPEN})


def _nearly(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one is a misspelling of, or None."""
    words = list(known)
    near = get_close_matches(name, words, n=1, cutoff=NEAR_MISS)
    return near[0] if near and name not in words else None


def _block_steps(expect: ExpectForm) -> tuple[str, ...]:
    if expect.block is None:
        return ()
    return (expect.block if isinstance(expect.block, str) else expect.block.step,)


def _known(document: Document, what: str, names: Iterable[str], known: tuple[str, ...], place: NodePath) -> None:
    for name in names:
        if name not in known:
            raise document.error(f"{place[-1]!r} names {name!r}, which is no {what}; {nearest(name, known)}", *place)
