"""Whether a model's sentence claims that the record was created, or that it was not, against what the ledger says.

A question, a condition and a prospect are no claims, and neither is what stands in quotation marks: those words are
somebody else's.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from marg_runtime.claims.words import ClaimWords
from marg_runtime.reading import asks

Claim = Literal["created", "not_created"]

_QUOTED = re.compile(
    r'"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|「[^」]*」|『[^』]*』|(?<!\w)\'[^\']*\'(?!\w)|‘[^’]*’(?!\w)'
)
# A comma before "that" divides no clauses: what is said before it is said of what follows.
_CLAUSE = re.compile(r"(?:[,;:、،؛–—]+|\s-\s)(?!\d)(?!\s*(?:dass|że|что)\b)")
_IDENTIFIER = re.compile(r"[\w-]*\d[\w-]*")
_NUMBER_DIGITS = 4
# Dates, times, ordinals and measures ("3pm", "2nd", "45min"): any sentence may have them.
_WHEN = re.compile(
    r"\b\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|\b\d+(?:st|nd|rd|th|am|pm|h|hrs?|min|s|x)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Claims:
    """What a session's claims are checked against.

    words: those of its language. like: the domain's own pattern of a success, in place of the language's. done: the
    present draft was written. unknown: whether it was is not known. receipts: what the writes of this session are
    called.
    """

    words: ClaimWords
    language: str
    like: re.Pattern[str] | None = None
    done: bool = False
    unknown: bool = False
    receipts: tuple[str, ...] = ()

    def false_claim(self, sentence: str) -> Claim | None:
        """The claim of a sentence that the ledger does not bear out, or None.

        That something was created is true of the present draft once it was written, and of an earlier one where the
        sentence names its receipt. That nothing was created is false where this draft was written, and where nobody
        knows whether it was.
        """
        claim = self.claim(sentence)
        if claim == "created" and not self.done and not self._names_a_receipt(sentence):
            return "created"
        return "not_created" if claim == "not_created" and (self.done or self.unknown) else None

    def claim(self, sentence: str) -> Claim | None:
        """What a sentence claims of the record, true or not."""
        told = folded(sentence)
        clauses = [clause.strip() for clause in _CLAUSE.split(told)]
        for clause in clauses:
            if not clause or self.words.elsewhere.search(clause) or asks(clause, language=self.language):
                continue
            if self.words.denial.search(clause) and not self.words.condition.search(told):
                return "not_created"
            if self._succeeds(clause, told):
                return "created"
        return None

    def _succeeds(self, clause: str, told: str) -> bool:
        words = self.words
        if self.like is not None:
            return not _hedged(clause, self.like, hedge=words.hedge)
        if words.whole.fullmatch(_bare(clause)) or not _hedged(clause, words.success, hedge=words.hedge):
            return True
        return not _hedged(clause, words.state, hedge=words.hedge) and words.condition.search(told) is None

    def _names_a_receipt(self, sentence: str) -> bool:
        """Whether a sentence names what a write of this session gave, by a number that no other thing has.

        Plain words, a date and a small number are said of anything: with them a receipt would vouch for every claim.
        """
        said = _identifiers(sentence)
        return any(_identifiers(receipt) & said for receipt in self.receipts)


def _identifiers(text: str) -> set[str]:
    """What in a text can name one record: a word of letters and digits, or a number of four digits or more."""
    words = (word.casefold().strip("-_") for word in _IDENTIFIER.findall(_WHEN.sub(" ", text)))
    return {word for word in words if re.search(r"[^\W\d_]", word) or sum(map(str.isdigit, word)) >= _NUMBER_DIGITS}


def _hedged(clause: str, pattern: re.Pattern[str], *, hedge: re.Pattern[str]) -> bool:
    """Whether every match of a pattern in a clause, if there is one, stands behind words that make it no claim."""
    return all(hedge.search(clause[: match.start()]) for match in pattern.finditer(clause))


def _bare(clause: str) -> str:
    """A clause without the marks, symbols and spaces around it."""
    start, end = 0, len(clause)
    while start < end and unicodedata.category(clause[start])[0] in "PSZ":
        start += 1
    while start < end and unicodedata.category(clause[end - 1])[0] in "PSZ":
        end -= 1
    return clause[start:end]


def folded(sentence: str) -> str:
    """A sentence as it is matched: no quotations, letters folded, one form of apostrophe and of white space."""
    plain = unicodedata.normalize("NFKC", _QUOTED.sub(" … ", sentence)).casefold().replace("\u0307", "")
    return " ".join(plain.replace("’", "'").replace("ʼ", "'").split())
