"""Lists in the user's own words: what a person types is divided, what the model attests is taken item by item.

Rule S3: each item has a span of its own in the user's words, or is refused. A model that adds an item which nobody
said is refused that item and no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from marg_runtime.canonical import Json
from marg_runtime.decide.book import Book
from marg_runtime.decide.proposals import (
    WRITING,
    Answered,
    before_its_time,
    not_proposable,
    words_since,
    writing,
    written,
)
from marg_runtime.decide.quotes import attest_item
from marg_runtime.decide.settling import settle
from marg_runtime.draft import Provenance, Span, Value
from marg_runtime.events.model import AttestationRefused
from marg_runtime.events.step import DraftOpened, ValueRefused
from marg_runtime.steps.text import TextStep, items_of, length_fault


@dataclass(frozen=True, kw_only=True)
class _Said:
    """An item, and where the user said it; None where they did not type it (a form)."""

    text: str
    span: Span | None


def label_of(value: Json) -> str:
    """What a person reads for a text, or for a list of texts."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def take_items(book: Book, step: TextStep, text: str, *, provenance: Provenance, span: Span | None) -> None:
    """Settle a list with what a person wrote; where an item is too long, or there is none, say so."""
    lines, items = book.domain.lines, items_of(text)
    too_long = next((item.text for item in items if length_fault(step, item.text)), None)
    if not items:
        book.emit(ValueRefused(slot=step.slot, value=text, by="user", reason="it is empty"))
        book.say(lines.empty_field, label=step.label)
    elif too_long is not None:
        refuse_length(book, step, too_long, whole=text)
    else:
        said = [
            _Said(text=item.text, span=Span(said=span.said, start=item.start, end=item.end) if span else None)
            for item in items
        ]
        settle(book, step, _value(said, provenance=provenance, span=span))


def refuse_length(book: Book, step: TextStep, text: str, *, whole: str) -> None:
    """Refuse what a person wrote, of which this text is too long, and say by how much."""
    book.emit(ValueRefused(slot=step.slot, value=whole, by="user", reason=length_fault(step, text) or ""))
    lengths = {"limit": str(step.max_length), "length": str(len(text))}
    book.say(book.domain.lines.too_long, label=step.label, **lengths)


def propose_items(book: Book, arguments: Mapping[str, Json]) -> Answered:
    """Add the items that the user said to a list; each other one is refused, and the model is told which and why.

    A proposal adds. To take an item out, or to begin anew, the step is re-opened and the user asked.
    """
    slot, given = arguments.get("slot"), arguments.get("items")
    if not isinstance(slot, str) or not isinstance(given, Sequence) or isinstance(given, str):
        return Answered(text="Not taken: slot must be text, and items a list of value and quote.", taken=False)
    step = book.domain.slot_step(slot)
    if not isinstance(step, TextStep) or not step.proposable or not step.many:
        return not_proposable(book, slot, given, step)
    early = before_its_time(book, step)
    if early is not None or writing(book):
        return early or Answered(text=WRITING, taken=False)
    return _add(book, step, given)


def _add(book: Book, step: TextStep, given: Sequence[Json]) -> Answered:
    after_write = written(book)
    standing = [] if after_write else _standing(book, step)
    kept = {item.text.casefold(): item for item in standing}
    refused: list[str] = []
    since = words_since(book, step) if after_write else _since(book, step)
    for one in given:
        _take(book, step, one, since=since, kept=kept, refused=refused)
    added = list(kept.values())[len(standing) :]
    if added:
        if after_write:
            book.emit(DraftOpened(draft=f"draft-{book.state.drafts + 1}"))
        settle(book, step, _value(list(kept.values()), provenance="model", span=None))
    return Answered(text=_told(step, added, refused, standing=bool(standing)), taken=not refused)


def _since(book: Book, step: TextStep) -> int:
    """From which message on words count. What a person answered stands against all that they had said before; what the
    model proposed does not stand against the rest of the same message."""
    value, since = book.state.draft.values.get(step.slot), words_since(book, step)
    proposed = value is not None and value.provenance == "model"
    return max(since - 1, book.state.written_since) if proposed else since


def _take(book: Book, step: TextStep, one: Json, *, since: int, kept: dict[str, _Said], refused: list[str]) -> None:
    """One item of a proposal: into `kept` with its span, or into `refused` with the reason."""
    value, quote = (one.get("value"), one.get("quote")) if isinstance(one, Mapping) else (None, None)
    if not isinstance(value, str) or not isinstance(quote, str):
        refused.append("an item needs a value and a quote, both text")
        return
    value = value.strip()
    if value.casefold() in kept:
        return
    attested = attest_item(value=value, quote=quote, said=book.state.said, since=since)
    if attested.span is None:
        book.emit(AttestationRefused(slot=step.slot, value=value, quote=quote, reason=attested.reason))
        refused.append(f"{value!r}: {attested.reason}")
    elif reason := length_fault(step, value):
        book.emit(ValueRefused(slot=step.slot, value=value, by="model", reason=reason))
        refused.append(f"{value!r}: {reason}")
    else:
        kept[value.casefold()] = _Said(text=value, span=attested.span)


def _standing(book: Book, step: TextStep) -> list[_Said]:
    """The items that the list has, with where each was said."""
    value = book.state.draft.values.get(step.slot)
    if value is None or not isinstance(value.value, list | tuple):
        return []
    spans = value.spans or (None,) * len(value.value)
    return [_Said(text=str(text), span=span) for text, span in zip(value.value, spans, strict=True)]


def _value(items: Sequence[_Said], *, provenance: Provenance, span: Span | None) -> Value:
    texts: list[Json] = [item.text for item in items]
    spans = tuple(item.span for item in items if item.span is not None)
    # Spans stand for the items one by one, so a list of which some were not typed has none.
    spans = spans if len(spans) == len(items) else ()
    return Value(value=texts, label=label_of(texts), provenance=provenance, span=span, spans=spans)


def _told(step: TextStep, added: Sequence[_Said], refused: Sequence[str], *, standing: bool) -> str:
    names = ", ".join(item.text for item in added)
    taken = f"Taken: {names}." if added else f"{step.label} has that already." if standing and not refused else ""
    return " ".join(filter(None, (taken, f"Not taken: {'; '.join(refused)}." if refused else ""))) or (
        "Not taken: there are no items."
    )
