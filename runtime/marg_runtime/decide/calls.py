"""The model's tool calls, decided one by one; each gets exactly one result (rules C4, G7, S2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelCall
from marg_runtime.decide.book import Book
from marg_runtime.decide.built_in import PROPOSE, PROPOSE_ITEMS, REOPEN
from marg_runtime.decide.carry import Override, carry, reserved
from marg_runtime.decide.listing import propose_items
from marg_runtime.decide.proposals import Answered, propose, reopen_step
from marg_runtime.effects import CallTool
from marg_runtime.events.model import ArgumentOverridden, ToolCalled, ToolReturned
from marg_runtime.gate import decide_gate
from marg_runtime.surroundings import BUILT_IN, BUILT_IN_NAMES, pin
from marg_runtime.tools.tool import ToolName, ToolSpec

NOT_RUN = (
    "{tool} was not run: the runtime runs it itself once the user has confirmed the summary. "
    "It is still open; do not call it again."
)
DONE_ALREADY = "{tool} was not run: the runtime has run it already. {receipt} Do not call it again."
OUTCOME_UNKNOWN = (
    "{tool} was not run: the runtime has run it, and whether it was done is not known. Do not call it again."
)
NEVER_RUN = (
    "{tool} was not run: it writes, and nothing but the runtime writes. Nothing was changed; do not call it again."
)
_BUILT_IN: dict[str, Callable[[Book, Mapping[str, Json]], Answered]] = {
    PROPOSE: propose,
    PROPOSE_ITEMS: propose_items,
    REOPEN: reopen_step,
}
NO_SUCH_TOOL = "{tool} was not run: there is no such tool. Do not call it again."


def decide_call(book: Book, call: ModelCall) -> None:
    """A built-in tool is run here; a read of the domain's is sent; anything else is a write, and only an attempt."""
    if call.name in BUILT_IN_NAMES:
        _built_in(book, call)
        return
    spec = book.surroundings.offered.get(call.name)
    # A read tool that is not the one that the session opened with is not known to read.
    if spec is not None and spec.tool in book.domain.read_tools and pin(spec) in book.state.tools:
        _read(book, call, spec)
    else:
        _attempt(book, call, spec)


def refuse_arguments(book: Book, call: ModelCall) -> None:
    """A call whose arguments are no JSON: it is answered, and goes nowhere."""
    tool = ToolName(server="", name=call.name)
    text = f"{call.name} was not run: its arguments are no JSON."
    book.emit(ToolReturned(call=call.id, tool=tool, text=text, data=None, is_error=True))


def _built_in(book: Book, call: ModelCall) -> None:
    tool = ToolName(server=BUILT_IN, name=call.name)
    book.emit(ToolCalled(call=call.id, tool=tool, arguments=call.arguments, by="model"))
    answered = _BUILT_IN[call.name](book, call.arguments)
    book.emit(ToolReturned(call=call.id, tool=tool, text=answered.text, data=None, is_error=not answered.taken))


def _read(book: Book, call: ModelCall, spec: ToolSpec) -> None:
    carried = carry(call.arguments, draft=book.state.draft, spec=spec)
    _overridden(book, call, carried.overrides)
    book.emit(ToolCalled(call=call.id, tool=spec.tool, arguments=carried.arguments, by="model"))
    book.run(CallTool(call=call.id, tool=spec.tool, arguments=carried.arguments))


def _attempt(book: Book, call: ModelCall, spec: ToolSpec | None) -> None:
    """A write that the model calls: the gate records it, nothing of it is used, and no server hears of it."""
    tool = spec.tool if spec else ToolName(server="", name=call.name)
    _overridden(book, call, sorted(reserved(call.arguments), key=lambda override: override.argument))
    book.emit(decide_gate(surroundings=book.surroundings, state=book.state, tool=tool, go_ahead=None))
    text = _refusal(book, tool if spec else None).replace("{tool}", call.name)
    book.emit(ToolReturned(call=call.id, tool=tool, text=text, data=None, is_error=True))


def _refusal(book: Book, tool: ToolName | None) -> str:
    """The one plain fact that the model is told of a write that it called: not run, how it stands, do not retry."""
    write = book.state.draft_write
    if tool is None:
        return NO_SUCH_TOOL
    if tool != book.domain.write_tool:
        return NEVER_RUN
    if write is None:
        return NOT_RUN
    if write.status != "done":
        return OUTCOME_UNKNOWN
    return DONE_ALREADY.replace("{receipt}", book.domain.lines.created.replace("{receipt}", write.text))


def _overridden(book: Book, call: ModelCall, overrides: Sequence[Override]) -> None:
    for override in overrides:
        book.emit(
            ArgumentOverridden(
                call=call.id,
                argument=override.argument,
                given=override.given,
                used=override.used,
                dropped=override.dropped,
            )
        )
