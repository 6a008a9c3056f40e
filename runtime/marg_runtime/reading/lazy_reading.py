"""A reading that explains itself only when it is asked to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from marg_runtime.reading.kinds import ReadingKind
from marg_runtime.reading.reading import Reading, ReadToken


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a reading is what it is: its words with their classes, its reasons, and whether the reply itself asks."""

    tokens: tuple[ReadToken, ...]
    why: tuple[str, ...]
    asks: bool


class LazyReading(Reading):
    """A reading whose explanation is worked out when it is first asked for.

    Most replies are content for one word that no answer can hold; who counts readings need not wait for the rest.
    """

    __slots__ = ("_explain", "_explanation")

    _explain: Callable[[], Explanation]
    _explanation: Explanation | None

    def __init__(self, *, kind: ReadingKind, reader: str, language: str, explain: Callable[[], Explanation]) -> None:
        put = object.__setattr__
        put(self, "kind", kind)
        put(self, "reader", reader)
        put(self, "language", language)
        put(self, "choice", None)
        put(self, "choices", ())
        put(self, "has_vocabulary", True)
        put(self, "_explain", explain)
        put(self, "_explanation", None)

    def _explained(self) -> Explanation:
        if self._explanation is None:
            object.__setattr__(self, "_explanation", self._explain())
        assert self._explanation is not None
        return self._explanation

    @property
    def tokens(self) -> tuple[ReadToken, ...]:
        """Each word of the reply with its class."""
        return self._explained().tokens

    @property
    def why(self) -> tuple[str, ...]:
        """What made the reply content, or what the plain reading rests on."""
        return self._explained().why

    @property
    def asks(self) -> bool:
        """Whether the reply itself is a question or a request."""
        return self._explained().asks

    def settled(self) -> Reading:
        """Return the same reading with its explanation worked out."""
        return Reading(
            kind=self.kind,
            reader=self.reader,
            language=self.language,
            tokens=self.tokens,
            why=self.why,
            choice=self.choice,
            choices=self.choices,
            asks=self.asks,
            has_vocabulary=self.has_vocabulary,
        )

    def as_dict(self) -> dict[str, Any]:
        """The fields of the settled reading by name."""
        return self.settled().as_dict()

    def replaced(self, **changed: Any) -> Reading:  # type: ignore[override]  # it is settled then, no longer lazy
        """The settled reading with some fields changed."""
        return self.settled().replaced(**changed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reading) and self.settled() == (
            other.settled() if isinstance(other, LazyReading) else other
        )

    def __hash__(self) -> int:
        return hash(self.settled())

    def __reduce__(self) -> tuple[Any, ...]:
        settled = self.settled()
        return (_reading, tuple(getattr(settled, name) for name in Reading.__slots__))


def _reading(*fields: Any) -> Reading:
    """Put a pickled reading together again."""
    return Reading(**dict(zip(Reading.__slots__, fields, strict=True)))
