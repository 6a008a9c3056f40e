"""A reading, explained: as a table for people and as plain JSON values."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from marg_harness.cli.console import cell
from marg_runtime import Question
from marg_runtime.reading.reading import Reading
from marg_runtime.scrub import scrub, secrets_in

VERDICTS = {
    "plain_yes": "yes, and nothing else",
    "plain_no": "no, and nothing else",
    "choice": "the whole message names one option",
    "content": "it goes to the model, and nothing is settled",
}


def print_reading(reading: Reading, *, reply: str, question: Question | None, out: Console) -> None:
    """Print the verdict, what it rests on, and every token with its place and class."""
    chosen = "" if reading.choice is None else f" {reading.choice!r}"
    out.print(cell(f"{reading.kind}{chosen}", style="bold"), cell(VERDICTS[reading.kind]), sep="  ")
    lines = [f"reply     {reply}", f"question  {_question_line(question)}"]
    lines += [f"reader    {reading.reader}, language {reading.language}"]
    if not reading.has_vocabulary:
        lines += [f"          there is no vocabulary for {reading.language!r}, so everything is content"]
    # What the reply says to be a secret is one in its tokens, too.
    secrets = secrets_in(reply)
    for line in [*lines, *(f"why       {reason}" for reason in reading.why)]:
        out.print(cell(scrub(line, secrets=secrets)), soft_wrap=True)
    if reading.tokens:
        out.print(_token_table(reading, secrets))


def reading_record(reading: Reading, *, reply: str, question: Question | None) -> dict[str, Any]:
    """Give a reading as JSON values: the reply, the question, the verdict, why, and the tokens with their spans."""
    return {
        "reply": reply,
        "question": None if question is None else _question_record(question),
        "reader": reading.reader,
        "language": reading.language,
        "has_vocabulary": reading.has_vocabulary,
        "kind": reading.kind,
        "choice": reading.choice,
        "why": list(reading.why),
        "tokens": [token.as_dict() for token in reading.tokens],
    }


def _question_record(question: Question) -> dict[str, Any]:
    return {**question.as_dict(), "options": [option.as_dict() for option in question.options]}


def _question_line(question: Question | None) -> str:
    if question is None:
        return "none is open"
    return f"{question.text or '(no text)'}  [{question.kind}]"


def _token_table(reading: Reading, secrets: Collection[str]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("token")
    table.add_column("class")
    table.add_column("place", justify="right")
    for token in reading.tokens:
        table.add_row(
            cell(scrub(token.text, secrets=secrets)), cell(token.token_class), cell(f"{token.start}–{token.end}")
        )
    return table
