"""Splits text into words the way every reader and vocabulary of this package does.

The rule is language-neutral: a word is a run of Unicode letters, marks and numbers (`re`'s word class cuts
Hindi at its vowel signs, so it is not used); an apostrophe inside a run belongs to it. Text is compared after
NFKC, case folding, removal of zero-width and bidirectional marks and of emoji modifiers. Characters that are
unassigned, private or half of a pair are words of their own that no vocabulary knows.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

Casing = Literal["plain", "turkic"]
BREAK = ","
STOP = "."
QUESTION = "?"
MARKS = frozenset({BREAK, STOP, QUESTION})
_SPACE = " "

# An escape that was stored as two characters ("yes\\r") is the white space that it stood for.
_ESCAPE = re.compile(r"\\[rnt](?![^\W_])")
_CHUNK = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+|[\x00-\x7f]+(?![^\x00-\x7f])|[\x00-\x7f]")
# A point or comma between two digits belongs to the number.
_TOKEN = re.compile(r"(?:[0-9][.,](?=[0-9])|[^ .,?])+|[.,?]")
_JOINING_HYPHEN = re.compile(r"(?<=[^ .,?-])-(?=[^ .,?-])")
_RUN_OF_THREE = re.compile(r"(.)\1{2,}")
_APOSTROPHES = "'\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4`\uff07"
_HYPHENS = "-\u2010\u2011"
_TURKIC = str.maketrans({"I": "\u0131", "\u0130": "i"})
_QUESTIONS = "?\u061f\u00bf\u2753\u2754\u037e\u055e\u1367\u203d\ua60f\u2e2e"
_STOPS = ".!;\u2026\u3002\uff01\uff0e\uff1b\u0964\u0965\u061b\u06d4\n\r\x0b\x0c\x85\u2028\u2029"
_SYMBOLS = frozenset("/\\*+<>=~^|&@#$%_{}[]")
# A point beside a slash is part of a path; a hyphen at the start of a word is a minus or an option.
_PATH_POINTS = re.compile(r"\.+(?=[/\\])|(?<=[/\\])\.+")
_LEADING_NOT = re.compile(r"(?<!\S)!(?=[^\s!.,?])")
_MINUS, _NOT = "\x7f", "~"  # as they stand in a norm; what a person typed is cut out of the text as given
_LEADING_HYPHEN = re.compile(r"(?<![^ .,?])-(?=[^ .,?-])")
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_LAST_OF_BMP = 0xFFFF


@dataclass(frozen=True, slots=True)
class Words:
    """The words, symbols, question marks and breaks of a text: how each is compared, and where it stands.

    The three lists run in step; `starts` and `ends` are places in the text as it was given.
    """

    norms: list[str]
    starts: list[int]
    ends: list[int]


class _CharTable(dict[int, str]):
    """Maps a character to what it is for the splitter: itself, a space, a break or a question mark."""

    def __missing__(self, code: int) -> str:
        kind = _kind_of(chr(code))
        self[code] = kind
        return kind


def _kind_of(char: str) -> str:
    if char in _APOSTROPHES:
        return "'"
    if char in _HYPHENS:
        return "-"
    if char in _QUESTIONS:
        return QUESTION
    if ord(char) in _SKIN_TONES or "\ufe00" <= char <= "\ufe0f":
        return _SPACE
    return _kind_of_category(char, unicodedata.category(char))


def _kind_of_category(char: str, category: str) -> str:
    if char in _STOPS:
        return STOP
    if category[0] == "Z" or category == "Cc":
        return _SPACE
    # "/srv/a/*" is not "/srv/a", nor "C++" "C": such a symbol belongs to what it stands at.
    if char in _SYMBOLS:
        return char
    # Punctuation beyond the first plane differs between the Unicode tables of Python 3.11 and 3.13.
    if category[0] == "P" and ord(char) <= _LAST_OF_BMP:
        return BREAK
    if char.isascii() and category[0] == "S":
        return BREAK
    return char


_TABLE = _CharTable()


# Vowel signs and the stretching letter: written or not, the Arabic word is the same.
_ARABIC_MARKS = frozenset(map(chr, (0x0640, *range(0x064B, 0x0653), 0x0670)))


def names(unit: str) -> bool:
    """Return whether a unit is made of letters and their marks alone; `str.isalpha` is false of most Hindi words."""
    return unit.isalpha() or (bool(unit) and all(unicodedata.category(c)[0] in "LM" for c in unit))


def fold(text: str, *, casing: Casing = "plain") -> str:
    """Return the form in which two texts are compared: NFKC, case folded, format characters removed."""
    if text.isascii() and casing == "plain":
        return text.lower()
    if casing == "turkic":
        text = text.translate(_TURKIC)
    # The spacing accents would decompose into a space and a mark: they are typed as apostrophes.
    text = text.replace("\u00b4", "'").replace("\u2018", "'").replace("\u2019", "'")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(c for c in folded if unicodedata.category(c) != "Cf" and c not in _ARABIC_MARKS)


def split(text: str, *, casing: Casing = "plain") -> Words:
    """Return the words, symbols, question marks and breaks of a text, in order.

    A break is punctuation that ends a phrase; a hyphen between two words only separates them. Where one character
    unfolds into several, each of them stands where the whole character stands. Takes time linear in the length.
    """
    if "\\" in text:
        text = _ESCAPE.sub("  ", text)
    found = Words([], [], [])
    if text.isascii() and casing == "plain":
        _split_plain(_plain(text.lower()), found)
        return found
    folded, places = _fold_with_places(text, casing)
    _split_plain(_plain(folded), found)
    found.starts[:] = [places[start] for start in found.starts]
    found.ends[:] = [places[end - 1] + 1 for end in found.ends]
    return found


def norms(text: str, *, casing: Casing = "plain") -> list[str]:
    """Return what `split` returns as norms, without the places."""
    if "\\" in text or not text.isascii() or casing != "plain":
        return split(text, casing=casing).norms
    found: list[str] = _TOKEN.findall(_plain(text.lower()))
    if "'" in text:
        return [bare for token in found if (bare := token.strip("'"))]
    return found


def _plain(folded: str) -> str:
    """Return a folded text of the same length in which only words, spaces, stops, breaks and questions are left."""
    if "!" in folded:
        folded = _LEADING_NOT.sub(_NOT, folded)
    plain = folded.translate(_TABLE)
    if "-" in plain:
        plain = _LEADING_HYPHEN.sub(_MINUS, _JOINING_HYPHEN.sub(" ", plain)).replace("-", BREAK)
    if "/" in plain or "\\" in plain:
        plain = _PATH_POINTS.sub(lambda match: "/" * len(match.group()), plain)
    return plain


def _fold_with_places(text: str, casing: Casing) -> tuple[str, list[int]]:
    """Fold chunk by chunk, so that each folded character knows where it came from."""
    parts: list[str] = []
    places: list[int] = []
    for match in _CHUNK.finditer(text):
        start, end = match.span()
        part = fold(match.group(), casing=casing)
        parts.append(part)
        if len(part) == end - start:
            places.extend(range(start, end))
        else:
            places.extend(min(start + at, end - 1) for at in range(len(part)))
    return "".join(parts), places


def _split_plain(plain: str, found: Words) -> None:
    for match in _TOKEN.finditer(plain):
        token = match.group()
        if token.isascii():
            _append(found, token, match.start())
        else:
            _append_pieces(found, token, match.start())


def _append(found: Words, token: str, start: int) -> None:
    if token[0] == "'" or token[-1] == "'":
        bare = token.strip("'")
        if not bare:
            return
        start += token.index(bare)
        token = bare
    found.norms.append(token)
    found.starts.append(start)
    found.ends.append(start + len(token))


def _append_pieces(found: Words, token: str, start: int) -> None:
    """Cut a run that holds characters beyond ASCII into words and single symbols."""
    begin = 0
    for at, char in enumerate(token):
        if char == "'" or unicodedata.category(char)[0] in "LMN":
            continue
        if at > begin:
            _append(found, token[begin:at], start + begin)
        _append(found, char, start + at)
        begin = at + 1
    if begin < len(token):
        _append(found, token[begin:], start + begin)


def is_drawn_out(text: str) -> bool:
    """Whether a letter stands three times in a row somewhere ("yesss")."""
    return _RUN_OF_THREE.search(text) is not None


def shorten(word: str) -> tuple[str, str]:
    """Return the shorter spellings to try for a drawn-out word ("yesss"): two of the letter, then one."""
    return (_RUN_OF_THREE.sub(r"\1\1", word), _RUN_OF_THREE.sub(r"\1", word))


def has_digit(word: str) -> bool:
    """Whether a word holds a number character of any script."""
    if word.isascii():
        return any(char.isdigit() for char in word)
    return any(unicodedata.category(char)[0] == "N" for char in word)
