"""Drawing a question: a step's block, and the summary."""

from __future__ import annotations

from marg_runtime.block import Row
from marg_runtime.canonical import Json
from marg_runtime.decide.book import Book
from marg_runtime.domain import SlotStep
from marg_runtime.effects import LoadOptions, OptionsLoaded
from marg_runtime.events.model import ToolCalled, ToolReturned
from marg_runtime.events.step import OptionsFailed, OptionsRequested, QuestionDrawn, SummaryShown
from marg_runtime.fingerprint import fingerprint
from marg_runtime.gate import pinned_tool
from marg_runtime.steps.chips import ChipsStep
from marg_runtime.steps.confirm import CONFIRM_KEY, CREATE, DECLINE
from marg_runtime.steps.option import Option, quoted
from marg_runtime.steps.review import CHANGE
from marg_runtime.steps.text import TextStep


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
    options = (*options, *_ways_out(book, step))
    book.emit(
        QuestionDrawn(
            question=next_id(book, step.key),
            step=step.key,
            kind="chips" if isinstance(step, ChipsStep) else "text",
            label=step.label,
            lead=step.lead,
            options=options,
        )
    )


def _ways_out(book: Book, step: SlotStep) -> tuple[Option, ...]:
    """Options beside the step's own: words that stood before are kept with a tap, an optional step is skipped."""
    lines, ways = book.domain.lines, list[Option]()
    former = book.state.former.get(step.key, {})
    kept = former.get(step.slot) if isinstance(step, TextStep) else None
    if kept is not None and not _is_problem(book, step.slots[0], kept.value):
        ways.append(Option(label=quoted(lines.keep_label, kept.label), value=kept.value, keep=True))
    if not step.required:
        ways.append(Option(label=lines.skip_label, value=None, skip=True))
    return tuple(ways)


def _is_problem(book: Book, slot: str, value: Json) -> bool:
    """Whether the draft could not be sent because of this value: then it is not offered again."""
    problems = book.domain.validate({**book.state.draft.arguments(), slot: value})
    return any(problem.slot == slot for problem in problems)


def summarise(book: Book) -> None:
    """Draw the summary: every value that will be sent, under the fingerprint that a go-ahead stands for."""
    draft, confirm, review = book.state.draft, book.domain.confirm, book.domain.review
    tool = pinned_tool(book.state, book.domain.write_tool)
    if tool is None:
        book.say(book.domain.lines.not_created, reason=f"{book.domain.write_tool!s} is not there.")
        return
    question = next_id(book, CONFIRM_KEY)
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


def next_id(book: Book, step: str) -> str:
    """The id of the next question of a step."""
    return f"{book.state.session}:{step}-{book.state.questions + 1}"
