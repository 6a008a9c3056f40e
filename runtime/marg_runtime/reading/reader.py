"""What a reader is to `read`: anything of this shape."""

from __future__ import annotations

from typing import Protocol

from marg_runtime.reading.question import Question
from marg_runtime.reading.reading import Reading
from marg_runtime.reading.vocabulary import Vocabulary


class Reader(Protocol):
    """Anything that reads a reply against a question; an adapter to a third-party reader has this shape."""

    @property
    def name(self) -> str:
        """The name under which it is registered and reported."""

    def read(self, reply: str, question: Question, vocabulary: Vocabulary) -> Reading:
        """Return the reading of a reply; must not raise on any text."""
