"""What the model is sent: the skill text, the messages so far, the tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
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


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One request to the model."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]

    @cached_property
    def digest(self) -> str:
        """The digest of system text, messages and tools: equal digests are equal requests."""
        messages = [{"role": type(message).__name__, **asdict(message)} for message in self.messages]
        tools = [tool.spec_digest for tool in self.tools]
        return digest_of({"system": self.system, "messages": messages, "tools": tools})
