"""Questions, answers and the draft, judged by rules S1, S2, G3, G4 and G10."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marg_runtime.acts import Say, Search, Tap
from marg_runtime.draft import Value
from marg_runtime.explore.bench import Bench, judges
from marg_runtime.explore.judge_turns import void
from marg_runtime.explore.memory import Asked, Memory, Stood
from marg_runtime.ledger import Entry

FIXED = ("chips", "multi_chips", "review", "summary")  # kinds of block whose options stay while they are open
DISPLAYED = "an answer is bound to what was displayed"


@judges("ValueSettled", "FormSettled")
def settled(bench: Bench, entry: Entry, event: Any) -> None:
    """A value is the answer of the person who was asked, or words that they said."""
    given: Mapping[str, Value] = {event.slot: event.value} if hasattr(event, "slot") else event.values
    for slot, value in given.items():
        _judge_value(bench, event.step, slot, value)
    slots = tuple(given) if hasattr(event, "slot") else bench.law.slots(event.step)
    _end_step(bench, event.step, slots, given, event.fact)


def _judge_value(bench: Bench, step: str, slot: str, value: Value) -> None:
    memory = bench.memory
    answered = memory.bound is not None and memory.bound.step == step
    former = memory.former.get(slot)
    if answered and former is not None and former.value == value.value:
        return
    if value.provenance == "model":
        _judge_attested(bench, step, slot, value)
    elif not answered:
        bound = memory.bound.step if memory.bound else None
        bench.broken(DISPLAYED, f"{slot!r} was settled by {value.provenance} while {bound!r} was answered")
    elif not _meant(memory, value):
        bench.broken("an answer means what the server drew", f"{slot!r} became {value.value!r}")


def _meant(memory: Memory, value: Value) -> bool:
    """Whether the act can mean this value: the tapped option's, a label's or the typed text; a form's is the form's."""
    assert memory.bound is not None, "judged only for an answer"
    options, act = memory.bound.options, memory.act
    if isinstance(act, Tap):
        number = int(act.option[1:]) - 1 if act.option[1:].isdigit() else -1
        return 0 <= number < len(options) and options[number].value == value.value
    if isinstance(act, Say):
        return (
            value.value == act.text.strip()
            or any(option.value == value.value for option in options)
            or (isinstance(value.value, list | tuple))
        )
    return True


def _judge_attested(bench: Bench, step: str, slot: str, value: Value) -> None:
    memory = bench.memory
    span = value.span
    words = memory.said[span.said][span.start : span.end] if span and span.said < len(memory.said) else ""
    if _plain(str(value.value)) not in _plain(words):
        bench.broken("a model's value is the user's words", f"{slot!r} became {value.value!r}, said was {words!r}")
    elif span is not None and span.said < memory.settled.get(step, 0):
        bench.broken("older words replace no newer answer", f"{slot!r} became {value.value!r}")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


@judges("StepSkipped")
def skipped(bench: Bench, entry: Entry, event: Any) -> None:
    """Only the person who was asked skips, and only what may be skipped."""
    bound = bench.memory.bound
    if event.step not in bench.law.optional:
        bench.broken("a required step is not skipped", event.step)
    if bound is None or bound.step != event.step:
        bench.broken(DISPLAYED, f"{event.step!r} was skipped while {bound.step if bound else None!r} was answered")
    _end_step(bench, event.step, bench.law.slots(event.step), {}, event.fact)


def _end_step(bench: Bench, step: str, slots: tuple[str, ...], given: Mapping[str, Value], fact: str) -> None:
    memory = bench.memory
    had = {slot: memory.former[slot].value for slot in slots if slot in memory.former}
    has = {slot: value.value for slot, value in given.items()}
    changed = step in memory.settled and had != has
    due = memory.due | (bench.law.dependants[step] & memory.ended) if changed else memory.due
    kept = {slot: value for slot, value in memory.values.items() if slot not in slots}
    former = {slot: value for slot, value in memory.former.items() if slot not in slots}
    bench.note(
        values={**kept, **given},
        former={**former, **given},
        ended=memory.ended | {step},
        settled={**memory.settled, step: len(memory.said)},
        due=due - {step},
        facts=(*memory.facts, fact),
        asked=None if memory.asked is not None and memory.asked.step == step else memory.asked,
    )
    void(bench)


@judges("StepReopened")
def reopened(bench: Bench, entry: Entry, event: Any) -> None:
    """A step is owed again, and its values are gone."""
    memory = bench.memory
    asked = None if event.next or (memory.asked and memory.asked.step == event.step) else memory.asked
    bench.note(
        values={slot: value for slot, value in memory.values.items() if slot not in event.slots},
        ended=memory.ended - {event.step},
        due=memory.due - {event.step},
        asked=asked,
    )
    void(bench)


@judges("DraftOpened")
def draft_opened(bench: Bench, entry: Entry, event: Any) -> None:
    """A new draft begins once the last one was written, and holds nothing."""
    memory = bench.memory
    claim = memory.claims.get(memory.draft)
    if claim is None or claim.status != "done":
        bench.broken("a draft ends with its write", f"{event.draft!r} began while {memory.draft!r} was not written")
    bench.note(draft=event.draft, values={}, former={}, ended=frozenset(), settled={}, due=frozenset())
    void(bench)


@judges("SummaryShown")
def summary_shown(bench: Bench, entry: Entry, event: Any) -> None:
    """A summary shows the draft, and only one that can still be written."""
    memory = bench.memory
    if memory.draft in memory.claims:
        status = memory.claims[memory.draft].status
        bench.broken("no summary of what was or may have been written", f"the write of {memory.draft!r} is {status}")
    values = {slot: value.value for slot, value in memory.values.items()}
    if event.draft != memory.draft or dict(event.arguments) != values:
        bench.broken("a summary on the screen is the draft", f"{event.question!r} shows {dict(event.arguments)!r}")
    tool = bench.listed(bench.law.domain.write_tool)
    summary = Stood(question=event.question, draft=event.draft, arguments=event.arguments, tool=tool, shown_at=entry.at)
    bench.note(summary=summary, standing=True)


@judges("QuestionDrawn")
def question_drawn(bench: Bench, entry: Entry, event: Any) -> None:
    """A new question takes no open one's place; one that is drawn again is the open one, and means the same."""
    asked = bench.memory.asked
    if event.kind == "summary":
        _judge_rows(bench, event)
    if event.redraw:
        if asked is None or asked.id != event.question:
            bench.broken("only what is open is drawn again", f"{event.question!r} was")
        elif event.kind in FIXED and [one.value for one in asked.options] != [one.value for one in event.options]:
            bench.broken("an answer means what the server drew", f"the options of {event.question!r} changed")
        bench.note(drawn=event.question)
        return
    if asked is not None and not _may_be_asked_anew(bench.memory, asked, event):
        bench.broken("a digression drops no card", f"{event.question!r} took the place of {asked.id!r}")
    drawn = Asked(
        id=event.question,
        step=event.step,
        kind=event.kind,
        revision=entry.revision,
        options=event.options,
        rows=event.rows,
    )
    bench.note(asked=drawn, drawn=event.question)


