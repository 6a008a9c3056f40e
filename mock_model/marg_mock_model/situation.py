"""What the model is shown that it has not answered yet: the newest input of a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from marg_mock_model.complaint import show
from marg_runtime.conversation import AssistantMessage, FactsMessage, Message, ModelRequest, ResultMessage, UserMessage

InputKind = Literal["user", "facts", "results"]

_KINDS: dict[type, InputKind] = {UserMessage: "user", FactsMessage: "facts", ResultMessage: "results"}


@dataclass(frozen=True, kw_only=True)
class Situation:
    """The newest input: the messages that the model has not answered, each kind in order.

    `last` is the kind of the request's last message (None where that is the model's own, or there is none); `call` is
    the number, from 1, of this model call since the user last spoke. Of the whole conversation: `turn` counts the
    user's messages, `last_user` is the newest of them (None before the first), and `told` are all facts so far.
    """

    users: tuple[str, ...]
    facts: tuple[str, ...]
    results: tuple[ResultMessage, ...]
    last: InputKind | None
    call: int
    turn: int
    last_user: str | None
    told: tuple[str, ...]

    def __str__(self) -> str:
        parts = [f"the user said {text!r}" for text in self.users]
        parts += [f"the runtime told {fact!r}" for fact in self.facts]
        parts += [f"{r.name} {'refused with' if r.is_error else 'gave'} {show(r.text)}" for r in self.results]
        return f"{'; '.join(parts) or 'nothing new'} (call {self.call} of the turn)"


def situation_of(request: ModelRequest, *, answered: int = 0) -> Situation:
    """The newest input of a request: what follows the model's last message, and the messages answered before.

    The latter because an answer that showed nothing leaves no message behind.
    """
    newest = _after_last(request.messages[answered:], AssistantMessage)
    since_user = _after_last(request.messages, UserMessage)
    users = [m.text for m in request.messages if isinstance(m, UserMessage)]
    return Situation(
        users=tuple(m.text for m in newest if isinstance(m, UserMessage)),
        facts=tuple(fact for m in newest if isinstance(m, FactsMessage) for fact in m.facts),
        results=tuple(m for m in newest if isinstance(m, ResultMessage)),
        last=_KINDS[type(newest[-1])] if newest else None,
        call=1 + sum(isinstance(m, AssistantMessage) for m in since_user),
        turn=len(users),
        last_user=users[-1] if users else None,
        told=tuple(fact for m in request.messages if isinstance(m, FactsMessage) for fact in m.facts),
    )


def answered_by(request: ModelRequest, answered: ModelRequest | None) -> int:
    """How many of a request's messages were in the one answered last; none where it does not continue that one.

    A request sent again is not answered.
    """
    before = answered.messages if answered is not None else ()
    goes_on = len(before) < len(request.messages) and request.messages[: len(before)] == before
    return len(before) if goes_on else 0


def _after_last(messages: tuple[Message, ...], kind: type) -> tuple[Message, ...]:
    last = max((n for n, message in enumerate(messages) if isinstance(message, kind)), default=-1)
    return messages[last + 1 :]
