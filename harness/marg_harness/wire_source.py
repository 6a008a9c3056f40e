"""The machine behind a real endpoint on loopback, asked by an official SDK: what a replay over the wire speaks to."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from marg_harness.source import OverTheWire, Played
from marg_mock_model import Machine, UndeclaredSituation
from marg_mock_model.endpoint import Endpoint, Exchange, serve
from marg_mock_model.machine import Transition
from marg_mock_model.slip import Slip, SlipKind
from marg_runtime.conversation import ModelRequest
from marg_runtime.errors import UsageError
from marg_runtime.model import Delta, TextDelta
from marg_runtime.models.anthropic import AnthropicModel
from marg_runtime.models.openai import OpenAIModel
from marg_runtime.models.retry import Pace, Retries, Timeout
from marg_runtime.wire import WireLog

NO_KEY = "none"
"""The endpoint wants no key; the SDKs want some text."""


# The endpoint's answer to it is an error whose text is the machine's own, from the state's place on.
_UNDECLARED = re.compile(r"(?P<path>.+?):(?P<line>\d+): (?P<said>the mock model's state .*)", re.DOTALL)


class WireSource:
    """A client of the endpoint. A scripted reply of a scenario's cannot be sent over it."""

    def __init__(self, model: OpenAIModel | AnthropicModel, endpoint: Endpoint, machine: Machine, log: WireLog) -> None:
        self._model = model
        self._endpoint = endpoint
        self._log = log
        self._transitions = {f"{one.path}:{one.line}": one for one in machine.transitions()}
        self._slips = {f"{one.kind}:{one.line}": one for one in machine.slips}

    @property
    def taken(self) -> Sequence[Transition]:
        """The transitions of the answers that no fault was played on."""
        return [self._transitions[one.transition] for one in self._whole() if one.transition in self._transitions]

    @property
    def slips(self) -> Sequence[Slip]:
        """The slips in those answers."""
        return [self._slips[name] for one in self._whole() for name in one.slips if name in self._slips]

    def _whole(self) -> Iterator[Exchange]:
        return (one for one in self._endpoint.journal if one.fault is None)

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The reply over the wire. An undeclared situation is one, however the API words it."""
        heard: list[str] = []
        try:
            async for delta in self._model.stream(request):
                if isinstance(delta, TextDelta):
                    heard.append(delta.text)
                yield delta
        except Exception:
            self._raise_undeclared()
            raise
        self._compare("".join(heard))

    def _compare(self, heard: str) -> None:
        """Note a reply that came to its end and is not what was sent: some APIs number no piece, so that nobody who
        reads it can tell one that came twice. Both ends of this wire are ours."""
        last = self._endpoint.journal[-1] if self._endpoint.journal else None
        if last is None or last.sent is None or last.sent == heard:
            return
        answered = self._log.events[-1]
        self._log(replace(answered, phase="broken", exchange=f"{answered.exchange} as sent", kind="protocol"))

    def _raise_undeclared(self) -> None:
        """Say that the machine had no answer, where that is what the endpoint's last exchange says."""
        last = self._endpoint.journal[-1] if self._endpoint.journal else None
        found = _UNDECLARED.match(last.error) if last is not None and last.error else None
        if found is not None:
            said = found["said"]
            raise UndeclaredSituation(said, path=found["path"], line=int(found["line"]), state="", situation=said)

    def slip_next(self, kind: SlipKind) -> None:
        """Refused: the endpoint's machine draws its own slips."""
        raise UsageError("a scenario with a slip of its own (`model: {slip: ...}`) is not replayed over the wire")

    def stand_aside(self, request: ModelRequest, *, to: str | None = None) -> None:
        """Refused: the endpoint's machine would not know of the reply."""
        raise UsageError("a scenario with replies of its own (`model:`) is not replayed over the wire; leave it out")


@asynccontextmanager
async def open_wire(machine: Machine, over: OverTheWire, *, seed: int) -> AsyncIterator[Played]:
    """An endpoint and a client of it, for one conversation."""
    log = WireLog()
    async with serve(machine, faults=over.faults or None, seed=seed) as endpoint, _client(over, endpoint, log) as model:
        yield Played(source=WireSource(model, endpoint, machine, log), wire=log, recorded=True)


def _client(over: OverTheWire, endpoint: Endpoint, log: WireLog) -> OpenAIModel | AnthropicModel:
    timeout = Timeout() if over.read is None else Timeout(read=over.read)
    retries = Retries() if over.retries is None else Retries(most=over.retries)
    # No wait between two tries: what is waited for is another test's business, and a replay has no clock.
    pace = Pace(sleep=_no_wait)
    if over.api == "anthropic_messages":
        return AnthropicModel(
            "mock",
            base_url=endpoint.anthropic_url,
            api_key=NO_KEY,
            timeout=timeout,
            retries=retries,
            wire=log,
            pace=pace,
        )
    return OpenAIModel(
        "mock",
        api="chat" if over.api == "openai_chat" else "responses",
        base_url=endpoint.openai_url,
        api_key=NO_KEY,
        timeout=timeout,
        retries=retries,
        wire=log,
        pace=pace,
    )


async def _no_wait(seconds: float) -> None:
    del seconds
