"""The cutter: removes a sentence of the model's, and never shows half of one.

It cuts what asks for something that the runtime owns (rule S4), and what claims of the record that the ledger does not
bear out (rule S3).

A pure incremental fold: the shell feeds it the pieces as they come and shows what it lets through.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from marg_runtime.claims import Claims
from marg_runtime.sentences import closing_marks, sentences, without_addresses
from marg_runtime.steps.confirm import CONFIRM_KEY

CutReason = Literal["question", "created", "not_created"]


@dataclass(frozen=True, kw_only=True)
class Owned:
    """What a step asks: a sentence that asks and matches is the runtime's to ask."""

    step: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, kw_only=True)
class Cut:
    """A sentence that was removed, why, and the step that it was about: the owner of its question, or for a claim that
    the record was created, or was not, the confirmation."""

    step: str
    sentence: str
    because: CutReason = "question"


@dataclass(frozen=True, kw_only=True)
class Cutter:
    """The fold's state.

    claims: what claims of success are checked against, where they are.
    held: text of a sentence that has not ended, of which `scanned` characters were searched for an end.
    gap: white space behind the last words shown, cut_gap: behind the last cut since then. after_cut: there was one.
    """

    owned: tuple[Owned, ...]
    language: str
    claims: Claims | None = None
    held: str = ""
    scanned: int = 0
    gap: str = ""
    cut_gap: str = ""
    after_cut: bool = False
    has_shown: bool = False


@dataclass(frozen=True, kw_only=True)
class Fed:
    """What a piece brought: the cutter from here on, the text to show now, the sentences cut."""

    cutter: Cutter
    shown: str
    cuts: tuple[Cut, ...]


def feed(cutter: Cutter, piece: str) -> Fed:
    """The cutter after one more piece of text."""
    held, language = cutter.held + piece, sentences(cutter.language)
    start, scanned, shown, cuts = 0, len(held.rstrip(closing_marks())), "", list[Cut]()
    for end in language.ends.finditer(held, cutter.scanned):
        if end.end() <= start or language.shortened(held, start, end.end()):
            continue
        if end.end() == len(held) and not end.group().endswith("\n"):
            # More of the end may follow: a mark more, or the quotation mark that closes.
            scanned = min(scanned, end.start())
            break
        if language.before_number(held, start, end.end()):
            following = held[end.end() :].lstrip()
            if not following:
                # Whether a number follows is not known yet, so this end is looked at again.
                scanned = min(scanned, end.start())
                break
            if following[0].isdigit():
                continue
        judged = _judge(cutter, held[start : end.end()])
        cutter, shown, start = judged.cutter, shown + judged.shown, end.end()
        cuts.extend(judged.cuts)
    # An end needs the character behind it, so marks at the very end are looked at again with the next piece.
    waiting = replace(cutter, held=held[start:], scanned=max(scanned - start, 0))
    return Fed(cutter=waiting, shown=shown, cuts=tuple(cuts))


def finish(cutter: Cutter) -> Fed:
    """The cutter at the end of the text: what is held is the last sentence."""
    judged = _judge(cutter, cutter.held)
    return Fed(cutter=replace(judged.cutter, held="", scanned=0), shown=judged.shown, cuts=judged.cuts)


def _judge(cutter: Cutter, sentence: str) -> Fed:
    body = sentence.strip()
    before = sentence[: len(sentence) - len(sentence.lstrip())]
    after = sentence[len(sentence.rstrip()) :]
    cutter = _space(cutter, before)
    if not body:
        return Fed(cutter=cutter, shown="", cuts=())
    cut = _cut(cutter, body)
    if cut is not None:
        following = _space(replace(cutter, after_cut=True, cut_gap=""), after)
        return Fed(cutter=following, shown="", cuts=(cut,))
    following = replace(cutter, gap=after, cut_gap="", after_cut=False, has_shown=True)
    return Fed(cutter=following, shown=_lead(cutter) + body, cuts=())


def _space(cutter: Cutter, space: str) -> Cutter:
    """The cutter with white space more, before the first cut since the last words or behind the last one."""
    if cutter.after_cut:
        return replace(cutter, cut_gap=cutter.cut_gap + space)
    return replace(cutter, gap=cutter.gap + space)


def _lead(cutter: Cutter) -> str:
    """The white space in front of the next words: of what stood around a cut sentence, the part before it stays."""
    if not cutter.after_cut or cutter.gap:
        return cutter.gap
    return cutter.cut_gap if cutter.has_shown else ""


def _cut(cutter: Cutter, sentence: str) -> Cut | None:
    owner = _owner(cutter, sentence)
    if owner is not None:
        return Cut(step=owner, sentence=sentence)
    claim = cutter.claims.false_claim(sentence) if cutter.claims else None
    return Cut(step=CONFIRM_KEY, sentence=sentence, because=claim) if claim else None


def _owner(cutter: Cutter, sentence: str) -> str | None:
    """The step whose question a sentence asks, or None: a statement about the same thing is nobody's question."""
    sentence = without_addresses(sentence)
    matched = next((owned.step for owned in cutter.owned if owned.pattern.search(sentence)), None)
    return matched if matched is not None and sentences(cutter.language).asks(sentence) else None
