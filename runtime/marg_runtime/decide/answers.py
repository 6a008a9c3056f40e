"""What an answer to the open question does: settle, skip, go ahead, decline; or it is content, and the model's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from marg_runtime.decide import choosing, flow, forms, model_turn, review, writes
from marg_runtime.decide.book import Book
from marg_runtime.decide.listing import label_of, refuse_length, take_items
from marg_runtime.decide.questions import look_for_options
from marg_runtime.decide.replies import Meaning, Reply
from marg_runtime.decide.settling import keep, settle, skip
from marg_runtime.draft import Provenance, Span, Value
from marg_runtime.events.step import SummaryDeclined, ValueRefused
from marg_runtime.events.turn import AnswerRefused, Outcome, ReplyOutcome
from marg_runtime.gate import GoAhead
from marg_runtime.steps.form import FormStep
from marg_runtime.steps.multi_chips import MultiChipsStep
from marg_runtime.steps.option import Option, by_id
from marg_runtime.steps.review import REVIEW_KEY
from marg_runtime.steps.step import OneSlotStep
from marg_runtime.steps.text import TextStep, length_fault

_OUTCOMES: dict[Meaning, Outcome] = {
    "go_ahead": "go_ahead",
    "decline": "decline",
    "choice": "answer",
    "choices": "answer",
    "value": "answer",
    "skip": "skip",
    "review": "review",
    "back": "review",
    "cancel": "cancel",
}
DECLINED_FACT = "The user declined the summary. Nothing was created."


def option_of(book: Book, identity: str) -> Option | None:
    """The option of the open question that an id stands for: its meaning lies here, on the server."""
    options = book.state.question.drawn.options if book.state.question else ()
    return by_id(options).get(identity)


def typed(book: Book, reply: Reply, *, seen: int | None, queued: int) -> None:
    """A typed message that is bound to the open question."""
    question = book.state.question
    assert question is not None, "a bound message has an open question"
    outcome = _OUTCOMES.get(reply.meaning)
    if outcome is not None:
        book.emit(ReplyOutcome(outcome=outcome, question=question.id))
    match reply.meaning:
        case "go_ahead" | "decline":
            confirmation(book, reply.meaning == "go_ahead", by="typed", seen=seen, queued=queued)
        case "choice":
            assert reply.reading.choice is not None, "a choice names its option"
            chosen = question.drawn.options[int(reply.reading.choice)]
            _take_option(book, chosen, provenance="typed", span=_whole_message(book))
        case "choices":
            step = book.domain.step(question.step)
            assert isinstance(step, MultiChipsStep), "several options are chosen only of multi chips"
            places = map(int, reply.reading.choices)
            choosing.take_choices(book, step, places, provenance="typed", span=_whole_message(book))
        case "review":
            review.open_review(book)
        case "back":
            review.leave(book)
        case "skip":
            _skip(book)
        case "cancel":
            _cancel(book)
        case "value":
            _take_text(book, reply.text, provenance="typed", span=_whole_message(book))
        case "content":
            model_turn.call_model(book)


def tapped(book: Book, option: Option) -> None:
    """A tap on an option of the open question, which is not the confirmation. One option of several only a submit
    settles: to the client a tap on it is no more than a tick."""
    question = book.state.question
    if question is not None and question.drawn.selection is not None and not option.skip:
        book.emit(AnswerRefused(reason="wrong_kind", question=question.id))
        labels = ", ".join(other.label for other in question.drawn.options)
        book.say(book.domain.lines.choose_and_send, options=labels)
        flow.proceed(book)
        return
    _take_option(book, option, provenance="tap", span=None)


def submitted(book: Book, values: Mapping[str, str], options: Sequence[str]) -> None:
    """What was submitted: a text block takes its own slot and nothing else, a form its fields, multi chips their
    options; no other block takes any."""
    question = book.state.question
    assert question is not None, "a submit is taken only for the open question"
    step = book.domain.step(question.step)
    if isinstance(step, FormStep) and question.drawn.kind == "form" and not options:
        forms.submit_form(book, step, values)
        return
    if isinstance(step, MultiChipsStep) and question.drawn.selection is not None and not values:
        choosing.submit_choices(book, step, options)
        return
    if not isinstance(step, TextStep) or options:
        book.emit(AnswerRefused(reason="wrong_kind", question=question.id))
        book.say(book.domain.lines.stale)
        flow.proceed(book)
        return
    if set(values) != {step.slot}:
        book.emit(AnswerRefused(reason="unusable", question=question.id))
        book.say(book.domain.lines.empty_field, label=step.label)
        flow.proceed(book)
        return
    _take_text(book, values[step.slot], provenance="form", span=None)


def confirmation(book: Book, go_ahead: bool, *, by: Literal["tap", "typed"], seen: int | None, queued: int) -> None:
    """An answer to the summary: the write is attempted, or the summary is put away and the draft stays."""
    question = book.state.question
    assert question is not None, "a confirmation has an open question"
    if go_ahead:
        writes.go_ahead(book, GoAhead(by=by, question=question.id, seen=seen, queued=queued))
        if not book.effects:
            flow.proceed(book)
        return
    book.emit(SummaryDeclined(question=question.id, fact=DECLINED_FACT))
    book.say(book.domain.lines.declined)


def _take_option(book: Book, option: Option, *, provenance: Provenance, span: Span | None) -> None:
    question = book.state.question
    if question is not None and question.step == REVIEW_KEY:
        review.take(book, option)
        return
    step = book.domain.step(question.step) if question else None
    assert step is not None, "an option is taken only for a step"
    if option.skip:
        _skip(book)
        return
    if option.retry:
        look_for_options(book, step)
        return
    assert isinstance(step, OneSlotStep), "a form has no option but the one that skips it"
    # The words on a text's option may be shortened; the value behind them is whole.
    label = label_of(option.value) if isinstance(step, TextStep) else option.label
    if not (option.keep and keep(book, step)):
        settle(book, step, Value(value=option.value, label=label, provenance=provenance, span=span))
    flow.proceed(book)


def _take_text(book: Book, text: str, *, provenance: Provenance, span: Span | None) -> None:
    step = book.domain.step(book.state.question.step) if book.state.question else None
    assert isinstance(step, TextStep), "text is taken only for a text step"
    if step.many:
        take_items(book, step, text, provenance=provenance, span=span)
        flow.proceed(book)
        return
    value = text.strip()
    lines = book.domain.lines
    if not value:
        book.emit(ValueRefused(slot=step.slot, value=text, by="user", reason="it is empty"))
        book.say(lines.empty_field, label=step.label)
    elif length_fault(step, value):
        refuse_length(book, step, value, whole=text)
    else:
        settle(book, step, Value(value=value, label=value, provenance=provenance, span=span))
    flow.proceed(book)


def _cancel(book: Book) -> None:
    """Calling off a change puts the re-opened step back as it was; calling off anything else is the model's to talk
    about, and the question stands: a draft is never thrown away for a word."""
    step = book.domain.step(book.state.question.step) if book.state.question else None
    if step is not None and keep(book, step):
        flow.proceed(book)
    else:
        model_turn.call_model(book)


def _skip(book: Book) -> None:
    step = book.domain.step(book.state.question.step) if book.state.question else None
    assert step is not None, "only a step is skipped"
    skip(book, step)
    flow.proceed(book)


def _whole_message(book: Book) -> Span:
    """The span of the message that this turn began with."""
    number = len(book.state.said) - 1
    return Span(said=number, start=0, end=len(book.state.said[number]))
