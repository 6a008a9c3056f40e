"""OpenAI's models, and those of every server that speaks as OpenAI does. Needs the extra `models`."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from marg_runtime.conversation import ModelRequest
from marg_runtime.errors import UsageError
from marg_runtime.model import Delta
from marg_runtime.models.api import Api, EventStream
from marg_runtime.models.base_url import host_of
from marg_runtime.models.caller import Caller
from marg_runtime.models.chat_reply import ChatReply
from marg_runtime.models.chat_request import FactsRole, chat_body
from marg_runtime.models.client_per_loop import ClientPerLoop
from marg_runtime.models.http_options import http_options
from marg_runtime.models.redaction import redaction_of
from marg_runtime.models.reply import Reply
from marg_runtime.models.responses_reply import ResponsesReply
from marg_runtime.models.responses_request import responses_body
from marg_runtime.models.retry import Pace, Retries, Timeout
from marg_runtime.models.whole_reply import STREAM_MEDIA, WHOLE_MEDIA, WholeReply, chat_events, responses_events
from marg_runtime.models.wire_tools import names_of
from marg_runtime.wire import WireSink, ignore_wire

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from openai import AsyncOpenAI

OpenAIApi: TypeAlias = Literal["chat", "responses"]
KEY_VARIABLE = "OPENAI_API_KEY"
URL_VARIABLE = "OPENAI_BASE_URL"
HOST = "api.openai.com"


class OpenAIModel:
    """A model behind OpenAI's Chat Completions or Responses, by the official SDK, streamed.

    base_url: of any compatible server; None takes `OPENAI_BASE_URL`, or OpenAI's own. api_key: None takes
    `OPENAI_API_KEY`; a server that wants none takes any text. extra_body: fields added to every request, over ours
    (`{"temperature": 0}`). headers: sent with every request. facts_role: the role that facts are sent in; `user` suits
    every chat template. usage: whether Chat Completions are asked to count tokens, which some servers refuse.
    stream: False asks for each reply in one piece, of a server that cannot stream.
    wire: told what goes over the wire.

    The model can be used in several event loops, one after the other. Leave it with `aclose`, or use it as an async
    context manager. Raises `UsageError` where the SDK or the key is missing.
    """

    def __init__(
        self,
        model: str,
        *,
        api: OpenAIApi = "chat",
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: Timeout | None = None,
        retries: Retries | None = None,
        extra_body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        facts_role: FactsRole = "user",
        usage: bool = True,
        stream: bool = True,
        wire: WireSink = ignore_wire,
        pace: Pace | None = None,
    ) -> None:
        key = api_key or os.environ.get(KEY_VARIABLE)
        if not key:
            raise UsageError(
                f"no key for the model {model!r}: set {KEY_VARIABLE}, or give api_key (any text for a server without)"
            )
        url = base_url or os.environ.get(URL_VARIABLE)
        peer = host_of(url, default=HOST)
        limits = timeout or Timeout()
        self.model = model
        self._client = _clients(key, url=url, headers=headers, timeout=limits)
        options = {"model": model, **(extra_body or {})}
        spoken: Api = _Responses(self._client, peer=peer, options=options, facts_role=facts_role, stream=stream)
        if api == "chat":
            options = {**({"stream_options": {"include_usage": True}} if usage and stream else {}), **options}
            spoken = _Chat(self._client, peer=peer, options=options, facts_role=facts_role, stream=stream)
        self._caller = Caller(
            api=spoken,
            timeout=limits,
            retries=retries or Retries(),
            pace=pace or Pace(),
            wire=wire,
            redaction=redaction_of(
                key=key, url=url, headers=headers, options=extra_body, environ=os.environ, provider="OPENAI"
            ),
        )

    def __repr__(self) -> str:
        return f"OpenAIModel({self.model!r}, {self._caller.api.what!r} at {self._caller.api.peer!r})"

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


class _Chat:
    """Chat Completions."""

    what = "POST /chat/completions"

    def __init__(
        self,
        client: ClientPerLoop[AsyncOpenAI],
        *,
        peer: str,
        options: Mapping[str, Any],
        facts_role: FactsRole,
        stream: bool,
    ) -> None:
        self.peer = peer
        self.media = STREAM_MEDIA if stream else WHOLE_MEDIA
        self._streamed = stream
        self._client = client
        self._options = options
        self._facts_role = facts_role

    def body(self, request: ModelRequest) -> dict[str, Any]:
        return {**chat_body(request, facts_role=self._facts_role), **self._options, "stream": self._streamed}

    def reply(self, request: ModelRequest) -> Reply:
        return ChatReply(names_of(request))

    async def open(self, body: Mapping[str, Any]) -> EventStream:
        # `extra_body` takes what the SDK has no parameter for, and goes over the parameters; so all goes there. The SDK
        # would go through a history message by message, only to find that it is plain JSON.
        completions = self._client.here().chat.completions
        if not self._streamed:
            raw = await completions.with_raw_response.create(model=body["model"], messages=[], extra_body=dict(body))
            return WholeReply(raw.http_response, chat_events)
        stream: EventStream = await completions.create(
            stream=True, model=body["model"], messages=[], extra_body=dict(body)
        )
        return stream


class _Responses(_Chat):
    """Responses."""

    what = "POST /responses"

    def body(self, request: ModelRequest) -> dict[str, Any]:
        return {**responses_body(request, facts_role=self._facts_role), **self._options, "stream": self._streamed}

    def reply(self, request: ModelRequest) -> Reply:
        return ResponsesReply(names_of(request))

    async def open(self, body: Mapping[str, Any]) -> EventStream:
        responses = self._client.here().responses
        if not self._streamed:
            raw = await responses.with_raw_response.create(extra_body=dict(body))
            return WholeReply(raw.http_response, responses_events)
        stream: EventStream = await responses.create(stream=True, extra_body=dict(body))
        return stream


def _clients(
    key: str, *, url: str | None, headers: Mapping[str, str] | None, timeout: Timeout
) -> ClientPerLoop[AsyncOpenAI]:
    try:
        # The SDK puts off most of its imports to the first call, where they would count as time of the wire's.
        import openai.resources.chat.completions
        import openai.resources.responses

        options = http_options(timeout)
    except ImportError as error:
        raise UsageError("a model of OpenAI's needs the extra 'models': pip install 'marg[models]'") from error

    def make() -> AsyncOpenAI:
        return openai.AsyncOpenAI(
            api_key=key,
            base_url=url,
            default_headers=headers,
            timeout=options["timeout"],
            max_retries=0,  # the retries are ours, so that each attempt is recorded
            http_client=openai.DefaultAsyncHttpxClient(**options),
        )

    return ClientPerLoop(make)
