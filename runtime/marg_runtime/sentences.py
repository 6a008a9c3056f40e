"""Where a model's sentences end and whether they ask, by language: what the cutter cuts by.

A full stop ends a sentence only before white space (so "3.5" and "a.b" do not), the marks of scripts that write no
spaces always do, and so does a line break. Greek asks with a semicolon. Thai writes no marks, so there a space ends a
clause.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from marg_runtime.reading.asking import asks as reads_as_question

# Marks that end a sentence where white space, a letter of a script without spaces, or a symbol follows: the Latin ones,
# the Arabic question mark, the Urdu full stop, the Armenian one, interrobang and double marks.
_MARKS = ".!?…؟۔։‽⁇⁈⁉"
# Marks that always do: Chinese and Japanese, danda, Ethiopic, Burmese, Khmer.
_ALWAYS = "。！？｡．।॥።፧။។៕"
_CLOSERS = "\"'”’»›)\\]」』）】*_~`"
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_SYMBOLS = "\u2600-\u27bf\U0001f300-\U0001faff"
# No space was written: the next sentence shows by its first letter. After a full stop it might be a name ("Node.JS").
_GLUED = r"[!?…]+(?=[A-ZÀ-ÖØ-ÞΑ-ΩА-Я¿¡])|\.+(?=[¿¡])"
_SPACED = rf"[{_MARKS}]+[{_CLOSERS}]*(?=[\s{_UNSPACED}{_SYMBOLS}])"
_ENDS = rf"{_SPACED}|{_GLUED}|[{_ALWAYS}]+[{_CLOSERS}]*|\n"
_OWN_ENDS = {
    # French puts a space before the quotation mark that closes, so the character behind the space has to be known too.
    "fr": rf"[{_MARKS}]+(?:[{_CLOSERS}]|[ \u00a0\u202f]»)*(?=\s[^»])|{_GLUED}|\n",
    "el": rf"[;\u037e]+[{_CLOSERS}]*(?=\s)|{_ENDS}",
    **dict.fromkeys(("th", "lo", "km"), rf"(?<=[\u0e01-\u0eff\u1780-\u17ff])(?=\s)|{_ENDS}"),
}
_CLOSING = _MARKS + _ALWAYS + _CLOSERS.replace("\\", "") + ";\u037e \u00a0\u202f"
_ADDRESS = re.compile(r"\bhttps?://\S+")

_ABBREVIATIONS = {
    "": r"e\.g|i\.e|etc|vs|cf|approx|mr|mrs|ms|dr|st|prof",
    "de": r"bzw|ca|usw|evtl|ggf|inkl|vgl|hr|fr|str|mio|ing",
    "es": r"sr|sra|srta|dra|ud|uds|ej|aprox",
    "fr": r"mme|mlle|ex|env|av",
    "it": r"sig|sigg|dott|ecc|es|ca",
    "pt": r"sr|sra|dra|ex|aprox",
    "nl": r"dhr|mevr|bijv|enz|ca|drs",
    "pl": r"np|itd|itp|tzn|tzw|ok|im|in",
    "ru": r"т\.?\s?[едп]|др|напр|ул|им|г",
    "tr": r"vb|örn|sn|vd",
}
# These shorten only a word before a number: "no. 5", and "The answer is no. How urgent is it?"
_BEFORE_NUMBERS = re.compile(r"\b(?:no|nr|nro|núm|num|art|pos|pp|vol|fig|abs|стр|№)\.\Z", re.IGNORECASE)
_CLOSED = re.compile(rf"[.!…։۔।॥][{_CLOSERS}]*\Z")
# Languages that mark a question at its end, so that what ends in a full stop asks only where it is a request.
_MARKED = frozenset({"en", "de", "es", "fr", "it", "pt", "nl", "pl", "ru"})
_ASKING_WORDS = {
    "el": re.compile(r"[;\u037e]"),
    "hy": re.compile("՞"),
    "th": re.compile("ไหม|มั้ย|หรือไม่|หรือเปล่า|หรือยัง|อะไร|แค่ไหน|เท่าไร|เท่าไหร่|ที่ไหน|เมื่อไร|เมื่อไหร่|ใคร|อย่างไร|ยังไง"),
}


@dataclass(frozen=True, kw_only=True)
class Sentences:
    """How the sentences of one language are told apart."""

    ends: re.Pattern[str]
    abbreviation: re.Pattern[str]
    language: str

    def shortened(self, text: str, start: int, end: int) -> bool:
        """Whether what stands before an end is an abbreviation, so that no sentence ends there."""
        return self.abbreviation.search(text, start, end) is not None

    def before_number(self, text: str, start: int, end: int) -> bool:
        """Whether it is one that counts as such only where a number follows."""
        return _BEFORE_NUMBERS.search(text, start, end) is not None

    def asks(self, sentence: str) -> bool:
        """Whether a sentence asks: by its mark, by the words of the language, or as a request."""
        words = _ASKING_WORDS.get(self.language)
        if words is not None and words.search(sentence):
            return True
        stated = self.language in _MARKED and _CLOSED.search(sentence.rstrip()) is not None
        return reads_as_question(sentence, language=self.language, openers=not stated)


@cache
def sentences(language: str) -> Sentences:
    """How the sentences of a language are told apart; of one that is not known, by the marks of all scripts."""
    words = "|".join(filter(None, (_ABBREVIATIONS[""], _ABBREVIATIONS.get(language) if language else None)))
    return Sentences(
        ends=re.compile(_OWN_ENDS.get(language, _ENDS)),
        abbreviation=re.compile(rf"(?:\b(?:{words})|\b[a-z])\.\Z", re.IGNORECASE),
        language=language,
    )


def closing_marks() -> str:
    """The characters that may belong to an end that is not whole yet."""
    return _CLOSING


def without_addresses(sentence: str) -> str:
    """A sentence without the web addresses in it: their marks ask nothing and their words name nothing."""
    return _ADDRESS.sub(" ", sentence)
