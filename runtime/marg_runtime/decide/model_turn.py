"""The model's part of a turn: it is called, it replies, its calls are decided, until it has said its say (rule C4)."""

from __future__ import annotations

from dataclasses import replace

from marg_runtime.canonical import is_json
from marg_runtime.claims import Claims, claim_words
from marg_runtime.conversation import ModelRequest
from marg_runtime.cutter import Cut, Cutter
from marg_runtime.decide import calls, flow
from marg_runtime.decide.book import Book
from marg_runtime.decide.built_in import built_in_tools
from marg_runtime.decide.reask import content_ended
from marg_runtime.effects import CallModel, ModelBroke, ModelFinished, ToolFinished
from marg_runtime.events.model import (
    ClaimCut,
    FactTold,
    ModelCalled,
    ModelFailed,
    ModelReplied,
    QuestionCut,
    ToolReturned,
)

MOST_MODEL_CALLS = 8  # a turn; rule C4


def call_model(book: Book) -> None:
    """Call the model with what is new, facts first; a turn that has called it often enough asks its question."""
    if book.state.model_calls >= MOST_MODEL_CALLS:
        _end(book)
        return
    for fact in book.state.facts:
        book.emit(FactTold(fact=fact))
    request = ModelRequest(
        system=book.domain.skill,
        messages=book.state.outgoing(),
        tools=(*built_in_tools(book.domain), *book.surroundings.offered_tools),
        chained=book.state.outgoing_chain(),
    )
    book.emit(
        ModelCalled(
            number=book.state.model_calls + 1,
            request_digest=request.digest,
            carries_rule=book.domain.rule in request.system,
        )
    )
    book.run(CallModel(request=request, cutter=_cutter(book)))


def _cutter(book: Book) -> Cutter:
    """A cutter for every question that the runtime owns."""
    return Cutter(owned=book.domain.owned_questions, language=book.domain.language, claims=_claims(book))


def _claims(book: Book) -> Claims:
    """What the ledger bears out now: a write starts only before a model call, so it stands for the whole reply."""
    write, language = book.state.draft_write, book.domain.language
    return Claims(
        words=claim_words(language),
        language=language,
        like=book.domain.confirm.claims_like,
        done=write is not None and write.status == "done",
        unknown=write is not None and write.status != "done",
        receipts=book.state.receipts,
    )


def finished(book: Book, reply: ModelFinished) -> None:
    """The whole reply: each call is decided in order; with no call left the open or next question follows."""
    _cuts(book, reply.cuts)
    # The runtime names the calls itself: a model may use one id twice.
    named = tuple(
        replace(call, id=f"t{book.state.turn}-m{book.state.model_calls}-c{number + 1}")
        for number, call in enumerate(reply.calls)
    )
    # Arguments that no JSON can hold (NaN) would break every later request, so the history does not keep them.
    usable = [is_json(call.arguments) for call in named]
    named = tuple(call if kept else replace(call, arguments={}) for call, kept in zip(named, usable, strict=True))
    book.emit(ModelReplied(raw=reply.raw, shown=reply.shown, calls=named, finish=reply.finish))
    for call, kept in zip(named, usable, strict=True):
        if kept:
            calls.decide_call(book, call)
        else:
            calls.refuse_arguments(book, call)
    _go_on(book, called=bool(named))


def tool_finished(book: Book, finished_tool: ToolFinished) -> None:
    """The outcome of a read; after the last one the model is called again."""
    book.emit(ToolReturned.of(finished_tool.call, finished_tool.tool, finished_tool.outcome))
    _go_on(book, called=True)


def _go_on(book: Book, *, called: bool) -> None:
    if book.state.awaiting:
        return
    if called:
        call_model(book)
    else:
        _end(book)


def _end(book: Book) -> None:
    content_ended(book)
    flow.proceed(book)


def broke(book: Book, reply: ModelBroke) -> None:
    """A broken reply: what was shown stays, none of its calls count, and the question is drawn."""
    _cuts(book, reply.cuts)
    book.emit(ModelFailed(raw=reply.raw, shown=reply.shown, error=reply.error, kind=reply.kind))
    book.say(book.domain.lines.model_failed)
    _end(book)


def _cuts(book: Book, cuts: tuple[Cut, ...]) -> None:
    for cut in cuts:
        if cut.because == "question":
            book.emit(QuestionCut(step=cut.step, sentence=cut.sentence))
        else:
            book.emit(ClaimCut(claim=cut.because, sentence=cut.sentence))
