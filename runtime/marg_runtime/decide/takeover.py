"""Taking over a turn that another worker left unfinished (rule C3)."""

from __future__ import annotations

from marg_runtime.decide.book import Book
from marg_runtime.decide.writes import UNKNOWN_FACT
from marg_runtime.events.model import EffectAbandoned
from marg_runtime.events.turn import TurnAbandoned
from marg_runtime.events.write import WriteUnknown


def take_over(book: Book) -> None:
    """Give up what was pending: a model call or a read is abandoned, a write is unknown. The question stays open.

    The next turn's answer says so; whether the unfinished one reached the user is not known.
    """
    for pending in book.state.pending:
        if pending.kind == "write":
            reason = "the worker died while the write was under way"
            book.emit(WriteUnknown(key=pending.key, reason=reason, fact=UNKNOWN_FACT))
        else:
            book.emit(EffectAbandoned(kind=pending.kind, key=pending.key))
    book.emit(TurnAbandoned())
