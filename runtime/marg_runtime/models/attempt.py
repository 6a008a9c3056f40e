"""One attempt at a call: the request is sent once, the stream is read and folded, and all of it is recorded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from marg_runtime.conversation import ModelRequest
from marg_runtime.errors import ModelError
from marg_runtime.model import Delta
from marg_runtime.models.api import Api, EventStream
from marg_runtime.models.fault import Fault, fault_of, fault_of_reply, request_id
from marg_runtime.models.redaction import Redaction
from marg_runtime.models.reply import unfit
from marg_runtime.models.retry import Pace
from marg_runtime.wire import WireEvent, WirePhase, WireSink

DRAIN_SECONDS = 2.0  # for what comes behind the end of a reply, so that its connection can be used again


@dataclass(frozen=True, kw_only=True)
class _Limits:
    """When an attempt must have come to an end, on which clock."""

    pace: Pace
    ends: float

    @property
    def left(self) -> float:
        return max(0.0, self.ends - self.pace.clock())


class Attempt:
    """One attempt. `fault` is what went wrong, once `deltas` is through; `handed_on` whether a delta left it."""

    def __init__(
        self,
        *,
        api: Api,
        exchange: str,
        number: int,
        request: ModelRequest,
        settings: str,
        pace: Pace,
        ends: float,
        wire: WireSink,
        redaction: Redaction,
    ) -> None:
        self.fault: Fault | None = None
        self.handed_on = False
        self._api = api
        self._reply = api.reply(request)
        self._limits = _Limits(pace=pace, ends=ends)
        self._wire = wire
        self._redaction = redaction
        self._stream: EventStream | None = None
        self._chunks = 0
        self._reported = False
        self._event = WireEvent(
            side="model",
            phase="sent",
            exchange=exchange,
            peer=api.peer,
            what=api.what,
            attempt=number,
            request=request.digest,
            settings=settings,
        )

    async def deltas(self, body: Mapping[str, Any]) -> AsyncGenerator[Delta]:
        """The deltas as they come, the calls and the finish last. What the wire does wrong ends it and is `fault`."""
        self._wire(self._event)
        try:
            async with aclosing(self._heard(body)) as deltas:
                async for delta in deltas:
                    self.handed_on = True
                    yield delta
        except (GeneratorExit, asyncio.CancelledError) as given_up:
            if not self._reported:
                self._report("broken", error=type(given_up).__name__)
            raise
        finally:
            if self._stream is not None:
                # A connection that is broken may break again as it is let go; that is nothing to anybody.
                with suppress(Exception):
                    await self._stream.close()

    async def _heard(self, body: Mapping[str, Any]) -> AsyncGenerator[Delta]:
        await self._open(body)
        while self._stream is not None and self.fault is None:
            event = await self._next(self._stream)
            if event is None:
                break
            for delta in self._fed(event):
                yield delta
        if self.fault is None:
            for delta in self._ended():
                yield delta

    async def _open(self, body: Mapping[str, Any]) -> None:
        try:
            async with asyncio.timeout(self._limits.left):
                self._stream = await self._api.open(body)
        except Exception as error:
            self.fault = self._fault_of(error, began=False)
            if self.fault is None:
                self._report("broken", error=type(error).__name__)
                raise

    async def _next(self, stream: EventStream) -> Mapping[str, Any] | None:
        """The next event, or None at the end of the stream and where it broke.

        A reply that has its marker is whole: what comes behind it is waited for a little, and missed by nobody.
        """
        whole = bool(self._reply.marker)
        try:
            async with asyncio.timeout(min(self._limits.left, DRAIN_SECONDS) if whole else self._limits.left):
                event = await stream.__anext__()
        except StopAsyncIteration:
            return None
        except Exception as error:
            self.fault = None if whole else self._fault_of(error, began=True)
            return None
        self._chunks += 1
        # Not validated, and not to be: a server's odd fields are looked at by the fold, and nowhere else.
        return (
            event.model_dump(by_alias=True, exclude_unset=True, warnings=False) if isinstance(event, BaseModel) else {}
        )

    def _fed(self, event: Mapping[str, Any]) -> tuple[Delta, ...]:
        try:
            if not event:
                raise unfit("an event is no object")
            return self._reply.feed(event)
        except ModelError as error:
            self.fault = self._fault_of_reply(error)
            return ()

    def _ended(self) -> tuple[Delta, ...]:
        try:
            last = self._reply.end()
        except ModelError as error:
            self.fault = self._fault_of_reply(error)
            return ()
        self._report("answered")
        return last

    def _fault_of(self, error: Exception, *, began: bool) -> Fault | None:
        return fault_of(error, began=began, redaction=self._redaction, now=self._limits.pace.now())

    def _fault_of_reply(self, error: ModelError) -> Fault:
        response = None if self._stream is None else self._stream.response
        media = "" if response is None else response.headers.get("content-type", "")
        media = media.partition(";")[0].strip().lower()
        return fault_of_reply(
            error,
            code=self._reply.code,
            status=200 if response is None else response.status_code,
            media="" if media == self._api.media else media,
            redaction=self._redaction,
        )

    # The record

    def report_fault(self, fault: Fault, *, again: bool) -> None:
        """Record how the attempt went wrong; one that is followed by another is noise, whatever it was."""
        self._report(
            "noise" if again else "broken",
            kind=fault.kind,
            code=fault.code,
            retry_after=fault.retry_after,
            error=fault.causes[0] if fault.causes else "",
            causes=fault.causes,
            status=fault.status,
            bytes=fault.received,
            request_id=fault.request_id,
        )

    def _report(self, phase: WirePhase, **known: Any) -> None:
        self._reported = True
        response = None if self._stream is None else self._stream.response
        if response is not None:
            known["status"] = response.status_code
            known["request_id"] = request_id(response.headers, self._redaction)
            known["bytes"] = response.num_bytes_downloaded
        usage = self._reply.usage
        self._wire(
            replace(
                self._event,
                phase=phase,
                terminal=bool(self._reply.marker),
                marker=self._reply.marker,
                chunks=self._chunks,
                tokens_in=usage.tokens_in,
                tokens_out=usage.tokens_out,
                **known,
            )
        )
