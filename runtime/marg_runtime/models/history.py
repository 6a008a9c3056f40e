"""A history as every API takes it: no blank message, one result for each call, right behind the reply that made it.

The ledger's own histories need little of this. A takeover can leave a call without its result, and a model can leave
one message behind another of the same side; an API answers 400 to the one, and some chat templates to the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from marg_runtime.canonical import well_formed
from marg_runtime.conversation import AssistantMessage, FactsMessage, Message, ModelCall, ResultMessage, UserMessage
from marg_runtime.model_facts import facts_text, words_text

BLANK = "(empty)"
NO_RESULT = "This call has no result."
STRAY = "A result of {name}, of a call that is not in this conversation: {text}"
OPENING = "(The conversation begins.)"
GO_ON = "(Go on.)"

_LEGAL_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")  # OpenAI's limit is 40 in Chat Completions; Anthropic's letters


@dataclass(frozen=True, kw_only=True)
class Part:
    """One text of the person's side: words of the user's, or facts of the runtime's."""

    kind: Literal["words", "facts"]
    text: str


@dataclass(frozen=True, kw_only=True)
class PersonTurn:
    """What was said to the model, in order; at least one part."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, kw_only=True)
class ModelTurn:
    """What the model said and called, and the result of each call, in the order of the calls."""

    text: str
    calls: tuple[ModelCall, ...]
    results: tuple[ResultMessage, ...]


Turn: TypeAlias = PersonTurn | ModelTurn


def turns_of(messages: Sequence[Message]) -> tuple[Turn, ...]:
    """The history in turns. A person's turn comes first and last, unless the last is the results of calls.

    Model turns follow one another only where the earlier one has calls; person's turns never do.
    """
    turns: list[Turn] = []
    for turn in _merged(_answered(messages)):
        if not turns and isinstance(turn, ModelTurn):
            turns.append(_person(OPENING))
        turns.append(turn)
    if not turns:
        return (_person(OPENING),)
    if isinstance(turns[-1], ModelTurn) and not turns[-1].calls:
        turns.append(_person(GO_ON))
    return tuple(turns)


def _person(text: str) -> PersonTurn:
    return PersonTurn(parts=(Part(kind="words", text=text),))


def _answered(messages: Sequence[Message]) -> Iterator[Turn]:
    """Each message as a turn of its own, results with the reply whose calls they answer."""
    matched = _matched(messages)
    ids = _Ids()
    for place, message in enumerate(messages):
        match message:
            case UserMessage():
                yield PersonTurn(parts=(Part(kind="words", text=words_text(_filled(message.text))),))
            case FactsMessage():
                facts = tuple(well_formed(fact) for fact in message.facts)
                if facts:
                    yield PersonTurn(parts=(Part(kind="facts", text=facts_text(facts)),))
            case AssistantMessage():
                turn = _model_turn(message, matched.results[place], ids)
                if turn is not None:
                    yield turn
            case ResultMessage() if place not in matched.taken:
                text = STRAY.replace("{name}", message.name).replace("{text}", message.text)
                yield _person(words_text(_filled(text)))


@dataclass(frozen=True, kw_only=True)
class _Matched:
    """The results of each reply's calls, by the reply's place, and the places of the results that were taken."""

    results: dict[int, list[ResultMessage | None]]
    taken: set[int]


def _matched(messages: Sequence[Message]) -> _Matched:
    """Each call with the first result of its id that comes behind it and is not taken."""
    matched = _Matched(results={}, taken=set())
    waiting: dict[str, list[tuple[int, int]]] = {}
    for place, message in enumerate(messages):
        if isinstance(message, AssistantMessage):
            matched.results[place] = [None] * len(message.calls)
            for number, call in enumerate(message.calls):
                waiting.setdefault(call.id, []).append((place, number))
        elif isinstance(message, ResultMessage) and waiting.get(message.call):
            reply, number = waiting[message.call].pop(0)
            matched.results[reply][number] = message
            matched.taken.add(place)
    return matched


def _model_turn(message: AssistantMessage, results: Sequence[ResultMessage | None], ids: _Ids) -> ModelTurn | None:
    text = well_formed(message.text)
    if not text.strip() and not message.calls:
        return None
    calls, answers = [], []
    for call, result in zip(message.calls, results, strict=True):
        known = replace(call, id=ids.fresh(call.id))
        calls.append(known)
        if result is None:
            answers.append(ResultMessage(call=known.id, name=call.name, text=NO_RESULT, is_error=True))
        else:
            answers.append(replace(result, call=known.id, text=_filled(result.text)))
    return ModelTurn(text=text if text.strip() else "", calls=tuple(calls), results=tuple(answers))


class _Ids:
    """The ids of calls on the wire: the runtime's own, unless one is taken or illegal."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def fresh(self, wanted: str) -> str:
        """An id that no call before it has."""
        number, fresh = 0, wanted
        while fresh in self._taken or not _LEGAL_ID.fullmatch(fresh):
            number += 1
            fresh = f"call-{len(self._taken) + number}"
        self._taken.add(fresh)
        return fresh


def _merged(turns: Iterator[Turn]) -> Iterator[Turn]:
    """Neighbours of one side as one turn, unless results stand between them."""
    last: Turn | None = None
    for turn in turns:
        if isinstance(last, PersonTurn) and isinstance(turn, PersonTurn):
            last = PersonTurn(parts=(*last.parts, *turn.parts))
        elif isinstance(last, ModelTurn) and isinstance(turn, ModelTurn) and not last.calls:
            text = "\n\n".join(part for part in (last.text, turn.text) if part)
            last = replace(turn, text=text)
        else:
            if last is not None:
                yield last
            last = turn
    if last is not None:
        yield last


def _filled(text: str) -> str:
    """A text that is not blank: Anthropic answers 400 to one that is."""
    text = well_formed(text)
    return text if text.strip() else BLANK
