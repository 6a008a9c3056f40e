"""The public functions of the reader. What they need is imported at the first reading, not at the first import.

Importing `marg_runtime` may cost 30 ms at most (issue 2); the TOML parser and the tables of the readers would cost
more than that in a program that never reads a reply.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from marg_runtime.reading.question import Question
    from marg_runtime.reading.reader import Reader
    from marg_runtime.reading.reading import Reading

_ENGINE = "marg_runtime.reading.readers"
_ASKING = "marg_runtime.reading.asking"
_VOCABULARY = "marg_runtime.reading.vocabulary"


def _module(name: str) -> ModuleType:
    if name not in sys.modules:
        __import__(name)
    return sys.modules[name]


def read(
    reply: str, question: Question | None, *, reader: str | Reader = "whole_message", language: str = "en"
) -> Reading:
    """Read what a person typed against the question that was open.

    Returns a `Reading` of kind "plain_yes", "plain_no", "choice" or "content". With no question open everything is
    content, and so is everything in a language without a vocabulary (`has_vocabulary` says which). `reader` is a
    name of `reader_names()` or a `Reader`. Raises ReadingError for an unknown reader; never for any text.
    """
    reading: Reading = _module(_ENGINE).read_reply(reply, question, reader, language)
    return reading


def reader_names() -> tuple[str, ...]:
    """Return the names that `read` knows: the shipped readers, then those registered, in order."""
    names: tuple[str, ...] = _module(_ENGINE).known_readers()
    return names


def register_reader(reader: Reader) -> None:
    """Make a reader known by its name. Raises ReadingError where the name is taken by another reader."""
    _module(_ENGINE).register(reader)


def asks(sentence: str, *, language: str = "en") -> bool:
    """Whether a model's sentence asks the person something: a question mark at its end, or a request.

    "Please tell me how urgent this is." and "Which priority fits" ask; "High priority tickets get answered in a day."
    does not. In a language without a vocabulary only the question mark tells.
    """
    found: bool = _module(_ASKING).asks(sentence, language)
    return found


def languages() -> tuple[str, ...]:
    """Return the languages that have a vocabulary, sorted."""
    names: tuple[str, ...] = _module(_VOCABULARY).known_languages()
    return names


def vocabulary_digest(language: str) -> str:
    """Return the SHA-256 of what a language's vocabulary says, in hex; comments and layout do not change it.

    Raises ReadingError where the language has no vocabulary.
    """
    digest: str = _module(_VOCABULARY).load_vocabulary(language).digest
    return digest
