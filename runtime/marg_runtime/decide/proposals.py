"""What becomes of `propose` and `reopen`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from marg_runtime.canonical import Json
from marg_runtime.decide.book import Book
from marg_runtime.decide.quotes import attest
from marg_runtime.decide.settling import reopen, settle
from marg_runtime.domain import SlotStep
from marg_runtime.draft import Value
from marg_runtime.events.model import AttestationRefused
from marg_runtime.events.step import DraftOpened, ValueRefused
from marg_runtime.steps.text import TextStep, length_fault

WRITING = "Not taken: a write of this draft is under way or its outcome is unknown."


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What the model is told of its call, and whether it was taken."""

    text: str
    taken: bool


def propose(book: Book, arguments: Mapping[str, Json]) -> Answered:
    """Settle a slot with words that the user said, or say in one plain sentence why not."""
    slot, value, quote = (arguments.get(name) for name in ("slot", "value", "quote"))
    if not isinstance(slot, str) or not isinstance(value, str) or not isinstance(quote, str):
        return Answered(text="Not taken: slot, value and quote must each be text.", taken=False)
    step = book.domain.slot_step(slot)
    if not isinstance(step, TextStep) or not step.proposable:
        return not_proposable(book, slot, value, step)
    if step.many:
        return Answered(text=f"Not taken: {step.label} is a list; call propose_items with its items.", taken=False)
    early = before_its_time(book, step)
    if early is not None or writing(book):
        return early or Answered(text=WRITING, taken=False)
    return _settle(book, step, value=value.strip(), quote=quote)


def before_its_time(book: Book, step: TextStep) -> Answered | None:
    """The refusal of a value whose ground is not settled: it would stand, whatever is answered there later."""
    ended = frozenset[str]() if written(book) else book.state.ended
    ground = next((book.domain.step(key) for key in step.depends_on if key not in ended), None)
    if ground is None:
        return None
    return Answered(text=f"Not taken: {ground.label} comes before {step.label}, and the runtime asks.", taken=False)


def not_proposable(book: Book, slot: str, value: Json, step: SlotStep | None) -> Answered:
    """Why a slot is not the model's to fill, with what it can do instead."""
    reason = "the runtime asks for it" if step else "there is no such slot"
    book.emit(ValueRefused(slot=slot, value=value, by="model", reason=reason))
    hint = f" Call reopen with {step.key!r} to have it asked again." if step and step.key in book.state.ended else ""
    return Answered(text=f"Not taken: {reason}.{hint}", taken=False)


def _settle(book: Book, step: TextStep, *, value: str, quote: str) -> Answered:
    after_write = written(book)
    since = words_since(book, step)
    standing = None if after_write else book.state.draft.values.get(step.slot)
    if standing is not None and standing.value == value:
        return Answered(text=f"{step.label} is already that.", taken=True)
    attested = attest(value=value, quote=quote, said=book.state.said, since=since)
    if attested.span is None:
        book.emit(AttestationRefused(slot=step.slot, value=value, quote=quote, reason=attested.reason))
        return Answered(text=f"Not taken: {attested.reason}.", taken=False)
    if reason := length_fault(step, value):
        book.emit(ValueRefused(slot=step.slot, value=value, by="model", reason=reason))
        return Answered(text=f"Not taken: {reason}.", taken=False)
    if after_write:
        book.emit(DraftOpened(draft=f"draft-{book.state.drafts + 1}"))
    settle(book, step, Value(value=value, label=value, provenance="model", span=attested.span))
    return Answered(text=f"Taken: {step.fact(value)}", taken=True)


def words_since(book: Book, step: TextStep) -> int:
    """From which message on words count for a step.

    What was settled stands until the user has said something newer (rule S2), and what was said before a record was
    written belongs to that record: out of it no other begins.
    """
    settled = 0 if written(book) else book.state.since.get(step.key, 0)
    return max(settled, book.state.written_since)


def reopen_step(book: Book, arguments: Mapping[str, Json]) -> Answered:
    """Owe a settled step again; its question is drawn when the model has said its say."""
    key = arguments.get("step")
    step = book.domain.step(key) if isinstance(key, str) else None
    if step is None:
        known = ", ".join(other.key for other in book.domain.steps)
        return Answered(text=f"Not done: there is no step {key!r}; there are {known}.", taken=False)
    if writing(book) or written(book):
        return Answered(text="Not done: this draft has been sent.", taken=False)
    if step.key not in book.state.ended:
        return Answered(text=f"{step.label} is still to be asked; the runtime asks it.", taken=True)
    reopen(book, step, because="model")
    return Answered(text=f"Done: the runtime asks for {step.label} again below your words.", taken=True)


def writing(book: Book) -> bool:
    """Whether a write of this draft is under way, or its outcome unknown."""
    write = book.state.draft_write
    return write is not None and write.status != "done"


def written(book: Book) -> bool:
    """Whether this draft was written; the next value opens a new one."""
    write = book.state.draft_write
    return write is not None and write.status == "done"
