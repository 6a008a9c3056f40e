"""What the model is sent: the skill text, the messages so far, the tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeAlias

from marg_runtime.canonical import Json
from marg_runtime.canonical import digest as digest_of
from marg_runtime.tools.tool import ToolSpec


@dataclass(frozen=True, kw_only=True)
class ModelCall:
    """A tool call of the model's: the id it gave, the tool's name, the arguments as it wrote them."""

    id: str
    name: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True)
class UserMessage:
    """Words of the user that were left to the model."""

    text: str


@dataclass(frozen=True, kw_only=True)
class FactsMessage:
    """Facts of the runtime's: what was settled since the model was last called. Each is sent once."""

    facts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class AssistantMessage:
    """What the model said and the user was shown, with the calls it made."""

    text: str
    calls: tuple[ModelCall, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ResultMessage:
    """The one result of a call."""

    call: str
    name: str
    text: str
    is_error: bool = False


Message: TypeAlias = UserMessage | FactsMessage | AssistantMessage | ResultMessage


def chain(before: str, *messages: Message) -> str:
    """The digest of a conversation that goes on with these messages; `before` is that of what was said until then.

    An empty conversation has the empty text. So a turn pays for its own messages, however long the session is.
    """
    for message in messages:
        called = isinstance(message, AssistantMessage) and message.calls
        before = _link(before, message) if called else _link_of_texts(before, message)
    return before


def _link(before: str, message: Message) -> str:
    return digest_of([before, type(message).__name__, _fields(message)])


# A turn's words are chained when the request is made, and again when the fold takes the request in.
_link_of_texts = lru_cache(maxsize=64)(_link)


def _fields(message: Message) -> dict[str, Json]:
    if isinstance(message, AssistantMessage):
        return {"text": message.text, "calls": [dict(vars(call)) for call in message.calls]}
    return dict(vars(message))


@lru_cache(maxsize=64)
def _text_digest(text: str) -> str:
    return digest_of(text)


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One request to the model. `chained` is the `chain` of its messages, where the caller has it already."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    chained: str | None = field(default=None, compare=False, repr=False)

    @cached_property
    def digest(self) -> str:
        """The digest of system text, messages and tools: equal digests are equal requests."""
        messages = chain("", *self.messages) if self.chained is None else self.chained
        tools = [tool.spec_digest for tool in self.tools]
        return digest_of({"system": _text_digest(self.system), "messages": messages, "tools": tools})
