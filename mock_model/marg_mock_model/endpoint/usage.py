"""Usage figures: characters over four, rounded up, which no tokeniser stands behind."""

from __future__ import annotations

from marg_mock_model.answer import Answer
from marg_mock_model.endpoint.json_text import json_text
from marg_mock_model.endpoint.wire import Usage
from marg_runtime.conversation import AssistantMessage, FactsMessage, Message, ModelCall, ModelRequest

CHARACTERS_PER_TOKEN = 4


def usage_of(request: ModelRequest, answer: Answer, text: str) -> Usage:
    """The usage of an answer whose text is `text`: the machine's own figures, or counted."""
    told = answer.transition.usage
    if told is not None:
        return Usage(input=told.input, output=told.output)
    read = len(request.system) + sum(_length(message) for message in request.messages)
    return Usage(input=_tokens(read), output=_tokens(len(text) + _calls_length(answer.calls)))


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def _length(message: Message) -> int:
    if isinstance(message, FactsMessage):
        return sum(map(len, message.facts))
    return len(message.text) + (_calls_length(message.calls) if isinstance(message, AssistantMessage) else 0)


def _calls_length(calls: tuple[ModelCall, ...]) -> int:
    return sum(len(call.name) + len(json_text(call.arguments)) for call in calls)
