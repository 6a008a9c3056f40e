"""`decide`: from a state and an act or a result to the events and effects that follow."""

from __future__ import annotations

from marg_runtime.decide import acts, flow, lookup, model_turn, questions, takeover, writes
from marg_runtime.decide.book import Book, Decision
from marg_runtime.effects import (
    ActStarted,
    Delivered,
    ModelBroke,
    ModelFinished,
    OptionsLoaded,
    Stimulus,
    TakenOver,
    ToolFinished,
    WriteBroke,
    WriteFinished,
)
from marg_runtime.events.turn import AnswerDelivered
from marg_runtime.state import State
from marg_runtime.surroundings import Surroundings


def decide(state: State, stimulus: Stimulus, *, surroundings: Surroundings) -> Decision:
    """What follows from an act or a result. Pure: the same arguments give the same decision."""
    at = stimulus.queued.at if isinstance(stimulus, ActStarted) else None
    book = Book(surroundings=surroundings, state=state, at=at)
    match stimulus:
        case ActStarted():
            acts.start(book, stimulus.queued, late=stimulus.late)
        case ModelFinished():
            model_turn.finished(book, stimulus)
        case ModelBroke():
            model_turn.broke(book, stimulus)
        case ToolFinished():
            _tool_finished(book, stimulus)
        case OptionsLoaded():
            questions.options_loaded(book, stimulus)
        case WriteFinished():
            writes.finished(book, stimulus)
            flow.proceed(book)
        case WriteBroke():
            writes.broke(book, stimulus)
            flow.proceed(book)
        case Delivered():
            shown = state.question.id if state.question else None
            book.emit(AnswerDelivered(question=shown, received=stimulus.received))
        case TakenOver():
            takeover.take_over(book)
    return book.decision()


def _tool_finished(book: Book, finished: ToolFinished) -> None:
    if lookup.is_lookup(book.state, finished):
        acts.resume(book, lookup.looked_up(book, finished))
    else:
        model_turn.tool_finished(book, finished)
