"""What the model is shown that it has not answered yet: the newest input of a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from marg_mock_model.hint import show
from marg_runtime.conversation import AssistantMessage, FactsMessage, ModelRequest, ResultMessage, UserMessage

InputKind = Literal["user", "facts", "results"]


@dataclass(frozen=True, kw_only=True, slots=True)
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
    users: list[str] = []
    facts: list[str] = []
    told: list[str] = []
    results: list[ResultMessage] = []
    last: InputKind | None = None
    call, turn, last_user = 1, 0, None
    # One pass over the whole history: an endpoint does this for every request.
    for place, message in enumerate(request.messages):
        is_new = place >= answered
        if isinstance(message, UserMessage):
            turn, call, last_user = turn + 1, 1, message.text
            if is_new:
                users.append(message.text)
                last = "user"
        elif isinstance(message, AssistantMessage):
            call += 1
            users, facts, results, last = [], [], [], None
        elif isinstance(message, FactsMessage):
            told += message.facts
            if is_new:
                facts += message.facts
                last = "facts"
        elif is_new:
            results.append(message)
            last = "results"
    return Situation(
        users=tuple(users),
        facts=tuple(facts),
        results=tuple(results),
        last=last,
        call=call,
        turn=turn,
        last_user=last_user,
        told=tuple(told),
    )


def answered_by(request: ModelRequest, answered: ModelRequest | None) -> int:
    """How many of a request's messages were in the one answered last; none where it does not continue that one.

    A request sent again is not answered.
    """
    before = answered.messages if answered is not None else ()
    goes_on = len(before) < len(request.messages) and request.messages[: len(before)] == before
    return len(before) if goes_on else 0
