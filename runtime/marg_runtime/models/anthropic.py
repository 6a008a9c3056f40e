"""Anthropic's models. Needs the extra `models`."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from marg_runtime.conversation import ModelRequest
from marg_runtime.errors import UsageError
from marg_runtime.model import Delta
from marg_runtime.models.api import EventStream
from marg_runtime.models.base_url import host_of
from marg_runtime.models.caller import Caller
from marg_runtime.models.client_per_loop import ClientPerLoop
from marg_runtime.models.http_options import http_options
from marg_runtime.models.messages_reply import MessagesReply
from marg_runtime.models.messages_request import messages_body
from marg_runtime.models.redaction import redaction_of
from marg_runtime.models.reply import Reply
from marg_runtime.models.retry import Pace, Retries, Timeout
from marg_runtime.models.whole_reply import STREAM_MEDIA, WHOLE_MEDIA, WholeReply, messages_events
from marg_runtime.models.wire_tools import names_of
from marg_runtime.wire import WireSink, ignore_wire

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from anthropic import AsyncAnthropic

KEY_VARIABLE = "ANTHROPIC_API_KEY"
TOKEN_VARIABLE = "ANTHROPIC_AUTH_TOKEN"
URL_VARIABLE = "ANTHROPIC_BASE_URL"
HOST = "api.anthropic.com"
MAX_TOKENS = 4096


class AnthropicModel:
    """A model behind Anthropic's Messages, by the official SDK, streamed.

    max_tokens: the longest reply, which this API has to be told. base_url: without `/v1`; None takes
    `ANTHROPIC_BASE_URL`, or Anthropic's own. api_key: None takes `ANTHROPIC_API_KEY`, or else `ANTHROPIC_AUTH_TOKEN`; a
    server that wants none takes any text. extra_body: fields added to every request, over ours; what a model thinks is
    not kept, so a model that has to be sent its thoughts again with the results of its calls cannot be used. headers:
    sent with every request. stream: False asks for each reply in one piece. wire: told what goes over the wire.

    The model can be used in several event loops, one after the other. Leave it with `aclose`, or use it as an async
    context manager. Raises `UsageError` where the SDK or the key is missing.
    """

    def __init__(
        self,
        model: str,
        *,
        max_tokens: int = MAX_TOKENS,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: Timeout | None = None,
        retries: Retries | None = None,
        extra_body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        stream: bool = True,
        wire: WireSink = ignore_wire,
        pace: Pace | None = None,
    ) -> None:
        if max_tokens < 1:
            raise UsageError(f"max_tokens is a number from 1, not {max_tokens!r}")
        key = api_key or os.environ.get(KEY_VARIABLE) or os.environ.get(TOKEN_VARIABLE)
        if not key:
            raise UsageError(
                f"no key for the model {model!r}: set {KEY_VARIABLE}, or give api_key (any text for a server without)"
            )
        url = base_url or os.environ.get(URL_VARIABLE)
        peer = host_of(url, default=HOST)
        limits = timeout or Timeout()
        self.model = model
        self._client = _clients(key, url=url, headers=headers, timeout=limits)
        options = {"model": model, "max_tokens": max_tokens, **(extra_body or {})}
        self._caller = Caller(
            api=_Messages(self._client, peer=peer, options=options, stream=stream),
            timeout=limits,
            retries=retries or Retries(),
            pace=pace or Pace(),
            wire=wire,
            redaction=redaction_of(
                key=key, url=url, headers=headers, options=extra_body, environ=os.environ, provider="ANTHROPIC"
            ),
        )

    def __repr__(self) -> str:
        return f"AnthropicModel({self.model!r}, {self._caller.api.what!r} at {self._caller.api.peer!r})"

    def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The reply, piece by piece; raises `ModelError` where it breaks."""
        return self._caller.stream(request)

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        """The model itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the connections."""
        await self.aclose()


class _Messages:
    """Messages."""

    what = "POST /v1/messages"

    def __init__(
        self, client: ClientPerLoop[AsyncAnthropic], *, peer: str, options: Mapping[str, Any], stream: bool
    ) -> None:
        self.peer = peer
        self.media = STREAM_MEDIA if stream else WHOLE_MEDIA
        self._streamed = stream
        self._client = client
        self._options = options

    def body(self, request: ModelRequest) -> dict[str, Any]:
        return {**messages_body(request), **self._options, "stream": self._streamed}

    def reply(self, request: ModelRequest) -> Reply:
        return MessagesReply(names_of(request))

    async def open(self, body: Mapping[str, Any]) -> EventStream:
        # `extra_body` takes what the SDK has no parameter for, and goes over the parameters; so all goes there. The SDK
        # would go through a history message by message, only to find that it is plain JSON.
        messages = self._client.here().messages
        if not self._streamed:
            raw = await messages.with_raw_response.create(
                model=body["model"], max_tokens=1, messages=[], extra_body=dict(body)
            )
            return WholeReply(raw.http_response, messages_events)
        stream: EventStream = await messages.create(
            stream=True, model=body["model"], max_tokens=1, messages=[], extra_body=dict(body)
        )
        return stream


def _clients(
    key: str, *, url: str | None, headers: Mapping[str, str] | None, timeout: Timeout
) -> ClientPerLoop[AsyncAnthropic]:
    try:
        # The SDK puts off most of its imports to the first call, where they would count as time of the wire's.
        import anthropic.resources.messages

        options = http_options(timeout)
    except ImportError as error:
        raise UsageError("a model of Anthropic's needs the extra 'models': pip install 'marg[models]'") from error

    def make() -> AsyncAnthropic:
        return anthropic.AsyncAnthropic(
            api_key=key,
            base_url=url,
            default_headers=headers,
            timeout=options["timeout"],
            max_retries=0,  # the retries are ours, so that each attempt is recorded
            http_client=anthropic.DefaultAsyncHttpxClient(**options),
        )

    return ClientPerLoop(make)
