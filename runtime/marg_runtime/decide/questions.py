"""Drawing a question: a step's block, and the summary."""

from __future__ import annotations

from dataclasses import replace

from marg_runtime.block import Page, Row, Selection
from marg_runtime.decide import drawing
from marg_runtime.decide.book import Book
from marg_runtime.decide.drawing import Found
from marg_runtime.domain import SlotStep
from marg_runtime.effects import LoadOptions, OptionsLoaded
from marg_runtime.events.model import ToolCalled, ToolReturned
from marg_runtime.events.step import DrawnField, OptionsFailed, OptionsRequested, QuestionDrawn, SummaryShown
from marg_runtime.fingerprint import fingerprint
from marg_runtime.gate import pinned_tool
from marg_runtime.steps.confirm import CONFIRM_KEY, CREATE, DECLINE
from marg_runtime.steps.option import Option
from marg_runtime.steps.picker import PickerStep
from marg_runtime.steps.review import CHANGE


def ask(book: Book, step: SlotStep) -> None:
    """Draw a step's question; where its options must be found first, ask for that."""
    found = drawing.fixed(step)
    if found is not None:
        drawing.draw(book, step, found)
    else:
        look_for_options(book, step)


def look_for_options(book: Book, step: SlotStep, *, query: str = "", page: int = 1) -> None:
    """Have the options of a step found; the question is drawn, or drawn anew, once they are."""
    book.emit(OptionsRequested(step=step.key))
    draft, pinned = book.state.draft.arguments(), book.state.tools
    book.run(LoadOptions(step=step.key, draft=draft, pinned=pinned, query=query, page=page))


def options_loaded(book: Book, loaded: OptionsLoaded) -> None:
    """The options that a step found, or why it found none; then nothing settles and the user is told."""
    step = book.domain.step(loaded.step)
    assert step is not None, "options are loaded only for a step of the domain"
    _keep_calls(book, step, loaded)
    lines = book.domain.lines
    if loaded.error is not None:
        book.emit(OptionsFailed(step=step.key, error=loaded.error))
        book.say(lines.options_failed, label=step.label)
        _without_options(book, step)
    elif isinstance(step, PickerStep):
        if not loaded.options:
            book.say(lines.nothing_found if loaded.query else lines.no_options, query=loaded.query, label=step.label)
        drawing.draw(book, step, Found(options=loaded.options, page=_page(loaded)))
    elif not loaded.options and not loaded.fields:
        book.emit(OptionsFailed(step=step.key, error="there are no options"))
        book.say(lines.no_options, label=step.label)
        _without_options(book, step)
    else:
        drawing.draw(book, step, Found(options=loaded.options, fields=loaded.fields))


def _without_options(book: Book, step: SlotStep) -> None:
    """A question that is open stays as it was. A picker can be searched again; of any other step the options can be
    looked for again with a tap, and an optional one still be skipped."""
    if book.state.question is not None:
        redraw(book)
    elif isinstance(step, PickerStep):
        drawing.draw(book, step, Found(page=Page(query="", number=1, previous=False, next=False)))
    else:
        drawing.draw_retry(book, step)


def _page(loaded: OptionsLoaded) -> Page:
    return Page(query=loaded.query, number=loaded.page, previous=loaded.page > 1, next=loaded.more)


def _keep_calls(book: Book, step: SlotStep, loaded: OptionsLoaded) -> None:
    for number, call in enumerate(loaded.calls):
        identity = f"{book.state.turn}-{step.key}-{number + 1}"
        book.emit(ToolCalled(call=identity, tool=call.tool, arguments=call.arguments, by="step"))
        book.emit(ToolReturned.of(identity, call.tool, call.outcome))


def redraw(book: Book, *, fields: tuple[DrawnField, ...] | None = None, selection: Selection | None = None) -> None:
    """Show the open question again, as it was, or with what was typed or chosen."""
    assert book.state.question is not None, "only an open question is drawn again"
    drawn = book.state.question.drawn
    again = replace(drawn, redraw=True, fields=fields or drawn.fields, selection=selection or drawn.selection)
    book.emit(again)


def summarise(book: Book) -> None:
    """Draw the summary: every value that will be sent, under the fingerprint that a go-ahead stands for."""
    draft, confirm, review = book.state.draft, book.domain.confirm, book.domain.review
    tool = pinned_tool(book.state, book.domain.write_tool)
    if tool is None:
        book.say(book.domain.lines.not_created, reason=f"{book.domain.write_tool!s} is not there.")
        return
    question = drawing.next_id(book, CONFIRM_KEY)
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
                *((Option(label=review.option_label, value=CHANGE),) if review else ()),
            ),
            rows=rows(book),
        )
    )


def rows(book: Book) -> tuple[Row, ...]:
    """The draft as a person reads it, in the order of the steps."""
    values = book.state.draft.values
    return tuple(
        Row(slot=part.slot, label=part.label, value=values[part.slot].label)
        for step in book.domain.steps
        for part in step.parts
        if part.slot in values
    )
