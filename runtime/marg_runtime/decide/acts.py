"""What each act of a person's leads to."""

from __future__ import annotations

from marg_runtime.acts import Reload, Say, Submit, Tap
from marg_runtime.decide import answers, flow, model_turn, review, writes
from marg_runtime.decide.binding import Refusal, displayed, tap_refusal, typed_unbound
from marg_runtime.decide.book import Book
from marg_runtime.decide.replies import Reply, read_again, read_reply
from marg_runtime.events.turn import AnswerRefused, FormSubmitted, Reloaded, ReplyRead, TokenRead, UserSaid, UserTapped
from marg_runtime.state import QueuedAct
from marg_runtime.steps.confirm import CONFIRM_KEY, CREATE
from marg_runtime.steps.option import Option
from marg_runtime.steps.review import CHANGE, REVIEW_KEY


def start(book: Book, queued: QueuedAct) -> None:
    """Begin the turn of a queued act."""
    match queued.act:
        case Say():
            _said(book, queued.revision, queued.act)
        case Tap():
            _tapped(book, queued.revision, queued.act)
        case Submit():
            _submitted(book, queued.revision, queued.act)
        case Reload():
            _begin(book, Reloaded(act=queued.revision, seen=queued.act.seen))
            flow.show_again(book)


def _begin(book: Book, event: UserSaid | UserTapped | FormSubmitted | Reloaded) -> None:
    """Begin the turn; where an earlier one was interrupted and nobody has said so, say it now."""
    book.emit(event)
    if book.state.interrupted:
        book.say(book.domain.lines.interrupted)


def _said(book: Book, act: int, said: Say) -> None:
    seen = displayed(said.seen, queued=act, surroundings=book.surroundings)
    _begin(book, UserSaid(act=act, text=said.text, seen=said.seen))
    unbound = typed_unbound(book.state, seen=seen, queued=act)
    reply = read_reply(book, said.text, unbound=unbound)
    if unbound is not None and writes.answers_written(book.state, seen=seen):
        reply = read_again(book, said.text)
    book.emit(_reply_read(reply, unbound=unbound))
    if reply.meaning == "go_ahead" and unbound is not None:
        writes.show_receipt(book)
    elif reply.question is None or unbound is not None:
        model_turn.call_model(book)
    else:
        answers.typed(book, reply, seen=seen, queued=act)


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
        choices=(),
    )


def _tapped(book: Book, act: int, tap: Tap) -> None:
    _begin(
        book,
        UserTapped(act=act, question=tap.question, question_revision=tap.revision, option=tap.option, seen=tap.seen),
    )
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
    submitted = FormSubmitted(
        act=act,
        question=submit.question,
        question_revision=submit.revision,
        values=submit.values,
        options=submit.options,
        seen=submit.seen,
    )
    _begin(book, submitted)
    refusal = tap_refusal(book.state, question=submit.question, revision=submit.revision, queued=act)
    if refusal is not None:
        _refuse(book, refusal, submit.question)
    else:
        answers.submitted(book, submit.values)


def _refuse(book: Book, refusal: Refusal, question: str) -> None:
    """A tap or a submit for what is not open: a line, and what is open is drawn again. No model call."""
    book.emit(AnswerRefused(reason=refusal, question=question))
    if question == book.state.write_question and writes.show_receipt(book):
        return
    book.say(book.domain.lines.stale)
    flow.proceed(book)
