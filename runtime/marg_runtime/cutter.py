"""The question cutter: removes a sentence of the model's that asks what the runtime owns, and never shows half of one.

A pure incremental fold: the shell feeds it the pieces as they come and shows what it lets through.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from marg_runtime.reading import asks

# A full stop ends a sentence only before white space (so "3.5" and "a.b" do not); the marks of scripts that write
# no spaces always do; a line break does.
_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)|[。！？]+[”’」』)\]]*|\n")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|mr|mrs|ms|dr|st)|\b[a-z])\.$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Owned:
    """What a step asks: a sentence that asks and matches is the runtime's to ask."""

    step: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, kw_only=True)
class Cut:
    """A sentence that was removed, and the step that owns its question."""

    step: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Cutter:
    """The fold's state.

    held: text of a sentence that has not ended, of which `scanned` characters were searched for an end.
    gap: white space not yet shown. after_cut: the last sentence was cut.
    """

    owned: tuple[Owned, ...]
    language: str
    held: str = ""
    scanned: int = 0
    gap: str = ""
    after_cut: bool = False


@dataclass(frozen=True, kw_only=True)
class Fed:
    """What a piece brought: the cutter from here on, the text to show now, the sentences cut."""

    cutter: Cutter
    shown: str
    cuts: tuple[Cut, ...]


def feed(cutter: Cutter, piece: str) -> Fed:
    """The cutter after one more piece of text."""
    held = cutter.held + piece
    start, shown, cuts = 0, "", list[Cut]()
    # An end needs the character behind it, so the last few characters are looked at again with the next piece.
    for end in _END.finditer(held, max(0, cutter.scanned - 8)):
        if end.end() <= start or _ABBREVIATION.search(held, start, end.end()):
            continue
        judged = _judge(cutter, held[start : end.end()])
        cutter, shown, start = judged.cutter, shown + judged.shown, end.end()
        cuts.extend(judged.cuts)
    rest = held[start:]
    return Fed(cutter=replace(cutter, held=rest, scanned=len(rest)), shown=shown, cuts=tuple(cuts))


def finish(cutter: Cutter) -> Fed:
    """The cutter at the end of the text: what is held is the last sentence."""
    judged = _judge(cutter, cutter.held)
    return Fed(cutter=replace(judged.cutter, held="", scanned=0, gap=""), shown=judged.shown, cuts=judged.cuts)


def _judge(cutter: Cutter, sentence: str) -> Fed:
    body = sentence.strip()
    before = sentence[: len(sentence) - len(sentence.lstrip())]
    after = sentence[len(sentence.rstrip()) :]
    if not body:
        return Fed(cutter=replace(cutter, gap=cutter.gap + sentence), shown="", cuts=())
    # White space on both sides of a cut sentence would stand doubled: of the two, the first stays.
    gap = (cutter.gap or before) if cutter.after_cut else cutter.gap + before
    owner = _owner(cutter, body)
    if owner is not None:
        following = replace(cutter, gap=gap or after, after_cut=True)
        return Fed(cutter=following, shown="", cuts=(Cut(step=owner, sentence=body),))
    return Fed(cutter=replace(cutter, gap=after, after_cut=False), shown=gap + body, cuts=())


def _owner(cutter: Cutter, sentence: str) -> str | None:
    """The step whose question a sentence asks, or None: a statement about the same thing is nobody's question."""
    matched = next((owned.step for owned in cutter.owned if owned.pattern.search(sentence)), None)
    return matched if matched is not None and asks(sentence, language=cutter.language) else None
