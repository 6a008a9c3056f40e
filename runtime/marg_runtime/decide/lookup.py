"""Looking up a write whose outcome is unknown (rule G9): by its idempotency key, before the act that came is served.

While it is unknown no write of its draft starts. What the lookup finds is done, or was never there; then the summary
is drawn again, and the write that a new go-ahead starts goes under the same key, lest a straggler become a second.
"""

from __future__ import annotations

from typing import get_args

from marg_runtime.canonical import Json, is_json
from marg_runtime.decide.book import Book
from marg_runtime.decide.writes import done, draw_receipt
from marg_runtime.effects import CallTool, ToolFinished
from marg_runtime.events.model import ToolCalled, ToolReturned
from marg_runtime.events.write import WriteAbsent
from marg_runtime.reconcile import Lookup, LookupStatus, Reconcile
from marg_runtime.state import State
from marg_runtime.surroundings import pin

ABSENT_FACT = "The write whose outcome was unknown was not done. The runtime asks again; do not call the tool."


def look_up(book: Book) -> bool:
    """Ask the backend what became of an unknown write of this draft; False where there is none, or nobody to ask."""
    write, reconcile = book.state.draft_write, book.domain.reconcile
    if write is None or write.status != "unknown" or reconcile is None:
        return False
    spec = book.surroundings.spec(reconcile.tool)
    # A lookup that is not the one that the session opened with is not known to look up.
    if spec is None or pin(spec) not in book.state.tools:
        return False
    arguments, call = _arguments(reconcile, write.key), _call_id(book.state)
    if arguments is None:
        return False
    book.emit(ToolCalled(call=call, tool=reconcile.tool, arguments=arguments, by="runtime"))
    book.run(CallTool(call=call, tool=reconcile.tool, arguments=arguments))
    return True


def is_lookup(state: State, finished: ToolFinished) -> bool:
    """Whether an outcome is that of the lookup of this turn."""
    return finished.call == _call_id(state)


def looked_up(book: Book, finished: ToolFinished) -> LookupStatus:
    """Write down what the lookup found; a receipt is shown, an absent write is told, an unknown one stays unknown."""
    outcome, reconcile, write = finished.outcome, book.domain.reconcile, book.state.draft_write
    book.emit(ToolReturned.of(finished.call, finished.tool, outcome))
    assert reconcile is not None, "a lookup is a domain's"
    assert write is not None, "a lookup is of a write"
    found = Lookup(status="unknown") if outcome.is_error else _read(reconcile, outcome.data)
    if found.status == "done":
        done(book, key=write.key, receipt=found.receipt, rows=write.rows)
        draw_receipt(book)
    elif found.status == "absent":
        book.emit(WriteAbsent(key=write.key, fact=ABSENT_FACT))
        book.say(book.domain.lines.absent)
    return found.status


def _arguments(reconcile: Reconcile, key: str) -> dict[str, Json] | None:
    """The arguments of the lookup, or None where the domain gives none that can be sent: then nothing is asked."""
    try:
        arguments = dict(reconcile.arguments(key))
    except Exception:  # of whatever kind: raised again at every act, it would end the session
        return None
    return arguments if is_json(arguments) else None


def _read(reconcile: Reconcile, data: Json) -> Lookup:
    """What the domain reads in the answer; one that it cannot read says nothing."""
    try:
        found = reconcile.read(data)
    except Exception:  # of whatever kind: raised again at every act, it would end the session
        return Lookup(status="unknown")
    if not isinstance(found, Lookup) or found.status not in get_args(LookupStatus):
        return Lookup(status="unknown")
    # A receipt that no ledger can hold is none, and the write is done all the same.
    return found if is_json(found.receipt) else Lookup(status=found.status)


def _call_id(state: State) -> str:
    return f"t{state.turn}-lookup"
