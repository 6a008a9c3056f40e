"""The words of this package: kinds of question and of reading, polarity, classes of tokens.

They stand apart from what uses them, for the module that they need costs more than importing `marg_runtime` may.
"""

from __future__ import annotations

from typing import Literal

QuestionKind = Literal["confirm", "offer", "more", "boolean_slot", "review", "optional", "cancel", "choice", "other"]
Polarity = Literal["positive", "inverted"]
ReadingKind = Literal["plain_yes", "plain_no", "choice", "content"]
TokenClass = Literal[
    "confirm",
    "deny",
    "polite",
    "filler",
    "praise",
    "closing",
    "noun",
    "verb",
    "value",
    "option",
    "hedge",
    "change",
    "question",
    "digit",
    "unknown",
    "mark",
]
