"""What was said and shown in a turn, as lines of a transcript."""

from __future__ import annotations

from marg_reports import Line
from marg_runtime import numbers
from marg_runtime.answer import Answer
from marg_runtime.block import Block
from marg_scenarios import SayTurn, SubmitTurn, TapTurn, Turn
from marg_scenarios.turn import ForgeTurn, RestartTurn, SearchTurn, WaitTurn


def user_line(turn: Turn) -> Line:
    """The user's act."""
    match turn.act:
        case SayTurn(text=text):
            return Line(by="user", text=text)
        case TapTurn(option=option, of=of):
            return Line(by="user", text=f"[taps {option}{f' on the block of {of}' if of else ''}]")
        case SubmitTurn(values=values, choose=choose):
            sent = [*(f"{slot}={text}" for slot, text in values.items()), *choose]
            return Line(by="user", text=f"[submits {', '.join(sent) or 'nothing'}]")
        case SearchTurn(query=query, page=page):
            words = "" if query is None else f" {query!r}"
            return Line(by="user", text=f"[searches{words}, {page} page]")
        case ForgeTurn():
            return Line(by="user", text=f"[forges {_forged(turn.act)}]")
        case WaitTurn(milliseconds=milliseconds):
            return Line(by="user", text=f"[waits {numbers.count(milliseconds)} ms]")
        case RestartTurn():
            return Line(by="runtime", text="[is started anew from its ledger]")
        case _:
            return Line(by="user", text="[reloads]")


def _forged(act: ForgeTurn) -> str:
    parts = {"question": act.question, "revision": act.revision, "option": act.option, "values": act.values}
    given = ", ".join(f"{name}={part}" for name, part in parts.items() if part is not None)
    return f"{'a tap' if act.values is None else 'a submit'}: {given or 'no option'}"


def answer_lines(answer: Answer) -> tuple[Line, ...]:
    """The answer's texts and its block."""
    texts = tuple(Line(by=said.by, text=said.text) for said in answer.texts)
    return (*texts, Line(by="block", text=_drawn(answer.block))) if answer.block else texts


def _drawn(block: Block) -> str:
    options = " ".join(f"({option.label})" for option in block.options)
    head = " ".join(part for part in (f"{block.kind}:", block.lead or block.label, options) if part)
    rows = [f"  {row.label}: {row.value}" for row in block.rows]
    fields = [f"  {field.label}: {field.value}{f' ({field.error})' if field.error else ''}" for field in block.fields]
    page = [f"  page {block.page.number} of {block.page.query!r}"] if block.page else []
    return "\n".join((head, *rows, *fields, *page))
