"""`marg read`: one reply, one question, and why the reader reads it as it does."""

from __future__ import annotations

from typing import cast

import click

from marg_harness.cli import console
from marg_harness.cli.reader_choice import DEFAULT_READER
from marg_harness.cli.reading_table import print_reading, reading_record
from marg_runtime import Question
from marg_runtime import read as read_reply
from marg_runtime.reading.kinds import QuestionKind
from marg_runtime.reading.question import QUESTION_KINDS, Choice
from marg_runtime.scrub import scrub_together


@click.command()
@click.argument("text")
@click.option("--question", metavar="TEXT", help="What was asked; without any, no question is open.")
@click.option("--kind", type=click.Choice(QUESTION_KINDS), help="What kind of question it is.")
@click.option("--value", "values", multiple=True, metavar="V", help="A value that the card shows; may be repeated.")
@click.option("--option", "options", multiple=True, metavar="LABEL", help="An option of a choice; may be repeated.")
@click.option("--reader", default=DEFAULT_READER, show_default=True, metavar="NAME", help="Which reader reads it.")
@click.option("--language", default="en", show_default=True, metavar="L", help="The language of the session.")
@console.json_option
def read(
    text: str,
    question: str | None,
    kind: str | None,
    values: tuple[str, ...],
    options: tuple[str, ...],
    reader: str,
    language: str,
    as_json: bool,
) -> None:
    """Explain the reading of the reply TEXT, token by token.

    A question with options is a choice unless --kind says otherwise; any other is a confirmation.
    """
    asked = _asked(question, kind=kind, values=values, options=options)
    reading = read_reply(text, asked, reader=reader, language=language)
    if as_json:
        console.print_json(scrub_together(reading_record(reading, reply=text, question=asked)))
    else:
        print_reading(reading, reply=text, question=asked, out=console.stdout())


def _asked(text: str | None, *, kind: str | None, values: tuple[str, ...], options: tuple[str, ...]) -> Question | None:
    if text is None and kind is None and not values and not options:
        return None
    return Question(
        text=text or "",
        kind=cast(QuestionKind, kind or ("choice" if options else "confirm")),
        values=values,
        options=tuple(Choice(label=label, value=label) for label in options),
    )
