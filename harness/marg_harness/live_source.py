"""A real model as what plays the model's part: by an official SDK, at its own URL or at another one."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from ipaddress import ip_address

from marg_harness.network_guard import hosts_allowed
from marg_harness.source import Played
from marg_mock_model.machine import Transition
from marg_mock_model.slip import Slip, SlipKind
from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelRequest
from marg_runtime.errors import UsageError
from marg_runtime.model import Delta
from marg_runtime.models import anthropic, open_model, openai
from marg_runtime.models.base_url import host_of
from marg_runtime.models.opening import OpenedModel
from marg_runtime.models.retry import Retries, Timeout
from marg_runtime.scrub import own_secrets, scrub
from marg_runtime.wire import WireLog

CONVERSATION = "x-marg-conversation"
"""Names the conversation to a mock's endpoint, so that it draws each by itself. Sent to this machine alone."""


@dataclass(frozen=True, kw_only=True)
class Live:
    """A real model. model: as `open_model` takes it; base_url: None takes the provider's, or its variable's.

    read: seconds that a piece of a reply is waited for; retries: tries after the first; None is the runtime's own.
    """

    model: str
    base_url: str | None = None
    read: float | None = None
    retries: int | None = None

    @property
    def host(self) -> str:
        """The host that is spoken to. Raises UsageError for what is no URL."""
        home = anthropic if self.model.startswith("anthropic:") else openai
        return host_of(self.base_url or os.environ.get(home.URL_VARIABLE), default=home.HOST)

    def settings(self) -> dict[str, Json]:
        """What was asked for, as a run's record has it; no key."""
        url = None if self.base_url is None else scrub(self.base_url, secrets=own_secrets())
        asked: dict[str, Json] = {"base_url": url, "read": self.read, "retries": self.retries}
        return {"model": self.model, **{name: value for name, value in asked.items() if value is not None}}

    def opened(self, *, conversation: str, wire: WireLog) -> OpenedModel:
        """The model for one conversation. Raises UsageError for another name, a missing key and a missing SDK."""
        return open_model(
            self.model,
            base_url=self.base_url,
            timeout=None if self.read is None else Timeout(read=self.read),
            retries=None if self.retries is None else Retries(most=self.retries),
            headers={CONVERSATION: conversation} if _is_here(self.host) else None,
            wire=wire,
        )

    @contextmanager
    def reachable(self) -> Iterator[None]:
        """Let this process speak to the model's host, and to no other, while the block runs."""
        with hosts_allowed(self.host):
            yield


class LiveSource:
    """A real model: what answered is not known, nor whether it slipped."""

    taken: Sequence[Transition] = ()
    slips: Sequence[Slip] = ()

    def __init__(self, model: OpenedModel) -> None:
        self._model = model

    def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The model's reply; raises ModelError where it breaks."""
        return self._model.stream(request)

    def slip_next(self, kind: SlipKind) -> None:
        """Refused: a real model slips by itself."""
        raise UsageError("a scenario with a slip of its own (`model: {slip: ...}`) is not replayed with a real model")

    def stand_aside(self, request: ModelRequest, *, to: str | None = None) -> None:
        """Nothing: the history tells the model of the reply."""


@asynccontextmanager
async def open_live(live: Live, *, scenario: str, seed: int) -> AsyncIterator[Played]:
    """The model for one conversation. seed: the number of the run, since a real model draws by itself."""
    log = WireLog()
    async with live.opened(conversation=f"{scenario} {seed}", wire=log) as model:
        yield Played(source=LiveSource(model), wire=log, recorded=True)


def check_live(live: Live) -> None:
    """Raise UsageError where the model could not be asked: another name, no key, no SDK, no URL."""
    if live.host:
        live.opened(conversation="", wire=WireLog())


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