def _may_be_asked_anew(memory: Memory, asked: Asked, event: Any) -> bool:
    """A text may be, with the person's own words to tap; a picker, where the person looks for other options in it; and
    a step whose options were not found, once they are."""
    if asked.step == event.step and any(option.retry for option in asked.options):
        return True
    if (asked.step, asked.kind) != (event.step, event.kind):
        return False
    searched = isinstance(memory.act, Search) and memory.bound is not None and memory.bound.id == asked.id
    return asked.kind == "text" or searched


def _judge_rows(bench: Bench, event: Any) -> None:
    values = bench.memory.values
    rows = {row.slot: row.value for row in event.rows}
    if rows != {slot: value.label for slot, value in values.items()}:
        bench.broken("a summary shows every value that is sent", f"{event.question!r} shows {sorted(rows)!r}")


@judges("SummaryDeclined")
def summary_declined(bench: Bench, entry: Entry, event: Any) -> None:
    """The person who saw the summary put it away."""
    bound = bench.memory.bound
    if bound is None or bound.id != event.question:
        bench.broken(DISPLAYED, f"{event.question!r} was declined")
    bench.note(facts=(*bench.memory.facts, event.fact))
    void(bench)


@judges("ReviewOpened", "ReviewClosed")
def review(bench: Bench, entry: Entry, event: Any) -> None:
    """The person who saw the summary or the review left it."""
    bound = bench.memory.bound
    if bound is None or bound.id != event.question:
        bench.broken(DISPLAYED, f"{event.question!r} was left")
    void(bench)
