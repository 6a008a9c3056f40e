"""The endpoint as a raw ASGI application: three APIs, the models, the health, and what a test asks of it."""

from __future__ import annotations

import asyncio
import re
from collections import Counter

from marg_mock_model.endpoint.admin import ADMIN, admin_response
from marg_mock_model.endpoint.apis import APIS
from marg_mock_model.endpoint.asgi import Receive, Scope, Send, body_of, client_left, send_whole
from marg_mock_model.endpoint.aside import aside_response
from marg_mock_model.endpoint.breakage import Wire, break_reply, drop, html_response, status_response
from marg_mock_model.endpoint.cork import Cork
from marg_mock_model.endpoint.desk import Desk
from marg_mock_model.endpoint.fault import STATUS, Fault, Faults
from marg_mock_model.endpoint.journal import Exchange, Outcome
from marg_mock_model.endpoint.lane import PlainRequest
from marg_mock_model.endpoint.listener import Listener
from marg_mock_model.endpoint.response import Response
from marg_mock_model.endpoint.wire import WireApi, header

CONVERSATION_HEADER = b"x-marg-conversation"

_STREAM_ASKED = re.compile(rb'"stream"\s*:\s*true')


class EndpointApp:
    """The application. It is called with the connection under it, which the faults break."""

    def __init__(self, desk: Desk, *, faults: Faults) -> None:
        self.desk = desk
        self.faults = faults
        self.heard = 0
        """How many requests for a reply have come, in all."""
        self._numbers: Counter[str] = Counter()
        self._listener: Listener | None = None
        self._refused = 0
        self._again: asyncio.Future[None] | None = None

    def reset(self, *, faults: Faults | None = None) -> None:
        """Forget conversations, journal and counts; with other faults from now on where there are any."""
        self.desk.forget()
        self._numbers.clear()
        self.heard = self._refused = 0
        self.faults = self.faults if faults is None else faults
        if not self._refuse_next():
            self._listen_again()

    def attend(self, listener: Listener) -> None:
        """Take charge of a listener: it refuses whom the schedule says."""
        self._listener = listener
        self._refuse_next()

    def _refuse_next(self) -> bool:
        """Refuse the next connection where the schedule says so: it is done ahead, for nothing is heard of it then."""
        refusal = self.faults.refusal_at(self.heard + self._refused + 1)
        if refusal is None or self._listener is None:
            return False
        self._refused += 1
        self._listener.refuse()
        if refusal.seconds is not None:
            asyncio.get_running_loop().call_later(refusal.seconds, self._listen_again)
        return True

    def _listen_again(self) -> None:
        if self._listener is not None:
            self._again = asyncio.ensure_future(self._listener.listen())

    def at_once(self, request: PlainRequest) -> Response | None:
        """The answer to a request for a reply where no fault is to be played; None for any other."""
        api = APIS.get(request.path)
        if api is None or self.faults.faults:
            return None
        journal = self.desk.journal
        exchange = journal.begin(method="POST", path=request.path, headers=request.headers, body=request.body)
        self._heard(api, exchange)
        response = self.desk.reply(api, exchange)
        exchange.status = response.status
        journal.end(exchange, "answered")
        return response

    def _heard(self, api: WireApi, exchange: Exchange) -> None:
        self.heard += 1
        exchange.api = api.name
        exchange.conversation = _conversation(exchange)

    async def __call__(self, scope: Scope, receive: Receive, send: Send, transport: Cork) -> None:
        """Answer one request."""
        body = await body_of(receive)
        if body is None:
            return
        path, method = scope["path"], scope["method"]
        exchange = self.desk.journal.begin(method=method, path=path, headers=scope["headers"], body=body)
        api = APIS.get(path) if method == "POST" else None
        wire = Wire(receive=receive, send=send, transport=transport)
        outcome: Outcome = "left"
        try:
            if api is None:
                outcome = await self._aside(exchange, wire)
            else:
                outcome = await self._complete(api, exchange, wire)
        finally:
            # What asks for the journal is no part of it.
            if path.startswith(ADMIN):
                self.desk.journal.drop(exchange)
            else:
                self.desk.journal.end(exchange, outcome)
                self._refuse_next()

    async def _complete(self, api: WireApi, exchange: Exchange, wire: Wire) -> Outcome:
        """A request for a reply, with the fault that it meets."""
        self._heard(api, exchange)
        fault = self._fault(api, exchange) if self.faults.faults else None
        if fault is None:
            return await self._respond(self.desk.reply(api, exchange), exchange, wire)
        exchange.fault, exchange.retry_after = fault.kind, fault.retry_after
        if fault.kind in STATUS:
            return await self._respond(status_response(fault, api, exchange), exchange, wire)
        if fault.kind == "html":
            return await self._respond(html_response(), exchange, wire)
        if fault.kind == "drop":
            return await _closed(await drop(wire), wire)
        return await self._broken(fault, api, exchange, wire)

    async def _broken(self, fault: Fault, api: WireApi, exchange: Exchange, wire: Wire) -> Outcome:
        """A fault that needs the machine's reply; a request that gets none is answered as it is."""
        response = self.desk.reply(api, exchange, fault=fault)
        if response.status != 200 or fault.kind == "empty":
            return await self._respond(response, exchange, wire)
        exchange.status = 0 if fault.kind == "stall" and not (response.is_stream and fault.after) else response.status
        outcome = await break_reply(fault, response, exchange=exchange, api=api, wire=wire)
        return outcome if outcome in ("answered", "truncated") else await _closed(outcome, wire)

    async def _aside(self, exchange: Exchange, wire: Wire) -> Outcome:
        """Everything but a reply."""
        if exchange.path.startswith(ADMIN):
            return await self._respond(admin_response(self, exchange), exchange, wire)
        return await self._respond(aside_response(self.desk.machine, exchange), exchange, wire)

    async def _respond(self, response: Response, exchange: Exchange, wire: Wire) -> Outcome:
        exchange.status = response.status
        await send_whole(wire.send, response, wire.transport)
        return "answered"

    def _fault(self, api: WireApi, exchange: Exchange) -> Fault | None:
        self._numbers[exchange.conversation] += 1
        # Whom nobody named may be any: those that were refused count among them.
        number = self._numbers[exchange.conversation] + (0 if exchange.conversation else self._refused)
        exchange.stream = _STREAM_ASKED.search(exchange.body) is not None
        return self.faults.at(number, conversation=exchange.conversation, api=api.name, stream=exchange.stream)


def _conversation(exchange: Exchange) -> str:
    value = header(exchange.headers, CONVERSATION_HEADER)
    return "" if value is None else value.decode("latin-1")


async def _closed(outcome: Outcome, wire: Wire) -> Outcome:
    """Wait until the connection has gone: the server would answer in our place otherwise."""
    await client_left(wire.receive)
    return outcome
