"""The readers by name, and the walk from a reply to its reading."""

from __future__ import annotations

from marg_runtime.errors import ReadingError
from marg_runtime.reading.asking import units_ask
from marg_runtime.reading.choice import read_choice
from marg_runtime.reading.click_only import ClickOnly
from marg_runtime.reading.lazy_reading import LazyReading
from marg_runtime.reading.leading_word import LeadingWord
from marg_runtime.reading.literal import Literal
from marg_runtime.reading.nearest import nearest
from marg_runtime.reading.question import Question
from marg_runtime.reading.reader import Reader
from marg_runtime.reading.reading import Reading
from marg_runtime.reading.units import Speller
from marg_runtime.reading.vocabulary import has_vocabulary, load_vocabulary
from marg_runtime.reading.whole_message import WholeMessage
from marg_runtime.reading.words import MARKS, QUESTION

_SHIPPED: tuple[Reader, ...] = (WholeMessage(), Literal(), LeadingWord(), ClickOnly())
# The readers that follow the whole-message rule at a choice question, too.
_CHOOSING = frozenset({"whole_message", "literal"})
# No plain answer is longer, shown values included; a longer reply is content and is not read to its end.
LONGEST_ANSWER = 1000
# How a text is cut into words where no vocabulary has a say.
_BARE = Speller(casing="plain", rewrites={})
_readers: dict[str, Reader] = {reader.name: reader for reader in _SHIPPED}


def known_readers() -> tuple[str, ...]:
    """Return the names of the shipped readers, then of those registered, in order."""
    return tuple(_readers)


def register(reader: Reader) -> None:
    """Make a reader known by its name. Raises ReadingError where the name is taken by another reader."""
    if _readers.get(reader.name, reader) is not reader:
        raise ReadingError(f"a reader named {reader.name!r} is registered already; give this one another name")
    _readers[reader.name] = reader


def read_reply(reply: str, question: Question | None, reader: str | Reader, language: str) -> Reading:
    """Return what a reader makes of a reply; see `marg_runtime.read`."""
    chosen = _chosen(reader)
    if not isinstance(reply, str):
        raise ReadingError(f"a reply must be a text, not {reply!r}")
    if question is not None and not isinstance(question, Question):
        raise ReadingError(
            f"the question must be a Question or None, not {question!r}; write Question(text={question!r})"
        )
    if not has_vocabulary(language):
        why = f"there is no vocabulary for language {language!r}"
        return _unread(reply, chosen.name, language, why, has_words=False)
    vocabulary = load_vocabulary(language)
    if question is None:
        reading = _unread(reply, chosen.name, language, "no question is open", has_words=True)
    elif len(reply) > LONGEST_ANSWER and chosen.name in _CHOOSING:
        return _overlong(reply, chosen.name, language)
    elif question.options and chosen.name in _CHOOSING:
        reading = read_choice(reply, question, vocabulary, chosen.name)
    else:
        reading = chosen.read(reply, question, vocabulary)
    if isinstance(reading, LazyReading):
        return reading
    return reading.replaced(asks=True) if units_ask(vocabulary.speller.norms(reply), vocabulary) else reading


def _chosen(reader: str | Reader) -> Reader:
    if not isinstance(reader, str):
        return reader
    if reader not in _readers:
        raise ReadingError(f"unknown reader {reader!r}; nearest: {nearest(reader, _readers)}")
    return _readers[reader]


def _overlong(reply: str, reader: str, language: str) -> Reading:
    """Read nothing but the beginning and the end of a very long reply, and only for whether it asks."""
    head, tail = reply[:LONGEST_ANSWER], reply[-LONGEST_ANSWER:]
    vocabulary = load_vocabulary(language)
    reading = _unread(head, reader, language, f"it is longer than {LONGEST_ANSWER} characters", has_words=True)
    asking = any(mark in reply for mark in "?\uff1f\u061f") or units_ask(
        vocabulary.speller.norms(head + "." + tail), vocabulary
    )
    return reading.replaced(asks=asking)


def _unread(reply: str, reader: str, language: str, why: str, *, has_words: bool) -> Reading:
    units = _BARE.units(reply)
    norms = units.words.norms
    return Reading(
        kind="content",
        reader=reader,
        language=language,
        tokens=units.tokens(reply, ["mark" if norm in MARKS else "unknown" for norm in norms]),
        why=(why,),
        asks=QUESTION in norms,
        has_vocabulary=has_words,
    )
