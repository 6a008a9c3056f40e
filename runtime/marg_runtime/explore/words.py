"""What the person says in an exploration: one phrase for each way that a reply can be read."""

from __future__ import annotations

from dataclasses import dataclass

from marg_runtime.errors import UsageError
from marg_runtime.reading import Question, read


@dataclass(frozen=True, kw_only=True)
class Words:
    """One phrase for each kind of reply. `quotes` are words of the person's that a model may point to.

    change: a plain yes with a new value behind it, in which the first quote stands. value: free text that could be a
    value.
    """

    yes: str = "yes"
    no: str = "no thanks"
    change: str = "yes but make it login fails"
    value: str = "printer jams"
    question: str = "what happens then?"
    skip: str = "skip"
    cancel: str = "never mind"
    quotes: tuple[str, ...] = ("login fails",)

    def check(self, *, language: str) -> None:
        """Raise UsageError where the yes or the no is not read as one in the domain's language: nothing would be
        confirmed, and an exploration that confirms nothing shows nothing."""
        asked = Question(text="", kind="confirm")
        for phrase, kind in ((self.yes, "plain_yes"), (self.no, "plain_no")):
            found = read(phrase, asked, language=language).kind
            if found != kind:
                raise UsageError(f"{phrase!r} is read as {found}, not {kind}, in {language!r}; give other words")


ENGLISH = Words()
