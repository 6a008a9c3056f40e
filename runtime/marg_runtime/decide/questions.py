"""Drawing a question: a step's block, and the summary."""

from __future__ import annotations

from marg_runtime.block import Row
from marg_runtime.decide.book import Book
from marg_runtime.domain import SlotStep
from marg_runtime.effects import LoadOptions, OptionsLoaded
from marg_runtime.events.model import ToolCalled, ToolReturned
from marg_runtime.events.step import OptionsFailed, OptionsRequested, QuestionDrawn, SummaryShown
from marg_runtime.fingerprint import fingerprint
from marg_runtime.gate import pinned_tool
from marg_runtime.steps.chips import ChipsStep
from marg_runtime.steps.confirm import CONFIRM_KEY, CREATE, DECLINE
from marg_runtime.steps.option import Option


def ask(book: Book, step: SlotStep) -> None:
    """Draw a step's question; where its options must be found first, ask for that."""
    if isinstance(step, ChipsStep) and callable(step.options):
        book.emit(OptionsRequested(step=step.key))
        book.run(LoadOptions(step=step.key, draft=book.state.draft.arguments()))
        return
    _draw(book, step, tuple(step.options) if isinstance(step, ChipsStep) and not callable(step.options) else ())


def options_loaded(book: Book, loaded: OptionsLoaded) -> None:
    """The options that a step found, or why it found none; then nothing settles and the user is told."""
    step = book.domain.step(loaded.step)
    assert step is not None, "options are loaded only for a step of the domain"
    for number, call in enumerate(loaded.calls):
        identity = f"{book.state.turn}-{step.key}-{number + 1}"
        book.emit(ToolCalled(call=identity, tool=call.tool, arguments=call.arguments, by="step"))
        book.emit(
            ToolReturned(
                call=identity,
                tool=call.tool,
                text=call.outcome.text,
                data=call.outcome.data,
                is_error=call.outcome.is_error,
            )
        )
    if loaded.error is not None or not loaded.options:
        book.emit(OptionsFailed(step=step.key, error=loaded.error or "there are no options"))
        lines = book.domain.lines
        book.say(lines.options_failed if loaded.error is not None else lines.no_options, label=step.label)
        return
    _draw(book, step, loaded.options)


def _draw(book: Book, step: SlotStep, options: tuple[Option, ...]) -> None:
    if not step.required:
        options = (*options, Option(label=book.domain.lines.skip_label, value=None, skip=True))
    book.emit(
        QuestionDrawn(
            question=_next_id(book, step.key),
            step=step.key,
            kind="chips" if isinstance(step, ChipsStep) else "text",
            label=step.label,
            lead=step.lead,
            options=options,
        )
    )


def summarise(book: Book) -> None:
    """Draw the summary: every value that will be sent, under the fingerprint that a go-ahead stands for."""
    draft, confirm = book.state.draft, book.domain.confirm
    tool = pinned_tool(book.state, book.domain.write_tool)
    if tool is None:
        book.say(book.domain.lines.not_created, reason=f"{book.domain.write_tool!s} is not there.")
        return
    question = _next_id(book, CONFIRM_KEY)
    arguments = draft.arguments()
    book.emit(
        SummaryShown(
            question=question,
            draft=draft.id,
            arguments=arguments,
            fingerprint=fingerprint(draft=draft.id, arguments=arguments, tool=tool),
        )
    )
    book.emit(
        QuestionDrawn(
            question=question,
            step=CONFIRM_KEY,
            kind="summary",
            label=confirm.label,
            lead=confirm.lead,
            options=(
                Option(label=confirm.create_label, value=CREATE),
                Option(label=confirm.decline_label, value=DECLINE),
            ),
            rows=rows(book),
        )
    )


def rows(book: Book) -> tuple[Row, ...]:
    """The draft as a person reads it, in the order of the steps."""
    values = book.state.draft.values
    return tuple(
        Row(slot=step.slot, label=step.label, value=values[step.slot].label)
        for step in book.domain.steps
        if step.slot in values
    )


def _next_id(book: Book, step: str) -> str:
    return f"{book.state.session}:{step}-{book.state.questions + 1}"
