"""What each act of a person's leads to."""

from __future__ import annotations

from marg_runtime.acts import Act, Reload, Say, Search, Submit, Tap
from marg_runtime.decide import answers, flow, model_turn, picking, review, writes
from marg_runtime.decide.binding import Refusal, displayed, tap_refusal, typed_unbound
from marg_runtime.decide.book import Book
from marg_runtime.decide.lookup import look_up
from marg_runtime.decide.replies import Reply, read_again, read_reply
from marg_runtime.effects import WriteBroke, WriteFinished
from marg_runtime.events.turn import (
    AnswerRefused,
    FormSubmitted,
    PickerSearched,
    Reloaded,
    ReplyRead,
    TokenRead,
    UserSaid,
    UserTapped,
)
from marg_runtime.reconcile import LookupStatus
from marg_runtime.state import QueuedAct
from marg_runtime.steps.confirm import CONFIRM_KEY, CREATE
from marg_runtime.steps.option import Option
from marg_runtime.steps.review import CHANGE, REVIEW_KEY


def start(book: Book, queued: QueuedAct, *, late: WriteFinished | WriteBroke | None = None) -> None:
    """Begin the turn of a queued act; what became of a write that is unknown comes first, if that is known by now or
    can be looked up."""
    book.emit(_begins(queued.revision, queued.act))
    if book.state.interrupted:
        # An earlier turn was interrupted and nobody has said so.
        book.say(book.domain.lines.interrupted)
    if late is not None and writes.is_unknown(book.state, late.key):
        resume(book, writes.late(book, late))
    elif not look_up(book):
        _serve(book, queued)


def resume(book: Book, found: LookupStatus) -> None:
    """Serve the act of this turn, once it has been said what became of the write that was unknown."""
    queued = book.state.acting
    assert queued is not None, "what became of a write is said before an act"
    if found == "unknown":
        _serve(book, queued)
    elif isinstance(queued.act, Say):
        _said(book, queued.revision, queued.act, settled=True)
    else:
        # Whatever it was for, the outcome is what there is to show now: the receipt, or the summary again.
        flow.proceed(book)


def _begins(act: int, by: Act) -> UserSaid | UserTapped | FormSubmitted | PickerSearched | Reloaded:
    match by:
        case Say():
            return UserSaid(act=act, text=by.text, seen=by.seen)
        case Tap():
            return UserTapped(
                act=act, question=by.question, question_revision=by.revision, option=by.option, seen=by.seen
            )
        case Submit():
            return FormSubmitted(
                act=act,
                question=by.question,
                question_revision=by.revision,
                values=by.values,
                options=by.options,
                seen=by.seen,
            )
        case Search():
            return PickerSearched(
                act=act,
                question=by.question,
                question_revision=by.revision,
                query=by.query,
                page=by.page,
                seen=by.seen,
            )
        case Reload():
            return Reloaded(act=act, seen=by.seen)


def _serve(book: Book, queued: QueuedAct) -> None:
    match queued.act:
        case Say():
            _said(book, queued.revision, queued.act)
        case Tap():
            _tapped(book, queued.revision, queued.act)
        case Submit():
            _submitted(book, queued.revision, queued.act)
        case Search():
            _searched(book, queued.revision, queued.act)
        case Reload():
            flow.show_again(book)


def _said(book: Book, act: int, said: Say, *, settled: bool = False) -> None:
    """Serve a typed message; `settled` says that this turn has shown what became of a write that was unknown."""
    seen = displayed(said.seen, queued=act, surroundings=book.surroundings)
    unbound = typed_unbound(book.state, seen=seen, queued=act)
    reply = read_reply(book, said.text, unbound=unbound)
    if unbound is not None and _answers_a_write(book, seen=seen, settled=settled):
        reply = read_again(book, said.text)
    book.emit(_reply_read(reply, unbound=unbound))
    if reply.meaning == "go_ahead" and settled:
        flow.proceed(book)
    elif reply.meaning == "go_ahead" and unbound is not None:
        writes.show_receipt(book)
    elif reply.question is None or unbound is not None:
        model_turn.call_model(book)
    else:
        answers.typed(book, reply, seen=seen, queued=act)


def _answers_a_write(book: Book, *, seen: int | None, settled: bool) -> bool:
    """Whether a message may be one more answer to a confirmation that has been answered."""
    return writes.answers_written(book.state, seen=seen) or (settled and writes.answers_absent(book.state, seen=seen))


def _reply_read(reply: Reply, *, unbound: str | None) -> ReplyRead:
    reading = reply.reading
    return ReplyRead(
        kind=reading.kind,
        reader=reading.reader,
        language=reading.language,
        question=reply.question,
        tokens=tuple(TokenRead(text=token.text, token_class=token.token_class) for token in reading.tokens),
        why=(unbound, *reading.why) if unbound else reading.why,
        choice=reading.choice,
        choices=reading.choices,
    )


def _tapped(book: Book, act: int, tap: Tap) -> None:
    refusal = tap_refusal(book.state, question=tap.question, revision=tap.revision, queued=act)
    if refusal is not None:
        _refuse(book, refusal, tap.question)
        return
    option = answers.option_of(book, tap.option)
    if option is None:
        book.emit(AnswerRefused(reason="unknown_option", question=tap.question))
        book.say(book.domain.lines.unknown_option)
        flow.proceed(book)
        return
    _take_tap(book, tap, option, queued=act)


def _take_tap(book: Book, tap: Tap, option: Option, *, queued: int) -> None:
    question = book.state.question
    assert question is not None, "a tap is taken only for the open question"
    if question.step == REVIEW_KEY:
        review.take(book, option)
    elif question.step == CONFIRM_KEY and option.value == CHANGE:
        review.open_review(book)
    elif question.step == CONFIRM_KEY:
        # A tap names the revision that it was made on, so that is what its client had displayed.
        seen = tap.revision if tap.seen is None else tap.seen
        answers.confirmation(book, option.value == CREATE, by="tap", seen=seen, queued=queued)
    else:
        answers.tapped(book, option)


def _submitted(book: Book, act: int, submit: Submit) -> None:
    refusal = tap_refusal(book.state, question=submit.question, revision=submit.revision, queued=act)
    if refusal is not None:
        _refuse(book, refusal, submit.question)
    else:
        answers.submitted(book, submit.values, submit.options)


def _searched(book: Book, act: int, search: Search) -> None:
    refusal = tap_refusal(book.state, question=search.question, revision=search.revision, queued=act)
    if refusal is not None:
        _refuse(book, refusal, search.question)
    else:
        picking.search(book, search)


def _refuse(book: Book, refusal: Refusal, question: str) -> None:
    """A tap or a submit for what is not open: a line, and what is open is drawn again. No model call."""
    book.emit(AnswerRefused(reason=refusal, question=question))
    if question == book.state.write_question and writes.show_receipt(book):
        return
    book.say(book.domain.lines.stale)
    # With nothing open, the receipt of this draft is what there is to show, as for a reload.
    if book.state.question is not None or not writes.show_receipt(book, again=False):
        flow.proceed(book)
