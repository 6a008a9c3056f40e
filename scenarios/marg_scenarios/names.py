"""Whether the names that a turn's expectations use are names of the domain."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from marg_mock_model import Document, Machine, NodePath, nearest
from marg_runtime.answer import RECEIPT_STEP
from marg_runtime.decide.built_in import PROPOSE, PROPOSE_ITEMS, REOPEN
from marg_runtime.domain import RESERVED_SLOTS, Domain
from marg_runtime.errors import LocatedError
from marg_runtime.events import EVENTS
from marg_runtime.steps.confirm import CONFIRM_KEY
from marg_runtime.steps.review import REVIEW_KEY
from marg_scenarios.checks.block import NO_BLOCK
from marg_scenarios.checks.model import CLAIMS
from marg_scenarios.forms.expect_form import BlockForm, CallForm, ExpectForm
from marg_scenarios.forms.override_form import ReplyForm
from marg_scenarios.forms.turn_form import ActForm, TurnForm

NEAR_MISS = 0.8  # of difflib: a letter or two of a tool's name


def check_names(
    document: Document, turn: ActForm, where: NodePath, *, domain: Domain, custom: Iterable[str] = ()
) -> None:
    """Raise LocatedError for the first step, slot, event or check of its own that the domain or the runtime has not."""
    expect, place = turn.expect, (*where, "expect")
    steps = (*(step.key for step in domain.steps), CONFIRM_KEY, *((REVIEW_KEY,) if domain.review else ()))
    slots = domain.slots
    _known(document, "step", _block_steps(expect), (*steps, RECEIPT_STEP, NO_BLOCK), (*place, "block"))
    _known(document, "step", expect.cut or (), (*steps, *CLAIMS.values()), (*place, "cut"))
    _known(document, "step", expect.drawn or (), (*steps, RECEIPT_STEP), (*place, "drawn"))
    _known(document, "step", (expect.question,) if expect.question else (), (*steps, NO_BLOCK), (*place, "question"))
    _known(document, "slot", expect.draft or (), slots, (*place, "draft"))
    _known(document, "slot", expect.draft_is or (), slots, (*place, "draft_is"))
    _known(document, "slot", expect.provenance or (), slots, (*place, "provenance"))
    if turn.submit is not None and turn.submit.values is not None:
        _known(document, "slot", turn.submit.values, slots, (*where, "submit", "values"))
    for key in ("rows", "fields", "errors") if isinstance(expect.block, BlockForm) else ():
        _known(document, "slot", getattr(expect.block, key) or (), slots, (*place, "block", key))
    _check_calls(document, expect, domain, place)
    _known(document, "check of the kit's", expect.custom or (), tuple(custom), (*place, "custom"))
    given = tuple(name for name in expect.model_fields_set if name != "canonical")
    _known(document, "check of this turn", expect.canonical or (), tuple(sorted(given)), (*place, "canonical"))
    if expect.events is not None:
        found = expect.events
        named = (*found.has, *found.lacks, *(found.sequence or ()), *(found.exactly or ()))
        _known(document, "event", named, tuple(EVENTS), (*place, "events"))


def _check_calls(document: Document, expect: ExpectForm, domain: Domain, place: NodePath) -> None:
    """Tools and arguments may be ones that nobody has; one that is only misspelt would be waited for in vain."""
    _no_near_miss(document, expect.tools_not_called or (), _tools(domain), (*place, "tools_not_called"))
    for kind in ("tools_called", "tools_only", "tools_in_order"):
        calls = getattr(expect, kind) or ()
        names = [entry if isinstance(entry, str) else _called(entry) for entry in calls]
        _no_near_miss(document, names, _tools(domain), (*place, kind))
    arguments = [*domain.slots, *sorted(RESERVED_SLOTS)]
    _no_near_miss(document, expect.overridden or (), arguments, (*place, "overridden"))
    if expect.write is not None:
        for name in expect.write.arguments:
            if near := _nearly(name, arguments):
                where = (*place, "write", "arguments", name)
                raise document.error(f"'arguments' names {name!r}; did you mean {near!r}?", *where)
    tools = expect.received.tools if expect.received else None
    for key in ("has", "lacks"):
        _no_near_miss(document, getattr(tools, key, ()), _tools(domain), (*place, "received", "tools", key))


def _called(entry: CallForm | dict[str, Any]) -> str:
    return entry.tool if isinstance(entry, CallForm) else next(iter(entry))


def check_overrides(
    document: Document, turn: TurnForm, where: NodePath, *, domain: Domain, machine: Machine, rehearse: bool | None
) -> None:
    """Raise LocatedError for a tool, a call or a state of a turn's overrides that is not there or is misspelt."""
    tools, write = _tools(domain), domain.write_tool
    for name, form in (turn.tools or {}).items():
        if near := _nearly(name.rpartition("/")[2], tools):
            raise document.error(f"'tools' names {name!r}; did you mean {near!r}?", *where, "tools", name)
        if name in (write.name, str(write)) and not rehearse and form.changes is None and not form.gone:
            raise document.error(
                f"'tools' names {name!r}, which writes: no write reaches it in a replay; add 'rehearse: true'.",
                *(*where, "tools", name),
            )
    replies = [turn.model] if isinstance(turn.model, ReplyForm) else turn.model or []
    for number, reply in enumerate(replies):
        place = (*where, "model") if isinstance(turn.model, ReplyForm) else (*where, "model", number)
        if reply.to is not None and reply.to not in machine.states:
            hint = nearest(reply.to, tuple(machine.states))
            raise document.error(f"'to' is {reply.to!r}, which is no state of the machine; {hint}", *place, "to")
        _no_near_miss(document, [tool for call in reply.calls for tool in call], tools, (*place, "calls"))
        declared = sorted({slip.kind for slip in machine.slips})
        if reply.slip is not None and reply.slip not in declared:
            raise document.error(
                f"'slip' is {reply.slip!r}, which the machine does not declare; it declares "
                f"{', '.join(declared) or 'none'}. Add it to its slips; a rate of 0 is for such turns alone.",
                *(*place, "slip"),
            )


