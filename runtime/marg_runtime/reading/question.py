"""What the runtime asked: the text, the kind of question, and what a reply may restate."""

from __future__ import annotations

from marg_runtime.errors import ReadingError
from marg_runtime.reading.frozen import Frozen, record
from marg_runtime.reading.nearest import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from marg_runtime.reading.kinds import Polarity, QuestionKind

QUESTION_KINDS = ("confirm", "offer", "more", "boolean_slot", "review", "optional", "cancel", "choice", "other")
POLARITIES = ("positive", "inverted")


@record
class Choice(Frozen):
    """One option of a choice question: what is shown, what is written, and other words for it.

    named_by_value: whether a reply names it by its value too; False where that is an index of the caller's own.
    counted: whether it has a place among "the first" and "the last"; a way out of the question ("Skip") has none.
    """

    label: str
    value: str
    synonyms: tuple[str, ...] = ()
    named_by_value: bool = True
    counted: bool = True


@record
class Question(Frozen):
    """A question that a reply is read against.

    `nouns` and `verbs` are what a reply may repeat; None derives them from `text`. They must come from the step's
    own text, never from user or tool text. `values` are the values that the card shows, as shown. `polarity` says
    whether a yes means go ahead ("positive") or the opposite ("inverted": "do you mind?"); None derives it, and a
    question that is inverted by its words alone reads nothing as plain. `options` are those of a choice question;
    `many`: it takes several of them.
    Raises ReadingError for another kind or polarity.
    """

    text: str = ""
    kind: QuestionKind = "confirm"
    nouns: tuple[str, ...] | None = None
    verbs: tuple[str, ...] | None = None
    values: tuple[str, ...] = ()
    polarity: Polarity | None = None
    options: tuple[Choice, ...] = ()
    many: bool = False

    @property
    def dialect(self) -> str:
        """The dialect that a reply is read in: that of the kind, but a confirmation with no text is a generic one.

        Where nothing is known of the question, only words that answer yes or no answer it ("other").
        """
        return "other" if self.kind == "confirm" and not self.text.strip() else self.kind

    def __post_init__(self) -> None:
        _check("question kind", self.kind, QUESTION_KINDS)
        if self.polarity is not None:
            _check("polarity", self.polarity, POLARITIES)
        # Lists are accepted and kept as tuples, so that a question can be a key of a cache.
        for name in ("nouns", "verbs", "values"):
            object.__setattr__(self, name, _entries(name, getattr(self, name), str))
        object.__setattr__(self, "options", _entries("options", self.options, Choice))
        if not isinstance(self.text, str):
            raise ReadingError(f"a question's text must be a text, not {self.text!r}")


def _entries(name: str, given: Any, kind: type) -> tuple[Any, ...] | None:
    """Return what was given for a field as a tuple; one text for many would fall apart into letters."""
    if given is None and name in ("nouns", "verbs"):
        return None
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise ReadingError(f"a question's {name} must be a list, not {given!r}; write [{given!r}]")
    entries = tuple(given)
    for entry in entries:
        if not isinstance(entry, kind):
            raise ReadingError(f"a question's {name} hold {entry!r}, which is no {kind.__name__}")
    return entries


def _check(what: str, value: str, known: tuple[str, ...]) -> None:
    if value in known:
        return
    raise ReadingError(f"unknown {what} {value!r}; nearest: {nearest(str(value), known)}")
