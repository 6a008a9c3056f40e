"""The conversations of an endpoint: where each stands, found by its own history.

A machine is deterministic, so a place follows from a history: what has been answered before is looked up, and a history
that is new here (the endpoint was started again) is walked from its beginning. Two conversations that start alike
share the places of their common beginning, and no other. A request sent again gets the same answer again.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TypeVar

from marg_mock_model.answer import Answer, Place, answer_to
from marg_mock_model.endpoint.json_text import json_text
from marg_mock_model.errors import BadRequest
from marg_mock_model.machine import Machine
from marg_mock_model.slip import Draw
from marg_runtime.conversation import AssistantMessage, FactsMessage, Message, ModelRequest, ResultMessage

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")

MOST_KEPT = 20_000
"""How many places, and how many stored replies, are kept; the oldest go first."""

DIGEST_BYTES = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """An answer in its conversation; `id` is the digest of the conversation's name and of the history answered."""

    id: str
    answer: Answer


@dataclass(frozen=True, kw_only=True, slots=True)
class _Known:
    """The place after an answer, and whether the answer left nothing that a client could send back."""

    place: Place
    was_empty: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Stand:
    """Where a conversation stands before its newest messages, and how many messages were answered."""

    place: Place
    answered: int


class Conversations:
    """All conversations with one machine; its slips are drawn with the seed and the conversation's name."""

    def __init__(self, machine: Machine, *, seed: int = 0) -> None:
        self.machine = machine
        self._unnamed = Draw(seed=seed)
        self._known: OrderedDict[bytes, _Known] = OrderedDict()
        self._stored: OrderedDict[str, tuple[Message, ...]] = OrderedDict()

    def answer(self, request: ModelRequest, *, name: str = "") -> Turn:
        """The machine's answer; `name` is the conversation's, where the client gave it one.

        Raises UndeclaredSituation, also for a situation further back in a history that was not met here.
        """
        digests = history_digests(request.messages, name)
        draw = replace(self._unnamed, scenario=name) if name else self._unnamed
        stand = self._stand(request, digests, draw)
        answer = answer_to(request, machine=self.machine, place=stand.place, answered=stand.answered, draw=draw)
        _keep(self._known, digests[-1], _Known(place=answer.place, was_empty=not (answer.text or answer.calls)))
        return Turn(id=digests[-1].hex(), answer=answer)

    def store(self, response: str, messages: tuple[Message, ...]) -> None:
        """Keep the messages up to and with a reply, for a client that goes on from its id."""
        _keep(self._stored, response, messages)

    def history(self, response: str) -> tuple[Message, ...]:
        """The messages up to and with a stored reply; raises BadRequest for an id that is not stored."""
        messages = self._stored.get(response)
        if messages is None:
            raise BadRequest(
                f"Previous response with id '{response}' not found.",
                param="previous_response_id",
                code="previous_response_not_found",
            )
        return messages

    def _stand(self, request: ModelRequest, digests: list[bytes], draw: Draw) -> _Stand:
        """Where the conversation stands before its newest messages, and how many messages were answered."""
        messages = request.messages
        place, answered = Place(state=self.machine.start), 0
        for length in range(len(messages) - 1, -1, -1):
            known = self._known.get(digests[length])
            # With no reply of ours in between it is the same conversation only where the reply was empty, or the
            # client says so: another client may have sent both messages at once.
            if known and (isinstance(messages[length], AssistantMessage) or known.was_empty or draw.scenario):
                place, answered = known.place, length
                break
        for length in range(answered + 1, len(messages)):
            if isinstance(messages[length], AssistantMessage) and not isinstance(
                messages[length - 1], AssistantMessage
            ):
                earlier = replace(request, messages=messages[:length])
                place = answer_to(earlier, machine=self.machine, place=place, answered=answered, draw=draw).place
                answered = length
        return _Stand(place=place, answered=answered)


def _keep(kept: OrderedDict[KeyT, ValueT], key: KeyT, value: ValueT) -> None:
    kept[key] = value
    if len(kept) > MOST_KEPT:
        kept.popitem(last=False)


def history_digests(messages: tuple[Message, ...], name: str) -> list[bytes]:
    """The digest of every beginning of a history, the empty one first."""
    digests = [blake2b(name.encode("utf-8", "replace"), digest_size=DIGEST_BYTES).digest()]
    for message in messages:
        data = digests[-1] + _bytes(message)
        digests.append(blake2b(data, digest_size=DIGEST_BYTES).digest())
    return digests


def _bytes(message: Message) -> bytes:
    """A message as bytes, one for one."""
    if isinstance(message, FactsMessage):
        parts = ["facts", *message.facts]
    elif isinstance(message, AssistantMessage):
        parts = ["assistant", message.text]
        for call in message.calls:
            parts += [call.id, call.name, json_text(call.arguments)]
    elif isinstance(message, ResultMessage):
        parts = ["result", message.call, message.text, str(message.is_error)]
    else:
        parts = ["user", message.text]
    # Every part is led by its length, so that no two lists of parts are the same bytes.
    return "".join(f"{len(part)}:{part}" for part in parts).encode("utf-8", "surrogatepass")