def check_machine(machine: Machine, *, domain: Domain) -> None:
    """Raise LocatedError for a tool, slot or step of a machine that is a misspelt one of the domain's.

    A name that is like none of them is let through: what a machine calls may be a slip on purpose.
    """
    tools = _tools(domain)
    slots, steps = domain.slots, [step.key for step in domain.steps]
    for transition in machine.transitions():
        for guard in transition.when.guards:
            if guard.name == "result_of":
                _near_miss(str(guard.value), tools, path=guard.path, line=guard.line)
        for call in transition.calls:
            _near_miss(call.tool.rpartition("/")[2], tools, path=call.path, line=call.line)
            known = {PROPOSE: ("slot", slots), PROPOSE_ITEMS: ("slot", slots), REOPEN: ("step", steps)}.get(call.tool)
            if known is not None:
                _near_miss(str(call.arguments.get(known[0], "")), known[1], path=call.path, line=call.line)


def _near_miss(name: str, known: Iterable[str], *, path: str, line: int) -> None:
    near = _nearly(name, known)
    if near is not None:
        raise LocatedError(f"{name!r} is not known to the domain; did you mean {near!r}?", path=path, line=line)


def _no_near_miss(document: Document, names: Iterable[str], known: Iterable[str], place: NodePath) -> None:
    """A tool that must not be called may be one that nobody has; one that is only misspelt would pass for ever."""
    known = list(known)
    for number, name in enumerate(names):
        near = _nearly(name.rpartition("/")[2], known)
        if near is not None:
            raise document.error(f"{place[-1]!r} names {name!r}; did you mean {near!r}?", *place, number)


def _tools(domain: Domain) -> list[str]:
    return sorted({*(tool.name for tool in domain.read_tools), domain.write_tool.name, PROPOSE, PROPOSE_ITEMS, REOPEN})


def _nearly(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one is a misspelling of, or None."""
    words = list(known)
    if name.rpartition("__")[2] in words:
        return None  # a tool whose name two servers have is offered as `server__name`
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
