"""Attestation: whether the user said what the model says they said, and where (rules S2, S3)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from marg_runtime.draft import Span


@dataclass(frozen=True, kw_only=True)
class Attested:
    """The span of the quote in the user's words, or the reason why there is none."""

    span: Span | None
    reason: str = ""


def attest(*, value: str, quote: str, said: tuple[str, ...], since: int) -> Attested:
    """Where the user said the quote, newest message first, in messages numbered `since` or later.

    Letter case and white space may differ, nothing else; whole words only; the value must stand in the quote.
    """
    if not value.strip() or not quote.strip():
        return Attested(span=None, reason="the value or the quote is empty")
    if _find(value, quote) is None:
        return Attested(span=None, reason="the value does not stand in the quote")
    for number in range(len(said) - 1, -1, -1):
        found = _find(quote, said[number])
        if found is not None and number < since:
            return Attested(span=None, reason="the user has not said it since the value was settled")
        if found is not None:
            return Attested(span=Span(said=number, start=found.start(), end=found.end()))
    return Attested(span=None, reason="the user did not say it")


def attest_item(*, value: str, quote: str, said: tuple[str, ...], since: int) -> Attested:
    """Where the user said one item of a list: the span of the item itself within the quote."""
    attested = attest(value=value, quote=quote, said=said, since=since)
    if attested.span is None:
        return attested
    span = attested.span
    found = _find(value, said[span.said][span.start : span.end])
    assert found is not None, "a value that stands in a quote stands where the quote does"
    return Attested(span=Span(said=span.said, start=span.start + found.start(), end=span.start + found.end()))


def _find(needle: str, text: str) -> re.Match[str] | None:
    pattern = re.compile(r"\s+".join(re.escape(word) for word in needle.split()), re.IGNORECASE)
    return next((match for match in pattern.finditer(text) if _whole(match, text)), None)


def _whole(match: re.Match[str], text: str) -> bool:
    """Whether a match ends where words end: "cat" is not said in "category"."""
    before, after = text[: match.start()][-1:], text[match.end() :][:1]
    first, last = match.group()[0], match.group()[-1]
    return not (_in_word(before) and _in_word(first)) and not (_in_word(last) and _in_word(after))


# Scripts that write no spaces between words: Thai, Lao, Burmese, Khmer, kana, Han. There every character may begin one.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]")


def _in_word(character: str) -> bool:
    # Letters, marks and digits: `\w` would end a Hindi word at its vowel sign.
    if not character or _UNSPACED.match(character):
        return False
    return unicodedata.category(character)[0] in "LMN"
