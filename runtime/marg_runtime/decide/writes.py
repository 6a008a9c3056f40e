"""The write: the gate, the one claim, the dispatch and what comes back (rules G1 to G6, G9).

What became of a write of which nobody knows is found out in `marg_runtime.decide.lookup`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from marg_runtime.block import Row
from marg_runtime.canonical import Json
from marg_runtime.decide.book import Book
from marg_runtime.domain import CONFIRMED, receipt_text
from marg_runtime.effects import DispatchWrite, WriteBroke, WriteFinished
from marg_runtime.events.write import (
    GateDecided,
    LayerDecision,
    ReceiptShown,
    WriteClaimed,
    WriteDone,
    WriteRefused,
    WriteUnknown,
)
from marg_runtime.gate import EXPIRED, GoAhead, decide_gate
from marg_runtime.reconcile import IDEMPOTENCY_KEY, LookupStatus
from marg_runtime.state import State
from marg_runtime.surroundings import takes
from marg_runtime.tools.tool import ToolSpec

UNKNOWN_FACT = (
    "The write got no answer: whether it was created is not known. Do not call the tool, and say neither that it was "
    "created nor that it was not."
)
NOT_CREATED_FACT = "Nothing was created. The draft stands and the runtime asks again; do not call the tool."


def go_ahead(book: Book, go: GoAhead) -> None:
    """A person's go-ahead: all layers decide, and where all allow, the write is claimed and dispatched."""
    summary = book.state.summary
    draft, tool = book.state.draft, book.domain.write_tool
    decision = decide_gate(surroundings=book.surroundings, state=book.state, tool=tool, go_ahead=go)
    book.emit(decision)
    if not decision.allowed or summary is None:
        _gate_refused(book, decision)
        return
    key = idempotency_key(book.state, summary.fingerprint)
    book.emit(
        WriteClaimed(key=key, draft=draft.id, tool=tool, arguments=decision.arguments, fingerprint=summary.fingerprint)
    )
    arguments = _dispatched(decision.arguments, spec=book.surroundings.spec(tool), key=key)
    book.run(DispatchWrite(key=key, tool=tool, arguments=arguments))


def idempotency_key(state: State, fingerprint: str) -> str:
    """Session, draft and fingerprint; or the key under which this draft has been tried and not been found since."""
    return state.absent.key if state.absent else f"{state.session}:{state.draft.id}:{fingerprint}"


def _dispatched(arguments: Mapping[str, Json], *, spec: ToolSpec | None, key: str) -> dict[str, Json]:
    """The arguments as they are sent: the runtime's own two only where the tool takes them."""
    sent = {name: value for name, value in arguments.items() if name != CONFIRMED or takes(spec, CONFIRMED)}
    return {**sent, IDEMPOTENCY_KEY: key} if takes(spec, IDEMPOTENCY_KEY) else sent


def _gate_refused(book: Book, decision: GateDecided) -> None:
    refusals = [layer for layer in decision.layers if not layer.allowed]
    reason = "; ".join(layer.reason for layer in refusals)
    book.emit(WriteRefused(by="gate", reason=reason, fact=NOT_CREATED_FACT))
    lines = book.domain.lines
    if [layer.layer for layer in refusals] == ["schema"]:
        book.say(lines.writes_off)
    elif EXPIRED in {layer.reason for layer in refusals}:
        book.say(lines.expired)
    else:
        book.say(lines.not_created, reason=_foremost(refusals))


def _foremost(refusals: list[LayerDecision]) -> str:
    """What the user is told: the guard's reason before any other, since the schema refuses whatever it refused."""
    return f"{min(refusals, key=lambda layer: layer.layer != 'guard').reason}."


def finished(book: Book, write: WriteFinished) -> None:
    """The backend's answer: a receipt, or a refusal that is shown while the draft stays."""
    if not write.outcome.is_error:
        assert book.state.write is not None, "a write is finished only after its claim"
        done(book, key=write.key, receipt=write.outcome.data, rows=book.state.write.rows)
        draw_receipt(book)
    elif book.state.write is not None and book.state.write.again:
        # What was tried first under this key may have arrived since; then a refusal does not say that there is nothing.
        book.emit(WriteUnknown(key=write.key, reason=write.outcome.text, fact=UNKNOWN_FACT))
        book.say(book.domain.lines.refused_again, reason=write.outcome.text)
    else:
        _not_done(book, by="backend", reason=write.outcome.text)


def done(book: Book, *, key: str, receipt: Json, rows: tuple[Row, ...]) -> None:
    """The backend has done it: the receipt is kept and told, whatever a domain makes of its form."""
    text = _told(book, receipt)
    created = book.domain.lines.created.replace("{receipt}", text)
    book.emit(WriteDone(key=key, receipt=receipt, text=text, rows=rows, fact=created))
    book.say(created)


def _told(book: Book, receipt: Json) -> str:
    """What the receipt is called. A record that exists reaches the ledger, though a domain cannot read its receipt."""
    try:
        text: object = book.domain.receipt(receipt)
    except Exception:  # of whatever kind: a formatter must not make an unknown write of one that was done
        return receipt_text(receipt)
    return text if isinstance(text, str) and text.strip() else receipt_text(receipt)


def _not_done(book: Book, *, by: Literal["backend", "transport"], reason: str) -> None:
    book.emit(WriteRefused(by=by, reason=reason, fact=NOT_CREATED_FACT))
    book.say(book.domain.lines.not_created, reason=reason)


def broke(book: Book, write: WriteBroke) -> None:
    """The server gave no answer: whether it wrote is unknown, and it is never tried again blindly.

    A call that certainly never left is not done, and the draft stays.
    """
    if write.sent:
        book.emit(WriteUnknown(key=write.key, reason=write.error, fact=UNKNOWN_FACT))
    else:
        _not_done(book, by="transport", reason=f"{write.error}.")


def is_unknown(state: State, key: str) -> bool:
    """Whether the write of a key is the present draft's, and nobody knows what became of it."""
    write = state.draft_write
    return write is not None and write.status == "unknown" and write.key == key


def late(book: Book, outcome: WriteFinished | WriteBroke) -> LookupStatus:
    """An outcome that came in when the write had been given up as unknown: as good as a lookup of it."""
    if isinstance(outcome, WriteFinished):
        finished(book, outcome)
    else:
        broke(book, outcome)
    if is_unknown(book.state, outcome.key):
        return "unknown"
    return "done" if book.state.draft_write else "absent"


def answers_written(state: State, *, seen: int | None) -> bool:
    """Whether a message came from a client that still displayed the summary of what has been written since."""
    write = state.draft_write
    if write is None or write.status != "done" or write.done_at is None:
        return False
    return seen is not None and write.asked_at <= seen < write.done_at


def answers_absent(state: State, *, seen: int | None) -> bool:
    """Whether a message came from a client that displayed the summary of a write that was not found, or what became
    of it."""
    return state.absent is not None and seen is not None and state.absent.asked_at <= seen


def show_receipt(book: Book, *, again: bool = True) -> bool:
    """Draw the receipt of this draft's write once more; False where there is none. A second go-ahead writes nothing."""
    write = book.state.draft_write
    if write is None or write.status != "done":
        return False
    if again:
        book.say(book.domain.lines.already_created, receipt=write.text)
    draw_receipt(book)
    return True


def draw_receipt(book: Book) -> None:
    """Draw the receipt of the last write."""
    write = book.state.write
    assert write is not None, "a receipt belongs to a write"
    book.emit(ReceiptShown(key=write.key, text=write.text, rows=write.rows))
