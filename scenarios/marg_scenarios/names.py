"""Whether the names that a turn's expectations use are names of the domain."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from marg_mock_model import Document, NodePath, nearest
from marg_runtime.answer import RECEIPT_STEP
from marg_runtime.decide.built_in import PROPOSE, REOPEN
from marg_runtime.domain import Domain
from marg_runtime.events import EVENTS
from marg_runtime.steps.confirm import CONFIRM_KEY
from marg_scenarios.checks.block import NO_BLOCK
from marg_scenarios.forms.expect_form import BlockForm, ExpectForm
from marg_scenarios.forms.turn_form import TurnForm

NEAR_MISS = 0.85  # of difflib: a letter or two of a tool's name


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


def _no_near_miss(document: Document, names: Iterable[str], domain: Domain, place: NodePath) -> None:
    """A tool that must not be called may be one that nobody has; one that is only misspelt would pass for ever."""
    known = {*(tool.name for tool in domain.read_tools), domain.write_tool.name, PROPOSE, REOPEN}
    for number, name in enumerate(names):
        bare = name.rpartition("/")[2]
        near = get_close_matches(bare, known, n=1, cutoff=NEAR_MISS)
        if bare not in known and near:
            raise document.error(f"{place[-1]!r} names {name!r}; did you mean {near[0]!r}?", *place, number)


def _block_steps(expect: ExpectForm) -> tuple[str, ...]:
    if expect.block is None:
        return ()
    return (expect.block if isinstance(expect.block, str) else expect.block.step,)


def _known(document: Document, what: str, names: Iterable[str], known: tuple[str, ...], place: NodePath) -> None:
    for name in names:
        if name not in known:
            raise document.error(f"{place[-1]!r} names {name!r}, which is no {what}; {nearest(name, known)}", *place)
